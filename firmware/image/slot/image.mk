# SPDX-License-Identifier: BSD-3-Clause
# The slot state machine, one image a strategy of security work. For boards with a radio.
SLOT := $(FW)/image/slot
strategy = $(1:%=$(SLOT)/strategy_%.c)
SLOT_ALL := $(MCU) $(PARTS) $(STACK) $(SLOT)/main.c $(SLOT)/payload.c $(call strategy,plan)
SLOT_AT_ONCE := $(SLOT_ALL) $(call strategy,at_once)

IMAGES += slot-software slot-hybrid slot-hardware slot-none
SOURCES_slot-software := $(SLOT_AT_ONCE) $(call strategy,software ccm)
SOURCES_slot-hybrid := $(SLOT_AT_ONCE) $(call strategy,hybrid ccm)
SOURCES_slot-hardware := $(SLOT_AT_ONCE) $(call strategy,$(HARDWARE))
SOURCES_slot-none := $(SLOT_AT_ONCE) $(SLOT)/strategy_none.c

# Ahead of the slot: the same AES.
IMAGES += slot-ahead-software slot-ahead-hybrid
SOURCES_slot-ahead-software := $(SLOT_ALL) $(call strategy,software ahead)
SOURCES_slot-ahead-hybrid := $(SLOT_ALL) $(call strategy,hybrid ahead)

# The engine does CCM*.
IMAGES += slot-ahead-hardware
SOURCES_slot-ahead-hardware := $(SLOT_ALL) $(call strategy,ahead_hardware ahead_$(HARDWARE))
