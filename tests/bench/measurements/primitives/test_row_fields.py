# SPDX-License-Identifier: BSD-3-Clause
"""Every field of the rows of primitives, and of what is concluded from them, by hand from costs that
are made up: no two are equal, so that no field can have another's."""

import dataclasses
import hashlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from wardmote import __version__
from wardmote.call import Timed
from wardmote.measurements.function.board import BoardAtClock
from wardmote.measurements.primitives import campaign, host32
from wardmote.measurements.primitives.host32_rows import Host32Row, clock_source, processor
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.measurements.slot.provenance import commit
from wardmote.paths import ROOT
from wardmote.study.primitives.anchors import Anchor, compare, figures, forms
from wardmote.study.primitives.choice import Candidate, choices, crossings, smallest
from wardmote.study.primitives.choice_paper import ascon_rows, recommendations
from wardmote.study.primitives.paper import compared
from wardmote.study.primitives.paper_why import Totals
from wardmote.views.primitives.table import verdict

FILE = ROOT / "LICENSE"
"""Stands for an executable."""
SHA256 = hashlib.sha256(FILE.read_bytes()).hexdigest()
KECCAK = next(one for one in PRIMITIVES if one.label == "sha3_256")
VERDICTS = {"constant_cycles": True, "no_secret_branch": True, "no_secret_address": True}
MADE = {"runs": 5, "seed": 7, "executable": "LICENSE", "executable_sha256": SHA256,
        "wardmote": __version__, "commit": commit()}  # fmt: skip
UPDATE = {"primitive": "sha3_256", "variant": "", "operation": "update",
          "functions": "wm_sha3_256_update", "octets": 96, "a_octets": 0}  # fmt: skip
# By hand: 904 400 cycles at 8 MHz take 113.05 ms; 3.6 V x 5.02 mA x 113.05 ms = 2 043.0396 uJ. The
# paper prints 226.1 ms: twice as long; at 4.194304 MHz 215.625... ms, of which it is 1.048576.
TELOSB = UPDATE | MADE | VERDICTS | {
    "cpu": "msp430", "cycles": 904_400, "cycles_min": 904_300, "cycles_low": None,
    "board": "telosb", "clock_hz": 8_000_000, "supply_v": 3.6, "current_ma": 5.02,
    "time_us": 113_050.0, "time_us_low": None, "energy_uj": 2043.0396, "energy_uj_low": None,
    "flash_octets": 3001, "static_ram_octets": 302, "ram_octets": 203, "stack_octets": 104,
    "constant_time": True, "no_dependence": True, "dependences": 0, "dependence": None,
    "published_ms": 226.1, "published_ratio_8mhz": 2.0,
    "published_ratio_4_19mhz": 1.049, "published_source": "published/primitives.toml",
}  # fmt: skip
# 64 000 cycles at 32 MHz take 2 ms, 32 000 half of that; 3 V x 13 mA x 2 ms = 78 uJ.
OPENMOTE = TELOSB | {
    "cpu": "armv7m", "cycles": 64_000, "cycles_min": 63_000, "cycles_low": 32_000,
    "board": "openmote-cc2538", "clock_hz": 32_000_000, "supply_v": 3.0, "current_ma": 13.0,
    "time_us": 2000.0, "time_us_low": 1000.0, "energy_uj": 78.0, "energy_uj_low": 39.0,
    "published_ms": None, "published_ratio_8mhz": None, "published_ratio_4_19mhz": None,
    "published_source": None,
}  # fmt: skip


def fields(row: Any) -> dict[str, Any]:
    """Every field of a row; real numbers have six decimals."""
    found = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    return {name: round(x, 6) if isinstance(x, float) else x for name, x in found.items()}


