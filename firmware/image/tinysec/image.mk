# SPDX-License-Identifier: BSD-3-Clause
# Motes of TinyOS 1.x: with TinySec and one of its ciphers, and without. For boards with a CC1000 or a
# CC2420.
TINYSEC_IMAGE := $(FW)/image/tinysec
TINYSEC_LINK := link_$(notdir $(DRIVER)).c $(if $(filter %/cc2420,$(DRIVER)),frame.c $(notdir $(wildcard $(TINYSEC_IMAGE)/node_$(BOARD)*)))
TINYSEC_ALL := $(MCU) $(PARTS) \
	$(addprefix $(TINYSEC_IMAGE)/,main.c loop.c roles.c route.c serial.c crc.c $(TINYSEC_LINK))
TINYSEC_SECURED := $(STACK) $(wildcard $(ROOT)stack/src/tinysec/*.c) \
	$(addprefix $(TINYSEC_IMAGE)/,protect_tinysec.c iv_store_$(notdir $(CHIP)).c)

IMAGES += tinysec-none tinysec-skipjack tinysec-rc5
SOURCES_tinysec-none := $(TINYSEC_ALL) $(TINYSEC_IMAGE)/protect_none.c
SOURCES_tinysec-skipjack := $(TINYSEC_ALL) $(TINYSEC_SECURED) $(TINYSEC_IMAGE)/cipher_skipjack.c
SOURCES_tinysec-rc5 := $(TINYSEC_ALL) $(TINYSEC_SECURED) $(TINYSEC_IMAGE)/cipher_rc5.c
