# SPDX-License-Identifier: BSD-3-Clause
"""Frames between OWN and PEER: in clear, with an ASH, and as PEER sends them."""

from typing import Any

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import Ash, Frame
from tests.stack.link.peers import KEY, OWN, PEER

ASN = 0x0102030405
"""The ASN of the slot that the tests are in."""
ALL_ONES_ASN = (1 << 40) - 1
HEADER_IE, PAYLOAD_IE, NESTED_SHORT, NESTED_LONG = range(4)
"""Kinds of IE: wm_ie_kind."""


def _between(dst: bytes, src: bytes, body: bytes, members: dict[str, Any]) -> Frame:
    usual: dict[str, Any] = {"version": 1, "compression": True}
    return Frame(**(usual | {"dst": dst, "src": src, "private_part": body} | members))


def data(body: bytes = b"payload", **members: Any) -> Frame:
    """A data frame in clear from PEER to OWN; version 1 unless said otherwise."""
    return _between(OWN, PEER, body, members)


def to_peer(body: bytes = b"payload", **members: Any) -> Frame:
    """A data frame in clear from OWN to PEER; version 1 unless said otherwise."""
    return _between(PEER, OWN, body, members)


def ash(
    level: int = 5, counter: int | None = 7, mode: int = 1, index: int = 1, source: bytes = b""
) -> Ash:
    """An ASH; without counter it is that of TSCH."""
    return Ash(level, mode, counter, counter is None, source, index)


def behind_ash(frame: Frame) -> int:
    """Offset of what follows the ASH."""
    return len(frame.mhr()) - len(frame.header_ies)


def air(frame: Frame, key: bytes = KEY, form: model.NonceForm = "counter", asn: int = ASN) -> bytes:
    """The frame as PEER sends it."""
    return model.secure(frame, key, form, asn, PEER)


def in_slot(frame: Frame, asn: int = ASN, key: bytes = KEY) -> bytes:
    """The frame as PEER sends it in TSCH mode, in the slot with this ASN."""
    return air(frame, key, "asn", asn)


def flipped(octets: bytes, at: int, bit: int = 1) -> bytes:
    """The octets with bits changed in one of them, which is counted from the end where `at` is
    negative."""
    where = at % len(octets)
    return octets[:where] + bytes([octets[where] ^ bit]) + octets[where + 1 :]
