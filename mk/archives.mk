# SPDX-License-Identifier: BSD-3-Clause
# The C library for the host and every emulated CPU, beside the rest of the repository. It runs in
# stack/: make -C stack -f ../mk/archives.mk. stack/Makefile builds the library by itself, for one
# CPU; stack/sources.mk has what both share.
#
#   host/libwardmote.so            everything, for tests and for Python
#   host/libwardmote-small.so      everything in its smallest form
#   host/lib*-sanitized.so         both by gcc with AddressSanitizer and UndefinedBehaviorSanitizer
#   CPU/libwardmote.a              what firmware links; arch/CPU/NAME.S replaces src/*/NAME.c
#   CPU/libwardmote-portable.a     portable C alone: the reference for every assembly variant
#   CPU/libwardmote-small.a        the least flash: small/NAME.c replaces src/*/NAME.c,
#                                  arch/CPU/small/NAME.S replaces both, and the rest is -Os, or
#                                  -Oz where SMALLEST of the CPU names it
#   CPU/libdoubles.a               what stands in for a board: tests/stack/*/*_double.c
#
# The bench and the tests link a function from these archives when they call it: wardmote.linked.
# `wardmote primitives --forms` compares the cycles and octets of assembly, C and the small form.
#
# -ffreestanding stays: our code names no function of the C library, and that clang then knows none
# of them costs at most 12 cycles in 45 000.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

CC := clang-22
GCC := gcc

BUILD ?= ../build/stack
CFLAGS := -std=c11 -ffreestanding -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror \
          -ffunction-sections -fdata-sections -g -Iinclude -MMD -MP
ASFLAGS := -g -Iinclude -MMD -MP

