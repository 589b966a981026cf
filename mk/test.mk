# SPDX-License-Identifier: BSD-3-Clause

.PHONY: test test-rust test-python
test: setup check test-rust test-python fuzz-brief coverage
test: ## checkers, Rust and Python tests, fuzz corpora and a short run, coverage; LONG=1: every case

# Optimised: the instruction streams that are compared with mspdebug are long. Without link-time optimisation, which thirty
# programs would each wait for.
test-rust: tools
	cargo test --quiet --locked --workspace --profile checks

test-python: setup stack firmware fuzz-targets wheel hdl-benches
	@$(MAKE) $(REPORT)/rows.json
	@$(PYTHON) -m tests.wycheproof || [ "$${CI:-}" != true ] # what needs them is skipped on a laptop
	$(PYTHON) -m pytest $(if $(LONG),--long,--turns)

.PHONY: foreign
foreign: setup stack firmware ## the stack and the image tinysec against files of other projects, VECTORS=FOLDER
	@$(PYTHON) -m tests.foreign '$(VECTORS)'

.PHONY: released
released: setup ## images that others released, on emulated motes, each with what it must show; from FOLDER=… or their sources
	@$(PYTHON) -m tests.released $(if $(FOLDER),"$(FOLDER)")

.PHONY: isa
ISA ?= 10000000
isa: setup ## random instructions on each core and on mspdebug, simavr and unicorn, ISA=10000000 of each
	@$(PYTHON) -m tests.motes.isa --instructions $(ISA)

.PHONY: cuts
CUTS ?= 10000
cuts: setup firmware
cuts: ## power cuts of an emulated TelosB that keeps its counters in flash, and of stores on other media, CUTS=10000 of each
	@$(PYTHON) -m tests.firmware.power_cuts --cuts $(CUTS)
	@$(PYTHON) -m tests.stack.store.cuts --cuts $(CUTS)

.PHONY: ahead
AHEAD ?= 10000
ahead: setup stack firmware
ahead: ## random runs of nodes that work ahead of the slot: which keystream each frame meets, what a fault costs, and what emulated motes hold, AHEAD=10000 of them
	@$(PYTHON) -m tests.stack.link.ahead_runs --runs $(AHEAD) --kept $(BUILD)/ahead_runs.json
	@$(PYTHON) -m tests.stack.link.ahead_schedules
	@$(PYTHON) -m tests.stack.link.ahead_engine_runs --runs $(AHEAD)
	@$(PYTHON) -m tests.stack.link.ahead_losses --runs $(AHEAD)
	@$(PYTHON) -m tests.firmware.ahead_memory

.PHONY: mutants
MUTANT_SET ?= stack
mutants: setup stack $(if $(filter figures,$(MUTANT_SET)),firmware)
mutants: ## small defects, drawn by a seed: which of them the tests notice; MUTANT_SET=stack in link, mode and store, MUTANT_SET=net in net, MUTANT_SET=zigbee in zigbee, MUTANT_SET=figures in records, devices and bench; MUTANTS=100, MUTANT_SEED=12
	@[ $(MUTANT_SET) = stack ] || $(MAKE) $(REPORT)/rows.json
	@$(PYTHON) -m tests.mutants --set $(MUTANT_SET) $(addprefix --count ,$(MUTANTS)) $(addprefix --seed ,$(MUTANT_SEED))

.PHONY: forgery
FORGERY := $(BUILD)/forgery
forgery: $(FORGERY)
forgery: ## all 2^32 tags of a TinySec packet through the comparison, and 10 000 000 guesses of 16 bits through the receiver
	@$(FORGERY)
$(FORGERY): tests/stack/tinysec/forgery.c $(wildcard stack/src/*/*.c stack/src/*/*.h stack/include/wardmote/*.h) mk/test.mk
	@mkdir -p $(@D)
	@gcc -std=c11 -O2 -Wall -Wextra -Wconversion -Wshadow -Werror -Istack/include $< \
	  $(wildcard stack/src/tinysec/*.c stack/src/util/*.c stack/src/cipher/skipjack*.c) -lm -o $@
