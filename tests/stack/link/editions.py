# SPDX-License-Identifier: BSD-3-Clause
"""The editions of IEEE 802.15.4 as the stack numbers them, and the values that stand for none."""

E2015, E2012E, E2011, E2006 = range(4)
EDITIONS = (E2006, E2011, E2012E, E2015)

NO_INDEX = 0xFFFF
"""No key, no device, no level: WM_NO_INDEX."""
NO_SLOT, VOLATILE = -1, 0xFE
"""Slots of a store, which the stack's members count from 1: none (0 there, as in a member that was
never set), and that of a counter in RAM alone (WM_SLOT_VOLATILE)."""
NO_SHORT = 0xFFFF
"""A device without a short address."""
ANY_COMMAND = 0xFF
"""Every command identifier."""
USED_UP = 0xFFFFFFFF
"""A frame counter that secures no further frame."""
