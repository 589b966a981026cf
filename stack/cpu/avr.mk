# SPDX-License-Identifier: BSD-3-Clause
# The AVR, as in the ATmega128 and the ATmega1281, which have one instruction set (avr51): how code
# for it is made. Make includes these lines, and the bench reads them: each is NAME_<cpu> := words.

CC_avr := avr-gcc
TARGET_avr := -mmcu=avr51 -gdwarf-4
AR_avr := avr-ar
SIZE_avr := avr-size
# The doubles that stand in for a board take more RAM than the ATmega128, with 4 KiB, has left
# beside the tables of aes128_tab.c. So executables are laid out for the 8 KiB of the ATmega1281.
LINK_avr := avr-gcc -mmcu=avr51 -nostdlib -static
LINK_avr += -Wl,--defsym=__ram_start=0x800200,--defsym=__ram_octets=0x2000
# A function at address 0 would be a null pointer.
LINK_avr += -Wl,--section-start=.text=0x2
# Floating point is in the library of functions of avr-libc.
LIBS_avr := -lm -lgcc
# gcc 5.4 warns of narrowings that newer compilers, which check the same sources, know to be safe.
NO_WARN_avr := -Wno-conversion -Wno-sign-conversion

# The folder of firmware/chip that gives an executable its memory map and its runtime.
CHIP_avr := avr
RUNTIME_FLAGS_avr := -fno-builtin

# Sources that are compiled by -Os and not by -O2: see msp430.mk.
SMALLER_avr := src/link/security_%.c src/cipher/grain128_aead.c src/mode/ketje_%.c
