# SPDX-License-Identifier: BSD-3-Clause
# An event loop with tick and radio around operations. For boards whose node_<board>.c is here.
EVENTS := $(FW)/image/events
IMAGES += events
# The radio's interrupts of the CC2538 are this image's own, not those of rf_edges.c.
SOURCES_events := $(MCU) $(filter-out %/rf_edges.c,$(PARTS)) $(STACK) $(HASHES) \
	$(addprefix $(EVENTS)/,main.c loop.c frames.c operations.c lengths.c) $(wildcard $(EVENTS)/node_$(BOARD)*)
