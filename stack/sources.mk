# SPDX-License-Identifier: BSD-3-Clause
# What the library is made of; make runs in stack/. A new file is picked up by itself.
#
#   src/ROOM/NAME.c        portable C
#   arch/CPU/NAME.S        takes its place on that CPU, for speed
#   small/NAME.c           takes its place in the small form
#   arch/CPU/small/NAME.S  takes the place of all of them in the small form on that CPU
#
# src/ROOM/NAME.c and small/NAME.c have the same functions. Each is one #ifdef from its first line
# of code to its last: with WM_FORM_SMALL the one in small/ holds code, without it the other. So
# both may be compiled and linked together.

SMALL_FORM := -DWM_FORM_SMALL

SOURCES := $(sort $(wildcard src/*/*.c))
stem = $(basename $(notdir $(1)))

# The library on CPU $(1) for speed; without a CPU, portable C.
assembly = $(if $(1),$(sort $(wildcard arch/$(1)/*.S)))
replaced = $(foreach s,$(call assembly,$(1)),$(wildcard src/*/$(call stem,$(s)).c))
fast_forms = $(filter-out $(call replaced,$(1)),$(SOURCES)) $(call assembly,$(1))

# The library on CPU $(1) for least flash; without a CPU, portable C.
small_form = $(or $(if $(2),$(wildcard arch/$(2)/small/$(stem).S)),$(wildcard small/$(stem).c),$\
               $(if $(2),$(wildcard arch/$(2)/$(stem).S)),$(1))
small_forms = $(foreach s,$(SOURCES),$(call small_form,$(s),$(1))) $(call of_its_own,$(1))
# arch/CPU/small/saved.S takes nobody's place: cpu/CPU_shorten.awk calls what is in it.
of_its_own = $(if $(1),$(wildcard arch/$(1)/small/saved.S))
