# SPDX-License-Identifier: BSD-3-Clause
# Primitives alone: a CPU and memory are enough, so every board can have these images.
CIPHERS := $(wildcard $(ROOT)stack/src/util/*.c $(ROOT)stack/src/cipher/*.c)
PRIMITIVES := $(MCU) $(call with_assembly,$(CIPHERS)) $(FW)/image/primitives/main.c

IMAGES += primitives-tab primitives-small
SOURCES_primitives-tab := $(PRIMITIVES) $(FW)/image/primitives/primitives_tab.c
SOURCES_primitives-small := $(PRIMITIVES) $(FW)/image/primitives/primitives_small.c
