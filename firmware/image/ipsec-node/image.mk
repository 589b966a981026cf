# SPDX-License-Identifier: BSD-3-Clause
# A mote with IPv6 over 6LoWPAN, with IPsec and without. For boards with csma_radio.c and a flash
# driver.
IPSEC_NODE := $(FW)/image/ipsec-node
IPSEC_NODE_ALL := $(MCU) $(PARTS) $(STACK) $(HASHES) $(NET) \
	$(addprefix $(IPSEC_NODE)/,main.c link.c net.c udp.c time.c phase.c setup.S)

# A TelosB has no room for all suites at once: the images ipsec-node-aes, -ctr, -cbc, -cbc-sha1, -sha1 and -sha256 share them.
IPSEC_NODE_SECURED := $(IPSEC_NODE_ALL) $(addprefix $(IPSEC_NODE)/,protect_ipsec.c suite.c aes_key.c)
IPSEC_NODE_SUITES := $(if $(filter telosb,$(BOARD)),aes ctr cbc cbc-sha1 sha1 sha256,all)

# These have algorithms that can be done by pieces.
IPSEC_NODE_PIECES := ctr all

# These have no flash left for a way of relaying of its own.
IPSEC_NODE_FULL := $(if $(filter telosb,$(BOARD)),ctr cbc-sha1)

IMAGES += ipsec-node-none $(IPSEC_NODE_SUITES:%=ipsec-node-%)
SOURCES_ipsec-node-none := $(IPSEC_NODE_ALL) $(addprefix $(IPSEC_NODE)/,protect_none.c ahead_whole.c relay_front.c)
$(foreach s,$(IPSEC_NODE_SUITES),$(eval \
    SOURCES_ipsec-node-$s := $(IPSEC_NODE_SECURED) $(IPSEC_NODE)/suite_$s.c \
	$(IPSEC_NODE)/ahead_$(if $(filter $(IPSEC_NODE_PIECES),$s),pieces,whole).c \
	$(IPSEC_NODE)/relay_$(if $(filter $(IPSEC_NODE_FULL),$s),whole,front).c))

# The radio of a border router behind a serial line, on boards that have one.
IPSEC_BORDER_LINE := $(wildcard $(IPSEC_NODE)/line_$(BOARD).c $(IPSEC_NODE)/line_$(BOARD)_isr.S)
ifneq ($(IPSEC_BORDER_LINE),)
IMAGES += ipsec-border
SOURCES_ipsec-border := $(MCU) $(filter-out %/csma_read.c,$(PARTS)) $(STACK) $(IPSEC_BORDER_LINE) \
	$(addprefix $(IPSEC_NODE)/,border.c border_read.c slip.c link.c time.c phase.c setup.S)
endif

LEAST_FLASH += $(wildcard $(IPSEC_NODE)/*.c $(ROOT)stack/src/store/*.c) $(ROOT)stack/src/link/csma.c
