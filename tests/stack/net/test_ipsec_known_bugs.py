# SPDX-License-Identifier: BSD-3-Clause
"""What implementations of compressed IPsec before this one did wrong; those of header compression are
in test_lowpan_ipsec.py."""

from __future__ import annotations

from tests.model.ipsec_model import Suite, ah, secured
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import IN, OUT, PROTECT, Node, node
from vectors.generate_ipsec import OURS, clear, sa_of
from wardmote.call import Target

HEADERS = ipseclib.HEADERS
AH_128, CBC = Suite("", "hmac_sha256_128"), Suite("aes_cbc", "aes_xcbc_96")
TO_PEER = {"remote": OURS, "prefix": 128, "action": PROTECT}
PACKET = clear(9)
AH_ICV, IPV6 = 12, 40


def test_the_pad_behind_an_icv_of_128_bits(few: Target) -> None:
    """AH has 32 octets then. The pad counts in the ICV with the value that it has in the packet."""
    sa = sa_of(AH_128, 1)
    receiver = node(few, IN, [sa])
    for sequence, pad in enumerate((bytes(4), b"\1\2\3\4"), 1):
        packet = ah(sa, PACKET, sequence, pad=pad)
        assert len(packet) == len(PACKET) + 32
        for at in range(4):
            changed = bytearray(packet)
            changed[IPV6 + AH_ICV + 16 + at] ^= 1
            assert receiver.unsecure(bytes(changed))[0] == "WM_ERR_SECURITY"
        assert receiver.unsecure(packet) == ("WM_OK", PACKET)


def test_a_sequence_number_has_32_bits(few: Target) -> None:
    """It goes on behind 65 535, also after a reset."""
    sa = sa_of(CBC, 1)
    sender = Node(few, [(OUT, sa)], policies=[TO_PEER | {"esp": ipseclib.GROUP}])
    sender.go_on_from(OUT, 0, 0xFFFE)
    for sequence in (0xFFFF, 0x10000, 0x10001):
        assert sender.secure(PACKET) == ("WM_OK", secured((sa,), PACKET, sequence))
    sender.reset()
    status, packet = sender.secure(PACKET)
    number = int.from_bytes(packet[IPV6 + 4 : IPV6 + 8], "big")
    assert (status, packet) == ("WM_OK", secured((sa,), PACKET, number))
    assert 0x10001 < number <= 0x10002 + ipseclib.BLOCK


def test_an_iv_of_cbc_has_16_octets(few: Target) -> None:
    """All of a block, another one each time, of which no octet is the sequence number's."""
    sender = Node(few, [(OUT, sa_of(CBC, 1))], policies=[TO_PEER | {"esp": ipseclib.GROUP}])
    packets = [sender.secure(PACKET)[1] for _ in range(8)]
    ivs = [packet[IPV6 + 8 :][:16] for packet in packets]
    assert all(len({iv[at] for iv in ivs}) > 1 for at in range(16))
    padded = -(-(len(PACKET) - IPV6 + 2) // 16) * 16
    assert {len(packet) for packet in packets} == {IPV6 + 8 + 16 + padded + 12}


def test_strangers_push_no_sa_out(few: Target) -> None:
    """Packets under many other SPIs leave the tables as they are."""
    one, other = sa_of(CBC, 1), sa_of(CBC, 2, "other")
    receiver = Node(few, [(IN, one), (IN, other)])
    for sa in (one, other):
        assert receiver.unsecure(secured((sa,), PACKET, 1))[0] == "WM_OK"
    before = receiver.tables[IN].read()
    for spi in range(3, 9):
        packet = secured((sa_of(CBC, spi, f"{spi}"),), PACKET, 1)
        assert receiver.unsecure(packet)[0] == "WM_ERR_UNAVAILABLE_KEY"
    assert receiver.tables[IN].read() == before
    for sa in (one, other):
        assert receiver.unsecure(secured((sa,), PACKET, 1))[0] == "WM_ERR_COUNTER"
