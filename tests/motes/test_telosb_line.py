# SPDX-License-Identifier: BSD-3-Clause
"""What a computer sends to a TelosB: USART1, pin P3.7 (SLAU049, "USART Peripheral Interface, UART
Mode"). The clock is the program's, about 720 kHz at power-on, so tests measure a bit and send so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.motes.telosb import COMMON, MILLISECOND, simulate, word
from wardmote import _motes

Build = Callable[..., Path]
PS_PER_S = 10**12
DIVIDER = 80
AWAKE, LPM0, LPM3 = 0x0008, 0x0018, 0x00D8
OVERRUN, ERROR = 0x20, 0x01
GIVES_BACK = "R8(0x7F) = (uint8_t)(R8(0x7E) + 1);"
# What SLAU049 asks of a handler: without URXIFG1 it was a start edge, and URXSE is toggled; the clock
# runs on until the character has come, and here until the answer is gone.
WAITS_FOR_THE_CHARACTER = """
    if ((R8(0x03) & 0x10) == 0) {
        came++;
        R8(0x79) = 0x20;
        R8(0x79) = 0x28;
        while ((R8(0x03) & 0x10) == 0)
            ;
    }
    R8(0x7F) = (uint8_t)(R8(0x7E) + 1);
    while ((R8(0x79) & 1) == 0)
        ;
""".replace("\n", " ")
TAKES_FLAG_ALONE = "status = R8(0x7A); came++;"

# USART1 as a UART with eight data bits; says one character; sleeps. `HANDLER` runs when one came.
LINE = """
volatile uint16_t came, status;
__attribute__((interrupt(3))) void heard(void) { HANDLER }
int main(void)
{
    came = status = 0;
    R8(0x1B) = 0xC0;
    R8(0x78) = 0x01 | FORM;
    R8(0x79) = CLOCKED;
    R8(0x7C) = DIVIDER;
    R8(0x7D) = R8(0x7B) = 0;
    R8(0x05) = 0x30;
    R8(0x78) = FORM;
    R8(0x7F) = 0x55;
    while ((R8(0x79) & 1) == 0)
        ;
    R8(0x01) = 0x10;
    for (;;)
        __asm__ volatile("bis %0, r2" : : "i"(SLEEP) : "memory");
}
"""


def line(
    build: Build,
    handler: str = GIVES_BACK,
    form: int = 0x10,
    sleep: int = LPM0,
    clocked: int = 0x20,
) -> tuple[_motes.Simulation, int]:
    """A TelosB whose program listens, and its baud rate."""
    text = COMMON.replace("[15] = start", "[3] = heard, [15] = start")
    text = text.replace("extern int main", "extern void heard(void);\nextern int main")
    for name, value in (
        ("FORM", form),
        ("DIVIDER", DIVIDER),
        ("SLEEP", sleep),
        ("CLOCKED", clocked),
    ):
        text += f"#define {name} {value}\n"
    simulation = simulate(build(text + f"#define HANDLER {handler}\n" + LINE))
    simulation.run_for(5 * MILLISECOND)
    assert [octet for _, _, octet in simulation.serial(0)] == [0x55]
    return simulation, simulation.cpu(0)["clock_hz"] // DIVIDER


@pytest.mark.parametrize("sleep", [AWAKE, LPM0])
def test_a_character_comes_when_its_stop_bit_ends(msp430: Build, sleep: int) -> None:
    """One behind the other, each with its interrupt, which wakes the CPU."""
    simulation, baud = line(msp430, sleep=sleep)
    began = simulation.now_ps
    simulation.send_serial(0, b"abc", baud=baud, line=1)
    simulation.run_for(10 * MILLISECOND)
    got = simulation.serial(0)
    assert [octet for _, _, octet in got] == list(b"bcd")
    character = 10 * PS_PER_S // baud
    for number, (at, _, _) in enumerate(got):
        least = began + (number + 2) * character
        assert 0.99 * least < at < 1.01 * least + 200 * PS_PER_S // simulation.cpu(0)["clock_hz"]
    assert simulation.misuse(0) == []


def test_a_start_edge_wakes_from_lpm3(msp430: Build) -> None:
    """SMCLK stands still until URXSE asks for an interrupt at the edge; each character is one edge."""
    simulation, baud = line(msp430, WAITS_FOR_THE_CHARACTER, sleep=LPM3, clocked=0x28)
    for octet in b"xyz":
        simulation.send_serial(0, bytes([octet]), baud=baud, line=1)
        simulation.run_for(10 * MILLISECOND)
    assert [octet for _, _, octet in simulation.serial(0)] == list(b"yz{")
    assert word(simulation, "came") == 3
    assert simulation.misuse(0) == []


def test_a_character_that_nobody_reads_is_overrun(msp430: Build) -> None:
    """The handler's entry clears the flag of the first; the second finds the buffer full."""
    simulation, baud = line(msp430, TAKES_FLAG_ALONE)
    simulation.send_serial(0, b"a", baud=baud, line=1)
    simulation.run_for(5 * MILLISECOND)
    assert (word(simulation, "came"), word(simulation, "status")) == (1, 0)
    simulation.send_serial(0, b"b", baud=baud, line=1)
    simulation.run_for(5 * MILLISECOND)
    assert (word(simulation, "came"), word(simulation, "status")) == (2, OVERRUN | ERROR)


def test_a_clock_that_sleeps_hears_nothing(msp430: Build) -> None:
    """LPM3 stops SMCLK."""
    simulation, baud = line(msp430, sleep=LPM3)
    simulation.send_serial(0, b"a", baud=baud, line=1)
    simulation.run_for(5 * MILLISECOND)
    assert simulation.serial(0) == []


def test_another_rate_or_form_is_not_understood(msp430: Build) -> None:
    """The mote's list of misuse says so; line 0 has a UART that nobody turned on."""
    simulation, baud = line(msp430)
    simulation.send_serial(0, b"a", baud=baud * 11 // 10, line=1)
    simulation.send_serial(0, b"a", baud=baud, line=0)
    simulation.run_for(5 * MILLISECOND)
    assert simulation.serial(0) == []
    [(_, told)] = simulation.misuse(0)
    assert told.startswith("a character came at another baud rate than the USART has; it is lost")
    assert "; PC 0x" in told
    even_parity, baud = line(msp430, form=0xD0)
    even_parity.send_serial(0, b"a", baud=baud, line=1)
    even_parity.run_for(5 * MILLISECOND)
    assert even_parity.serial(0) == []
    [(_, told)] = even_parity.misuse(0)
    assert told.startswith("a character came in another form than the USART expects; it is lost")
