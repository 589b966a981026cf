# SPDX-License-Identifier: BSD-3-Clause
"""MAC headers: octets to values and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stack.link.linklib import Link, as_built
from tests.vectors import Vector, load, of_each_file

FLAGS = {
    "security": "security_enabled",
    "pending": "frame_pending",
    "ackRequest": "ack_request",
    "compression": "pan_id_compression",
    "seqSuppressed": "seq_suppressed",
    "iePresent": "ie_present",
    "dstPanPresent": "dst_pan_present",
    "srcPanPresent": "src_pan_present",
}
MODE = {0: 0, 2: 2, 8: 3}


def address(octets: bytes) -> dict[str, Any]:
    """A wm_addr."""
    return {"mode": MODE[len(octets)], "octet": octets.ljust(8, b"\0")}


def header(vector: Vector) -> dict[str, Any]:
    """The wm_mhr that a vector describes."""
    mhr: dict[str, Any] = {c: bool(vector.number(name)) for name, c in FLAGS.items()}
    mhr |= {
        "type": vector.number("type"),
        "version": vector.number("version"),
        "seq": vector.number("seq"),
    }
    mhr |= {"dst_pan": vector.number("dstPan"), "src_pan": vector.number("srcPan")}
    mhr |= {"dst": address(vector.octets("dst")), "src": address(vector.octets("src"))}
    if mhr["security_enabled"]:
        mhr["ash"] = {
            "level": vector.number("level"),
            "key_id_mode": vector.number("keyIdMode"),
            "counter_suppressed": bool(vector.number("counterSuppressed")),
            "asn_in_nonce": bool(vector.number("asnInNonce")),
            "frame_counter": vector.number("counter"),
            "key_source": vector.octets("keySource").ljust(8, b"\0"),
            "key_index": vector.number("keyIndex"),
        }
    return mhr


def meaningful(mhr: dict[str, Any]) -> dict[str, Any]:
    """What of a parsed header has a meaning: addresses without octets past their length, no ASH
    without security."""
    kept = {name: value for name, value in mhr.items() if name != "ash" or mhr["security_enabled"]}
    for name in ("dst", "src"):
        octets = {0: 0, 2: 2, 3: 8}[mhr[name]["mode"]]
        kept[name] = address(mhr[name]["octet"][:octets])
    return kept


VALID = load("ieee802154", "mhr", valid=True)
INVALID = load("ieee802154", "mhr", valid=False)


@of_each_file(VALID)
def test_parse(link: Link, vectors: list[Vector]) -> None:
    """A header is read as the values the model wrote, with the boundaries behind it."""
    for vector in vectors:
        status, mhr, places = link.parse(vector.octets("frame"), on_air=bool(vector.number("air")))
        assert status == "WM_OK", vector
        assert meaningful(mhr) == header(vector), vector
        expected = {name: vector.number(f"{member}At") for name, member in MAP.items()}
        assert places == expected, vector


MAP = {"ash": "ash", "header_ie": "headerIe", "open": "open", "private_payload": "private"}


@of_each_file(VALID)
def test_build(link: Link, vectors: list[Vector]) -> None:
    """The values of a header give its octets, in exactly the room they need, and not in one octet
    less."""
    for vector in vectors:
        octets = vector.octets("frame")[: vector.number("headerIeAt")]
        answer = link.build(header(vector), len(octets))
        assert (answer.status, answer.octets) == ("WM_OK", octets), vector
        short = link.build(header(vector), len(octets) - 1)
        assert short.status == "WM_ERR_FRAME_TOO_LONG", vector


@of_each_file(INVALID)
def test_parse_refuses(link: Link, vectors: list[Vector]) -> None:
    """A header that is cut, reserved or of a kind we do not know is refused by name."""
    for vector in vectors:
        status, _, _ = link.parse(vector.octets("frame"), on_air=bool(vector.number("air")))
        assert as_built(link.target, status, vector.members["status"]), vector


PLAIN: dict[str, Any] = {
    "type": 1,
    "version": 2,
    "dst": address(bytes(8)),
    "src": address(bytes(8)),
}
SECURED: dict[str, Any] = PLAIN | {
    "security_enabled": True,
    "ash": {"level": 5, "key_id_mode": 1, "key_index": 1},
}


@pytest.mark.parametrize(
    ("what", "mhr"),
    [
        ("frame type 4", PLAIN | {"type": 4}),
        ("version 3", PLAIN | {"version": 3}),
        ("destination mode 1", PLAIN | {"dst": {"mode": 1}}),
        ("source mode 4", PLAIN | {"src": {"mode": 4}}),
        ("suppression in version 1", PLAIN | {"version": 1, "seq_suppressed": True}),
        ("IEs in version 0", PLAIN | {"version": 0, "ie_present": True}),
        (
            "compression with one address in version 1",
            PLAIN | {"version": 1, "src": {}, "pan_id_compression": True},
        ),
        ("security in version 0", SECURED | {"version": 0}),
        ("level 8", SECURED | {"ash": {"level": 8, "key_id_mode": 0}}),
        ("KeyIdMode 4", SECURED | {"ash": {"level": 1, "key_id_mode": 4, "key_index": 1}}),
        ("KeyIndex 0", SECURED | {"ash": {"level": 1, "key_id_mode": 1}}),
        (
            "counter suppressed in version 1",
            SECURED | {"version": 1, "ash": {"level": 1, "counter_suppressed": True}},
        ),
        ("ASN in version 1", SECURED | {"version": 1, "ash": {"level": 1, "asn_in_nonce": True}}),
    ],
)
def test_build_refuses(link: Link, what: str, mhr: dict[str, Any]) -> None:
    """A header that no parser would accept is not built."""
    assert link.build(mhr).status == "WM_ERR_PARAM", what


@of_each_file(VALID)
def test_every_truncation(host_link: Link, vectors: list[Vector]) -> None:
    """A header cut anywhere before its end is refused; cut behind it, no boundary lies past the
    remaining octets."""
    for vector in vectors:
        frame = vector.octets("frame")
        for length in range(len(frame)):
            status, _, places = host_link.parse(frame[:length], on_air=bool(vector.number("air")))
            if length < vector.number("headerIeAt"):
                assert status == "WM_ERR_MALFORMED", (str(vector), length)
            elif status == "WM_OK":
                assert max(places.values()) <= length, (str(vector), length)


@pytest.mark.parametrize("bit", [0x80])
def test_reserved_bit_is_ignored(link: Link, bit: int) -> None:
    """Reserved bit 7 of the FCF and of the Security Control field changes nothing."""
    vector = next(
        v for v in load("ieee802154", "mhr", valid=True) if v.members.get("keyIdMode") == 3
    )
    frame = bytearray(vector.octets("frame"))
    frame[0] |= bit
    frame[vector.number("ashAt")] |= bit
    status, mhr, _ = link.parse(bytes(frame))
    assert (status, meaningful(mhr)) == ("WM_OK", header(vector))


@given(st.binary(max_size=127), st.booleans())
def test_random_octets(frame: bytes, on_air: bool) -> None:
    """Whatever is parsed has boundaries in order and inside the frame, and builds again to the
    octets it came from."""
    link = Link("host")
    status, mhr, places = link.parse(frame, on_air=on_air)
    if status == "WM_OK":
        order = [places[name] for name in ("ash", "header_ie", "open", "private_payload")]
        assert order == sorted(order)
        assert order[-1] <= len(frame)
        built = link.build(mhr)
        expected = bytearray(frame[: places["header_ie"]])
        expected[0] &= 0x7F
        if mhr["security_enabled"]:
            expected[places["ash"]] &= 0x7F
        assert (built.status, built.octets) == ("WM_OK", bytes(expected))


@given(st.binary(min_size=2, max_size=2))
def test_addressing_length(fcf: bytes) -> None:
    """The FCF alone tells how long the addressing fields are, or that the frame is refused."""
    link = Link("host")
    told = link.target.call("wm_frame_addressing_len", fcf).value
    frame = fcf.ljust(30, b"\x01")
    status, _, places = link.parse(frame, on_air=False)
    if told == 0:
        assert status != "WM_OK"
    else:
        assert link.parse(frame[: told - 1], on_air=False)[0] == "WM_ERR_MALFORMED"
        if status == "WM_OK":
            assert places["ash"] == told
