# SPDX-License-Identifier: BSD-3-Clause
"""The rows of `make report`, 48 cases in two or three definitions and more at ENC-MIC-32: all proven,
within the bounds we claim, and the same figures as in the documents."""

import itertools
import math
from pathlib import Path

import pytest

from scripts import update_docs
from wardmote.boards import SLOT_BOARDS
from wardmote.measurements.slot.definition import MEASURED_TOGETHER, MEASURED_USUALLY
from wardmote.measurements.slot.setting import AHEAD, STRATEGIES
from wardmote.rows import SlotRow
from wardmote.study.composition import composition
from wardmote.study.definition import at_once, headline, of_the_paper, plain
from wardmote.study.limit import NO_GUARD, limits
from wardmote.views.folder import read_report

CLAIMED_MS = {
    "telosb": {"software": 19.7, "hybrid": 14.6, "hardware": 9.9},
    "openmote-cc2538": {"software": 9.3, "hybrid": 8.9, "hardware": 8.6},
}
"""The shortest deployable slots at ENC-MIC-32: none is further off than CLAIMED_WITHIN."""
CLAIMED_WITHIN = 0.04
TICK_US = 30.6
RADIO_LIMIT_MS = {
    "deployable": 0.192 + 1.099 + 4.256 + 0.192 + 0.214 + 2.4,
    "needed": 0.192 + 0.153 + 4.256 + 0.192 + 0.214 + 2.4,
    "paper": 0.192 + 0.153 + 4.256 + 0.192 + 0.061 + 2.4,
}
"""Start of the receiver and guard time, TsMaxTx, the same about the ack, TsMaxAck: no secured slot on
this radio can be shorter."""


@pytest.fixture(scope="module")
def all_rows(root: Path) -> list[SlotRow]:
    """The rows of build/report, which `make test` brings up to date."""
    return read_report(root / "build/report")


@pytest.fixture(scope="module")
def rows(all_rows: list[SlotRow]) -> list[SlotRow]:
    """Those whose frames are secured within the slot."""
    return at_once(all_rows)


@pytest.fixture(scope="module")
def shortest(rows: list[SlotRow]) -> list[SlotRow]:
    """Those that a network can run."""
    return [row for row in headline(rows) if at_full_clock(row)]


def test_there_are_141_verified_cases(rows: list[SlotRow], all_rows: list[SlotRow]) -> None:
    """Boards, strategies, levels, definitions, and a TelosB's other clocks and turnaround and both
    boards ahead of the slot at ENC-MIC-32; nothing lost or late in 1 000 exchanges, and no value can
    be a tick shorter."""
    cases = [
        (board, name, level, definition)
        for board in SLOT_BOARDS
        for name in STRATEGIES
        for level in range(8)
        for definition in (MEASURED_USUALLY if level == 5 else MEASURED_TOGETHER)
    ]
    found = [
        (row.board, row.strategy, row.level, row.definition)
        for row in plain(rows)
        if at_full_clock(row)
    ]
    assert found == cases
    quick = [row for row in rows if row.turnaround_us == 128]
    assert len(quick) == 9
    assert {(row.board, row.level, row.clock_hz) for row in quick} == {("telosb", 5, 8_000_000)}
    beside = [row for row in rows if not at_full_clock(row)]
    assert len(beside) == 18
    assert len(cases) + len(quick) + len(beside) == len(rows) == 129
    assert {(row.board, row.level, row.clock_hz, row.strategy) for row in beside} == set(
        itertools.product(("telosb",), (5,), (6_700_000, 4_194_304), STRATEGIES)
    )
    ahead = [
        (row.board, row.strategy, row.level, row.definition)
        for row in all_rows
        if row not in rows and row.turnaround_us == 192 and at_full_clock(row)
    ]
    assert ahead == list(itertools.product(SLOT_BOARDS, AHEAD, (5,), MEASURED_TOGETHER))
    assert len(all_rows) == len(rows) + len(ahead) == 141
    assert [row for row in all_rows if not row.verified or row.exchanges < 1000] == []


def test_a_deployable_slot_has_the_whole_guard_time(rows: list[SlotRow]) -> None:
    """36 ticks before TsTxOffset, 7 before the ack, behind the moment at which the radio is ready;
    the sync limit is that of 33 ticks. It is never shorter than by the paper's definition, and
    where security needs more time than the guard, the two are one, but for a tick that frames of
    other lengths may need."""
    for row in headline(rows):
        paper = next(
            one
            for one in of_the_paper(rows)
            if (one.board, one.strategy, one.level, one.clock_hz)
            == (row.board, row.strategy, row.level, row.clock_hz)
        )
        assert (row.ts_rx_guard_ticks, row.ts_ack_guard_ticks) == (36, 7)
        assert row.ts_rx_offset_us >= row.rx_ready_us > 192
        assert row.sync_limit_s == pytest.approx(16.5)
        assert row.ts_slot_duration_us >= paper.ts_slot_duration_us
        same = (row.offset_set_by, row.ack_delay_set_by) == ("sec1", "sec2 + sec3")
        more = row.ts_slot_duration_ticks - paper.ts_slot_duration_ticks
        assert more in ((0, 1) if same else range(1, 1000))
        assert row.published_ms is None


