# SPDX-License-Identifier: BSD-3-Clause
"""Ticks and microseconds, the ASN, channel hopping."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model import ieee802154_model as model
from tests.stack.link.linklib import Link
from tests.vectors import load

TICK_US = Fraction(15625, 512)
ASNS = st.integers(0, (1 << 40) - 1)


def octets(asn: int) -> bytes:
    """An ASN as the engine keeps it."""
    return asn.to_bytes(5, "big")


def test_hopping(link: Link) -> None:
    """ASN mod 16 picks the channel of the default sequence."""
    for vector in load("tsch/values.json", "hopping"):
        position = link.target.call("wm_asn_mod", vector.octets("asn"), 16).value
        channel = link.target.call("wm_hopping_channel", position).value
        assert channel == vector.number("channel"), vector


def test_hopping_visits_every_channel(link: Link) -> None:
    """Sixteen consecutive slots use sixteen channels, in the model's order."""
    channels = [link.target.call("wm_hopping_channel", position).value for position in range(16)]
    assert channels == list(model.HOPPING)
    assert sorted(channels) == list(range(11, 27))


@pytest.mark.parametrize(
    "asn", [0, 1, 0xFE, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0x01FFFFFFFF, (1 << 40) - 2]
)
def test_asn_increment_carries(link: Link, asn: int) -> None:
    """The carry goes through all five octets."""
    value = bytearray(octets(asn))
    link.target.call("wm_asn_increment", value)
    assert value == octets(asn + 1)


def test_asn_does_not_wrap(link: Link) -> None:
    """The last ASN stays: after it no nonce is left."""
    value = bytearray(octets((1 << 40) - 1))
    link.target.call("wm_asn_increment", value)
    assert value == b"\xff" * 5


def test_asn_add_carries_and_does_not_wrap(link: Link) -> None:
    """As so many increments, up to the last ASN, which stays."""
    last = (1 << 40) - 1
    for asn, slots in ((0, 0), (0xFE, 2), (0xFFFE, 99), (0x01FFFFFFFF, 0xFFFF), (last - 1, 1)):
        value = bytearray(octets(asn))
        link.target.call("wm_asn_add", value, slots)
        assert value == octets(asn + slots)
    for asn, slots in ((last, 1), (last - 5, 0x7FFF)):
        value = bytearray(octets(asn))
        link.target.call("wm_asn_add", value, slots)
        assert value == octets(last)


@given(ASNS, st.integers(1, 0x7FFF))
def test_asn_mod(asn: int, length: int) -> None:
    """ASN mod slotframe length, bit by bit, is what Python says."""
    assert Link("host").target.call("wm_asn_mod", octets(asn), length).value == asn % length


def test_asn_mod_on_target(link: Link) -> None:
    """The same on each target, at the ends of the range."""
    for asn, length in (((1 << 40) - 1, 0x7FFF), (0x0102030405, 101), (12345, 1), (0x7FFE, 0x7FFF)):
        assert link.target.call("wm_asn_mod", octets(asn), length).value == asn % length


@given(ASNS, ASNS)
def test_asn_order(a: int, b: int) -> None:
    """ASNs are compared as numbers."""
    assert bool(Link("host").target.call("wm_asn_less", octets(a), octets(b)).value) == (a < b)


def test_ticks_to_us_and_back(host_link: Link) -> None:
    """Every number of ticks becomes the nearest microsecond and comes back."""
    for ticks in (*range(4000), *range(4000, 65536, 61), 65535):
        us = host_link.target.call("wm_ticks_to_us", ticks).value
        assert abs(us - ticks * TICK_US) <= Fraction(1, 2)
        assert host_link.target.call("wm_us_to_ticks", us).value == ticks


@pytest.mark.parametrize(
    "us", [0, 15, 16, 128, 192, 2120, 10000, 65535, 88000, 1999984, 2000000, 0xFFFFFFFF]
)
def test_us_to_ticks(link: Link, us: int) -> None:
    """Microseconds become the nearest tick, as far as 16 bits reach."""
    ticks = link.target.call("wm_us_to_ticks", us).value
    assert abs(ticks - min(us / TICK_US, Fraction(65535))) <= Fraction(11, 20)


def test_rounding_of_foreign_templates(host_link: Link) -> None:
    """A tick is 30.5 us, written as 31, two are 61 and four 122: a value that is up to 15 us less
    means that tick, one that is 16 us less means the tick before."""
    for us, ticks in ((15, 0), (16, 1), (45, 1), (46, 2), (106, 3), (107, 4), (1_000_000, 32_768)):
        assert host_link.target.call("wm_us_to_ticks", us).value == ticks, us


def test_every_correction(host_link: Link) -> None:
    """Every correction that an Enh-Ack can carry becomes the nearest whole tick; what a tick
    measures comes back."""
    for us in range(-2048, 2048):
        ticks = host_link.target.call("wm_correction_to_ticks", us).value
        assert abs(ticks - us / TICK_US) <= Fraction(11, 20)
    for ticks in range(-67, 68):
        us = host_link.target.call("wm_difference_to_us", ticks).value
        assert abs(us - ticks * TICK_US) <= Fraction(1, 2)
        assert host_link.target.call("wm_correction_to_ticks", us).value == ticks


@pytest.mark.parametrize("ticks", [68, 69, 1000, 32767])
def test_difference_is_cut(link: Link, ticks: int) -> None:
    """A difference beyond 12 bits of microseconds is the largest one of its sign."""
    assert link.target.call("wm_difference_to_us", ticks).value == 2047
    assert link.target.call("wm_difference_to_us", -ticks).value == -2048


@pytest.mark.parametrize("us", [-2048, -31, -16, -15, 0, 15, 16, 30, 31, 46, 61, 2047])
def test_correction_on_target(link: Link, us: int) -> None:
    """The same on each target."""
    assert abs(link.target.call("wm_correction_to_ticks", us).value - us / TICK_US) <= Fraction(
        11, 20
    )
