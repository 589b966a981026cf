# SPDX-License-Identifier: BSD-3-Clause
# A bare ATmega128: images that need a CPU and memory only. Used by firmware/Makefile.

CC := avr-gcc
# -mmcu=avr51 gives the instruction set and run-time library of both chips. The linker script gives
# the memory.
LINK := avr-gcc -mmcu=avr51 -nostdlib -static -Wl,--gc-sections
MAP := -Wl,-Map=
SIZE := avr-size

# Narrowings are checked by newer compilers, from the same sources: see stack/Makefile.
TARGET := -mmcu=avr51 -gdwarf-4
NO_WARN := -Wno-conversion -Wno-sign-conversion
CHIP := $(FW)/chip/atmega128
ISA := avr
