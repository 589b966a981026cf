# SPDX-License-Identifier: BSD-3-Clause
"""Tests of firmware as others write them, with the fixtures that wardmote gives them: until a text,
a frame, a pin, a function; and what does not come fails the test."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from vcd.reader import TokenKind, tokenize

import wardmote
from wardmote import Air, Mote, NotSeenError, cli
from wardmote.errors import ImageError, MissingError, UsageError
from wardmote.paths import BUILD

pytest_plugins = ["wardmote.boot.fixtures"]
RADIO = BUILD / "firmware/micaz/tinysec-none.elf"
# It toggles the yellow LED of a Mica2, port A bit 0, and port C bit 5, which no record names.
TOGGLE = """
#include <avr/io.h>
#include <util/delay.h>
void __attribute__((noinline)) turn(void) { PORTA ^= 1; PORTC ^= 0x20; }
int main(void)
{
    DDRA = 1;
    DDRC = 0x20;
    for (;;) {
        _delay_ms(7);
        turn();
    }
}
"""


def made(folder: Path, source: Path) -> Path:
    """The program as avr-gcc and avr-libc make it for the ATmega128."""
    elf = folder / f"{source.stem}.elf"
    flags = ("-mmcu=atmega128", "-DF_CPU=7372800UL", "-Os")
    subprocess.run(["avr-gcc", *flags, source, "-o", elf], check=True)
    return elf


@pytest.fixture(scope="module")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It says its node ID, and what it hears."""
    return made(tmp_path_factory.mktemp("hello"), Path(__file__).with_name("hello.c"))


@pytest.fixture(scope="module")
def toggle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pins move every 7 ms."""
    folder = tmp_path_factory.mktemp("toggle")
    (folder / "toggle.c").write_text(TOGGLE)
    return made(folder, folder / "toggle.c")


def test_texts(mote: Callable[..., Mote], hello: Path) -> None:
    """Each text is looked for behind the one before it; what is sent is answered."""
    one = mote(hello, board="mica2")
    two = mote(hello, board="mica2", node_id=7)
    assert one.until_text("node 1") == "node 1"
    two.until_text("node 7")
    assert 0.001 < one.seconds < 0.003
    one.send("abc\n")
    assert one.until_text(b"abc\n", within=0.1) == "\r\n\x01heard abc\n"
    assert one.octets == b"node 1\r\n\x01heard abc\n"
    assert two.text == "node 7\r\n\x01"
    assert one.variable("TOS_LOCAL_ADDRESS") == 1
    assert one.air.seconds == two.seconds
    with pytest.raises(NotSeenError, match=r"not within 0.05 s: the text 'node'; .*heard abc"):
        one.until_text("node", within=0.05)
    assert one.misuse == []
    assert one.charge_mc > 0


def test_pins(mote: Callable[..., Mote], toggle: Path) -> None:
    """Pins of the record and others, in both directions, at their times."""
    one = mote(toggle, board="MICA2")
    up = one.until_pin("2.5", level=True)
    down = one.until_pin("2.5", level=False)
    assert (up.pin, up.level, down.level) == ("2.5", True, False)
    assert down.seconds - up.seconds == pytest.approx(0.007, abs=1e-4)
    assert one.until_pin("2.5").level
    assert {edge.pin for edge in one.edges} == {"0.0", "2.5"}
    with pytest.raises(NotSeenError, match=r"a low level of pin 0\.3"):
        one.until_pin("0.3", level=False, within=0.05)
    for wrong in ("5", "0.8", "a.b", "0."):
        with pytest.raises(UsageError, match="write port and bit"):
            one.until_pin(wrong)


def test_waves(toggle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader that nobody here wrote finds each edge at its time, and pins that nobody drove."""
    out = toggle.with_name("pins.vcd")
    words = ["run", f"mica2={toggle}:2", "--for", "50ms", "--vcd", str(out), "--pin", "2.5"]
    assert cli.main(words) == 0
    capsys.readouterr()
    with out.open("rb") as file:
        tokens = list(tokenize(file))
    names = {one.var.id_code: one.var.reference for one in tokens if one.kind is TokenKind.VAR}
    assert sorted(names.values()) == sorted(2 * ["yellow", "green", "red", "P2.5"])
    now = 0
    edges: dict[str, list[tuple[int, str]]] = {code: [] for code in names}
    for one in tokens:
        if one.kind is TokenKind.CHANGE_TIME:
            now = one.time_change
        if one.kind is TokenKind.CHANGE_SCALAR:
            edges[one.scalar_change.id_code].append((now, one.scalar_change.value))
    air = Air()
    mote = Mote(toggle, "mica2", air=air)
    with pytest.raises(NotSeenError):
        mote.until_pin("2.5", level=True, within=0)
    air.run(0.05)
    wanted = [(int(e.seconds * 1e9), str(int(e.level))) for e in mote.edges if e.pin == "2.5"]
    assert len(wanted) >= 6
    for code, name in names.items():
        found = [(at, level) for at, level in edges[code] if level in ("0", "1")]
        if name == "P2.5":
            assert [level for _, level in found] == [level for _, level in wanted]
            for (at, _), (expected, _) in zip(found, wanted, strict=True):
                assert abs(at - expected) <= 1
        if name == "green":
            assert found == []
    assert now == 50_000_000


