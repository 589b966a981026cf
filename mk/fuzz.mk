# SPDX-License-Identifier: BSD-3-Clause
# fuzz: libFuzzer targets tests/fuzz/fuzz_*.c on the stack with AddressSanitizer and
# UndefinedBehaviorSanitizer. Each target has a kept corpus, tests/fuzz/corpus/NAME.hex. `make fuzz`
# is the long run; `make test` replays the corpora and goes on for a moment.

.PHONY: fuzz fuzz-long fuzz-brief fuzz-targets fuzz-corpus
FUZZ := $(BUILD)/fuzz
FUZZ_RUNS ?= 10000000
FUZZ_JOBS ?= 1
FUZZ_BRIEF_RUNS ?= 20000
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_TARGETS ?= $(FUZZ_NAMES)
FUZZ_SHARED := $(filter-out tests/fuzz/fuzz_%.c,$(wildcard tests/fuzz/*.c)) \
               $(wildcard tests/stack/link/*_double.c tests/stack/store/*_double.c)
FUZZ_FLAGS := -std=c11 -O2 -g -fno-omit-frame-pointer -Wall -Wextra -Wconversion -Wshadow -Werror \
              -Istack/include -Istack/src/link -Itests/fuzz -MMD -MP -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_WATCH = $(if $(findstring /cipher/,$@)$(findstring /hash/,$@),,-fsanitize=fuzzer-no-link)
# The link layer, TinySec, ZigBee, 6LoWPAN, IPsec and what they stand on. tests/fuzz/test_targets.py has the same list.
FUZZ_SOURCES := $(wildcard $(addprefix stack/src/,link/*.c tinysec/*.c zigbee/*.c net/*.c store/*.c hash/sha1*.c hash/sha256*.c mode/c*.c \
                  mode/hmac.c mode/xcbc_mac.c mode/double_block.c cipher/aes128*.c cipher/skipjack*.c util/*.c))
FUZZ_OBJECTS := $(patsubst %.c,$(FUZZ)/obj/%.o,$(FUZZ_SOURCES) $(FUZZ_SHARED))

fuzz: fuzz-targets $(VENV)/installed.lock
fuzz: ## fuzz targets, 10 000 000 executions each (FUZZ_RUNS=, FUZZ_TARGETS=)
	@$(PYTHON) scripts/fuzz.py run --runs $(FUZZ_RUNS) $(FUZZ_TARGETS)

fuzz-long: fuzz-targets $(VENV)/installed.lock
fuzz-long: ## the same in slices, with what was done kept: stopped, it goes on where it was (FUZZ_JOBS=)
	@nice -n 19 $(PYTHON) scripts/fuzz.py long --runs $(FUZZ_RUNS) --jobs $(FUZZ_JOBS) $(FUZZ_TARGETS)

fuzz-brief: fuzz-targets $(VENV)/installed.lock
	@$(PYTHON) scripts/fuzz.py run --runs $(FUZZ_BRIEF_RUNS) --seed 1 $(FUZZ_NAMES)

# Keeps what the long run found: the fewest inputs that reach every edge.
fuzz-corpus: fuzz-targets $(VENV)/installed.lock
	@$(PYTHON) scripts/fuzz.py keep $(FUZZ_TARGETS)

fuzz-targets: tools
	@$(MAKE) $(JOBS) $(FUZZ_NAMES:%=$(FUZZ)/fuzz_%)

# The stack is watched edge by edge. The harness is not: its edges would draw the fuzzer away from
# the stack's. Nor are ciphers and hashes, whose path is always the same.
define stack_and_tests # folder of objects, makefile, flags, further flags of the stack alone
$(1)/obj/stack/%.o: stack/%.c $(2)
	@mkdir -p $$(@D)
	@clang-22 $(3) $(4) -ffreestanding -c $$< -o $$@
$(1)/obj/tests/%.o: tests/%.c $(2)
	@mkdir -p $$(@D)
	@clang-22 $(3) -c $$< -o $$@
endef
$(eval $(call stack_and_tests,$(FUZZ),mk/fuzz.mk,$(FUZZ_FLAGS),$$(FUZZ_WATCH)))
$(FUZZ)/fuzz_%: $(FUZZ)/obj/tests/fuzz/fuzz_%.o $(FUZZ_OBJECTS)
	@echo "fuzz: $(@F)"
	@clang-22 -fsanitize=fuzzer,address,undefined $^ -o $@
.SECONDARY: $(FUZZ_OBJECTS) $(FUZZ_NAMES:%=$(FUZZ)/obj/tests/fuzz/fuzz_%.o)
-include $(FUZZ_OBJECTS:.o=.d) $(FUZZ_NAMES:%=$(FUZZ)/obj/tests/fuzz/fuzz_%.d)
