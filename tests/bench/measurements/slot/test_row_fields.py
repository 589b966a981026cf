# SPDX-License-Identifier: BSD-3-Clause
"""Every field of a row of slots, from a survey, a template and meters that are made up: no two
values are equal, so that no field can have another's."""

import dataclasses
from typing import Any

import pytest

from wardmote.measurements.slot import band
from wardmote.measurements.slot.definition import DEFINITIONS, Definition, Needs
from wardmote.measurements.slot.experiment import (
    Energy,
    Survey,
    energy_between,
    outcome_of,
)
from wardmote.measurements.slot.figures import figures_of
from wardmote.measurements.slot.network import Span
from wardmote.measurements.slot.setting import ASH_FORMS, AshForm, Setting
from wardmote.measurements.slot.timing import (
    TS_ACK_GUARD_TICKS,
    TS_MAX_ACK_TICKS,
    TS_MAX_TX_TICKS,
    TS_RX_GUARD_TICKS,
    Timing,
    Value,
)
from wardmote.measurements.slot.tuning import Outcome, Tuned
from wardmote.rows import BANDED, Provenance, SlotRow, StateEnergy

SETTING = Setting("telosb", "software", 5, ASH_FORMS["paper"], 8_000_000)
# Three runs each: neither the greatest nor the median is the first or the last.
CYCLES = {
    "sec1": [40_000, 40_900, 40_100, 40_050],
    "sec2": [41_000, 41_900, 41_100, 41_050],
    "sec3": [9_000, 9_900, 9_100, 9_050],
    "sec4": [9_300, 9_990, 9_400, 9_350],
}
NEEDS = {"sec1": 171, "sec2": 172, "sec3": 53, "sec4": 54}
PARTS = {"lookup": 190, "header": 980, "payload": 1030}
SPANS = {name: [Span(n, 0) for n in cycles] for name, cycles in CYCLES.items()}
SURVEY = Survey(117, SPANS, NEEDS, 7_990_000, PARTS)
TIMING = Timing(tx_offset=200, tx_ack_delay=230, tail=60, rx_guard=36, ack_guard=7)
FIRST_NEEDS = Needs(tx_offset=199, tx_ack_delay=230, tail=60, rx_offset=164, rx_ack_delay=20)
FAILS = {Value.TX_OFFSET: True, Value.TX_ACK_DELAY: False, Value.SLOT_DURATION: True}
TUNED = Tuned(
    TIMING, FIRST_NEEDS, Outcome(1003, 5, {v: n for n, v in enumerate(Value, 3)}), FAILS, 11, 13
)
STATES = tuple(
    StateEnergy(node, device, f"state {n}", 10.0 * n, energy, 0.5 * n, f"source {n}", "measured")
    for n, (node, device, energy) in enumerate(
        [
            ("leaf", "cpu", 1.0),
            ("leaf", "cc2420", 10.0),
            ("leaf", "flash", 100.0),
            ("root", "cpu", 2.0),
            ("root", "cc2420", 20.0),
            ("root", "flash", 200.0),
        ]
    )
)
ENERGY = Energy(97, STATES)
# By hand: a tick is 1 000 000 / 32 768 us = 30.517578125 us.
EXPECTED: dict[str, Any] = {
    "board": "telosb",
    "strategy": "software",
    "level": 5,
    "level_name": "ENC-MIC-32",
    "definition": "deployable",
    "ash_octets": 14,
    "mic_octets": 4,
    "key_id_mode": 3,
    "counter": "carried",
    "nonce": "counter",
    "profile": "2015",
    "frame_octets": 127,
    "turnaround_us": 192,
    "tick_hz": 32_768,
    "clock_hz": 8_000_000,
    "clock_measured_hz": 7_990_000,
    "supply_v": 3.6,
    "clock_allowed": True,
    "sec1_cycles": 40_900,
    "sec2_cycles": 41_900,
    "sec3_cycles": 9_900,
    "sec4_cycles": 9_990,
    "sec1_lookup_cycles": 190,
    "sec1_header_cycles": 980,
    "sec1_payload_cycles": 1030,
    "sec1_cycles_median": 40_100,
    "sec2_cycles_median": 41_100,
    "sec3_cycles_median": 9_100,
    "sec4_cycles_median": 9_400,
    "sec1_ticks": 171,
    "sec2_ticks": 172,
    "sec3_ticks": 53,
    "sec4_ticks": 54,
    "ts_tx_offset_ticks": 200,
    "ts_tx_ack_delay_ticks": 230,
    "ts_slot_duration_ticks": 200 + 140 + 230 + 79 + 60,
    "ts_max_tx_ticks": 140,
    "ts_max_ack_ticks": 79,
    "tail_ticks": 60,
    "ts_tx_offset_us": 6103.516,
    "ts_tx_ack_delay_us": 7019.043,
    "ts_slot_duration_us": 21636.963,
    "ts_rx_guard_ticks": 36,
    "ts_ack_guard_ticks": 7,
    "ts_rx_guard_us": 1098.633,
    "ts_ack_guard_us": 213.623,
    "ts_rx_offset_us": 5004.883,
    "sec1_offset_us": 6072.998,
    "rx_ready_us": 5004.883,
    "offset_set_by": "guard time",
    "ack_delay_set_by": "sec2 + sec3",
    "survey_exchanges": 117,
    "exchanges": 1003,
    "lost": 5,
    "late": 3 + 4 + 5 + 6 + 7,
    "tx_offset_minus_1_fails": True,
    "tx_ack_delay_minus_1_fails": False,
    "slot_duration_minus_1_fails": True,
    "raised_ticks": 11,
    "lowered_ticks": 13,
    "energy_uj": 111.0,
    "energy_radio_uj": 10.0,
    "energy_cpu_uj": 1.0,
    "energy_receiver_uj": 222.0,
    "energy_receiver_radio_uj": 20.0,
    "energy_receiver_cpu_uj": 2.0,
    "energy_slots": 97,
    "published_ms": None,
    "published_ratio": None,
    "published_source": None,
}
BOUNDED = {"guard_needed_us", "sync_limit_s"}
"""Fields about the drift of two crystals, whose bounds are below."""
PROVENANCE = Provenance("0", "c", "cc", "-O2", "i", "s", 1, "exact")


