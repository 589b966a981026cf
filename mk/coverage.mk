# SPDX-License-Identifier: BSD-3-Clause
# coverage: which lines of stack/src/link, net, store and zigbee the tests on this machine and the
# kept fuzz corpora run. The library is built once more, with clang's counters; the fuzz targets are linked to
# it, so that one library counts for all.

.PHONY: coverage
COVERAGE := $(BUILD)/coverage
COVERAGE_FLAGS := -std=c11 -O1 -g -fPIC -Istack/include -Istack/src/link -Itests/fuzz -MMD -MP
COVERAGE_COUNT := -fprofile-instr-generate -fcoverage-mapping
COVERAGE_LIBRARY := $(COVERAGE)/stack/host/libwardmote.so
# The doubles of engines are of AES-128, which FUZZ_SOURCES has, and of Curupira-2.
COVERAGE_STACK := $(patsubst %.c,$(COVERAGE)/obj/%.o,$(FUZZ_SOURCES) $(wildcard stack/src/cipher/curupira[12]*.c))
COVERAGE_DOUBLES := $(patsubst %.c,$(COVERAGE)/obj/%.o,$(wildcard tests/stack/*/*_double.c))
COVERAGE_SHARED := $(patsubst %.c,$(COVERAGE)/obj/%.o,$(filter-out tests/fuzz/fuzz_%.c,$(wildcard tests/fuzz/*.c)))

coverage: setup ## lines of stack/src/link, net, store and zigbee that tests and fuzz corpora run
	@$(MAKE) $(JOBS) $(COVERAGE_LIBRARY) $(FUZZ_NAMES:%=$(COVERAGE)/fuzz_%)
	@$(PYTHON) -m scripts.coverage --least 95

$(eval $(call stack_and_tests,$(COVERAGE),mk/coverage.mk,$(COVERAGE_FLAGS),$(COVERAGE_COUNT)))
$(COVERAGE_LIBRARY): $(COVERAGE_STACK) $(COVERAGE_DOUBLES)
	@mkdir -p $(@D)
	@echo 'coverage: $(@F)'
	@clang-22 $(COVERAGE_COUNT) -shared $^ -o $@
$(COVERAGE)/fuzz_%: $(COVERAGE)/obj/tests/fuzz/fuzz_%.o $(COVERAGE_SHARED) $(COVERAGE_LIBRARY)
	@clang-22 -fsanitize=fuzzer '-Wl,-rpath,$$ORIGIN/stack/host' $^ -o $@
.SECONDARY: $(COVERAGE_SHARED) $(FUZZ_NAMES:%=$(COVERAGE)/obj/tests/fuzz/fuzz_%.o)
-include $(COVERAGE_STACK:.o=.d) $(COVERAGE_DOUBLES:.o=.d) $(COVERAGE_SHARED:.o=.d) \
         $(FUZZ_NAMES:%=$(COVERAGE)/obj/tests/fuzz/fuzz_%.d)
