# SPDX-License-Identifier: BSD-3-Clause
"""What the studies compute from rows that are made up, by hand: sender and receiver, clocks, ends of
a band and definitions have figures of their own, so that none can stand for another."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from wardmote.boards import BOARDS
from wardmote.rows import LowEnd, SlotRow, StateEnergy
from wardmote.study.compare import compare, row_of
from wardmote.study.energy import EnergyRow, energy_rows
from wardmote.study.parameters import assumed, parameter_rows
from wardmote.study.throughput import Schedule, throughput_rows
from wardmote.study.why import WHY
from wardmote.views.throughput import conditions

ROWS = Path(__file__).parents[1] / "screens/rows.json"
KEPT = SlotRow.from_dict(json.loads(ROWS.read_text(encoding="utf-8"))["sweep"][0])


def state(node: str, device: str, name: str, us: float, ma: float) -> StateEnergy:
    """A state at 3 V: charge in uC is us x mA / 1000, energy three times as much."""
    return StateEnergy(node, device, name, us, 3 * us * ma / 1000, ma, "by hand", "assumed")


def states(cpu_us: float, more: float = 0.0) -> tuple[StateEnergy, ...]:
    """Both ends of a TelosB's slot. The sender: the CPU for `cpu_us` at 4 mA, 4 500 us at 17.4 mA,
    2 000 us at 18.8 mA, 9 000 us idle at 0.4 mA and 1 000 us asleep at 0.1 mA. The receiver:
    `cpu_us` at 5 mA, 2 500 us at 17.4 mA, 6 000 us at 18.8 mA."""
    return (
        state("leaf", "cpu", "active at 8 MHz", cpu_us + more, 4.0),
        state("leaf", "cpu", "lpm3", 1000.0, 0.1),
        state("leaf", "cc2420", "tx_0dbm", 4500.0, 17.4),
        state("leaf", "cc2420", "rx", 2000.0, 18.8),
        state("leaf", "cc2420", "idle", 9000.0, 0.4),
        state("root", "cpu", "active at 8 MHz", cpu_us, 5.0),
        state("root", "cc2420", "tx_0dbm", 2500.0, 17.4),
        state("root", "cc2420", "rx", 6000.0, 18.8),
    )


def slot(strategy: str, cpu_us: float, clock_hz: int = 8_000_000, **changed: Any) -> SlotRow:
    """A row of a TelosB at ENC-MIC-32 and 3 V."""
    usual: dict[str, Any] = {
        "board": "telosb",
        "strategy": strategy,
        "level": 5,
        "level_name": "ENC-MIC-32",
        "definition": "paper",
        "ash_octets": 14,
        "frame_octets": 127,
        "clock_hz": clock_hz,
        "supply_v": 3.0,
        "clock_allowed": True,
        "ts_slot_duration_us": 20_000.0,
        "states": states(cpu_us),
        "low": None,
    }
    return dataclasses.replace(KEPT, **{**usual, **changed})


def test_every_field_of_energy_by_hand() -> None:
    """Software has the CPU on for 10 ms, hardware for 2.5 ms."""
    rows = energy_rows([slot("software", 10_000.0), slot("hardware", 2_500.0)])
    sender, receiver = rows[2:]
    # In uC: CPU 2.5 x 4, transmitter 4.5 x 17.4, receiver 2 x 18.8, idle 9 x 0.4 + 1 x 0.1.
    idle = 3.6 + 0.1
    software_uc, hardware_uc = (cpu + 78.3 + 37.6 + idle for cpu in (40.0, 10.0))
    expected = {
        "board": "telosb",
        "strategy": "hardware",
        "level": 5,
        "level_name": "ENC-MIC-32",
        "definition": "paper",
        "clock_hz": 8_000_000,
        "supply_v": 3.0,
        "clock_allowed": True,
        "node": "sender",
        "ts_slot_duration_us": 20_000.0,
        "cpu_us": 2500.0,
        "tx_us": 4500.0,
        "rx_us": 2000.0,
        "cpu_uc": 10.0,
        "tx_uc": 78.3,
        "rx_uc": 37.6,
        "idle_uc": 3.7,
        "engine_uc": 0.0,
        "charge_uc": 129.6,
        "energy_uj": 388.8,
        "saving": round(1 - hardware_uc / software_uc, 4),
        "cpu_saving": 0.75,
        "published_saving": 0.47,
    }
    values = dataclasses.asdict(sender)
    assert {name: values[name] for name in expected} == pytest.approx(expected)
    assert set(expected) == {field.name for field in dataclasses.fields(EnergyRow)}
    # The receiver: 12.5 + 43.5 + 112.8 uC, and 37.5 uC more of software.
    assert receiver.node == "receiver"
    found = [receiver.cpu_uc, receiver.tx_uc, receiver.rx_uc, receiver.idle_uc]
    assert found == pytest.approx([12.5, 43.5, 112.8, 0.0])
    assert receiver.charge_uc == pytest.approx(168.8)
    assert receiver.saving == pytest.approx(37.5 / 206.3, abs=5e-5)
    assert receiver.published_saving is None
    assert [row.saving for row in rows[:2]] == [None, None]


@pytest.mark.parametrize(
    "other",
    [
        {"clock_hz": 4_194_304},
        {"supply_v": 3.6},
        {"level": 6},
        {"definition": "deployable"},
        {"ash_octets": 2},
        {"frame_octets": 100},
        {"board": "openmote-cc2538"},
    ],
)
def test_only_the_same_condition_is_compared(other: dict[str, Any]) -> None:
    """What software takes at another clock, supply, level, definition, header or length, or on another
    board, says nothing of what is saved; the order of the rows neither."""
    rows = [slot("software", 10_000.0), slot("software", 50_000.0, **other)]
    for order in (rows, rows[::-1]):
        [sender, _] = energy_rows([*order, slot("hardware", 2_500.0)])[4:]
        assert sender.cpu_saving == pytest.approx(0.75)
        [sender, _] = energy_rows([*order, slot("hardware", 2_500.0, **other)])[4:]
        assert sender.cpu_saving == pytest.approx(0.95)


def test_what_security_engines_take() -> None:
    """The engine of an OpenMote is a device of its own, its flash is none."""
    openmote = (
        state("leaf", "aes", "busy", 100.0, 2.0),
        state("leaf", "flash", "write", 100.0, 8.0),
        state("leaf", "cpu", "active at 32 MHz", 1000.0, 13.0),
        state("leaf", "radio", "rx_search", 1000.0, 23.0),
        state("root", "cpu", "active at 32 MHz", 1000.0, 13.0),
    )
    [sender, _] = energy_rows([slot("software", 0, board="openmote-cc2538", states=openmote)])
    found = (sender.engine_uc, sender.idle_uc, sender.cpu_uc, sender.rx_uc)
    assert found == pytest.approx((0.2, 0.8, 13.0, 23.0))
    assert BOARDS["openmote-cc2538"].engine == "aes"


def test_throughput_is_of_the_sender() -> None:
    """What a slot takes from the sender, by hand; the receiver's is another."""
    [row] = throughput_rows([slot("hardware", 2_500.0)], Schedule(n_i=1, n_ts=101))
    assert row.slot_charge_uc == pytest.approx(129.6)
    # 127 - 2 - 21 - 14 - 4 - 33 octets of 8 bits in 101 slots of 20 ms.
    assert (row.a_bits, row.slot_us) == (8 * 53, 20_000.0)
    assert row.rate_bps == pytest.approx(8 * 53 / 2.02, abs=1e-3)
    [doubled] = throughput_rows([slot("hardware", 2_500.0)], Schedule(2, 101, slot_us=25_000.0))
    assert doubled.rate_bps == pytest.approx(2 * 8 * 53 / 2.525, abs=1e-3)


