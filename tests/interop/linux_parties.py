# SPDX-License-Identifier: BSD-3-Clause
"""The two ends of the air between Linux and the stack: their addresses and their PAN."""

PAN = 0xBEEF
OUR_EXTENDED, OUR_SHORT = bytes.fromhex("0200000000000002"), bytes.fromhex("0002")
LINUX_EXTENDED, LINUX_SHORT = bytes.fromhex("0200000000000001"), bytes.fromhex("0001")
