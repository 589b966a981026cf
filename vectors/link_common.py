# SPDX-License-Identifier: BSD-3-Clause
"""What the generators of link-layer vectors share: the file in the making, and the values of their
frames."""

from __future__ import annotations

from typing import Any

from tests.model.ieee802154_model import (
    Frame,
    NonceForm,
    secure,
)
from vectors.making import Group, Test, text

h = bytes.fromhex
KEY = h("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
K1 = b"6TiSCH minimal15"
K2 = h("deadbeeffacecafedeadbeeffacecafe")
ROOT, LEAF = h("00124b0000000001"), h("00124b0000000002")
ASN = 0x0102030405
MODEL = {
    "clause": "IEEE 802.15.4-2015 6.3.6, 7.2, 7.4, 9.3, 9.4",
    "licence": "BSD-3-Clause",
    "name": "tests/model/ieee802154_model.py",
    "provenance": "made by vectors/generate_link.py; "
    "the model reproduces Annex C of the 2006 and 2011 editions",
}
ANNEX_C = {
    "clause": "Annex C.2",
    "licence": "facts of a standard",
    "name": "IEEE 802.15.4-2006, -2011",
    "provenance": "values of the standard; recomputed by the model",
}


SHORT_A, SHORT_B = h("0001"), h("beef")
BEACON_OPEN = h("55cf0000")
BEACON_OPEN_FULL = h("55cf") + h("8203") + h("010203040506") + h("12") + h("01020304") + bytes(8)


class File:
    """One vector file in the making."""

    def __init__(self, path: str, algorithm: str, source: dict[str, str]) -> None:
        self.path, self.algorithm, self.source = path, algorithm, source
        self.groups: dict[str, list[Test]] = {}

    def add(self, type_: str, comment: str, status: str = "WM_OK", **members: Any) -> None:
        """Appends a test; octets become hexadecimal."""
        shown = {
            name: value.hex() if isinstance(value, bytes) else value
            for name, value in members.items()
        }
        result = "valid" if status == "WM_OK" else "invalid"
        test = {"comment": comment, **shown, "result": result, "status": status}
        self.groups.setdefault(type_, []).append(test)

    def text(self) -> str:
        """The whole file, its tests in the order of their groups."""
        groups = (Group(type_, tests) for type_, tests in self.groups.items())
        return text(self.algorithm, self.source, *groups)


def fields(frame: Frame) -> dict[str, Any]:
    """What a parser must find in the frame, offsets included."""
    dst_pan, src_pan = frame.pan_fields()
    ash = len(frame.addressing())
    header_ie_at = ash + (len(frame.ash.octets()) if frame.ash else 0)
    open_at = header_ie_at + len(frame.header_ies)
    values: dict[str, Any] = {
        "type": frame.type,
        "version": frame.version,
        "seqSuppressed": int(frame.seq is None),
    }
    values |= {
        "seq": frame.seq or 0,
        "pending": int(frame.pending),
        "ackRequest": int(frame.ack_request),
    }
    values |= {"compression": int(frame.compression), "iePresent": int(bool(frame.header_ies))}
    values |= {
        "dstPanPresent": int(dst_pan),
        "srcPanPresent": int(src_pan),
        "dst": frame.dst,
        "src": frame.src,
    }
    values |= {"dstPan": frame.dst_pan if dst_pan else 0}
    values |= {
        "srcPan": frame.src_pan if src_pan else values["dstPan"],
        "security": int(frame.ash is not None),
    }
    if frame.ash:
        a = frame.ash
        values |= {
            "level": a.level,
            "keyIdMode": a.key_id_mode,
            "counterSuppressed": int(a.counter is None),
        }
        values |= {"asnInNonce": int(a.asn_in_nonce), "counter": a.counter or 0}
        values |= {"keySource": a.key_source, "keyIndex": a.key_index if a.key_id_mode else 0}
    values |= {"ashAt": ash, "headerIeAt": header_ie_at, "openAt": open_at}
    return values | {"privateAt": open_at + len(frame.open_part)}


def patched(octets: bytes, at: int, value: int) -> bytes:
    """One octet replaced."""
    return octets[:at] + bytes([value]) + octets[at + 1 :]


def case(
    out: File,
    comment: str,
    frame: Frame,
    key: bytes,
    form: NonceForm,
    asn: int = 0,
    src_ext: bytes = b"",
    profile: int = 0,
) -> None:
    """A frame that secures and unsecures."""
    out.add(
        "frame-security",
        comment,
        key=key,
        profile=profile,
        nonceForm=int(form == "asn"),
        asn=asn.to_bytes(5, "big"),
        srcExt=src_ext,
        clear=frame.clear(),
        secured=secure(frame, key, form, asn, src_ext or None),
    )
