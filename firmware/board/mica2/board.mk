# SPDX-License-Identifier: BSD-3-Clause
# Mica2: ATmega128L and CC1000. Used by firmware/Makefile.

LINK := avr-gcc -mmcu=avr51 -nostdlib -static -Wl,--gc-sections
DRIVER := $(FW)/driver/cc1000
LTO := -Os -flto
