# SPDX-License-Identifier: BSD-3-Clause
# wheel: the package for machines without checkout and compiler. It is built when something that it
# holds changed.

.PHONY: wheel
WHEEL_PARTS = $(BENCH_SOURCES) $(STAMPS)/extension $(IMAGES) $(BUILD)/stack/host/libwardmote.so $(BUILD)/native/libframes.so scripts/build_wheel.py

wheel: setup firmware stack ## a wheel in build/wheel/ that measures without checkout or compiler
	@$(MAKE) $(STAMPS)/wheel

$(STAMPS)/wheel: $(WHEEL_PARTS)
	@mkdir -p $(@D)
	@echo 'wheel'
	@$(PYTHON) scripts/build_wheel.py $(BUILD)/wheel
	@touch $@
