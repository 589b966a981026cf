# SPDX-License-Identifier: BSD-3-Clause
"""Images as Intel HEX and S-records, made by avr-objcopy; the identity of a mote of TinyOS; serial
lines."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes import openmote
from tests.motes.conftest import run
from tests.motes.telosb import COMMON, simulate
from wardmote import _motes

Build = Callable[..., Path]
MS = 1_000_000_000
CRYSTAL_HZ, BAUD = 7_372_800, 57_600
FLASH_OCTETS = 0x20000
FORMS = ("ihex", "srec")
RUNS_MS = 2

# Says its identity on its serial line, and then gives each octet back, one more.
IDENTITY = """
#include <stdint.h>
#define R(address) (*(volatile uint8_t *)(address))
enum { UBRR0L = 0x29, UCSR0B = 0x2A, UCSR0A = 0x2B, UDR0 = 0x2C };
volatile uint8_t before = 0xA5;
volatile uint16_t TOS_LOCAL_ADDRESS FIRST;
volatile uint16_t unset;
static void put(uint8_t octet)
{
    while ((R(UCSR0A) & 0x20) == 0)
        ;
    R(UDR0) = octet;
}
int main(void)
{
    R(UCSR0A) = 2; /* double speed */
    R(UBRR0L) = 15;
    R(UCSR0B) = 0x18;
    put(before);
    put((uint8_t)TOS_LOCAL_ADDRESS);
    put((uint8_t)(TOS_LOCAL_ADDRESS >> 8));
    put((uint8_t)unset);
    for (;;) {
        while ((R(UCSR0A) & 0x80) == 0)
            ;
        put((uint8_t)(R(UDR0) + 1));
    }
}
"""

# Gives each octet back, one more, from the handler of its interrupt; sleeps between them.
ASLEEP = """
#include <stdint.h>
#define R(address) (*(volatile uint8_t *)(address))
void __vector_18(void);
__attribute__((signal, used)) void __vector_18(void) { R(0x2C) = (uint8_t)(R(0x2C) + 1); }
int main(void)
{
    R(0x2B) = 2;
    R(0x29) = 15;
    R(0x2A) = 0x98;
    R(0x55) = MODE;
    __asm__ volatile("sei");
    for (;;)
        __asm__ volatile("sleep");
}
"""
IDLE, POWER_SAVE = 0x20, 0x38


def converted(elf: Path, form: str, folder: Path) -> bytes:
    """The image as avr-objcopy writes it."""
    out = folder / f"{elf.stem}.{form}"
    run("avr-objcopy", "-O", form, str(elf), str(out))
    return out.read_bytes()


def mote(image: bytes) -> _motes.Simulation:
    """A Mica2 with it."""
    simulation = _motes.Simulation(seed=1)
    simulation.add_mote("mica2", image, "mote")
    return simulation


def said(simulation: _motes.Simulation) -> bytes:
    """What it says from now on."""
    simulation.run_for(RUNS_MS * MS)
    return bytes(octet for _, _, octet in simulation.serial(0))


@pytest.fixture(scope="module")
def elf(atmega128: Build) -> Path:
    """The program."""
    return atmega128(IDENTITY, flags=("-DFIRST==1",))


@pytest.mark.parametrize("form", FORMS)
def test_an_image_runs_whatever_its_form(root: Path, tmp_path: Path, form: str) -> None:
    """Flash is the same to the last octet, and so is what a mote does that has radio and clock."""
    elf = root / "build/firmware/mica2/tinysec-none.elf"
    seen = []
    for image in (elf.read_bytes(), converted(elf, form, tmp_path)):
        simulation = mote(image)
        flash = simulation.read(0, 0, FLASH_OCTETS)
        simulation.run_for(RUNS_MS * MS)
        seen.append((flash, simulation.cpu(0)["cycles"], simulation.cpu(0)["pc"]))
    assert seen[0] == seen[1]
    assert seen[0][1] > 1000


@pytest.mark.parametrize("form", FORMS)
def test_an_image_of_another_chip_is_refused(msp430: Build, tmp_path: Path, form: str) -> None:
    """Records name no CPU: what is outside the memory is all that shows."""
    image = converted(msp430("void start(void) { for (;;); }"), form, tmp_path)
    _motes.Simulation().add_mote("telosb", image, "mote")
    with pytest.raises(_motes.MoteError, match="segment at 0x4000"):
        _motes.Simulation().add_mote("openmote-cc2538", image, "mote")


@pytest.mark.parametrize("form", FORMS)
def test_damaged_records_are_refused_in_one_line(elf: Path, tmp_path: Path, form: str) -> None:
    """A wrong digit, a line that is missing at the end, a file that is cut off."""
    image = converted(elf, form, tmp_path)
    second = image.index(b"\n") + 1
    wrong = bytes([image[second + 12] ^ 1])
    for damaged, said in (
        (image[: second + 12] + wrong + image[second + 13 :], "line 2: wrong checksum"),
        (image[: image.rstrip().rindex(b"\n") + 1], "the file ends without its last record"),
        (image[: second + 15], "line 2: "),
    ):
        with pytest.raises(_motes.MoteError) as caught:
            mote(damaged)
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "TOS_LOCAL_ADDRESS",
        "TOS_NODE_ID",
        "ActiveMessageAddressC$addr",
        "ActiveMessageAddressC__addr",
    ],
)
def test_a_mote_has_the_identity_that_it_is_given(elf: Path, tmp_path: Path, name: str) -> None:
    """By its symbol, and nothing beside it changes."""
    renamed = tmp_path / "renamed.elf"
    run("avr-objcopy", "--redefine-sym", f"TOS_LOCAL_ADDRESS={name}", str(elf), str(renamed))
    image = renamed.read_bytes()
    assert said(mote(image)) == bytes.fromhex("A5010000")
    simulation = mote(image)
    simulation.set_node_id(0, 0x1234)
    assert said(simulation) == bytes.fromhex("A5341200")
    with pytest.raises(ValueError, match="before time passes"):
        simulation.set_node_id(0, 1)


@pytest.mark.parametrize("form", FORMS)
def test_identity_in_an_image_without_symbols(elf: Path, tmp_path: Path, form: str) -> None:
    """By the place of its first value in flash: objdump's load address of .data, and the symbol's
    distance from its begin."""
    image = converted(elf, form, tmp_path)
    before, identity = bytes.fromhex("A5"), bytes.fromhex("0100")
    simulation = mote(image)
    with pytest.raises(_motes.MoteError, match="no symbol TOS_LOCAL_ADDRESS or TOS_NODE_ID"):
        simulation.set_node_id(0, 7)
    flash = simulation.read(0, 0, FLASH_OCTETS).rstrip(b"\xff")
    data = flash[-4:]
    assert before in data
    assert identity in data
    with pytest.raises(_motes.MoteError, match="no memory"):
        simulation.set_node_id(0, 7, address=FLASH_OCTETS)
    simulation.set_node_id(0, 7, address=len(flash) - 4 + data.index(identity))
    assert said(simulation) == bytes.fromhex("A5070000")


def test_identity_needs_a_first_value(atmega128: Build) -> None:
    """What start-up code sets to zero has none."""
    simulation = mote(atmega128(IDENTITY, flags=("-DFIRST=",)).read_bytes())
    with pytest.raises(_motes.MoteError, match="with a first value"):
        simulation.set_node_id(0, 7)


def test_a_serial_line_has_the_time_of_its_bits(elf: Path) -> None:
    """Both directions, at the rate of the USART: ten bits a character, one behind the other."""
    simulation = mote(elf.read_bytes())
    said(simulation)
    began = simulation.now_ps
    simulation.send_serial(0, b"abc", baud=BAUD)
    simulation.run_for(RUNS_MS * MS)
    got = simulation.serial(0)
    assert bytes(octet for _, _, octet in got) == b"bcd"
    character = 10 * 10**12 // BAUD
    for number, (at, line, _) in enumerate(got):
        least = began + (number + 2) * character
        assert line == 0
        assert least <= at < least + 100 * 10**12 // CRYSTAL_HZ
    assert simulation.misuse(0) == []


@pytest.mark.parametrize(("mode", "answer"), [(IDLE, b"bc"), (POWER_SAVE, b"")])
def test_a_character_wakes_an_idle_cpu_alone(atmega128: Build, mode: int, answer: bytes) -> None:
    """A deeper sleep stops the clock of the USART."""
    simulation = mote(atmega128(ASLEEP, flags=(f"-DMODE={mode}",)).read_bytes())
    assert said(simulation) == b""
    simulation.send_serial(0, b"ab")
    assert said(simulation) == answer
    assert simulation.cpu(0)["asleep"]


@pytest.mark.parametrize(("baud", "understood"), [(56_000, True), (59_500, True), (38_400, False)])
def test_a_line_at_another_rate_is_not_understood(elf: Path, baud: int, understood: bool) -> None:
    """A few percent are nothing; more loses characters, and the mote's list of misuse says so."""
    simulation = mote(elf.read_bytes())
    said(simulation)
    simulation.send_serial(0, b"a", baud=baud)
    assert said(simulation) == (b"b" if understood else b"")
    told = [text.partition("; PC 0x")[0] for _, text in simulation.misuse(0)]
    assert told == (
        []
        if understood
        else ["a character came at another baud rate than the USART has; it is lost"]
    )


