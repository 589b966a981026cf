# SPDX-License-Identifier: BSD-3-Clause
# A bare ATmega128: images that need a CPU and memory only. Used by firmware/Makefile.

# -mmcu=avr51 gives the instruction set and run-time library of both chips. The linker script gives
# the memory.
LINK := avr-gcc -mmcu=avr51 -nostdlib -static -Wl,--gc-sections
