# SPDX-License-Identifier: BSD-3-Clause
# Motes of TinyOS 1.x: with TinySec and one of its ciphers, without, and with an AEAD of today in
# TinySec's place. For boards with a CC1000 or a CC2420. They stop until the block that sets them up is
# written (tinysec_block.h).
TINYSEC_IMAGE := $(FW)/image/tinysec
TINYSEC_LINK := link_$(notdir $(DRIVER)).c $(if $(filter %/cc2420,$(DRIVER)),frame.c $(notdir $(wildcard $(addprefix $(TINYSEC_IMAGE)/node_,$(BOARD)* $(notdir $(NODE)).c))))
TINYSEC_ALL := $(MCU) $(PARTS) \
	$(addprefix $(TINYSEC_IMAGE)/,main.c loop.c roles.c route.c serial.c serial_in.c crc.c $(TINYSEC_LINK))
TINYSEC_STORED := $(STACK) $(TINYSEC_IMAGE)/iv_store_$(CPU).c
TINYSEC_SECURED := $(TINYSEC_STORED) $(wildcard $(ROOT)stack/src/tinysec/*.c) \
	$(TINYSEC_IMAGE)/protect_tinysec.c
TINYSEC_SKIPJACK := $(TINYSEC_ALL) $(TINYSEC_SECURED) $(TINYSEC_IMAGE)/cipher_skipjack.c
TINYSEC_BLANK := $(TINYSEC_IMAGE)/setup_blank.c

IMAGES += tinysec-none tinysec-skipjack tinysec-rc5 tinysec-ccm tinysec-ascon
SOURCES_tinysec-none := $(TINYSEC_ALL) $(TINYSEC_IMAGE)/protect_none.c $(TINYSEC_BLANK)
SOURCES_tinysec-skipjack := $(TINYSEC_SKIPJACK) $(TINYSEC_BLANK)
SOURCES_tinysec-rc5 := $(TINYSEC_ALL) $(TINYSEC_SECURED) $(TINYSEC_IMAGE)/cipher_rc5.c $(TINYSEC_BLANK)
tinysec_aead = $(TINYSEC_ALL) $(TINYSEC_STORED) $(addprefix $(TINYSEC_IMAGE)/,protect_aead.c aead_$(1).c) $(TINYSEC_BLANK)
SOURCES_tinysec-ccm := $(call tinysec_aead,ccm)
SOURCES_tinysec-ascon := $(call tinysec_aead,ascon)

# A sender that needs no block from outside, by one line, here or on the command line: TINYSEC := auth,
# or ae, or plain. Image tinysec-<that> has mode and keys: see firmware/tinysec.mk.
ifdef TINYSEC
include $(FW)/tinysec.mk
IMAGES += tinysec-$(TINYSEC)
SOURCES_tinysec-$(TINYSEC) := $(TINYSEC_SKIPJACK) $(TINYSEC_IMAGE)/setup_keyed.c
endif
