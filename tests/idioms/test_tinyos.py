# SPDX-License-Identifier: BSD-3-Clause
"""A program like TinyOS's for the TelosB shows what its source says: each figure follows from a data
sheet or from arithmetic, and a defect in one place of the program changes what it shows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.idioms.texts import lines, state_s
from wardmote import Air, Mote

pytestmark = pytest.mark.xdist_group("idioms-telosb")
Programs = Callable[..., Path]

SERIAL = 0x1234_5678_9ABC
PAGE = bytes((i * 73 & 0xFFFF) >> 3 & 0xFF for i in range(256))
"""What flash.c writes."""
SLOWEST_S = 6.0
"""Its self-tests are over by then: most of it are the blinking lights and the sleep."""


def checksum(octets: bytes) -> int:
    """As sum_octets of arithmetic.inc: with end-around carry, swapped after each octet."""
    total = 0
    for octet in octets:
        total += octet
        total = (total & 0xFFFF) + (total >> 16)
        total = (total >> 8 | total << 8) & 0xFFFF
    return total


def product() -> bytes:
    """The generator of main.c after 1 000 steps."""
    x = 1
    for _ in range(1000):
        x = (x * 1664525 + 1013904223) & 0xFFFF_FFFF
    return x.to_bytes(4, "little")


def dallas(octets: bytes) -> int:
    """The CRC of the DS2411: x^8 + x^5 + x^4 + 1, lowest bit first."""
    crc = 0
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8C if crc & 1 else 0)
    return crc


def booted(image: Path) -> Mote:
    """Node 1, alone, after its self-tests."""
    mote = Mote(image, "telosb", identity=SERIAL)
    for bit in (4, 5, 6):
        mote.air.simulation.watch_pin(mote.place, 5, bit)
    mote.until_text("ready 1", SLOWEST_S)
    return mote


@pytest.fixture(scope="module")
def right(program: Programs) -> Mote:
    """The right program."""
    return booted(program("telosb"))


def test_start_up(right: Mote) -> None:
    """.data comes from flash, .bss is cleared while the watchdog runs, and nothing resets."""
    said = lines(right.text)
    data = checksum(bytes([1, 2, 3, *[0] * 297, 0x5A]))
    assert said["data"] == [str(data), "zeros", "6000", "resets", "0"]
    assert right.misuse == []


def test_clocks(right: Mote) -> None:
    """The DCO, found by the crystal, and seen by a capture of 8 ACLK cycles; 4 cycles of MCLK are one
    of the counter, and MOD mixes taps that are a seventh apart."""
    [captured] = lines(right.text)["captured"]
    assert abs(int(captured) - 1024) <= 8
    assert abs(right.cpu["clock_hz"] / 4_194_304 - 1) < 0.005


@pytest.mark.parametrize("part", [0.9, 1.2])
def test_clocks_of_another_part(program: Programs, part: float) -> None:
    """A DCO that is slower or faster is brought to the same clock."""
    changes = {"timing.msp430f1611.dco_typical": part}
    mote = Mote(program("telosb"), "telosb", changes=changes)
    mote.until_text("product ")
    assert abs(int(lines(mote.text)["captured"][0]) - 1024) <= 8


def test_arithmetic(right: Mote) -> None:
    """32 by 32 bits by the multiplier, while a handler multiplies as well."""
    assert lines(right.text)["product"] == [product().hex(), "interrupted", "1"]


def test_devices(right: Mote) -> None:
    """DS2411, SHT11, ADC12, CC2420's crystal by the CCA pin, and the flash while the radio's memory is used
    in between."""
    said = lines(right.text)
    number = bytes([1, *SERIAL.to_bytes(6, "little")])
    assert said["serial"] == [(number + bytes([dallas(number)])).hex()]
    # 25 degrees, SHT1x data sheet: T = -39.6 + 0.01 SO at 3 V
    assert said["temperature"] == ["6460", "right", "1"]
    # half of 3 V, and 0.986 V + 3.55 mV a degree (SLAS368G), by 2.5 V
    supply, _, chip = said["supply"]
    assert abs(int(supply) - 1.5 / 2.5 * 4095) <= 1
    assert abs(int(chip) - (0.986 + 0.00355 * 25) / 2.5 * 4095) <= 1
    # 0.86 ms are 28.2 ticks; the strobe itself takes less than one
    assert said["crystal"][0] in ("28", "29", "30")
    polls = int(said["flash"][4])
    assert said["flash"][:3] == ["13", "sum", str(checksum(PAGE))]
    assert said["flash"][5:] == ["memory", "1", "wrong", "0"]
    assert 55 <= polls <= 62  # 0.6 s, a poll each 10/1024 s and some ticks


def test_timers(right: Mote) -> None:
    """The lights have edges each 250, 500 and 1 000 of 1 024 to the second; tasks are at most 1 ms
    late."""
    assert lines(right.text)["timers"] == ["8", "4", "2"]
    for pin, period, count in (("5.4", 250, 8), ("5.5", 500, 4), ("5.6", 1000, 2)):
        times = [edge.seconds for edge in right.edges if edge.pin == pin]
        assert len(times) == count + 1, pin  # the first one lets it go out at boot
        for earlier, later in pairwise(times[1:]):
            assert later - earlier == pytest.approx(period / 1024, abs=0.001), pin


def asleep(program: Programs, defect: str | None = None) -> Mote:
    """Half a second after it went to sleep, three octets come; then it says how many it has heard."""
    mote = Mote(program("telosb", defect), "telosb")
    mote.until_symbol("to_sleep", SLOWEST_S)
    mote.run(0.1)
    charge, began = state_s(mote, "lpm3"), mote.seconds
    mote.run(0.4)
    assert state_s(mote, "lpm3") - charge > 0.999 * (mote.seconds - began)
    mote.send("xyz")
    mote.until_text("\nawake", 0.6)
    assert mote.seconds - began == pytest.approx(1000 / 1024 - 0.1, abs=0.005)
    mote.until_text("ready")
    return mote


def test_sleep(program: Programs) -> None:
    """Nothing but the crystal runs, LPM3, for 1 000/1 024 s; but each start edge on the line wakes
    SMCLK in time (SLAU049, "Receive-Start Edge Detect Operation")."""
    assert lines(asleep(program).text)["awake"] == ["3"]


def test_sleep_that_is_too_deep_for_the_line(program: Programs) -> None:
    """After a start edge the CPU goes back to LPM3: no octet is heard."""
    assert lines(asleep(program, "line_edge.c").text)["awake"] == ["0"]


def sent(program: Programs, *, prr: float) -> tuple[Mote, Mote]:
    """Two nodes, after node 1 has sent its frames."""
    air = Air()
    one, two = (Mote(program("telosb"), "telosb", air=air, node_id=n) for n in (1, 2))
    air.link(two, one, prr=prr)
    for node in (one, two):
        node.until_text("ready", SLOWEST_S)
    one.send("s")
    one.until_text("gap ")
    air.run(0.1)
    return one, two


def test_frames(program: Programs) -> None:
    """Five frames, each acknowledged. SFD is high for length octet and PSDU, 30 octets of 32 us, and
    rises again 12 symbols and 5 octets after its fall, 352 us: 31.5 and 11.5 ticks."""
    one, two = sent(program, prr=1.0)
    acked, *times = lines(one.text)["acked"][::2]
    assert acked == "5"
    assert set(times[:2]) <= {"31", "32"}
    assert set(times[2:]) <= {"11", "12"}
    assert lines(two.text)["heard"] == ["5"]
    assert [len(frame.octets) for frame in one.frames] == [29] * 5
    assert [frame.octets[:3] for frame in two.frames] == [bytes([2, 0, n]) for n in range(5)]


def test_frames_without_acknowledgement(program: Programs) -> None:
    """No acknowledgement arrives: the frames do, and node 1 knows of none."""
    one, two = sent(program, prr=0.0)
    assert lines(one.text)["acked"][0] == "0"
    assert lines(two.text)["heard"] == ["5"]


def test_without_clearing_the_watchdog(program: Programs) -> None:
    """The start-up takes longer than 32 768 cycles of 0.8 MHz: it begins again and again."""
    mote = Mote(program("telosb", "clear_watchdog.S"), "telosb")
    mote.run(0.5)
    assert mote.text == ""
    assert mote.cpu["resets"] in range(10, 14)
    assert mote.variable("resets") == mote.cpu["resets"]


def test_with_interrupts_in_the_multiplication(program: Programs) -> None:
    """A handler takes the multiplier: another product."""
    mote = Mote(program("telosb", "multiply.S"), "telosb")
    mote.until_text("interrupted 1")
    assert lines(mote.text)["product"][0] != product().hex()


def test_without_arbitration(program: Programs) -> None:
    """The radio is selected while the flash is: what is read from both is wrong."""
    mote = Mote(program("telosb", "bus_rule.c"), "telosb")
    mote.until_text("crystal ")
    mote.run(2.0)
    assert lines(mote.text).get("flash", [])[:3] != ["13", "sum", str(checksum(PAGE))]


def test_a_regulator_that_takes_longer(program: Programs) -> None:
    """The program waits 2/1 024 s for it: the crystal never starts."""
    mote = Mote(program("telosb"), "telosb", changes={"timing.cc2420.vreg_start": 5000})
    mote.until_text("right 1")
    mote.run(1.0)
    assert "crystal" not in mote.text
    assert "voltage regulator" in mote.misuse[0][1]
