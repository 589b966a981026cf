# SPDX-License-Identifier: BSD-3-Clause
# TelosB: MSP430F1611 and CC2420. Used by firmware/Makefile.

LINK := ld.lld-22 --gc-sections --fatal-warnings
DRIVER := $(FW)/driver/cc2420
NODE := $(FW)/node/msp430f1611-cc2420
HARDWARE := hardware_cc2420
LTO := -flto
