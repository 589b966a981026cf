# SPDX-License-Identifier: BSD-3-Clause
"""A program like Contiki's for the OpenMote, compiled by arm-none-eabi-gcc with newlib, shows what its
source says: each figure follows from a manual or from arithmetic, and a defect in one place changes
it."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.idioms.texts import lines, state_s
from wardmote import Air, Mote

pytestmark = pytest.mark.xdist_group("idioms-openmote")
Programs = Callable[..., Path]

BOARD = "openmote-cc2538"
BAUD = 115_200
IEEE = 0x0012_4B00_1234_5678
SLOWEST_S = 4.0
TEXT = "".join("\n" if i % 50 == 49 else chr(ord("a") + i % 23) for i in range(500))
"""What goes out by uDMA."""


def tell(mote: Mote, command: str) -> None:
    """A line for its shell."""
    mote.send(f"{command}\n", baud=BAUD)


@pytest.fixture(scope="module")
def right(program: Programs) -> Mote:
    """The right program after its self-tests."""
    mote = Mote(program(BOARD), BOARD, identity=IEEE)
    mote.until_text("ready 1", SLOWEST_S)
    return mote


@pytest.mark.parametrize(("board", "sensor"), [("openmote-b", "SI7006"), ("firefly", None)])
def test_boards_with_the_same_chip(program: Programs, board: str, sensor: str | None) -> None:
    """The program starts on boards that are like the OpenMote, says the address it has there, and
    finds no SHT21. Where another sensor, which is not modelled, has its address, that is told."""
    mote = Mote(program(BOARD), board, identity=IEEE)
    mote.until_text("ready 1", SLOWEST_S)
    said = lines(mote.text)
    assert (said["ieee"], said["sht21"][:2]) == ([f"{IEEE:016x}"], ["0", "000000"])
    told = [what.partition(",")[0] for _, what in mote.misuse]
    assert told == [f"I2C talks to the {sensor}" for _ in range(sensor is not None)]


def test_start_up(right: Mote) -> None:
    """Power-on, by CLOCK_STA.RST; constructors run behind .bss; newlib has floating point, a heap
    that ends, and sorts what its generator gave."""
    said = lines(right.text)
    x, numbers = 1, []
    for _ in range(256):
        x = (x * 1664525 + 1013904223) & 0xFFFF_FFFF
        numbers.append(x)
    middle = f"{sorted(numbers)[128]:08x}"
    assert said["reset"] == ["0"]
    assert said["nano"] == [f"{math.sqrt(2) * math.e:.6f}", "-31", "1", "1", "1", middle]
    assert right.misuse == []


def test_rom(right: Mote) -> None:
    """Functions through the table at 0x48, and the address in the information page."""
    said = lines(right.text)
    assert said["rom"] == [f"{zlib.crc32(b'123456789'):08x}", str(512 * 1024)]
    assert said["ieee"] == [f"{IEEE:016x}"]


def test_udma(right: Mote) -> None:
    """Memory to memory; and a text to the UART, octet by octet as its FIFO asks: the last one goes into
    the FIFO when 16 wait there and one is on the line, 483 octets of 10 bits after the begin."""
    said = lines(right.text)
    assert said["copied"] == ["1", "1"]
    assert TEXT in right.text
    ends, _, ticks = said["dma"]
    assert ends == "1"
    assert abs(int(ticks) - 483 * 10 / BAUD * 32768) <= 4


def test_time(right: Mote) -> None:
    """rtimer is on time, 128 periods of SysTick are a second of the sleep timer and 1 000 of GPTM0,
    and no reading of the sleep timer is before another."""
    said = lines(right.text)
    assert said["late"] == ["0", "to", "0"]
    clock, _, gpt = said["clock"]
    assert abs(int(clock) - 32768) <= 2
    assert abs(int(gpt) - 1000) <= 1
    assert said["backwards"] == ["0"]


def sensirion(octets: bytes) -> int:
    """The CRC of the SHT21: x^8 + x^5 + x^4 + 1, highest bit first."""
    crc = 0
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc << 1 ^ (0x131 if crc & 0x80 else 0)
    return crc


def test_sensor(right: Mote) -> None:
    """The SHT21 does not acknowledge while it measures, 85 ms at most; 25 degrees by the formula of its
    data sheet, with 14 bits; asked 128 times a second."""
    there, octets, _, ticks = lines(right.text)["sht21"]
    assert there == "1"
    *value, check = bytes.fromhex(octets)
    assert -46.85 + 175.72 * (int.from_bytes(value, "big") & 0xFFFC) / 65536 == pytest.approx(
        25, abs=0.02
    )
    assert check == sensirion(bytes(value))
    assert 0.085 * 32768 <= int(ticks) <= 0.085 * 32768 + 2 * 256


def test_power_mode_2(program: Programs, right: Mote) -> None:
    """24 576 ticks of the sleep timer, and less than a millisecond until the crystal is back; SysTick is
    made up for; the upper half of RAM is kept, the lower one is not."""
    said = lines(right.text)["deep"]
    times, ticks, clock, kept, lost = said[0], said[2], said[4], said[6], said[8]
    assert (times, clock, kept, lost) == ("1", "96", "1", "1")
    assert 24_576 + 10 <= int(ticks) < 24_576 + 32
    assert state_s(right, "pm2") == pytest.approx(0.75, abs=0.001)


def pair(program: Programs, *, prr: float = 1.0, defect: str | None = None) -> tuple[Mote, Mote]:
    """Two nodes that listen."""
    air = Air()
    one, two = (Mote(program(BOARD, defect), BOARD, air=air, node_id=n) for n in (1, 2))
    air.link(two, one, prr=prr)
    for node in (one, two):
        node.until_text("ready", SLOWEST_S)
    return one, two


def send(one: Mote, frames: int) -> list[str]:
    """What node 1 says after it has sent so many."""
    tell(one, f"send {frames}")
    one.until_text("acked ")
    one.run(0.1)
    return lines(one.text)["acked"]


def test_frames(program: Programs) -> None:
    """Five frames, each acknowledged: from TXDONE to RXPKTDONE 12 symbols and 11 octets, 544 us, are 17.8
    ticks."""
    one, two = pair(program)
    acked, _, least, _, most = send(one, 5)
    assert (acked, lines(two.text)["heard"]) == ("5", ["5"])
    assert {least, most} <= {"17", "18", "19"}
    assert [frame.octets[:3] for frame in two.frames] == [bytes([2, 0, n]) for n in range(5)]


def test_frames_without_acknowledgement(program: Programs) -> None:
    """No acknowledgement arrives: the frames do, and node 1 knows of none."""
    one, two = pair(program, prr=0.0)
    assert send(one, 5)[0] == "0"
    assert lines(two.text)["heard"] == ["5"]


def flooded(program: Programs, defect: str | None) -> tuple[str, str, str]:
    """Node 2 does not read: four frames of 30 octets fit into its FIFO of 128. Then it reads again. How
    many were acknowledged before and after, and what it said."""
    one, two = pair(program, defect=defect)
    tell(two, "deaf")
    two.until_text("deaf")
    before = send(one, 6)[0]
    tell(two, "hear")
    two.until_text("hears")
    return before, send(one, 5)[0], two.text


def test_overflow(program: Programs) -> None:
    """ISFLUSHRX ends it: all is heard again."""
    before, after, text = flooded(program, None)
    assert (before, after) == ("4", "5")
    assert lines(text)["overflow"][0] == "1"
    assert lines(text)["heard"] == ["5"]


def test_without_recovery_from_overflow(program: Programs) -> None:
    """Nothing is received any more."""
    before, after, text = flooded(program, "recover.c")
    assert (before, after) == ("4", "0")
    assert "heard" not in lines(text)


def test_watchdog(program: Programs) -> None:
    """A process that hangs is over within a second; CLOCK_STA says why."""
    mote = Mote(program(BOARD), BOARD)
    mote.until_text("ready", SLOWEST_S)
    tell(mote, "hang")
    hung = mote.seconds
    mote.until_text("reset 2", 1.1)
    assert 0.9 < mote.seconds - hung < 1.05


def test_with_the_timer_read_from_its_top(program: Programs) -> None:
    """The octets above the lowest are those of the reading before."""
    mote = Mote(program(BOARD, "sleep_timer.c"), BOARD)
    mote.until_text("backwards ", SLOWEST_S)
    mote.run(0.01)
    assert int(lines(mote.text)["backwards"][0]) > 0
