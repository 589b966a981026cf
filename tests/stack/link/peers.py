# SPDX-License-Identifier: BSD-3-Clause
"""The nodes in the tests of link security: keys, addresses as an application writes them, and one
PAN."""

KEY = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
OTHER_KEY = bytes.fromhex("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
OWN, PEER, THIRD = (bytes.fromhex(f"00124b000000000{n}") for n in (1, 2, 3))
OWN_SHORT, PEER_SHORT = bytes.fromhex("0001"), bytes.fromhex("0002")
PAN = 0xABCD
DEFAULT_SOURCE = bytes.fromhex("1122334455667788")
"""macDefaultKeySource."""
