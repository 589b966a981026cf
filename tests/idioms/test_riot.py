# SPDX-License-Identifier: BSD-3-Clause
"""A program like RIOT's for the MICAz, compiled by avr-gcc with avr-libc, shows what its source
says: each figure follows from a data sheet or from arithmetic, and a defect in one place changes
it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.idioms.texts import lines, state_s
from wardmote import Air, Mote

pytestmark = pytest.mark.xdist_group("idioms-micaz")
Programs = Callable[..., Path]

TICK_HZ = 7_372_800 / 8
SLOWEST_S = 4.0
KEPT = b"kept while the power is off"


def churn(x: int) -> int:
    """As self_test.c has it."""
    for i in range(1, 2001):
        x ^= x << 13 & 0xFFFF_FFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFF_FFFF
        x = (x + x // i * 7) & 0xFFFF_FFFF
    return x


def ccitt(octets: bytes) -> int:
    """CRC of x^16 + x^12 + x^5 + 1, lowest bit first, from 0xFFFF, bit by bit."""
    crc = 0xFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc


@pytest.fixture(scope="module")
def right(program: Programs) -> Mote:
    """The right program after its self-tests, between which the watchdog resets it once."""
    mote = Mote(program("micaz"), "micaz")
    mote.until_text("ready 1", SLOWEST_S)
    return mote


def test_resets(right: Mote) -> None:
    """PORF, then WDRF; .noinit and the EEPROM outlive the second."""
    causes = [line for line in right.text.splitlines() if line.startswith("cause")]
    assert causes == ["cause 1", "cause 8"]
    assert lines(right.text)["kept"] == ["cafe", *KEPT.decode().split()]
    assert right.cpu["resets"] == 1
    assert right.misuse == []


def test_program_memory(right: Mote) -> None:
    """ELPM with a pointer that goes over 0xFFFF takes RAMPZ along."""
    table = bytes((i * 37 + i // 256 + 11) & 0xFF for i in range(512))
    assert lines(right.text)["far"] == [f"{ccitt(table):04x}", f"{table[-1]:02x}"]


def test_threads(right: Mote) -> None:
    """Two threads compute what they compute alone, while they are preempted each millisecond."""
    said = lines(right.text)
    assert said["stacks"] == ["2"]
    assert said["sums"] == [f"{churn(1):08x}", f"{churn(2):08x}", "preempted", "1"]


def test_library(right: Mote) -> None:
    """malloc takes all there is and joins what is freed; printf has floating point."""
    said = lines(right.text)
    assert said["heap"] == ["1", "1", "1"]
    assert said["root"] == [f"{math.sqrt(2) * math.e:.4f}"]


def test_time(right: Mote) -> None:
    """A delay of counted cycles, alarms beyond the counter's 16 bits, Timer0 from the crystal, which is
    exact here, and the EEPROM's 8.448 ms an octet."""
    said = lines(right.text)
    assert 0 <= int(said["delay"][0]) - 0.001 * TICK_HZ < 15
    assert len(said["late"]) == 4
    assert all(0 <= int(late) < 20 for late in said["late"])
    assert said["forward"] == ["1"]
    assert abs(int(said["crystal"][0]) - 16 * 256 / 32768 * TICK_HZ) <= 20
    written_s = int(said["eeprom"][0]) / TICK_HZ
    octets = len(KEPT) + 1
    assert written_s == pytest.approx(octets * 8448e-6, rel=0.01)
    assert said["eeprom"][1:] == ["again", "1"]


def test_power_save(program: Programs) -> None:
    """128 overflows of Timer0 are a second, nearly all of it in power-save."""
    mote = Mote(program("micaz"), "micaz")
    mote.until_text("crystal", SLOWEST_S)
    mote.until_text("saved 1")
    assert state_s(mote, "power_save") == pytest.approx(1.0, abs=0.02)


def test_supply(right: Mote) -> None:
    """1.23 V by 3 V, ten bits. The first conversion takes 25 periods of 64 cycles, 200 ticks; the noise
    reduction mode lasts as long, and Timer1 counts none of them."""
    value, _, ticks = lines(right.text)["bandgap"]
    assert abs(int(value) - 1.23 / 3 * 1024) < 1
    assert int(ticks) < 40
    assert state_s(right, "noise_reduction") == pytest.approx(25 * 64 / 7_372_800, rel=0.1)


def sent(program: Programs, *, prr: float) -> tuple[Mote, Mote]:
    """Two nodes, after node 1 was told to send."""
    air = Air()
    one, two = (Mote(program("micaz"), "micaz", air=air, node_id=n) for n in (1, 2))
    air.link(two, one, prr=prr)
    for node in (one, two):
        node.until_text("ready", SLOWEST_S)
    one.send("list\nsend 5\n")
    one.until_text("what is list")
    one.until_text("gap ")
    air.run(0.1)
    return one, two


def test_frames(program: Programs) -> None:
    """Five frames, each acknowledged. SFD is high for 30 octets of 32 us, and rises again 12 symbols
    and 5 octets after its fall, 352 us: as Timer1 captures it."""
    one, two = sent(program, prr=1.0)
    acked, *times = (int(word) for word in lines(one.text)["acked"][::2])
    assert acked == 5
    for measured, seconds in zip(times, (960e-6, 960e-6, 352e-6, 352e-6), strict=True):
        assert abs(measured - seconds * TICK_HZ) < 2
    assert lines(two.text)["heard"] == ["5"]
    assert lines(two.text)["radio"] == ["1", "memory", "0"]
    assert [frame.octets[:3] for frame in two.frames] == [bytes([2, 0, n]) for n in range(5)]


def test_frames_without_acknowledgement(program: Programs) -> None:
    """No acknowledgement arrives: the frames do, and node 1 knows of none."""
    one, two = sent(program, prr=0.0)
    assert lines(one.text)["acked"][0] == "0"
    assert lines(two.text)["heard"] == ["5"]


def test_with_a_switch_that_loses_flags(program: Programs) -> None:
    """SREG is not restored: other sums."""
    mote = Mote(program("micaz", "switch.S"), "micaz")
    mote.until_text("preempted 1")
    wrong = lines(mote.text)["sums"][:2]
    assert wrong[0] != f"{churn(1):08x}"
    assert wrong[1] != f"{churn(2):08x}"


def test_with_an_overflow_that_is_not_seen(program: Programs) -> None:
    """Time goes back at an overflow that waits for its handler."""
    mote = Mote(program("micaz", "extend.c"), "micaz")
    mote.until_text("forward 0")


def test_a_crystal_that_does_not_start(program: Programs) -> None:
    """The radio's crystal takes longer than the program waits."""
    mote = Mote(program("micaz"), "micaz", changes={"timing.cc2420.xosc_start": 20_000})
    mote.until_text("radio 0", SLOWEST_S)
