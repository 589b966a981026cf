# SPDX-License-Identifier: BSD-3-Clause
# The slot state machine, one image a strategy of security work. For boards with a radio.
SLOT := $(FW)/image/slot
strategy = $(1:%=$(SLOT)/strategy_%.c)
SLOT_ALL := $(MCU) $(PARTS) $(STACK) $(SLOT)/main.c $(SLOT)/payload.c $(call strategy,plan)
SLOT_AT_ONCE := $(SLOT_ALL) $(SLOT)/policy_engine.c $(call strategy,at_once)

IMAGES += slot-software slot-hybrid slot-hardware slot-none
SOURCES_slot-software := $(SLOT_AT_ONCE) $(call strategy,software ccm)
SOURCES_slot-hybrid := $(SLOT_AT_ONCE) $(call strategy,hybrid ccm)
SOURCES_slot-hardware := $(SLOT_AT_ONCE) $(call strategy,$(HARDWARE))
SOURCES_slot-none := $(SLOT_AT_ONCE) $(SLOT)/strategy_none.c

SLOT_PIB := $(filter-out $(ROOT)stack/src/store/%,$(SLOT_ALL)) \
	$(SLOT)/policy_pib.c $(SLOT)/policy_no_store.c

# Ahead of the slot: the same AES; with -pib the procedures over a PIB decide about each frame.
# Tables, joining and beacons are not what is measured there, and the TelosB's flash is too small for
# them at -O2.
SLOT_LEAST := $(SLOT)/policy_pib.c $(wildcard $(ROOT)stack/src/link/security_*.c) \
	$(addprefix $(ROOT)stack/src/link/,eb.c tsch.c tsch_time.c)
# What the node wants besides, to read a frame while it arrives.
STREAM := $(wildcard $(NODE:%=%/stream/*.S))
define slot_ahead
IMAGES += slot-ahead-$(1) slot-ahead-$(1)-pib
SOURCES_slot-ahead-$(1) := $(SLOT_ALL) $(SLOT)/policy_engine.c $(call strategy,$(1) ahead) $(STREAM)
SOURCES_slot-ahead-$(1)-pib := $(SLOT_PIB) $(call strategy,$(1) ahead) $(STREAM)
LEAST_slot-ahead-$(1)-pib := $(SLOT_LEAST)
endef
$(foreach aes,software hybrid,$(eval $(call slot_ahead,$(aes))))

# The engine does CCM*, and has the keys of hybrid.
SLOT_ENGINE := $(call strategy,hybrid ahead_hardware ahead_$(HARDWARE))
IMAGES += slot-ahead-hardware slot-ahead-hardware-pib
SOURCES_slot-ahead-hardware := $(SLOT_ALL) $(SLOT)/policy_engine.c $(SLOT_ENGINE) $(STREAM)
SOURCES_slot-ahead-hardware-pib := $(SLOT_PIB) $(SLOT_ENGINE) $(STREAM)
LEAST_slot-ahead-hardware-pib := $(SLOT_LEAST)

# The same with the fine clock, where a board has one.
define slot_fine
IMAGES += $(1)-fine
SOURCES_$(1)-fine := $(SOURCES_$(1))
FINE_$(1)-fine := yes
endef
SLOT_FINE := $(if $(FINE),$(foreach aes,software hybrid hardware,slot-$(aes) slot-ahead-$(aes)))
$(foreach image,$(SLOT_FINE),$(eval $(call slot_fine,$(image))))
