# SPDX-License-Identifier: BSD-3-Clause
# A mote that is awake for 10 ms in each second. No record names it; bench/targets/naps.py builds it.
IMAGES += nap
SOURCES_nap := $(MCU) $(CHIP)/clock.c $(FW)/image/nap/main_$(BOARD).c $(FW)/image/nap/main_$(BOARD)_isr.S
