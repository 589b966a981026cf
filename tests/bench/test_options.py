# SPDX-License-Identifier: BSD-3-Clause
"""Texts of the command line become values, or one line that says what is possible."""

from collections.abc import Callable
from typing import Any

import pytest

from wardmote import options
from wardmote.boards import SLOT_BOARDS
from wardmote.errors import UsageError
from wardmote.measurements.slot.setting import AshForm

TELOSB, OPENMOTE = SLOT_BOARDS["telosb"], SLOT_BOARDS["openmote-cc2538"]


@pytest.mark.parametrize(
    ("given", "levels"),
    [
        ([], (0, 1, 2, 3, 4, 5, 6, 7)),
        (["5"], (5,)),
        (["7", "0"], (0, 7)),
        (["6,5", "5"], (5, 6)),
        (["enc-mic-32"], (5,)),
        (["none"], (0,)),
    ],
)
def test_levels(given: list[str], levels: tuple[int, ...]) -> None:
    """Levels are numbers or names, in any order, once each."""
    assert options.levels(given) == levels


def test_strategies_keep_the_order_of_the_report() -> None:
    """Whatever the order of the options, rows come software, hybrid, hardware."""
    assert options.strategies(["hardware", "software"]) == ("software", "hardware")
    assert options.strategies([]) == ("software", "hybrid", "hardware")


@pytest.mark.parametrize(
    ("arguments", "form", "octets"),
    [
        ((None, None, None), AshForm(3, True), 14),
        (("paper", None, None), AshForm(3, True), 14),
        (("6tisch", None, None), AshForm(1, False), 2),
        ((None, 0, "carried"), AshForm(0, True), 5),
        ((None, 2, "elided"), AshForm(2, False), 6),
        ((None, 0, "elided"), AshForm(0, False), 1),
    ],
)
def test_ash_forms(arguments: tuple[Any, Any, Any], form: AshForm, octets: int) -> None:
    """The ASH has 1 to 14 octets by its form, and none at level 0."""
    assert options.ash_form(*arguments) == form
    assert form.octets(5) == octets
    assert form.octets(0) == 0


def test_sweeps_are_products() -> None:
    """Every named KeyIdMode goes with every named counter, and lengths come once each, shortest
    first."""
    forms = options.ash_forms(["3,0"], [])
    assert forms == (AshForm(0, False), AshForm(3, False), AshForm(0, True), AshForm(3, True))
    assert len(options.ash_forms([], [])) == 8
    assert options.ash_forms(["1"], ["elided"]) == (AshForm(1, False),)
    assert options.frame_lengths(["127,60", "60"]) == (60, 127)
    assert options.frame_lengths([]) == (127,)


def test_each_board_has_its_own_clock() -> None:
    """Without `--clock` every board runs at the first of its clocks."""
    assert options.clock_hz(None, [TELOSB, OPENMOTE]) == {
        "telosb": 8_000_000,
        "openmote-cc2538": 32_000_000,
    }
    assert options.clock_hz("16MHz", [OPENMOTE]) == {"openmote-cc2538": 16_000_000}
    assert options.boards(["openmote-cc2538,telosb"]) == options.boards([]) == (TELOSB, OPENMOTE)


def test_clock_and_supply_of_each_board() -> None:
    """Without `--supply` the board's; with one, the first clock that it allows, or the one that is
    named, also one that it does not allow if that is asked for. The supply that a clock has anyway
    is no other setting, so that its rows are not measured twice."""
    both = [TELOSB, OPENMOTE]
    assert options.clocks_at(None, None, both, beyond=False) == {
        "telosb": (8_000_000, None),
        "openmote-cc2538": (32_000_000, None),
    }
    for text, clock, hz, volts in (
        ("3V", None, 6_700_000, None),
        ("3.6 V", None, 8_000_000, None),
        ("2.1V", None, 4_194_304, 2.1),
        ("3V", "4.19MHz", 4_194_304, None),
        ("3.3V", "4.19MHz", 4_194_304, 3.3),
    ):
        found = options.clocks_at(text, clock, [TELOSB], beyond=False)
        assert found == {"telosb": (hz, volts)}
    beyond = options.clocks_at("3V", None, [TELOSB], beyond=True)
    assert beyond == {"telosb": (8_000_000, 3.0)}