def primitive_row(
    expected: dict[str, Any], shown: tuple[str, ...] = (), **changed: Any
) -> PrimitiveRow:
    """The row that the campaign makes of costs."""
    expected = expected | changed
    octets = ("flash_octets", "static_ram_octets", "ram_octets")
    costs = ("cycles", "cycles_min", "cycles_low", "stack_octets", "operation", "octets",
             "a_octets", *VERDICTS)  # fmt: skip
    figures: Any = {name: expected[name] for name in octets}
    figures["costs"] = [{name: expected[name] for name in costs} | {"dependences": shown}]
    case: Any = SimpleNamespace(cpu=expected["cpu"], runs=5, seed=7, executable=FILE)
    board = BoardAtClock(expected["board"], expected["cpu"], expected["clock_hz"])
    [row] = campaign._rows(KECCAK, case, figures, board)
    return row


@pytest.mark.parametrize("expected", [TELOSB, OPENMOTE], ids=["telosb", "openmote"])
def test_primitive(expected: dict[str, Any]) -> None:
    """Every field, on a CPU whose timing is exact and on one with a band."""
    row = fields(primitive_row(expected))
    source = row.pop("current_source")
    assert source.startswith("datasheet" if expected is TELOSB else "assumed")
    assert row == expected
    for name in VERDICTS:
        changed = primitive_row(expected, (), **{name: False})
        assert (getattr(changed, name), changed.constant_time) == (False, False)
    hidden = primitive_row(expected, ("branch on m at f+0x2", "address from m at f+0x4"))
    assert (hidden.no_dependence, hidden.constant_time) == (False, False)
    assert (hidden.dependences, hidden.dependence) == (2, "branch on m at f+0x2")
    assert verdict(hidden) == "perhaps: branch on m at f+0x2"


def test_init_has_no_length() -> None:
    """What does not depend on the message has no octets, and a printed time of its own."""
    row = primitive_row(TELOSB, operation="init")
    assert (row.octets, row.a_octets, row.functions) == (0, 0, "wm_sha3_256_init")
    assert row.published_ms != 226.1


HOST = UPDATE | MADE | {
    "cpu": "host32", "instructions": 70_300, "instructions_min": 70_200,
    "time_us": 8.0, "time_us_low": 4.0, "time_us_high": 12.0, "calls": 19, "batches": 15,
    "compiler": "cc 1", "options": "-O9", "ram_octets": 203, "stack_octets": 104,
    "no_secret_branch": False,
}  # fmt: skip


def outcome(instructions: int, path: int = 1, stack: int = 8) -> Any:
    """A run of so many instructions along a path."""
    trace = SimpleNamespace(pc_hash=path)
    return SimpleNamespace(instructions=instructions, trace=trace, stack_octets=stack)


