# SPDX-License-Identifier: BSD-3-Clause
# Tinylink frames secured in a loop: a CPU and memory are enough, so every board can have it.
IMAGES += tinylink
SOURCES_tinylink := $(MCU) $(STACK) $(FW)/image/tinylink/main.c
