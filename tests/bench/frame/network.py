# SPDX-License-Identifier: BSD-3-Clause
"""A leaf and its root for the tests of `wardmote frame`; their frames are secured by the independent
model, not by the stack."""

from tests.model.ieee802154_model import ACK, HT2, Ash, Frame, secure, time_correction

K2 = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
KEY = f"2:{K2.hex()}"
ROOT_EXT, LEAF_EXT = bytes.fromhex("00124b0000000001"), bytes.fromhex("00124b0000000002")


def data_frame(
    payload: bytes = b"16 octets of data",
    *,
    level: int = 5,
    counter: int | None = None,
    **more: int,
) -> Frame:
    """A data frame from leaf to root in clear, with its ASH; without a counter in the ASN form."""
    ash = Ash(level, 1, counter, counter is None, b"", more.pop("index", 2))
    return Frame(
        dst=ROOT_EXT,
        src=LEAF_EXT,
        ack_request=True,
        ash=ash,
        private_part=payload,
        seq=more.pop("seq", 7),
    )


def on_air(frame: Frame, asn: int = 0, key: bytes = K2) -> bytes:
    """As the model secures it."""
    assert frame.ash is not None
    return secure(frame, key, "asn" if frame.ash.asn_in_nonce else "counter", asn)


ANSWER = Frame(
    type=ACK,
    seq=33,
    dst=LEAF_EXT,
    ash=Ash(5, 1, None, True, b"", 2),
    header_ies=time_correction(-5) + HT2,
)
"""An Enh-Ack of the root that names no source, with an ASN in its nonce."""


def in_clear(frame: Frame) -> bytes:
    """What has to come out: no ASH, Security Enabled clear."""
    return frame.with_ash(None).clear()
