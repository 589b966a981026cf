# SPDX-License-Identifier: BSD-3-Clause
# hdl: the test benches of the coprocessor as programs that count their lines; ghdl with gcc's code
# generator, because gcov reads its counts.

.PHONY: hdl hdl-benches
hdl: setup
hdl: ## area and clock of the coprocessor on an iCE40 HX8K, into its document; installs nextpnr
	@scripts/setup_debian.sh hdl
	@$(PYTHON) -m scripts.hdl_costs

.PHONY: hdl-blocks
hdl-blocks: setup hdl-benches
hdl-blocks: ## 10 000 random blocks on each core and in its model, beside OpenSSL and the C, for minutes
	@WARDMOTE_HDL_BLOCKS=10000 $(PYTHON) -m pytest -n 2 tests/hdl/test_aes128_core.py \
	  tests/hdl/test_device_model.py -k 'agrees_with_openssl or random_blocks'

HDL := $(BUILD)/hdl
HDL_SOURCES := $(wildcard hdl/rtl/*.vhd hdl/tb/*.vhd)
HDL_BENCHES := $(basename $(notdir $(wildcard hdl/tb/tb_*.vhd)))

hdl-benches: $(STAMPS)/hdl-benches
$(STAMPS)/hdl-benches: $(HDL_SOURCES) mk/hdl.mk | tools
	@mkdir -p $(@D)
	@echo 'hdl: test benches'
	@rm -rf $(HDL)/benches && mkdir -p $(HDL)/benches
	@cd $(HDL)/benches && ghdl-gcc -i --std=08 $(HDL_SOURCES:%=$(CURDIR)/%) && \
	  for bench in $(HDL_BENCHES); do \
	    ghdl-gcc -m --std=08 -O2 -fprofile-arcs -ftest-coverage -Wl,--coverage --warn-error \
	      -o $$bench $$bench >$$bench.log 2>&1 || { cat $$bench.log >&2; exit 1; }; \
	  done
	@touch $@