def test_eq_1_has_room_for_sec1_and_the_guard_time_that_fits(rows: list[SlotRow]) -> None:
    """What fits is never less than crystals of 30 ppm need until the next beacon; where Eq. 1 would
    leave less, the guard time sets TsTxOffset."""
    for row in of_the_paper(rows):
        period_ticks = 101 * row.ts_slot_duration_ticks
        needed = 3 + math.floor(period_ticks / 16_384) + 1
        assert row.guard_needed_us == pytest.approx(needed * 1e6 / 32_768, abs=0.01)
        assert needed <= row.ts_rx_guard_ticks <= 36
        assert row.ts_rx_offset_us >= row.rx_ready_us > 192
        assert row.sync_limit_s > period_ticks / 32_768
        if row.offset_set_by == "sec1":
            assert row.ts_tx_offset_us == row.sec1_offset_us
        else:
            assert row.ts_tx_offset_us > row.sec1_offset_us
            assert row.ts_rx_guard_ticks == needed
    published = {row.published_ms for row in of_the_paper(rows)}
    assert published == {None, 88, 25, 9}


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_slot_at_enc_mic_32_is_as_long_as_claimed(
    shortest: list[SlotRow], board: str, strategy: str
) -> None:
    """127-octet frames at ENC-MIC-32 with a 14-octet ASH, full clock, slow end of the band where
    there is one."""
    [row] = [
        row for row in shortest if (row.board, row.strategy, row.level) == (board, strategy, 5)
    ]
    assert (row.frame_octets, row.ash_octets, row.clock_hz) == (
        127,
        14,
        SLOT_BOARDS[board].clock_hz,
    )
    assert row.ts_slot_duration_ms == pytest.approx(CLAIMED_MS[board][strategy], rel=CLAIMED_WITHIN)


def test_no_slot_is_shorter_than_its_radio_allows(all_rows: list[SlotRow]) -> None:
    """The limit of each definition; one case comes near it."""
    for definition, limit_ms in RADIO_LIMIT_MS.items():
        own = [row.ts_slot_duration_ms for row in all_rows if row.definition == definition]
        assert limit_ms < min(own) < limit_ms + 0.3
        listed = [one.slot_us for one in limits() if one.definition == definition]
        assert listed == pytest.approx([1000 * limit_ms] * len(listed), abs=1)
    bare = {one.turnaround_us: one.slot_us for one in limits() if one.definition == NO_GUARD}
    assert bare == {192: 7040, 128: 6912}


def test_a_short_turnaround_shortens_what_security_sets(rows: list[SlotRow]) -> None:
    """128 us take two ticks less than 192 us, before the frame and before the ack, where security
    sets both; a value that a guard time sets stays. A tick may come or go with the phase."""
    for quick in (row for row in rows if row.turnaround_us == 128):
        [usual] = [
            row
            for row in plain(rows)
            if (row.board, row.strategy, row.level, row.clock_hz, row.definition)
            == (quick.board, quick.strategy, quick.level, quick.clock_hz, quick.definition)
        ]
        set_by_security = (quick.offset_set_by == "sec1") + (usual.ack_delay_set_by != "guard time")
        ticks = usual.ts_slot_duration_ticks - quick.ts_slot_duration_ticks
        assert ticks == pytest.approx(2 * set_by_security, abs=1)


