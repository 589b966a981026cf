# SPDX-License-Identifier: BSD-3-Clause
# ATmega1281 and CC2420, as in the nodes of the ZigBee study. Used by firmware/Makefile.

include $(FW)/board/micaz/board.mk
LINK += -Wl,--defsym=__ram_start=0x800200,--defsym=__ram_octets=0x2000
