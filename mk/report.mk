# SPDX-License-Identifier: BSD-3-Clause
# report: the main job. What an image, the instrument or the bench changed is measured again; else the
# rows at hand are shown. FULL=1 also runs the experiments that take minutes, with the time left.

.PHONY: report docs bench
REPORT := $(BUILD)/report
BENCH_SOURCES := $(shell find bench/wardmote -type f \( -name '*.py' -o -name '*.j2' -o -name '*.js' -o -name '*.css' \)) $(wildcard published/*.toml)
IMAGES = $(wildcard $(BUILD)/firmware/*/slot-*.elf)
MEASURED = $(wildcard $(BUILD)/firmware/*/*.elf $(BUILD)/stack/*/*.a $(BUILD)/stack/host/*.so) $(STAMPS)/extension $(BENCH_SOURCES)
FULL ?=
EXPERIMENTS := $(STAMPS)/experiments$(if $(FULL),-full)

TINYSEC_VERBS := packet cipher trace energy footprint boards
IPSEC_VERBS := overhead crypto footprint response energy
ZIGBEE_VERBS := picture energy breakeven trace throughput sink footprint
# Sub-verbs of `wardmote tinysec`, `wardmote ipsec` and `wardmote zigbee` that fill a document within seconds.

report: setup firmware stack
report: ## all slots and primitives: how short can a slot be, which primitive should I use?
	@$(MAKE) $(REPORT)/rows.json
	@$(MAKE) $(REPORT)/primitives/primitives.html
	@$(MAKE) $(EXPERIMENTS)
	@$(WARDMOTE) report $(REPORT)

$(REPORT)/rows.json: $(IMAGES) $(STAMPS)/extension $(BENCH_SOURCES)
	$(WARDMOTE) slot --report $(REPORT) >/dev/null

$(REPORT)/primitives/primitives.html: $(MEASURED)
	@$(WARDMOTE) primitives --report $(@D) >/dev/null
	@touch $@

$(EXPERIMENTS): $(REPORT)/rows.json $(MEASURED)
	@$(PYTHON) -m wardmote.experiments $(REPORT) $(if $(FULL),--full) >/dev/null
	@touch $@

docs: report stack ## put the report's figures into README.md and docs/
	@$(PYTHON) scripts/update_docs.py $(REPORT)
	@$(PYTHON) scripts/update_needs.py
	@$(PYTHON) -m scripts.update_tutorial
	@$(WARDMOTE) primitives --cpu msp430,avr,armv7m --document docs/what-does-a-primitive-cost.md --format csv >/dev/null
	@$(WARDMOTE) primitives --document docs/which-primitive-should-i-use.md >/dev/null
	@$(WARDMOTE) primitives --document docs/how-do-we-compare-with-the-paper-on-primitives.md >/dev/null
	@$(WARDMOTE) primitives --document docs/do-the-claims-hold.md >/dev/null
	@$(WARDMOTE) primitives --cpu msp430,avr,armv7m --document docs/how-fast-is-the-code.md >/dev/null
	@$(WARDMOTE) assumptions --document docs/what-do-the-numbers-rest-on.md --report $(REPORT) --format csv >/dev/null
	@$(WARDMOTE) ahead --document docs/what-does-work-ahead-cost.md --report $(REPORT) --format csv >/dev/null
	@$(WARDMOTE) policy --document docs/what-does-a-table-entry-cost.md --report $(REPORT) --format csv >/dev/null
	@$(WARDMOTE) policy --document docs/where-does-the-slot-time-go.md --format csv >/dev/null
	@$(WARDMOTE) account --strategy software,hybrid,hardware,ahead-software,ahead-hybrid,ahead-hardware --document docs/where-does-the-slot-time-go.md --format csv >/dev/null
	@$(WARDMOTE) account --board telosb --supply 3V --strategy software,hybrid,hardware,ahead-software,ahead-hybrid,ahead-hardware --document docs/where-does-the-slot-time-go.md --format csv >/dev/null
	@$(WARDMOTE) shortest --document docs/what-does-work-ahead-cost.md --report $(REPORT) --format csv >/dev/null
	@$(WARDMOTE) system --board telosb,openmote-cc2538 --seconds 5 --document docs/what-does-an-operating-system-cost.md --format csv >/dev/null
	@for verb in $(TINYSEC_VERBS); do $(WARDMOTE) tinysec $$verb --document docs/what-does-tinysec-cost.md --report $(REPORT) --format csv >/dev/null || exit 1; done
	@for verb in $(IPSEC_VERBS); do $(WARDMOTE) ipsec $$verb --document docs/what-does-ipsec-cost.md --report $(REPORT) --format csv >/dev/null || exit 1; done
	@for verb in $(ZIGBEE_VERBS); do $(WARDMOTE) zigbee $$verb --document docs/what-does-zigbee-security-cost.md --report $(REPORT) --format csv >/dev/null || exit 1; done
	@$(WARDMOTE) tinysec keying --document docs/what-does-tinysec-protect.md --report $(REPORT) --format csv >/dev/null
	@for page in do-the-claims-hold what-does-tinysec-cost; do $(WARDMOTE) tinysec claims $(REPORT) --document docs/$$page.md --format csv >/dev/null || exit 1; done
	@for page in do-the-claims-hold what-does-ipsec-cost; do $(WARDMOTE) ipsec claims $(REPORT) --document docs/$$page.md --format csv >/dev/null || exit 1; done

bench: setup firmware stack
bench: ## speed beside other simulators and tshark, of slot, sweep and picture; cycles of AES, CCM*
	@$(PYTHON) -m bench.targets.core
	@$(PYTHON) -m bench.targets.ciphers
	@$(PYTHON) -m bench.targets.slot
	@$(PYTHON) -m bench.targets.air
	@$(PYTHON) -m bench.targets.naps
	@$(PYTHON) -m bench.targets.picture
	@$(PYTHON) -m bench.targets.frame
	@$(PYTHON) -m bench.targets.measure
	@$(PYTHON) -m bench.targets.pages
	@$(PYTHON) -m bench.targets.workers

.PHONY: clocks
HOURS ?= 24
clocks: setup firmware
clocks: ## two motes 60 ppm apart of which one hears one ack in ten, for HOURS=24 simulated hours
	@$(PYTHON) -m bench.targets.clocks --hours $(HOURS) --document docs/do-the-clocks-stay-together.md

.PHONY: libraries
libraries: setup stack
libraries: ## primitives of other libraries beside ours (fetches their sources, writes a document)
	@$(PYTHON) -m bench.targets.libraries --page docs/how-do-we-compare-with-other-libraries.md

.PHONY: packages
packages: setup
packages: ## C of packages of others on every CPU beside what others print (fetches it, writes a document)
	@$(PYTHON) -m bench.targets.packages --page docs/i-come-from-pqm4.md