# USART1 of an MSP430 as a UART, its pin P3.6: an octet in eighty periods of SMCLK.
MSP430_SAYS = """
int main(void)
{
    R8(0x1B) = 0x40;
    R8(0x78) = 0x11;
    R8(0x79) = 0x20;
    R8(0x7C) = 8;
    R8(0x7D) = R8(0x7B) = 0;
    R8(0x05) = 0x20;
    R8(0x78) = 0x10;
    for (const char *c = "ab"; *c != 0; c++) {
        while ((R8(0x03) & 0x20) == 0)
            ;
        R8(0x7F) = (uint8_t)*c;
    }
    for (;;)
        ;
}
"""


def test_a_telosb_is_heard_too(msp430: Build) -> None:
    """On line 1, one character behind the other."""
    simulation = simulate(msp430(COMMON + MSP430_SAYS))
    simulation.run_for(RUNS_MS * MS)
    (first, *_), (second, *_) = sent = simulation.serial(0)
    assert [(line, octet) for _, line, octet in sent] == [(1, ord("a")), (1, ord("b"))]
    assert simulation.cpu(0)["clock_hz"] * (second - first) == pytest.approx(80 * 10**12, rel=0.01)
    assert simulation.serial(0) == []


def test_lines_that_are_not_there_are_refused(elf: Path, armv7m: Build) -> None:
    """With the reason."""
    simulation = mote(elf.read_bytes())
    for line, baud in ((2, BAUD), (0, 100), (0, 2_000_000)):
        with pytest.raises(ValueError, match=f"line {line} at {baud} baud"):
            simulation.send_serial(0, b"a", line=line, baud=baud)
    other = _motes.Simulation()
    other.add_mote("openmote-cc2538", armv7m(openmote.SENDER).read_bytes(), "mote")
    with pytest.raises(ValueError, match="line 2 at 57600 baud; lines are below 2"):
        other.send_serial(0, b"a", line=2)
