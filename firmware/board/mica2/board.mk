# SPDX-License-Identifier: BSD-3-Clause
# Mica2: ATmega128L and CC1000. Used by firmware/Makefile.

# The linker compiles what is optimised as a whole: it has to be told of debug information, too.
LINK := avr-gcc -mmcu=avr51 -gdwarf-4 -nostdlib -static -Wl,--gc-sections
DRIVER := $(FW)/driver/cc1000
LTO := -Os -flto