@pytest.mark.parametrize(
    ("text", "us"), [("10ms", 10_000), ("9800us", 9_800), ("0.01s", 10_000), ("7.5 ms", 7_500)]
)
def test_durations(text: str, us: float) -> None:
    """A duration is a number and a unit."""
    assert options.duration_us(text) == pytest.approx(us)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: options.boards(["mica2"]), "no board 'mica2': possible are telosb"),
        (
            lambda: options.strategies(["magic"]),
            "no strategy 'magic': possible are software, hybrid, hardware",
        ),
        (lambda: options.levels(["9"]), "no level '9': possible are none, MIC-32"),
        (lambda: options.levels(["-1"]), "no level '-1'"),
        (lambda: options.ash_form("long", None, None), "no ash 'long': possible are paper, 6tisch"),
        (lambda: options.ash_form("paper", 3, "carried"), "either the one or the two"),
        (lambda: options.ash_form(None, 3, None), "go together"),
        (lambda: options.ash_form(None, None, "elided"), "go together"),
        (
            lambda: options.ash_form(None, 4, "carried"),
            "no key-id-mode '4': possible are 0, 1, 2, 3",
        ),
        (
            lambda: options.ash_form(None, 1, "lost"),
            "no counter 'lost': possible are carried, elided",
        ),
        (
            lambda: options.clock_hz("16MHz", [TELOSB]),
            "no clock '16MHz': possible are 8MHz, 6.7MHz, 4.19MHz on telosb",
        ),
        (
            lambda: options.clock_hz("8MHz", [TELOSB, OPENMOTE]),
            "no clock '8MHz': possible are 32MHz, 16MHz on openmote-cc2538; choose a board with",
        ),
        (
            lambda: options.clocks_at("3V", "8MHz", [TELOSB], beyond=False),
            "telosb at 3 V runs at up to 6.72 MHz: give --clock 6.7MHz or 4.19MHz, --supply 3.6V "
            "for 8 MHz, or --beyond",
        ),
        (
            lambda: options.clocks_at("4V", None, [TELOSB], beyond=True),
            "no supply '4V' on telosb: possible are 2.1 to 3.6 V",
        ),
        (
            lambda: options.clocks_at("3", None, [TELOSB], beyond=False),
            "no supply '3': write a number and V, such as 3.3V",
        ),
        (
            lambda: options.boards(["telosb,mica2"]),
            "no board 'mica2': possible are telosb, openmote-cc2538",
        ),
        (lambda: options.frame_octets(52), "no frame-octets 52: possible are 53 to 127"),
        (lambda: options.frame_octets(128), "no frame-octets 128: possible are 53 to 127"),
        (
            lambda: options.frame_lengths(["60,long"]),
            "no frame-octets 'long': write whole numbers",
        ),
        (lambda: options.ash_forms(["4"], []), "no key-id-mode '4': possible are 0, 1, 2, 3"),
        (
            lambda: options.ash_forms([], ["lost"]),
            "no counter 'lost': possible are carried, elided",
        ),
        (
            lambda: options.output_format("xml"),
            "no format 'xml': possible are table, json, csv, markdown",
        ),
        (lambda: options.positive("number of exchanges", 0, 10), "possible are 1 to 10"),
        (lambda: options.duration_us("10"), "write a number and a unit"),
        (lambda: options.duration_us("tenms"), "write a number and a unit"),
    ],
)
def test_refusals_say_what_is_possible(call: Callable[[], object], says: str) -> None:
    """What cannot be is refused in one line."""
    with pytest.raises(UsageError) as refused:
        call()
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)