def figures(definition: Definition = DEFINITIONS["deployable"], **changed: Any) -> dict[str, Any]:
    """Of the made-up measurement."""
    setting = dataclasses.replace(SETTING, **changed)
    return figures_of(setting, definition, SURVEY, TUNED, ENERGY)


def test_every_field() -> None:
    """Each field of a row has a value by hand, and no field is left out."""
    found = figures()
    for name, expected in EXPECTED.items():
        assert found[name] == expected, name
    assert found["states"] == [dataclasses.asdict(state) for state in STATES]
    row = SlotRow.of(found, PROVENANCE)
    assert row.states == STATES
    assert row.low is None
    names = {field.name for field in dataclasses.fields(SlotRow)}
    assert names - set(EXPECTED) == {"states", "provenance", "low"} | BOUNDED
    assert SlotRow.from_dict(row.as_dict()) == row


def test_the_standards_template() -> None:
    """A frame of 127 octets behind 6 octets of preamble, SFD and length takes 4 256 us by 32 us an
    octet. TsMaxAck is 2 400 us, half of TsRxWait 1 100 us, half of TsAckWait 200 us: the ticks that
    are nearest, and for the acknowledgement none less."""
    tick_us = 1e6 / 32_768
    assert (TS_MAX_TX_TICKS - 1) * tick_us < (6 + 127) * 32 == 4256 < TS_MAX_TX_TICKS * tick_us
    assert (TS_MAX_ACK_TICKS - 1) * tick_us < 2400 < TS_MAX_ACK_TICKS * tick_us
    assert abs(TS_RX_GUARD_TICKS * tick_us - 1100) < tick_us / 2
    assert (TS_ACK_GUARD_TICKS - 1) * tick_us < 200 < TS_ACK_GUARD_TICKS * tick_us


def test_what_two_crystals_need() -> None:
    """60 ppm over a slotframe of 101 slots of 21.637 ms are 131 us: more than that, and at most what
    a correction may leave beside it. The limit of 36 ticks is at most 1 098.6 us over 60 ppm."""
    found = figures()
    drift_us = 60e-6 * 101 * 21636.963
    assert drift_us == pytest.approx(131.1, abs=0.1)
    assert drift_us < found["guard_needed_us"] < drift_us + 10 * 1e6 / 32_768
    assert 0.7 * 1098.633e-6 / 60e-6 < found["sync_limit_s"] < 1098.633e-6 / 60e-6


