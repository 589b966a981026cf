# SPDX-License-Identifier: BSD-3-Clause
"""Information Elements, and what an Enhanced Beacon says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model import ieee802154_model as model
from tests.stack.link.linklib import Link, length_of, name_of
from tests.vectors import load

TICK_US = 1_000_000 / 32_768


def correction(link: Link, octets: bytes) -> tuple[str, int, bool]:
    """Status, microseconds and NACK of a list of header IEs."""
    us, nack = bytearray(2), bytearray(1)
    status = link.target.call("wm_time_correction_parse", octets, len(octets), us, nack).value
    return name_of(status), int.from_bytes(us, link.target.model.order, signed=True), bool(nack[0])


def test_time_correction(link: Link) -> None:
    """The correction is read with its sign, or the list is refused."""
    for vector in load("tsch/values.json", "time-correction"):
        status, us, nack = correction(link, vector.octets("list"))
        assert status == vector.members["status"], vector
        want = (vector.number("us"), bool(vector.number("nack"))) if vector.valid else None
        assert want in (None, (us & 0xFFF, nack)), vector


@given(st.integers(-0x8000, 0x7FFF), st.booleans())
def test_time_correction_is_cut_and_comes_back(us: int, nack: bool) -> None:
    """Any difference is written as the nearest that 12 bits can say, and read again."""
    link = Link("host")
    out = bytearray(4)
    assert link.target.call("wm_time_correction_build", out, 4, us, nack).value == 0
    assert out == model.time_correction(us, nack=nack)
    assert correction(link, bytes(out)) == ("WM_OK", max(-2048, min(2047, us)), nack)


@pytest.mark.parametrize("us", [-0x8000, -2049, -2048, -2047, -1, 0, 1, 2046, 2047, 2048, 0x7FFF])
def test_time_correction_at_its_limits(link: Link, us: int) -> None:
    """Where 12 bits end, and one beside, a difference is cut and nothing else."""
    out = bytearray(4)
    assert link.target.call("wm_time_correction_build", out, 4, us, False).value == 0
    assert out == model.time_correction(us)


def parse_eb(link: Link, payload: bytes) -> tuple[str, dict[str, Any]]:
    """Status and content of an EB."""
    eb = link.target.pack("wm_eb")
    status = link.target.call("wm_eb_parse", payload, len(payload), eb).value
    return name_of(status), link.target.unpack("wm_eb", eb)


def test_eb_parse(link: Link) -> None:
    """An EB is read, or refused for what is wrong with it; its ASN is found wherever it can be."""
    for vector in load("tsch/values.json", "eb"):
        payload = vector.octets("payload")
        status, eb = parse_eb(link, payload)
        assert status == vector.members["status"], vector
        asn = bytearray(5)
        found = link.target.call("wm_eb_asn", payload, len(payload), asn).value
        if vector.valid:
            read = eb["asn"], eb["join_metric"], eb["slotframe_length"]
            numbers = vector.number("joinMetric"), vector.number("slotframe")
            assert read == (vector.octets("asn"), *numbers), vector
            assert (found, bytes(asn)) == (0, vector.octets("asn")), vector


TEMPLATES = [
    {"ts_tx_offset": 69, "ts_max_tx": 140, "ts_tx_ack_delay": 33, "ts_max_ack": 79, "ts_slot_duration": 328,
     "ts_rx_guard": 36, "ts_ack_guard": 7},
    {"ts_tx_offset": 171, "ts_max_tx": 140, "ts_tx_ack_delay": 181, "ts_max_ack": 79, "ts_slot_duration": 656,
     "ts_rx_guard": 43, "ts_ack_guard": 23},
    {"ts_tx_offset": 700, "ts_max_tx": 140, "ts_tx_ack_delay": 1100, "ts_max_ack": 79, "ts_slot_duration": 2884,
     "ts_rx_guard": 700, "ts_ack_guard": 1},
]  # fmt: skip


def us(ticks: int) -> int:
    """Microseconds of ticks, to the nearest."""
    return int(ticks * TICK_US + 0.5)


@pytest.mark.parametrize("timing", TEMPLATES, ids=["10ms", "20ms", "88ms"])
def test_eb_build(link: Link, timing: dict[str, int]) -> None:
    """An EB is built as the model builds it from the same template, and read again to the very same
    ticks."""
    asn = 0x0102030405
    fields = {
        "asn": asn.to_bytes(5, "big"),
        "join_metric": 2,
        "slotframe_length": 101,
        "timing": timing,
    }
    packed, octets = link.target.pack("wm_eb", **fields), length_of(link.target)
    out = bytearray(56)
    assert link.target.call("wm_eb_build", packed, out, 56, octets).value == 0
    length = int.from_bytes(octets, link.target.model.order)
    short = link.target.buffer(bytes(length - 1))
    refused = link.target.call("wm_eb_build", packed, short, length - 1, octets).value
    assert (name_of(refused), any(short.read())) == ("WM_ERR_FRAME_TOO_LONG", False)
    offset, guard = timing["ts_tx_offset"], timing["ts_rx_guard"]
    delay, ack_guard = timing["ts_tx_ack_delay"], timing["ts_ack_guard"]
    expected = model.Timeslot(
        max(0, us(offset) - 320), 128, us(offset), us(offset - guard), us(delay - ack_guard), us(delay),
        us(2 * guard), us(2 * ack_guard), 192, us(timing["ts_max_ack"]), us(timing["ts_max_tx"]),
        us(timing["ts_slot_duration"]),
    )  # fmt: skip
    beacon = model.Beacon(asn, 2, 101, expected.octets(1))
    assert bytes(out[:length]) == model.HT1 + beacon.payload()
    status, eb = parse_eb(link, bytes(out[2:length]))
    assert (status, eb["timing"]) == ("WM_OK", timing)


@pytest.mark.parametrize("name", ["ts_rx_guard", "ts_ack_guard"])
def test_a_guard_time_before_the_slot_is_refused(link: Link, name: str) -> None:
    """TsRxOffset and TsRxAckDelay of 0 can be said, negative ones cannot: neither built nor read."""
    delay = TEMPLATES[0]["ts_tx_offset" if name == "ts_rx_guard" else "ts_tx_ack_delay"]
    octets = length_of(link.target)
    for guard, answer in ((delay, "WM_OK"), (delay + 1, "WM_ERR_PARAM")):
        timing = TEMPLATES[0] | {name: guard}
        packed = link.target.pack("wm_eb", slotframe_length=101, timing=timing)
        out = bytearray(56)
        assert name_of(link.target.call("wm_eb_build", packed, out, 56, octets).value) == answer
        assert any(out) == (answer == "WM_OK")


def test_default_template_by_identifier(link: Link) -> None:
    """An EB that names template 0 means the default template."""
    _, eb = parse_eb(link, model.Beacon(5).payload())
    assert eb["timing"] == TEMPLATES[0]


def test_unknown_ies_are_passed_over(link: Link) -> None:
    """IEs that we do not know, of either format, do not hide those that we do."""
    known = model.Beacon(7).payload()[2:]
    unknown = model.nested_ie(0x30, b"\1\2\3") + model.nested_ie(0x3, bytes(9), long=True)
    payload = (
        model.payload_ie(2, b"vendor")
        + model.payload_ie(1, unknown + known)
        + model.payload_ie(15, b"")
    )
    status, eb = parse_eb(link, payload)
    assert (status, int.from_bytes(eb["asn"], "big")) == ("WM_OK", 7)


@given(st.binary(max_size=125))
def test_random_octets(octets: bytes) -> None:
    """Random octets are read as an EB only if they hold everything one must say."""
    link = Link("host")
    status, _ = parse_eb(link, octets)
    assert status in ("WM_ERR_MALFORMED", "WM_ERR_PARAM")
    correction(link, octets)


@given(st.data())
def test_damaged_eb(data: st.DataObject) -> None:
    """One changed octet in a good EB is read or refused, never past its end (call guards the octets
    around it)."""
    link = Link("host")
    payload = bytearray(model.Beacon(0x0102030405, timeslot=model.Timeslot().octets(1)).payload())
    payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(payload)))
    parse_eb(link, bytes(payload[:cut]))


@pytest.mark.parametrize("size", range(4))
def test_time_correction_without_room(link: Link, size: int) -> None:
    """Without room for all of it nothing of a Time Correction IE is written."""
    out = link.target.buffer(bytes(size or 1))
    status = link.target.call("wm_time_correction_build", out, size, 5, False).value
    assert (name_of(status), any(out.read())) == ("WM_ERR_FRAME_TOO_LONG", False)
