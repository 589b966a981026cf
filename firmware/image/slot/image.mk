# SPDX-License-Identifier: BSD-3-Clause
# The slot state machine, one image a strategy of security work. For boards with a radio.
SLOT := $(FW)/image/slot
strategy = $(1:%=$(SLOT)/strategy_%.c)
SLOT_ALL := $(MCU) $(PARTS) $(STACK) $(SLOT)/main.c $(SLOT)/payload.c $(call strategy,plan)

IMAGES += slot-software slot-hybrid slot-hardware slot-none
SOURCES_slot-software := $(SLOT_ALL) $(call strategy,software ccm)
SOURCES_slot-hybrid := $(SLOT_ALL) $(call strategy,hybrid ccm)
SOURCES_slot-hardware := $(SLOT_ALL) $(call strategy,$(HARDWARE))
SOURCES_slot-none := $(SLOT_ALL) $(SLOT)/strategy_none.c