def test_what_is_printed_stands_beside_its_own_case_alone() -> None:
    """The paper prints 88 ms for software: at ENC-MIC-32, an ASH of 14 octets, 127 octets and the
    full clock, by its own definition."""
    paper = DEFINITIONS["paper"]
    found = figures(paper)
    assert found["definition"] == "paper"
    assert (found["published_ms"], found["published_ratio"]) == (88, round(88 / 21.636963, 3))
    assert found["published_source"] == "published/tsch_slot.toml"
    others: list[dict[str, Any]] = [
        {"level": 6},
        {"ash": AshForm(1, False)},
        {"clock_hz": 4_194_304},
        {"frame_octets": 126},
        {"strategy": "hybrid"},
    ]
    for changed in others:
        assert figures(paper, **changed)["published_ms"] is None, changed
    assert figures(paper, strategy="hardware")["published_ms"] == 25


def test_what_sets_the_values() -> None:
    """The need of security that is the value itself sets it; else the guard time does."""
    needs = dataclasses.replace(FIRST_NEEDS, tx_offset=200, tx_ack_delay=229)
    found = figures_of(
        SETTING, DEFINITIONS["deployable"], SURVEY, dataclasses.replace(TUNED, needs=needs), ENERGY
    )
    assert (found["offset_set_by"], found["ack_delay_set_by"]) == ("sec1", "guard time")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"level": 4}, {"level_name": "ENC", "mic_octets": 0, "profile": "2011", "ash_octets": 14}),
        ({"level": 3}, {"level_name": "MIC-128", "mic_octets": 16, "profile": "2015"}),
        ({"level": 2}, {"level_name": "MIC-64", "mic_octets": 8, "ash_octets": 14}),
        ({"level": 0}, {"mic_octets": 0, "ash_octets": 0}),
        (
            {"ash": ASH_FORMS["6tisch"]},
            {"ash_octets": 2, "key_id_mode": 1, "counter": "elided", "nonce": "asn"},
        ),
        ({"ash": AshForm(0, True)}, {"ash_octets": 5, "key_id_mode": 0}),
        ({"ash": AshForm(2, True)}, {"ash_octets": 10, "key_id_mode": 2}),
        ({"clock_hz": 4_194_304}, {"supply_v": 3.0, "clock_allowed": True}),
        ({"supply": 3.0}, {"supply_v": 3.0, "clock_allowed": False, "clock_hz": 8_000_000}),
    ],
)
def test_settings(changed: dict[str, Any], expected: dict[str, Any]) -> None:
    """What follows from level, header, clock and supply, by the standard and the data sheets."""
    found = figures(**changed)
    assert {name: found[name] for name in expected} == expected


class Meter:
    """A network whose meters and counters are made up."""

    def __init__(self) -> None:
        self.counts = {
            "leaf": {"data_sent": 21, "data_acked": 17, "late_tx_offset": 1, "late_slot": 2,
                     "late_tx_ack_delay": 0, "late_rx_offset": 0, "late_rx_ack_delay": 4},
            "root": {"data_sent": 0, "data_acked": 0, "late_tx_offset": 0, "late_slot": 0,
                     "late_tx_ack_delay": 8, "late_rx_offset": 16, "late_rx_ack_delay": 0},
        }  # fmt: skip

    def stats(self, node: str) -> dict[str, int]:
        """Counters of a node."""
        return self.counts[node]

    def meter(self, node: str) -> list[dict[str, Any]]:
        """Two states of the CPU by clock, a state of the radio, and one that nothing spent in."""
        scale = {"leaf": 1.0, "root": 3.0}[node]
        common = {"source": "sheet", "kind": "datasheet"}
        return [
            {"device": "cpu", "state": "active", "clock_hz": 8_000_000, "seconds": 0.5 * scale,
             "energy_uj": 700.0 * scale, "current_ma": 4.0, **common},
            {"device": "cpu", "state": "active", "clock_hz": 800_000, "seconds": 0.25 * scale,
             "energy_uj": 30.0 * scale, "current_ma": 0.4, **common},
            {"device": "cc2420", "state": "rx", "clock_hz": 0, "seconds": 0.125 * scale,
             "energy_uj": 5000.0 * scale, "current_ma": 18.8, **common},
            {"device": "cc2420", "state": "off", "clock_hz": 0, "seconds": 9.0,
             "energy_uj": 1.0, "current_ma": 0.0, **common},
        ]  # fmt: skip


