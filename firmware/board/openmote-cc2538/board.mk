# SPDX-License-Identifier: BSD-3-Clause
# OpenMote-CC2538: the radio and the security engine are on the chip. Used by firmware/Makefile.

LINK = $(CC) $(TARGET) -O2 -flto -nostdlib -ffreestanding -Wl,--gc-sections,--fatal-warnings
HARDWARE := hardware_cc2538
FINE := $(FW)/chip/cc2538/fine/tick.c
LTO := -flto
