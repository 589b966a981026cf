# SPDX-License-Identifier: BSD-3-Clause
# ARMv7-M, as in the Cortex-M3: how code for it is made. Make includes these lines, and the bench
# reads them: each is NAME_<cpu> := words.

CC_armv7m := arm-none-eabi-gcc
TARGET_armv7m := -mcpu=cortex-m3 -mthumb
AR_armv7m := arm-none-eabi-ar
SIZE_armv7m := arm-none-eabi-size
LINK_armv7m := arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -static -Wl,--no-warn-rwx-segments
LIBS_armv7m := -lgcc
# Objects of the archives say that they fit programs that pass floating-point numbers in either kind
# of register. The stack passes none.
ATTRIBUTES_armv7m := -include arch/armv7m/either_float.h
NO_WARN_armv7m :=

# The chip of firmware/chip that gives an executable its memory map and its runtime. The runtime
# must not become calls of itself.
CHIP_armv7m := cc2538
RUNTIME_FLAGS_armv7m := -fno-builtin -fno-tree-loop-distribute-patterns

# Sources that are compiled by -Os and not by -O2: see msp430.mk.
SMALLER_armv7m := src/link/security_%.c