def host_row(monkeypatch: pytest.MonkeyPatch) -> Host32Row:
    """Three runs of two calls: 70 250 instructions together, the most in the second, the least in
    the third, along another path. 15 batches, whose two calls take 1 to 15 us: the fourth, the
    eighth and the twelfth are the quartiles."""
    runs = [(70_000, 250), (70_000, 300), (69_950, 250)]
    seen = [[(outcome(a), None), (outcome(b, n // 2), None)] for n, (a, b) in enumerate(runs)]
    counted = dataclasses.asdict(host32._counts("update", seen))
    order = (9, 15, 2, 7, 4, 12, 1, 8, 3, 14, 5, 11, 6, 13, 10)
    timed = [Timed(calls, tuple(part * n for n in order)) for part, calls in ((700, 23), (300, 19))]
    ran = [(outcome(1, stack=s), one) for s, one in zip((104, 60), timed, strict=True)]
    plain = dataclasses.asdict(host32._times("update", ran))
    monkeypatch.setattr(host32, "compiled_with", lambda _: ("cc 1", "-O9"))
    monkeypatch.setattr(host32, "programs", lambda _: (FILE, FILE))
    selection: Any = SimpleNamespace(runs=5, seed=7)
    both = [{"costs": [one | {"octets": 96, "a_octets": 0}]} for one in (counted, plain)]
    [row] = campaign._host32_rows(KECCAK, selection, both[0] | {"ram_octets": 203}, both[1])
    return row


def test_host32(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every field of a row of this machine."""
    here = {"processor": processor(), "clock_source": clock_source()}
    assert all(here.values())
    assert fields(host_row(monkeypatch)) == HOST | here


# 96 octets of Keccak are in Tables 5 (226.1 +- 0.6 ms) and 6 (1270 +- 70 uJ). At 4.194304 MHz
# 904 400 cycles take 215.626 ms, and 3 V x 2.097152 mA x 215.626 ms = 1 356.6 uJ.
PAPER_MS = {
    "table": 5, "about": "hash, update", "board": "telosb", "name": "keccak",
    "primitive": "sha3_256", "variant": "", "operation": "update", "octets": 96, "a_octets": 0,
    "unit": "ms", "printed": 226.1, "printed_error": 0.6, "printed_repeats": 1,
    "cycles": 904_400, "ours_8mhz": 113.05, "ours_4_19mhz": 215.625763,
    "ratio_8mhz": 2.0, "ratio_4_19mhz": 1.049, "met": True, "why": "",
    "source": "published/primitives.toml",
    **dict.fromkeys(("instructions", "ours_us", "ours_us_low", "ours_us_high", "printed_relative",
                     "instructions_relative", "time_relative", "printed_uj")),
}  # fmt: skip
PAPER_UJ = PAPER_MS | {
    "table": 6, "about": "hash, energy of update", "unit": "uj", "printed": 1270.0,
    "printed_error": 70.0, "ours_8mhz": 2043.0396, "ours_4_19mhz": 1356.6,
    "ratio_8mhz": 0.622, "ratio_4_19mhz": 0.936, "met": None,
}  # fmt: skip
# Table 16: 5.95 us for BLAKE2s, the first of its table, 27.23 us for Keccak.
PAPER_US = dict.fromkeys(PAPER_MS) | {
    "why": "", "table": 16, "about": "hash, init", "board": "edison", "name": "keccak",
    "primitive": "sha3_256", "variant": "", "operation": "init", "octets": 0, "a_octets": 0,
    "unit": "us", "printed": 27.23, "printed_error": 0.01, "printed_repeats": 1,
    "instructions": 7000, "ours_us": 8.0, "ours_us_low": 4.0, "ours_us_high": 12.0,
    "printed_relative": 4.576, "instructions_relative": 1.75, "time_relative": 1.25,
    "source": "published/primitives.toml",
}  # fmt: skip
# Table 19: 0.01 J for 80 000 times Keccak's final are 0.125 uJ.
PAPER_J = PAPER_US | {
    "table": 19, "about": "hash, energy of final", "operation": "final", "octets": 128,
    "unit": "j", "printed": 0.01, "printed_error": 0.0, "printed_repeats": 80_000,
    "instructions": 9000, "printed_uj": 0.125, "instructions_relative": None, "printed_relative": 0.017,
    **dict.fromkeys(("ours_us", "ours_us_low", "ours_us_high", "time_relative")),
    "why": "The power of this machine is not known, so there is no energy to compare.",
}  # fmt: skip


PLACES = [(5, "keccak", 96), (6, "keccak", 96), (16, "keccak", 0), (19, "keccak", 128)]


def test_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every field of a printed figure beside ours: of a time and an energy of the TelosB, of a time
    and joules of the Edison."""
    init = dataclasses.replace(host_row(monkeypatch), operation="init", octets=0, instructions=7000)
    hosts = [
        init,
        dataclasses.replace(init, operation="final", octets=128, instructions=9000),
        dataclasses.replace(init, primitive="blake2s", instructions=4000, time_us=6.4),
    ]
    rows = {
        (row.table, row.name, row.octets): row
        for row in compared([primitive_row(TELOSB)], hosts)
    }  # fmt: skip
    shown = [fields(rows[place]) for place in PLACES]
    assert shown == [PAPER_MS, PAPER_UJ, PAPER_US, PAPER_J]
    assert rows[13, "ketje", 84].a_octets == 84


def test_totals_of_the_fastest_variant() -> None:
    """Of the MSP430 alone, and of messages without associated data."""
    row = primitive_row(TELOSB)
    others: tuple[dict[str, Any], ...] = (
        {"variant": "small", "cycles": 904_401},
        {"cpu": "avr", "cycles": 1},
        {"a_octets": 96, "cycles": 2},
        {"octets": 32, "cycles": 3},
    )
    totals = Totals([dataclasses.replace(row, **other) for other in others] + [row])
    assert totals.cycles("sha3_256", "update", 96) == 904_400
    assert totals.cycles("sha3_256", "final", 96) is None


SIZES = (12, 16, 32, 36, 64, 128)


def made(name: str, kind: str, cost: Callable[[int], int], **more: Any) -> Candidate:
    """A candidate with costs by a rule."""
    given: dict[str, Any] = {"cpu": "msp430", "variant": "", "init": 0, "constant_time": False,
                             "flash_octets": 1000} | more  # fmt: skip
    return Candidate(kind=kind, primitive=name, costs={n: cost(n) for n in SIZES}, **given)


CTR = made(
    "ctr", "encryption", lambda n: 100 * -(-n // 16), variant="aes128-tab", init=50,
    flash_octets=2100,
)  # fmt: skip
TRIVIUM = made(
    "trivium", "encryption", lambda n: 3 * n + 1, init=300, begins_anew=True, constant_time=True,
    flash_octets=900,
)  # fmt: skip


def only(rows: list[Any], **wanted: Any) -> list[dict[str, Any]]:
    """The fields of the rows that have these."""
    found = map(fields, rows)
    return [row for row in found if {name: row[name] for name in wanted} == wanted]


def test_choices_and_crossings() -> None:
    """AES costs 100 a block, Trivium 3 an octet, 1 and its init of 300: with that AES is less up to
    64 octets (400 and 493), and more at 128 (800 and 685)."""
    place: dict[str, Any] = {"cpu": "msp430", "kind": "encryption", "regime": "message",
                             "unit": "cycles"}  # fmt: skip
    choice = place | {"allowed": "all"}
    assert only(choices([CTR, TRIVIUM]), **choice) == [
        choice | {"from_octets": 12, "to_octets": 64, "primitive": "ctr", "variant": "aes128-tab",
                  "cost_from": 100, "cost_to": 400, "second": "trivium", "second_cost_to": 493,
                  "flash_octets": 2100},
        choice | {"from_octets": 128, "to_octets": 128, "primitive": "trivium", "variant": "",
                  "cost_from": 685, "cost_to": 685, "second": "ctr aes128-tab",
                  "second_cost_to": 800, "flash_octets": 900},
    ]  # fmt: skip
    # 337 over 100 and 493 over 400; 685 over 800. A new key is 50 more for AES alone: 337 over 150,
    # 493 over 450, 685 over 850.
    crossing = place | {"first": "ctr", "second": "trivium"}
    assert only(crossings([CTR, TRIVIUM]), **crossing) == [
        crossing | {"from_octets": 12, "to_octets": 64, "less": "ctr",
                    "ratio_from": 3.37, "ratio_to": 1.232},
        crossing | {"from_octets": 128, "to_octets": 128, "less": "trivium",
                    "ratio_from": 0.856, "ratio_to": 0.856},
    ]  # fmt: skip
    keyed = only(crossings([CTR, TRIVIUM]), **crossing | {"regime": "key"})
    assert [(row["ratio_from"], row["ratio_to"]) for row in keyed] == [
        (2.247, 1.096),
        (0.806, 0.806),
    ]


def test_smallest() -> None:
    """Trivium has the least flash, and takes 3 x 64 + 1 and its init; AES takes four blocks."""
    small = {"cpu": "msp430", "kind": "encryption", "allowed": "all", "primitive": "trivium",
             "variant": "", "flash_octets": 900, "cycles_64": 493, "fastest": "ctr aes128-tab",
             "fastest_flash_octets": 2100, "fastest_cycles_64": 400}  # fmt: skip
    assert only(smallest([CTR, TRIVIUM]), allowed="all") == [small]


def test_recommendations() -> None:
    """Of the TelosB's encryption modes the paper recommends AES in CTR, beside CBC: 10 an octet are
    never more than 1.02 times 9 and 17 more up to 16 octets, 125 (128); at 128 they are the most,
    1280 over 1169."""
    other = made("cbc", "encryption", lambda n: 9 * n + 17, variant="aes128-tab")
    one = made("ctr", "encryption", lambda n: 10 * n, variant="aes128-tab")
    found = only(recommendations([one, other]), board="telosb", allowed="paper", regime="operation")
    assert found
    for row in found:
        text = row.pop("text")
        assert text
        assert row == {
            "board": "telosb", "cpu": "msp430", "kind": "encryption", "allowed": "paper",
            "regime": "operation", "recommended": "ctr aes128-tab", "holds": False,
            "from_octets": 12, "to_octets": 128, "sizes": 6, "sizes_held": 2, "held": "12 to 16",
            "at_octets": 128, "recommended_cost": 1280, "other": "cbc aes128-tab",
            "other_cost": 1169, "unit": "cycles", "ratio": 1.095,
        }  # fmt: skip


def test_ascon() -> None:
    """20 an octet and 5 are 1285 at 64, beside 12 an octet and 2, 770: 1.669. Neither init counts."""
    ascon = made("ascon_aead128", "aead", lambda n: 20 * n + 5, init=70, flash_octets=2001)
    ccm = made(
        "ccm", "aead", lambda n: 12 * n + 2, init=90, variant="aes128-tab", flash_octets=3003
    )
    [row] = only(ascon_rows([ascon, ccm]), octets=64)
    assert row.pop("role")
    assert row == {
        "cpu": "msp430", "kind": "aead", "octets": 64, "unit": "cycles", "ascon": "ascon_aead128",
        "ascon_cost": 1285, "ascon_flash_octets": 2001, "other": "ccm aes128-tab",
        "other_cost": 770, "other_flash_octets": 3003, "ratio": 1.669,
    }  # fmt: skip


def test_anchors() -> None:
    """9 000 cycles more for 800 octets more are 11.25 an octet, and 8 000 at the fast end of the band 10; theirs
    are 9: 0.8 of that."""
    anchor = Anchor(
        "armv7m", "sha3_256", (), ("digest",), "long octet", (100, 900), 0, 9.0, "printed",
        "Somebody", True, "in C", "So it is.",
    )  # fmt: skip
    long = dataclasses.replace(
        primitive_row(OPENMOTE), operation="digest", octets=900, cycles=73_000, cycles_low=40_000
    )
    short = dataclasses.replace(long, octets=100, cycles=64_000, cycles_low=32_000)
    [row] = compare([anchor], figures([long, short]))
    assert fields(row) == {
        "cpu": "armv7m", "primitive": "sha3_256", "variant": "", "operations": "digest",
        "unit": "long octet", "octets": 900, "from_octets": 100, "a_octets": 0,
        "ours_cycles": 11.25, "ours_cycles_low": 10.0, "theirs_cycles": 9.0, "ratio": 0.8,
        "held": False, "certain": True, "how": "printed", "source": "Somebody", "note": "in C",
        "why": "So it is.",
    }  # fmt: skip


def test_forms() -> None:
    """The small form beside the fast one: RAM is the tables' and the caller's together."""
    fast = dataclasses.replace(primitive_row(OPENMOTE), operation="digest", octets=128)
    small = dataclasses.replace(
        fast, variant="small", cycles=99_000, cycles_low=88_000, flash_octets=1700,
        static_ram_octets=31, ram_octets=190, stack_octets=87,
    )  # fmt: skip
    update = dataclasses.replace(fast, operation="update", cycles=1)
    [row] = forms([update, fast, small], ("armv7m", "avr"))
    assert fields(row) == {
        "cpu": "armv7m", "primitive": "sha3_256", "fast": "", "small": "small",
        "operation": "digest", "octets": 128, "fast_cycles": 64_000, "small_cycles": 99_000,
        "fast_cycles_low": 32_000, "small_cycles_low": 88_000, "fast_flash_octets": 3001,
        "small_flash_octets": 1700, "fast_ram_octets": 505, "small_ram_octets": 221,
        "fast_stack_octets": 104, "small_stack_octets": 87,
    }  # fmt: skip
