# SPDX-License-Identifier: BSD-3-Clause
"""The comparison with a real board. Nobody here has one, so another emulated mote stands in for it,
behind a pseudoterminal; the tool that flashes is a program that notes what it was told. The figure
itself is also held against the cycles that a call takes, which is another way to it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import check_on_board
from wardmote import Mote
from wardmote.errors import FAILED, MISSING, USAGE

BLINK = """
#include <avr/io.h>
#include <util/delay.h>
int main(void)
{
    DDRA = 1;
    for (;;) {
        PORTA |= 1;
        _delay_us(300);
        PORTA &= (unsigned char)~1;
        _delay_us(500);
    }
}
"""


@pytest.fixture(scope="module")
def figure() -> Path:
    """The image for the TelosB."""
    return check_on_board.build("telosb")


@pytest.fixture
def board(figure: Path) -> Iterator[str]:
    """A pseudoterminal with a mote behind it that says its figure, as a board on a cable does."""
    words = ["run", f"telosb={figure}", "--port", "1=pty", "--for", "60s", "--seed", "9"]
    command = [sys.executable, "-m", "wardmote", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as verb:
        assert verb.stdout is not None
        yield next(line for line in verb.stdout if "connected" in line).split()[-1]
        verb.kill()


def test_a_figure_over_a_serial_line(
    board: str, figure: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is flashed, heard, and the same."""
    note = tmp_path / "note"
    flash = f"sh -c 'echo {{port}} {{image}} >{note}'"
    words = ["serial", "--port", board, "--image", str(figure), "--flash", flash]
    assert check_on_board.main(words) == 0
    assert note.read_text().split() == [board, str(figure)]
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == ["real", "emulated", "difference"]
    assert shown[0].split()[2:] == shown[1].split()[1:]


def test_a_figure_that_differs(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1; what is allowed is allowed."""
    assert check_on_board.compared(1767, 1767, "as said", 0) == 0
    assert check_on_board.compared(1767, 1750, "as said", 0.9) == FAILED
    assert "difference        +0.971 %, allowed 0.9 %" in capsys.readouterr().out
    assert check_on_board.compared(1767, 1750, "as said", 1) == 0
    assert check_on_board.compared(1, 0, "as said", 1) == FAILED


def test_the_figure_is_that_of_a_block(figure: Path) -> None:
    """The image's timer counts what the emulator counts between the call and its return."""
    mote = Mote(figure, "telosb")
    mote.until_text("aes128-tab ")
    mote.until_text("\n")
    said = int(mote.text.split()[1])
    simulation = mote.air.simulation
    simulation.follow(mote.place)
    mote.run(2)
    calls = dict(simulation.calls(0))[simulation.symbol(0, "wm_aes128_tab_encrypt")[0]]
    stacks = simulation.stacks(0)
    inside = sum(cycles for functions, cycles in stacks if "wm_aes128_tab_forward" in functions)
    # CALL and RET with their arguments are in the figure, too; a block may be cut at the end.
    assert abs(said - inside / calls) <= 40


def test_a_pin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How long a pin is high, in a capture of a logic analyser and on the emulated board."""
    source, elf = tmp_path / "blink.c", tmp_path / "blink.elf"
    source.write_text(BLINK)
    flags = ("-mmcu=atmega128", "-DF_CPU=7372800UL", "-Os")
    subprocess.run(["avr-gcc", *flags, source, "-o", elf], check=True)
    capture = tmp_path / "theirs.vcd"
    capture.write_text(
        "$timescale 100 ns $end\n$scope module la $end\n$var wire 1 ! D0 $end\n"
        "$upscope $end\n$enddefinitions $end\n#0\n0!\n#1000\n1!\n#4003\n0!\n#9000\n1!\n"
    )
    words = ["pin", "--capture", str(capture), "--board", "mica2", "--image", str(elf)]
    words += ["--pin", "0.0"]
    assert check_on_board.main([*words, "--signal", "D0", "--allow", "1"]) == 0
    assert "300.300 µs" in capsys.readouterr().out
    assert check_on_board.main([*words, "--signal", "D0"]) == FAILED
    assert check_on_board.main([*words, "--signal", "D1"]) == USAGE
    assert "signal 'D1' is never high and low again" in capsys.readouterr().err
    for more, why in (
        (["--pin", "x"], "no pin 'x'"),
        (["--seconds", "-1"], "no number of seconds -1"),
        (["--allow", "-1"], "no allowed difference -1"),
        (["--capture", str(elf)], "blink.elf: no value change dump"),
    ):
        assert check_on_board.main([*words, "--signal", "D0", *more]) == USAGE
        error = capsys.readouterr().err
        assert why in error
        assert len(error.splitlines()) == 1


def test_a_program_that_cannot_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its fault is one line."""
    source, elf = tmp_path / "lost.c", tmp_path / "lost.elf"
    source.write_text("int main(void)\n{\n    ((void (*)(void))0x8000)();\n}\n")
    subprocess.run(["avr-gcc", "-mmcu=atmega128", "-Os", source, "-o", elf], check=True)
    words = ["serial", "--port", "x", "--flash", "", "--board", "mica2", "--image", str(elf)]
    assert check_on_board.main(words) == FAILED
    error = capsys.readouterr().err
    assert "the emulated board cannot go on: mote 1: PC" in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["serial", "--port", "/none"], USAGE, "/none: No such file"),
        (["serial", "--port", "x", "--figure", "["], USAGE, "no --figure '['"),
        (["serial", "--port", "x", "--figure", "x"], USAGE, "it has one group"),
        (["serial", "--port", "x", "--figure", "(aes)"], USAGE, "finds what is no number: 'aes'"),
        (["serial", "--port", "x", "--flash", "false {here}"], USAGE, "no --flash 'false {here}'"),
        (["serial", "--port", "x", "--flash", "no-such-tool"], MISSING, "no program"),
        (["serial", "--port", "x", "--flash", "false"], USAGE, "could not flash: false"),
        (["serial", "--port", "x", "--board", "mica2"], USAGE, "no image `figure` for mica2"),
        (
            ["pin", "--capture", "none.vcd", "--signal", "D0", "--pin", "5.4"],
            MISSING,
            "none.vcd: No such file",
        ),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, why: str
) -> None:
    """One line each."""
    flash = [] if "--flash" in words or words[0] == "pin" else ["--flash", ""]
    assert check_on_board.main([*words, *flash]) == code
    error = capsys.readouterr().err.strip()
    assert why in error
    assert len(error.splitlines()) == 1
