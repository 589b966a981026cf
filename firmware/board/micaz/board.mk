# SPDX-License-Identifier: BSD-3-Clause
# MICAz: ATmega128L and CC2420. Used by firmware/Makefile.

include $(FW)/board/mica2/board.mk
DRIVER := $(FW)/driver/cc2420
NODE := $(FW)/node/avr-cc2420
