# SPDX-License-Identifier: BSD-3-Clause
# The MSP430: how code for it is made. Make includes these lines, and the bench reads them: each is
# NAME_<cpu> := words.

CC_msp430 := clang-22
TARGET_msp430 := --target=msp430 -mmcu=msp430f1611
AR_msp430 := llvm-ar-22
SIZE_msp430 := llvm-size-22
LINK_msp430 := ld.lld-22
LIBS_msp430 :=
NO_WARN_msp430 :=

# The chip of firmware/chip that gives an executable its memory map and its runtime. The runtime
# must not become calls of itself.
CHIP_msp430 := msp430f1611
RUNTIME_FLAGS_msp430 := -fno-builtin

# Sources that are compiled by -Os and not by -O2.
SMALLER_msp430 := src/cipher/aes128_small.c src/cipher/aes128_expand.c
# Joining, beacons, 40-bit arithmetic, stored counters: once in a slotframe at most. -O2 unrolls
# them to 3.4 KiB more.
SMALLER_msp430 += src/store/%.c src/link/eb.c src/link/tsch.c src/link/tsch_time.c
# Tables are searched once a frame; AES takes the time. -O2 makes these files a tenth to a fifth
# larger.
SMALLER_msp430 += src/link/security_%.c
# The code before and after the steps of a cipher. The files of the steps take the time. -Os saves a
# third to a half.
SMALLER_msp430 += src/cipher/grain128_aead.c src/cipher/grain_v1.c
SMALLER_msp430 += src/cipher/rc5_expand.c src/cipher/trivium.c
# -Os is a fiftieth slower and saves a third; the permutation takes the time.
SMALLER_msp430 += src/mode/ketje_%.c
# The rounds of `fix` are 1.7 KiB smaller by -Os and a twentieth slower.
SMALLER_msp430 += src/cipher/aes128_fix.c

# Sources that are compiled by -Oz and not by -Os in the small form: -Os inlines what is called once
# or twice, and takes a tenth more. What clang writes for them is shortened (msp430_shorten.awk).
SMALLEST_msp430 := src/net/%.c src/store/%.c small/ipsec_%.c
