# SPDX-License-Identifier: BSD-3-Clause
# One figure, told on a serial line: for a comparison of a real board with the emulated one. No record
# names it; scripts/check_on_board.py builds it.
IMAGES += figure
SOURCES_figure := $(MCU) $(call with_assembly,$(wildcard $(ROOT)stack/src/util/*.c $(ROOT)stack/src/cipher/*.c)) \
	$(FW)/image/figure/main.c $(FW)/image/figure/node_$(BOARD).c