def test_functions(mote: Callable[..., Mote], toggle: Path) -> None:
    """It stops at the first instruction of the function, each time it is called."""
    one = mote(toggle, board="mica2")
    times = [one.until_symbol("turn") for _ in range(3)]
    assert one.cpu["symbol"] == "turn"
    for before, after in pairwise(times):
        assert after - before == pytest.approx(0.007, abs=1e-4)
    with pytest.raises(NotSeenError, match=r"not within 0\.02 s: main; it is in"):
        one.until_symbol("main", within=0.02)
    with pytest.raises(wardmote._motes.MoteError, match="no symbol nothing"):
        one.until_symbol("nothing")


def test_frames_and_links(air: Air) -> None:
    """What one sends is found in order; a link that is cut carries nothing."""
    one, two = Mote(RADIO, "micaz", air=air), Mote(RADIO, "micaz", air=air)
    air.link(one, two, prr=0.0)
    air.run(0.5)
    frames = one.frames + two.frames
    assert all(frame.whole == bool(frame.octets) for frame in frames)
    with pytest.raises(NotSeenError, match="a frame that fits"):
        one.until_frame(lambda frame: frame.octets == b"never", within=0.05)


def test_memory_and_numbers(hello: Path) -> None:
    """A variable is written before the program reads it; a number of the record is another."""
    one = Mote(hello, "mica2", changes={"current.cpu.active": 89.3})
    one.set_variable("TOS_LOCAL_ADDRESS", 5)
    one.run(0.01)
    usual = Mote(hello, "mica2")
    usual.run(0.01)
    assert one.charge_mc > 2 * usual.charge_mc
    assert one.variable("TOS_LOCAL_ADDRESS") in (1, 5)


def test_refusals(tmp_path: Path, hello: Path) -> None:
    """One line each."""
    (tmp_path / "text").write_text("hello")
    with pytest.raises(MissingError, match="No such file"):
        Mote(tmp_path / "none.elf", "mica2")
    with pytest.raises(ImageError):
        Mote(tmp_path / "text", "mica2")
    with pytest.raises(UsageError, match="no board 'sky'"):
        Mote(hello, "sky")
    with pytest.raises(UsageError, match="no number"):
        Mote(hello, "mica2", changes={"timing.cc2420.saes": 1})
    with pytest.raises(AttributeError):
        _ = wardmote.Nothing
    with pytest.raises(UsageError, match="node ID -1: possible are 0 to 65534"):
        Mote(hello, "mica2", node_id=-1)
    one, other = Mote(hello, "mica2"), Mote(hello, "mica2")
    for receiver in (one, other):
        with pytest.raises(UsageError, match="between two motes of this air"):
            one.air.link(one, receiver, prr=0.5)


def test_a_copy_goes_on_alike(hello: Path, mote: Callable[..., Mote]) -> None:
    """What two copies are told decides what they do; told the same, they do the same."""
    one = mote(hello, board="mica2")
    one.until_text("node 1")
    one.run(0.005)
    [two], [three] = one.air.copy().motes, one.air.copy().motes
    assert one.text == two.text == three.text
    for each, text in ((one, "a\n"), (two, "a\n"), (three, "b\n")):
        each.send(text)
        assert text.strip() in each.until_text(f"heard {text.strip()}")
    assert one.octets == two.octets != three.octets
    assert one.seconds == two.seconds
    assert one.charge_mc == two.charge_mc
