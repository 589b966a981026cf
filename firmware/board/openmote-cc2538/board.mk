# SPDX-License-Identifier: BSD-3-Clause
# OpenMote-CC2538: the radio and the security engine are on the chip. Used by firmware/Makefile.

CC := arm-none-eabi-gcc
LINK = $(CC) $(TARGET) -O2 -flto -nostdlib -ffreestanding -Wl,--gc-sections,--fatal-warnings
MAP := -Wl,-Map=
SIZE := arm-none-eabi-size

TARGET := -mcpu=cortex-m3 -mthumb
CHIP := $(FW)/chip/cc2538
DRIVER :=
ISA := armv7m
HARDWARE := hardware_cc2538

LTO := -flto
RUNTIME_FLAGS := -fno-builtin -fno-tree-loop-distribute-patterns