def test_every_field_of_throughput_by_hand() -> None:
    """53 octets (above) in 2 of 103 slots of 25 ms; the paper prints 520 bits for ENC-MIC-32."""
    [row] = throughput_rows([slot("hardware", 2_500.0)], Schedule(2, 103, slot_us=25_000.0))
    assert dataclasses.asdict(row) == {
        "board": "telosb", "strategy": "hardware", "level": 5, "level_name": "ENC-MIC-32",
        "definition": "paper", "clock_hz": 8_000_000, "supply_v": 3.0, "clock_allowed": True,
        "ash_octets": 14, "frame_octets": 127, "n_i": 2, "n_ts": 103, "slot_us": 25_000.0,
        "fits": True, "a_bits": 424, "a_published_bits": 520,
        "rate_bps": 329.32, "rate_published_a_bps": 403.883,
        "slot_charge_uc": 129.6,
    }  # fmt: skip
    [short] = throughput_rows([slot("hardware", 2_500.0)], Schedule(2, 103, slot_us=19_999.0))
    assert (short.fits, short.rate_bps, short.rate_published_a_bps) == (False, None, None)


def test_throughput_is_of_the_frame_that_was_measured() -> None:
    """A frame of 100 octets carries 27 fewer; the conditions name its length, and nothing is printed
    for it to be compared with."""
    schedule = Schedule(n_i=1, n_ts=101)
    rows = throughput_rows(
        [slot("hardware", 0.0), slot("hardware", 0.0, frame_octets=100)], schedule
    )
    assert [row.a_bits for row in rows] == [8 * 53, 8 * (53 - 27)]
    assert [row.a_published_bits is None for row in rows] == [False, True]
    assert [row.rate_published_a_bps is None for row in rows] == [False, True]
    words = dict(conditions(rows[1:], schedule))["A_j"]
    assert words.startswith("frame of 100 octets - FCS 2 - MHR 21")