# A CPU is a file cpu/<cpu>.mk, which says how code for it is made.
CPUS := $(basename $(notdir $(sort $(wildcard cpu/*.mk))))
include $(CPUS:%=cpu/%.mk)

RECIPES := ../mk/archives.mk sources.mk
include sources.mk
# A board supplies the functions of include/wardmote/port; here tests/stack/*/*_double.c does. A
# function without a double has address 0, where a call ends in a fault that names it.
DOUBLES := $(sort $(wildcard ../tests/stack/*/*_double.c))
PORT_HEADERS := $(sort $(wildcard include/wardmote/port/*.h))
PORTS := $(BUILD)/obj/ports.ld
ARCHIVES := libwardmote.a libwardmote-portable.a libwardmote-small.a libdoubles.a

.PHONY: all host sanitized clean
all: host sanitized foreign $(CPUS)
host: $(addprefix $(BUILD)/host/libwardmote,.so -small.so -long.so)
sanitized: $(addprefix $(BUILD)/host/libwardmote,-sanitized.so -small-sanitized.so -long-sanitized.so)
clean:
	rm -rf $(BUILD)

define compile # compiler and options
	@mkdir -p $(@D)
	@$(1) -c $< -o $@
endef

$(PORTS): $(PORT_HEADERS) $(RECIPES)
	@mkdir -p $(@D)
	@grep -oh '\bwm_port_[a-z_]*[a-z]\b' $(PORT_HEADERS) | sort -u | sed 's/.*/PROVIDE(& = 0);/' > $@

# Host: one object tree per kind.
HOST_FLAGS := -O2 -fPIC
SMALL_FLAGS := $(SMALL_FORM) -Os -fPIC
SANITIZED_FLAGS := -O1 -fPIC -fno-omit-frame-pointer \
                   -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all
SMALL_SANITIZED_FLAGS := $(SMALL_FORM) $(SANITIZED_FLAGS)
LONG_PSDU := -include ../tests/stack/long_psdu.h
SMALL_SOURCES := $(call small_forms,host)

define host_library # kind, compiler, flags, library, sources
OBJECTS_$(1) := $$(patsubst %.c,$$(BUILD)/obj/$(1)/%.o,$(5) $$(DOUBLES:../%=%))
$$(BUILD)/obj/$(1)/%.o: %.c $$(RECIPES)
	$$(call compile,$(2) $$(CFLAGS) $(3))
$$(BUILD)/obj/$(1)/tests/%.o: ../tests/%.c $$(RECIPES)
	$$(call compile,$(2) $$(CFLAGS) $(3))
$$(BUILD)/host/$(4).so: $$(OBJECTS_$(1)) $$(PORTS)
	@mkdir -p $$(@D)
	@echo "stack: host/$$(@F)"
	@$(2) $(3) -shared -o $$@ $$^
-include $$(OBJECTS_$(1):.o=.d)
endef
host_libraries = $(eval $(call host_library,$(1),$(2),$(3),libwardmote$(4),$(5)))
$(call host_libraries,host,$(CC),$(HOST_FLAGS),,$(SOURCES))
$(call host_libraries,small,$(CC),$(SMALL_FLAGS),-small,$(SMALL_SOURCES))
$(call host_libraries,long,$(CC),$(HOST_FLAGS) $(LONG_PSDU),-long,$(SOURCES))
$(call host_libraries,sanitized,$(GCC),$(SANITIZED_FLAGS),-sanitized,$(SOURCES))
$(call host_libraries,long-sanitized,$(GCC),$(LONG_PSDU) $(SANITIZED_FLAGS),-long-sanitized,$(SOURCES))
$(call host_libraries,small-sanitized,$(GCC),$(SMALL_SANITIZED_FLAGS),-small-sanitized,$(SMALL_SOURCES))

# Sources of CPU $(1) whose text is shortened.
shortened = $(if $(SHORTEN_$(1)),$(filter $(SMALLEST_$(1)),$(SMALL_$(1):%=%.c)))

define emulated # CPU
OBJ_$(1) := $$(BUILD)/obj/$(1)
OUT_$(1) := $$(BUILD)/$(1)
CHIP_OF_$(1) := ../firmware/chip/$$(CHIP_$(1))
CC_OF_$(1) := $$(CC_$(1)) $$(TARGET_$(1)) $$(ATTRIBUTES_$(1))
FAST_$(1) := $$(call fast_forms,$(1))
SMALL_$(1) := $$(basename $$(call small_forms,$(1)))
SHORTEN_$(1) := $$(wildcard cpu/$(1)_shorten.awk)
# Functions that the compiler calls by itself. An executable needs them beside the archives.
RUNTIME_$(1) := $$(basename $$(wildcard $$(addprefix $$(CHIP_OF_$(1))/runtime/*.,c S)))
RUNTIME_$(1) := $$(RUNTIME_$(1):$$(CHIP_OF_$(1))/%=$$(OBJ_$(1))/firmware/%.o)

.PHONY: $(1)
$(1): $$(ARCHIVES:%=$$(OUT_$(1))/%) $$(RUNTIME_$(1)) $$(PORTS)
$$(OUT_$(1))/libwardmote.a: $$(patsubst %,$$(OBJ_$(1))/%.o,$$(basename $$(FAST_$(1))))
$$(OUT_$(1))/libwardmote-portable.a: $$(SOURCES:%.c=$$(OBJ_$(1))/%.o)
$$(OUT_$(1))/libwardmote-small.a: $$(SMALL_$(1):%=$$(OBJ_$(1))-small/%.o)
$$(OUT_$(1))/libdoubles.a: $$(DOUBLES:../%.c=$$(OBJ_$(1))/%.o)
$$(ARCHIVES:%=$$(OUT_$(1))/%):
	@mkdir -p $$(@D)
	@echo "stack: $(1)/$$(@F)"
	@rm -f $$@
	@$$(AR_$(1)) rcs $$@ $$^

# Most objects by -O2, those that SMALLER names by -Os. The runtime has options of its own.
$$(OBJ_$(1))/%.o: OPT := -O2
$$(patsubst %.c,$$(OBJ_$(1))/%.o,$$(filter $$(SMALLER_$(1)),$$(SOURCES))): OPT := -Os
$$(OBJ_$(1))/firmware/%.o: OPT := -O2 $$(RUNTIME_FLAGS_$(1))
$$(OBJ_$(1))/%.o: %.c $$(RECIPES) cpu/$(1).mk
	$$(call compile,$$(CC_OF_$(1)) $$(CFLAGS) $$(OPT) $$(NO_WARN_$(1)))
$$(OBJ_$(1))/%.o: %.S $$(RECIPES) cpu/$(1).mk
	$$(call compile,$$(CC_OF_$(1)) $$(ASFLAGS))
$$(OBJ_$(1))-small/%.o: OPT := -Os
$$(patsubst %.c,$$(OBJ_$(1))-small/%.o,$$(filter $$(SMALLEST_$(1)),$$(SMALL_$(1):%=%.c))): OPT := -Oz
$$(OBJ_$(1))-small/%.o: %.c $$(RECIPES) cpu/$(1).mk
	$$(call compile,$$(CC_OF_$(1)) $$(CFLAGS) $$(SMALL_FORM) $$(OPT) $$(NO_WARN_$(1)))
# Where a file cpu/<cpu>_shorten.awk is, it shortens the assembler's text of what SMALLEST names.
$$(patsubst %.c,$$(OBJ_$(1))-small/%.o,$$(call shortened,$(1))): $$(OBJ_$(1))-small/%.o: %.c \
		$$(RECIPES) cpu/$(1).mk $$(SHORTEN_$(1))
	@mkdir -p $$(@D)
	@$$(CC_OF_$(1)) $$(CFLAGS) $$(SMALL_FORM) $$(OPT) $$(NO_WARN_$(1)) -MT $$@ -S $$< -o $$(@:.o=.long)
	@awk -f $$(SHORTEN_$(1)) $$(@:.o=.long) > $$(@:.o=.s)
	@$$(CC_OF_$(1)) -c $$(@:.o=.s) -o $$@
$$(OBJ_$(1))-small/%.o: %.S $$(RECIPES) cpu/$(1).mk
	$$(call compile,$$(CC_OF_$(1)) $$(ASFLAGS))
$$(OBJ_$(1))/tests/%.o: ../tests/%.c $$(RECIPES) cpu/$(1).mk
	$$(call compile,$$(CC_OF_$(1)) $$(CFLAGS) $$(OPT) $$(NO_WARN_$(1)))
$$(OBJ_$(1))/firmware/%.o: $$(CHIP_OF_$(1))/%.c $$(RECIPES) cpu/$(1).mk
	$$(call compile,$$(CC_OF_$(1)) $$(CFLAGS) $$(OPT) $$(NO_WARN_$(1)))
$$(OBJ_$(1))/firmware/%.o: $$(CHIP_OF_$(1))/%.S $$(RECIPES) cpu/$(1).mk
	$$(call compile,$$(CC_OF_$(1)) $$(ASFLAGS))
-include $$(shell find $$(OBJ_$(1)) $$(OBJ_$(1))-small -name '*.d' 2>/dev/null)
endef
$(foreach c,$(CPUS),$(eval $(call emulated,$(c))))

# Machines with the most significant octet first, for tests alone: they run in qemu-user.
define foreign # machine, kind, flags, library, sources
FOREIGN_$(1)$(2) := $$(patsubst %.c,$$(BUILD)/obj/$(1)$(2)/%.o,$(5) $$(DOUBLES:../%=%))
$$(BUILD)/obj/$(1)$(2)/%.o: %.c $$(RECIPES)
	$$(call compile,$(1)-linux-gnu-gcc $$(CFLAGS) $(3))
$$(BUILD)/obj/$(1)$(2)/tests/%.o: ../tests/%.c $$(RECIPES)
	$$(call compile,$(1)-linux-gnu-gcc $$(CFLAGS) $(3))
$$(BUILD)/$(1)/$(4).so: $$(FOREIGN_$(1)$(2)) $$(PORTS)
	@mkdir -p $$(@D)
	@echo "stack: $(1)/$$(@F)"
	@$(1)-linux-gnu-gcc $(3) -shared -o $$@ $$^
foreign: $$(BUILD)/$(1)/$(4).so
-include $$(FOREIGN_$(1)$(2):.o=.d)
endef
foreign_libraries = $(eval $(call foreign,$(1),,$(HOST_FLAGS),libwardmote,$(SOURCES)))\
                    $(eval $(call foreign,$(1),-small,$(SMALL_FLAGS),libwardmote-small,$(SMALL_SOURCES)))
.PHONY: foreign
$(foreach m,powerpc s390x,$(call foreign_libraries,$(m)))
