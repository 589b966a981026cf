# SPDX-License-Identifier: BSD-3-Clause
"""The SPI of the ATmega128 as slave, which the CC1000 clocks, beside libsimavr.

libsimavr has no bits: an octet passes in a moment. It knows neither WCOL nor DORD, and reading SPDR
does not clear SPIF. What it can judge is each octet of a program with a handler: that one interrupt
comes for it, what is in SPSR and SPDR then, what goes out next, and which octets are lost when the
handler comes late. The rest is by the data sheet (2467, section "Serial Peripheral Interface"):
here, and beside the device's code.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.motes.cpu_avr.simulators import build_driver
from wardmote import _motes

BOARD, MCU = "mica2", "atmega128"
MS = 1_000_000_000
# At 19.2 kbit/s and 7.3728 MHz.
OCTET_CYCLES = 3072
SEED, HELD, OCTETS, STREAM = 0x5B, 20, 60, 64
# Octets until a receiver has found the levels of a sender.
SETTLED = 4
SPIF, WCOL = 0x80, 0x40


class Seen(NamedTuple):
    """What a program has noted."""

    done: int
    before: int
    taken: bytes
    status: bytes


Build = Callable[..., Path]


@pytest.fixture(scope="module")
def program(root: Path, atmega128: Build) -> Build:
    """The program `mica2_octets` with a driver: the CC1000's, or none."""
    driver = root / "firmware/driver/cc1000"
    folders = (root / "firmware/chip/atmega128", driver, root / "firmware/board/mica2")
    text = (root / "tests/firmware/mica2_octets.c").read_text()
    sources = {True: driver / "cc1000.c", False: root / "tests/firmware/mica2_no_radio.c"}

    def build(seed: int, held: int, octets: int, radio: bool = True) -> Path:
        values = (f"-DSEED={seed}", f"-DHELD={held}", f"-DOCTETS={octets}")
        return atmega128(text, sources[radio], flags=(*values, *(f"-I{one}" for one in folders)))

    return build


def seen(octets: bytes) -> Seen:
    """The program's notes in memory."""
    half = 1 + len(octets) // 2
    return Seen(octets[0], octets[1], octets[2:half], octets[half:])


def over_the_air(sender: Path, receiver: Path) -> tuple[Seen, Seen]:
    """Two Mica2 that run these: what they have noted."""
    simulation = _motes.Simulation(seed=3, distance_m=10.0)
    for name, elf in (("sender", sender), ("receiver", receiver)):
        simulation.add_mote(BOARD, elf.read_bytes(), name)
    simulation.run_for(150 * MS)
    sent, received = (seen(simulation.read(n, *simulation.symbol(n, "seen"))) for n in (0, 1))
    assert (sent.done, received.done) == (1, 1)
    return sent, received


def bits(octets: bytes) -> str:
    """The highest bit of each octet first."""
    return "".join(f"{octet:08b}" for octet in octets)


@pytest.fixture(scope="module")
def plain(program: Build) -> tuple[Seen, Seen]:
    """A sender and a receiver whose handlers come at once."""
    return over_the_air(program(SEED, 0, STREAM), program(0, 0, STREAM))


@pytest.fixture(scope="module")
def simavr(
    oracle: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path, bytes], tuple[Seen, bytes]]:
    """Runs a program in libsimavr, where these octets come in: what it notes, and what goes out."""
    folder = tmp_path_factory.mktemp("spi")
    objcopy, driver = oracle("avr-objcopy"), build_driver(oracle, folder, "simavr_spi")

    def run(elf: Path, stream: bytes) -> tuple[Seen, bytes]:
        raw, given, saved = (folder / name for name in ("image", "given", "saved"))
        subprocess.run([objcopy, "-O", "binary", elf, raw], check=True)
        (folder / "stream").write_bytes(stream)
        files = (folder / "stream", str(OCTET_CYCLES), given, saved)
        subprocess.run([driver, MCU, raw, *files], check=True, capture_output=True, timeout=60)
        names = _motes.Simulation()
        names.add_mote(BOARD, elf.read_bytes(), "names")
        address, octets = names.symbol(0, "seen")
        return seen(saved.read_bytes()[address & 0xFFFF :][:octets]), given.read_bytes()

    return run


Simavr = Callable[[Path, bytes], tuple[Seen, bytes]]


def test_a_sender_beside_simavr(program: Build, plain: tuple[Seen, Seen], simavr: Simavr) -> None:
    """Every octet that a handler writes goes out next, in the order of the air: a receiver hears the
    octets that leave libsimavr, bit by bit, behind its inverting input."""
    ours, heard = plain
    theirs, given = simavr(program(SEED, 0, STREAM, radio=False), ours.taken)
    assert theirs == ours
    assert given == ours.taken, "the line is one: a sender hears itself"
    assert bits(given[SETTLED:32]) in bits(bytes(octet ^ 0xFF for octet in heard.taken))


@pytest.mark.parametrize("held", [0, HELD])
def test_a_receiver_beside_simavr(
    program: Build, plain: tuple[Seen, Seen], simavr: Simavr, held: int
) -> None:
    """An interrupt for each octet, SPIF cleared by it. While interrupts wait for two octets and a
    half, SPIF stays, and the octet of two that is the older one is lost."""
    stream = plain[1].taken
    _, ours = over_the_air(program(SEED, 0, STREAM), program(0, held, OCTETS))
    theirs, _ = simavr(program(0, held, OCTETS, radio=False), stream)
    assert theirs == ours
    lost = 1 if held else 0
    assert ours.taken[:OCTETS] == (stream[:held] + stream[held + lost :])[:OCTETS]
    assert (ours.before, set(ours.status)) == (SPIF if held else 0, {0})


def test_an_octet_that_is_written_while_one_passes_is_refused(
    program: Build, plain: tuple[Seen, Seen]
) -> None:
    """The data sheet, which libsimavr does not follow here: SPDR has one buffer towards the line. The
    octet of a handler that comes late is not taken, WCOL says so, and the line goes on with what is
    in the shift register: the octet before."""
    sent, _ = over_the_air(program(SEED, HELD, OCTETS), program(0, 0, STREAM))
    usual = plain[0].taken
    late, refused = HELD, HELD + 1
    assert sent.taken[: late + 1] == usual[: late + 1]
    assert sent.taken[refused] == usual[late], "again, and not what was written"
    assert sent.taken[refused + 1 : OCTETS] == usual[refused + 1 : OCTETS]
    assert [at for at, status in enumerate(sent.status) if status] == [refused]
    assert sent.status[refused] == WCOL