def test_sec1_contains_what_builds_the_frame(rows: list[SlotRow]) -> None:
    """Key lookup (none without security), header and payload. A payload copied octet by octet takes
    2 to 16 cycles an octet, and there are a few cycles around the copy; a header of 21 to 35 octets
    takes more than its octets. What is left is security and loading, and that alone depends on the
    strategy."""
    built: dict[tuple[object, ...], set[tuple[int | None, ...]]] = {}
    for row in rows:
        lookup, header = row.sec1_lookup_cycles, row.sec1_header_cycles
        payload = row.sec1_payload_cycles
        assert lookup is not None
        assert header is not None
        assert payload is not None
        assert (lookup == 0) == (row.level == 0)
        assert lookup < 400
        octets = 127 - 2 - 21 - row.ash_octets - row.mic_octets
        assert 21 + row.ash_octets < header < 2000
        assert 0.5 * octets < payload < 16 * octets + 300
        assert lookup + header + payload < row.sec1_cycles
        case = row.board, row.level, row.clock_hz
        built.setdefault(case, set()).add((lookup // 50, header // 100, payload // 100))
    assert len(built) == 2 * 8 + 2
    assert max(map(len, built.values())) <= 4


def at_full_clock(row: SlotRow) -> bool:
    """Whether the case runs at the default clock of its board."""
    return row.clock_hz == SLOT_BOARDS[row.board].clock_hz


def test_a_slower_clock_needs_a_longer_slot(rows: list[SlotRow]) -> None:
    """Every strategy of a TelosB: 8, 6.7 and 4.19 MHz. The CPU's part takes longer in proportion;
    the radio's part does not change."""
    for strategy in STRATEGIES:
        at = {
            row.clock_hz: row
            for row in headline(rows)
            if (row.board, row.strategy, row.level) == ("telosb", strategy, 5)
        }
        limit_us = 7040  # two turnarounds, TsMaxTx, TsMaxAck
        fast, middle, slow = (at[hz].ts_slot_duration_us for hz in (8_000_000, 6_700_000, 2**22))
        assert fast < middle < slow
        for clock_hz, slot_us in ((6_700_000, middle), (2**22, slow)):
            longest = limit_us + (fast - limit_us) * 8e6 / clock_hz
            assert slot_us < longest + 10 * TICK_US


def test_both_ends_of_a_band_are_there(all_rows: list[SlotRow]) -> None:
    """Where the timing model is a band the fast end is no slower, keeps the slow end's template,
    and is in the JSON."""
    for row in all_rows:
        values = row.as_dict()
        assert (row.low is not None) == bool(SLOT_BOARDS[row.board].bands)
        if row.low is None:
            assert values["ts_slot_duration_us_low"] is values["ts_slot_duration_us_high"] is None
            continue
        assert row.low.holds
        assert row.low.exchanges >= 1000
        for name in (
            "sec1_cycles",
            "sec2_cycles",
            "sec3_cycles",
            "sec4_cycles",
            "ts_slot_duration_us",
        ):
            assert values[f"{name}_low"] <= values[f"{name}_high"] == values[name]
        assert row.low.sec2_cycles < row.sec2_cycles or row.strategy in AHEAD


def test_hardware_is_faster_and_cheaper(shortest: list[SlotRow]) -> None:
    """At every secured level the hardware strategy has the shortest slot and the least energy,
    software the most. Where there is no MIC, an OpenMote's hybrid comes down to the same tick."""
    for board, level in itertools.product(SLOT_BOARDS, range(1, 8)):
        own = [row for row in shortest if (row.board, row.level) == (board, level)]
        software, hybrid, hardware = own
        slots = [row.ts_slot_duration_us for row in (hardware, hybrid, software)]
        assert slots == sorted(slots)
        assert slots[1] < slots[2]
        assert slots[0] < slots[1] or (board, level) == ("openmote-cc2538", 4)
        assert hardware.energy_uj < software.energy_uj
        assert hardware.energy_receiver_uj < software.energy_receiver_uj


def test_phases_add_up_to_the_slot(all_rows: list[SlotRow]) -> None:
    """The composition of a slot leaves nothing out; no phase is negative by more than the tick with
    which a node judges that it was in time."""
    for row in all_rows:
        phases = composition(row)
        assert sum(phase.us for phase in phases) == pytest.approx(row.ts_slot_duration_us, abs=0.01)
        assert min(phase.us for phase in phases) > -TICK_US


def test_energy_is_the_sum_over_states(all_rows: list[SlotRow]) -> None:
    """Radio and CPU are parts of the whole, every current has a source, and the states fill the
    slot's time."""
    for row in all_rows:
        radio = SLOT_BOARDS[row.board].radio
        for node, total in (("leaf", row.energy_uj), ("root", row.energy_receiver_uj)):
            states = [state for state in row.states if state.node == node]
            assert sum(state.energy_uj for state in states) == pytest.approx(total, rel=1e-3)
            assert all(state.source and state.kind for state in states)
            radio_us = sum(state.us_per_slot for state in states if state.device == radio)
            assert radio_us == pytest.approx(row.ts_slot_duration_us, rel=2e-3)
        assert row.energy_radio_uj + row.energy_cpu_uj <= row.energy_uj * 1.001


@pytest.mark.document
@pytest.mark.parametrize("document", update_docs.DOCUMENTS)
def test_documents_show_these_figures(all_rows: list[SlotRow], root: Path, document: str) -> None:
    """A document's figures equal the measured ones within 5 per cent."""
    text = (root / document).read_text(encoding="utf-8")
    assert update_docs.BLOCK.search(text)
    assert update_docs.stale(text, all_rows) == []


def test_a_wrong_figure_in_a_document_is_noticed(all_rows: list[SlotRow]) -> None:
    """The comparison fails on a number that is off by more than the tolerance, and on other
    words."""
    text = update_docs.updated("<!-- wardmote: answer -->\n<!-- wardmote: end -->", all_rows)
    assert update_docs.stale(text, all_rows) == []
    assert update_docs.stale(text.replace("| software | ", "| software | 1"), all_rows) == [
        "answer"
    ]
    assert update_docs.stale(text.replace("software", "hardware"), all_rows) == ["answer"]
