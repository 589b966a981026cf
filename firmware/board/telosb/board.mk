# SPDX-License-Identifier: BSD-3-Clause
# TelosB: MSP430F1611 and CC2420. Used by firmware/Makefile.

CC := clang-22
LINK := ld.lld-22 --gc-sections --fatal-warnings
MAP := -Map=
SIZE := llvm-size-22

TARGET := --target=msp430 -mmcu=msp430f1611
CHIP := $(FW)/chip/msp430f1611
DRIVER := $(FW)/driver/cc2420
ISA := msp430
HARDWARE := hardware_cc2420

LTO := -flto
RUNTIME_FLAGS := -fno-builtin