def test_comparison_has_the_slow_end_and_the_fast_one() -> None:
    """`ours` is of the slow end, `ours_low` of the fast one, of the case that the paper printed:
    another clock, header, length, level or definition, or a clock that the supply does not allow, is
    another case."""
    low = LowEnd(1, 1, 1, 1, 1.0, 1.0, 4_000.0, 1.0, 1.0, 1, 0, 0)
    fast: dict[str, Any] = {"board": "openmote-cc2538", "clock_hz": 32_000_000, "low": low}
    rows = [
        slot("software", 10_000.0, ts_slot_duration_us=16_000.0),
        slot("hardware", 2_500.0, ts_slot_duration_us=10_000.0),
        slot("software", 100.0, ts_slot_duration_us=5_000.0, **fast),
        slot("hardware", 50.0, ts_slot_duration_us=4_500.0, **fast),
    ]
    others: list[dict[str, Any]] = [
        {"clock_hz": 4_194_304},
        {"ash_octets": 2},
        {"frame_octets": 100},
        {"level": 6},
        {"definition": "deployable"},
        {"clock_allowed": False},
    ]
    wrong = [dataclasses.replace(rows[1], ts_slot_duration_us=7.0, **other) for other in others]
    found = {row.figure: row for row in compare([*wrong, *rows], [])}
    row = found["slot telosb hardware"]
    assert (row.published, row.ours, row.ours_low, row.ratio) == (25.0, 10.0, None, 2.5)
    row = found["slot openmote-cc2538 hardware"]
    assert (row.published, row.ours, row.ours_low, row.ratio) == (9.0, 4.5, 4.0, 2.0)
    row = found["software slot, telosb over openmote"]
    assert (row.ours, row.ours_low) == (3.2, 4.0)
    assert found["slot telosb, software over hardware"].ours == 1.6
    assert found["slot openmote-cc2538, software over hardware"].ours == round(5 / 4.5, 4)


def test_every_field_of_a_comparison_by_hand() -> None:
    """A figure, a range that ours is in, and ours beyond either end of it. More than a fifth apart
    differs, and has the reason of that figure alone."""

    def of(*given: Any, **more: Any) -> dict[str, Any]:
        return dataclasses.asdict(row_of(*given, **more))

    one = {"figure": "x", "unit": "ms", "published": 25.0, "published_to": None, "ours": 10.0,
           "ours_low": None, "ratio": 2.5, "basis": "measured", "differs": True, "why": ""}  # fmt: skip
    both = one | {"published": 2.0, "published_to": 3.0}
    assert of("x", "ms", 25, 10.0) == one
    assert of("x", "ms", 25, 20.83337, 20.12346, basis="setting") == one | {
        "ours": 20.8334, "ours_low": 20.1235, "ratio": 1.2, "basis": "setting", "differs": False,
    }  # fmt: skip
    assert of("x", "ms", 25, 19.9)["differs"]
    assert of("x", "ms", 25, 30.1)["differs"]
    assert of("x", "ms", [2, 3], 2.5) == both | {"ours": 2.5, "ratio": 1.0, "differs": False}
    assert of("x", "ms", [2, 3], 4.0) == both | {"ours": 4.0, "ratio": 0.75}
    assert of("x", "ms", [2, 3], 1.9) == both | {"ours": 1.9, "ratio": 1.053, "differs": False}
    named, why = next(iter(WHY.items()))
    assert of(named, "ms", 25, 10.0) == one | {"figure": named, "why": why}
    assert of(named, "ms", 25, 25.0)["why"] == ""


def test_every_field_of_a_parameter() -> None:
    """As they stand in the records, by their places, however deep; what no datasheet prints is
    assumed."""
    rows = {row.parameter: row for row in parameter_rows(["telosb"])}
    assert dataclasses.asdict(rows["current.cpu.active"]) == {
        "board": "telosb", "parameter": "current.cpu.active", "value": 500.0, "unit": "uA/MHz",
        "kind": "datasheet", "source": rows["current.cpu.active"].source,
    }  # fmt: skip
    assert "500 uA at 1 MHz" in rows["current.cpu.active"].source
    known = [row for name in ("telosb", "openmote-cc2538") for row in parameter_rows([name])]
    assert parameter_rows(["telosb", "openmote-cc2538"]) == known
    parts = ("m25p80", "sht11", "adxl346", "max44009", "sht21")  # a slot uses none of them
    used = [row for row in known if not any(part in row.parameter for part in parts)]
    assert assumed(["telosb", "openmote-cc2538"]) == [row for row in used if row.kind == "assumed"]