def test_energy_of_a_mean_slot() -> None:
    """What the meters gained, over the number of slots. A state that is new counts from nothing, one
    that gained nothing is left out, and the clock tells two states apart."""
    network: Any = Meter()
    before: Any = {node: [] for node in ("leaf", "root")}
    before["leaf"] = [
        {**network.meter("leaf")[0], "seconds": 0.1, "energy_uj": 100.0},
        network.meter("leaf")[3],
    ]
    before["root"] = [network.meter("root")[3]]
    found = energy_between(before, network, 50)
    assert found.slots == 50
    # 0.4 s in 50 slots are 8 ms each, 600 uJ 12 uJ.
    assert [(s.node, s.device, s.state, s.us_per_slot, s.energy_uj) for s in found.states] == [
        ("leaf", "cpu", "active at 8 MHz", 8000.0, 12.0),
        ("leaf", "cpu", "active at 0.8 MHz", 5000.0, 0.6),
        ("leaf", "cc2420", "rx", 2500.0, 100.0),
        ("root", "cpu", "active at 8 MHz", 30000.0, 42.0),
        ("root", "cpu", "active at 0.8 MHz", 15000.0, 1.8),
        ("root", "cc2420", "rx", 7500.0, 300.0),
    ]
    assert {(s.current_ma, s.source, s.kind) for s in found.states if s.device == "cc2420"} == {
        (18.8, "sheet", "datasheet")
    }
    assert found.total_uj("leaf") == pytest.approx(112.6)
    assert found.total_uj("root", "cpu") == pytest.approx(43.8)


def test_what_counts_as_lost_and_late() -> None:
    """The leaf has begun one more slot than it has ended; the deadlines of both nodes count."""
    network: Any = Meter()
    found = outcome_of(network)
    assert (found.exchanges, found.lost) == (20, 3)
    assert found.late == {
        Value.TX_OFFSET: 1,
        Value.TX_ACK_DELAY: 8,
        Value.SLOT_DURATION: 2,
        Value.RX_OFFSET: 16,
        Value.RX_ACK_DELAY: 4,
    }
    network.counts["leaf"]["data_sent"] = 0
    assert (outcome_of(network).exchanges, outcome_of(network).lost) == (0, 0)


def test_both_ends_of_a_band(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row is of the slow end. It has the figures of the fast end alone, and what the fast end
    says of the row's template."""
    slow = dataclasses.replace(SETTING, board="openmote-cc2538", clock_hz=32_000_000, band="high")
    runs: list[Any] = []

    class Runs:
        def __init__(self, setting: Setting, *_more: object) -> None:
            self.setting = setting

        def prove(self, timing: Timing) -> Outcome:
            runs.append((self.setting.band, timing))
            return Outcome(998, 1, dict.fromkeys(Value, 2))

    def measured(setting: Setting, *_more: object) -> list[dict[str, Any]]:
        found = figures_of(setting, DEFINITIONS["paper"], SURVEY, TUNED, ENERGY)
        return [found | (dict.fromkeys(BANDED, -1) if setting.band == "low" else {})]

    monkeypatch.setattr(band, "SettingRuns", Runs)
    monkeypatch.setattr(band, "measure", measured)
    [found] = band.measure_setting(slow, (DEFINITIONS["paper"],), b"", 1, 1000)
    assert runs == [("low", TIMING)]
    assert found["sec1_cycles"] == 40_900
    assert found["low"] == {
        **dict.fromkeys(BANDED, -1),
        **{"exchanges": 998, "lost": 1, "late": 10},
    }
    row = SlotRow.of(found, PROVENANCE)
    assert row.low is not None
    assert not row.low.holds
    assert row.as_dict()["sec1_cycles_low"] == -1
    assert row.as_dict()["sec1_cycles_high"] == 40_900
    assert SlotRow.from_dict(row.as_dict()) == row
    assert band.template_of(row) == TIMING


def test_what_is_verified() -> None:
    """Nothing lost, nothing late, three values that cannot be shorter, and the same at the fast
    end."""
    good = SlotRow.of(
        figures()
        | {"lost": 0, "late": 0}
        | {f"{n}_minus_1_fails": True for n in ("tx_offset", "tx_ack_delay", "slot_duration")},
        PROVENANCE,
    )
    assert good.verified
    for name, value in (("lost", 1), ("late", 1), ("tx_offset_minus_1_fails", False),
                        ("tx_ack_delay_minus_1_fails", False),
                        ("slot_duration_minus_1_fails", False)):  # fmt: skip
        changed: Any = {name: value}
        assert not dataclasses.replace(good, **changed).verified, name
