# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec throughput` and `latency`: intervals by hand, places and routes, tiny runs."""

import csv
import io
import json
import math
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from tests.bench.refusals import check_refused, output
from wardmote.campaign.cases import IMAGE, Figures
from wardmote.experiments.tinysec import latency, throughput
from wardmote.experiments.tinysec.intervals import differences, interval, paired, student
from wardmote.experiments.tinysec.network import CLEAR
from wardmote.experiments.tinysec.places import scattered
from wardmote.experiments.tinysec.stacks import STACKS, NetworkCase
from wardmote.experiments.tinysec.tree import LANDMARK, climb, depth, ends, parent
from wardmote.experiments.tinysec.turns import measure as measure_turns
from wardmote.experiments.tinysec.turns import turns
from wardmote.experiments.tinysec.verbs.latency import EXPERIMENT as LATENCY
from wardmote.experiments.tinysec.verbs.latency import TinysecLatencyRow, without_outliers
from wardmote.experiments.tinysec.verbs.latency import gathered as routes
from wardmote.experiments.tinysec.verbs.throughput import EXPERIMENT as THROUGHPUT
from wardmote.paths import firmware_image

BYTE_TIME_MS = 8 / 19.2
TINY = ("--jobs", "1", "--fresh")


def image(stack: str) -> dict[str, bytes]:
    """What a stack is run with."""
    return {IMAGE: firmware_image("mica2", STACKS[stack].image).read_bytes()}


def test_intervals_by_hand() -> None:
    """1 and 3: a mean of 2, a standard deviation of 1.4142, 12.706 of them over the root of 2. 1 to 5:
    3, 1.5811, 2.776 over the root of 5. A single value has none. From 31 degrees of freedom on the
    factor is that of the next number below in a table: 30, 40, 60, 120."""
    assert interval([1, 3]) == pytest.approx((2, 12.706))
    assert interval([1, 2, 3, 4, 5]) == pytest.approx((3, 1.9629), rel=1e-4)
    assert interval([7]) == (7, None)
    assert interval([0, 1] * 16).half == pytest.approx(2.042 * 0.508001 / math.sqrt(32), rel=1e-5)
    assert [student(one) for one in (1, 30, 39, 40, 60, 120, 999)] == [
        12.706, 2.042, 2.042, 2.021, 2.000, 1.980, 1.980,
    ]  # fmt: skip
    assert paired([9, 22], [10, 20]) == pytest.approx((1.0, 12.706 * 0.1))
    assert differences([9, 22], [10, 20]) == pytest.approx((0.5, 12.706 * 1.5))
    assert interval([1, 3]).text(1) == "2.0 ± 12.7"
    assert interval([7]).text(0) == "7"


def test_each_number_of_senders_adds_to_the_places_of_fewer() -> None:
    """The base in the middle; all on the area, and none on another."""
    few, many = scattered(3, 5), scattered(20, 5)
    assert many[:4] == few
    assert few[0] == pytest.approx((0.915, 1.18))
    assert few != scattered(3, 6)
    assert len(many) == 21
    for one, (x, y) in enumerate(many):
        assert (0 <= x <= 1.83, 0 <= y <= 2.36) == (True, True)
        assert all(math.dist(many[one], other) >= 0.1 for other in many[:one])


def test_routes_have_their_hops() -> None:
    """From the base to the first mote, up to the landmark, down to the last one, which is not on the
    way up, and to the base. Neighbours of the tree are neighbours of the grid of 4 by 9."""
    assert [mote for mote in range(36) if parent(mote) == mote] == [LANDMARK]
    for mote in range(36):
        x, y = mote % 4, mote // 4
        to = parent(mote)
        assert abs(x - to % 4) + abs(y - to // 4) == (mote != LANDMARK)
    for hops in range(4, 13):
        for seed in range(20):
            first, last = ends(hops, seed)
            way = climb(first)
            assert 1 + len(way) - 1 + depth(last) + 1 == hops
            assert last not in way
    assert len({ends(8, seed) for seed in range(20)}) > 5


def test_outliers_are_above_the_fence() -> None:
    """Of 1 to 9 the quartiles are 2.5 and 7.5: above 15 is an outlier."""
    ms = [1.0, 2, 3, 4, 5, 6, 7, 8, 9]
    assert without_outliers(ms) == ms
    more = [*ms[:-1], 15.1]
    assert without_outliers(more) == ms[:-1]


def journeys(stack: str, seed: int, ms: list[float | None]) -> dict[str, object]:
    """A case and its figures."""
    case = {"board": "mica2", "stack": stack, "hops": 4, "packets": len(ms), "seed": seed}
    return {**case, "ms": ms, "congested": seed}


def test_every_field_of_latency() -> None:
    """AE takes 10 and 8 ms more: 9 on the mean, with a standard deviation of the root of 2. 4 hops are
    1.6667 ms of byte times. A journey without end is lost, one of 300 ms an outlier."""
    none = [[100.0] * 8, [102.0] * 8]
    ae: list[list[float | None]] = [[*([110.0] * 6), 300.0, None], [110.0] * 8]
    cases = [journeys("none", n, [*ms]) for n, ms in enumerate(none, 1)]
    cases += [journeys("ae", n, ms) for n, ms in enumerate(ae, 1)]
    plain, found = routes(cases)
    row = TinysecLatencyRow(**found, wardmote="", commit="")
    assert (row.board, row.stack, row.hops, row.packets, row.seeds) == ("mica2", "ae", 4, 8, [1, 2])
    assert (row.ms, row.ms_half, row.ms_each) == (110.0, 0.0, [110.0, 110.0])
    assert row.ms_with_outliers == pytest.approx((14 * 110 + 300) / 15)
    assert (row.outliers, row.lost, row.congested) == (1, 1, 3)
    assert (row.more_ms, row.more_ms_half) == pytest.approx((9.0, 12.706))
    assert row.more_byte_times == pytest.approx(9 / 4 / BYTE_TIME_MS)
    assert row.more_byte_times_half == pytest.approx(12.706 / 4 / BYTE_TIME_MS)
    assert (row.expected_byte_times, row.paper_byte_times) == (5.0, 4.6)
    assert (plain["ms"], plain["more_ms"], plain["expected_byte_times"]) == (101.0, None, None)
    assert (row.wardmote, row.commit) == ("", "")
    rows = [LATENCY.from_values({**one, "wardmote": "", "commit": ""}) for one in (plain, found)]
    assert "TinySec-AE takes 5.40 ± 7.62 byte times more a hop" in LATENCY.answer(rows)


REFUSALS = """
throughput --senders 21: no number of senders 21
throughput --senders 1,many: no number of senders 'many'
throughput --stack ea: no stack 'ea'
throughput --seconds 0: no number of seconds 0
throughput --gap 256: no gap 256
throughput --seeds 0: no number of seeds 0
latency --hops 3: no number of hops 3
latency --hops 4,13: no number of hops 13
latency --packets 3: no number of packets 3
latency --stack none-29: no stack 'none-29'
latency --board telosb: no board 'telosb'
latency --columns hop: no column 'hop'
"""


@pytest.mark.parametrize("refusal", REFUSALS.strip().splitlines())
def test_refusals(refusal: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, before anything is measured."""
    words, _, says = refusal.partition(": ")
    check_refused(capsys, says, "tinysec", *words.split())


def test_no_such_verb_of_the_group(capsys: pytest.CaptureFixture[str]) -> None:
    """The refusal lists those of the group, and no others."""
    code, out, err = output(capsys, "tinysec", "xyz")
    assert (code, out) == (2, "")
    assert "throughput" in err
    assert "latency" in err
    assert "assumptions" not in err


def received(stack: str, seed: int) -> Figures:
    """Two senders for a second."""
    return throughput.measure(throughput.Case("mica2", stack, seed, 2, 1, 0), image(stack))


def test_packets_are_counted_and_packets_as_long_go_as_fast() -> None:
    """A second holds 28 packets of 70 octet times, and the back-off between them. One that is not
    received has collided. AE's and plain ones as long take the same time, so that as many are sent."""
    ae, plain = received("ae", 3), received("none-29", 3)
    for found in (ae, plain):
        assert 15 < found["received"] <= found["sent"] < 40
        assert found["late"] == 0
    assert abs(ae["sent"] - plain["sent"]) <= 2
    assert received("ae", 3) == ae
    assert received("ae", 4) != ae


def test_turns_end_where_the_channel_is_silent() -> None:
    """Packets of 10: one that begins before another has ended is in its turn."""
    assert turns([], 10) == []
    assert turns([0, 9, 18, 28, 50, 60], 10) == [3, 1, 1, 1]


def test_a_packet_alone_in_its_turn_is_received() -> None:
    """Two senders for two seconds: the strongest of two that collide hardly ever is."""
    case = throughput.Case("mica2", "ae", 1, 2, 2, 0)
    found = measure_turns(case, image("ae"))
    assert found["received"] - 1 <= found["alone"] <= found["received"] + 1
    assert found["alone"] < found["turns"] <= found["alone"] + 10


def test_a_rest_of_senders_leaves_the_channel_free() -> None:
    """One sender that rests for 200 octet times sends 8 packets a second."""
    case = throughput.Case("mica2", "none", 1, 1, 1, 200)
    assert throughput.measure(case, image("none"))["received"] in (7, 8, 9)


SENDERS = throughput.Case("mica2", "ae", 1, 10, 1, 0)
JOURNEYS = latency.Case("mica2", "ae", 1, 4, 4)


@pytest.fixture
def with_squelch(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Figures]:
    """Measures a case whose motes find the channel clear at another threshold."""

    def measured(what: ModuleType, case: NetworkCase, clear: int) -> Figures:
        own = [replace(one, clear=clear) for one in what.setups(case)]
        with monkeypatch.context() as patched:
            patched.setattr(what, "setups", lambda _: own)
            found: Figures = what.measure(case, image(case.stack))
        return found

    return measured


@pytest.mark.parametrize(("what", "case"), [(throughput, SENDERS), (latency, JOURNEYS)])
def test_no_threshold_of_the_squelch_changes_a_figure(
    what: ModuleType, case: NetworkCase, with_squelch: Callable[..., Figures]
) -> None:
    """A mote's reading is 0, the strongest, beside a sender, and else that of the noise floor, 371:
    all thresholds below that, which one that adapts can have, make the same decisions."""
    least, used, most = (with_squelch(what, case, clear) for clear in (0, CLEAR, 370))
    assert least == used == most
    assert used["congested"] > 0


def test_a_threshold_at_the_noise_floor_is_never_passed(
    with_squelch: Callable[..., Figures],
) -> None:
    """The emulated floor has no noise of its own, so that no reading is above it."""
    assert with_squelch(throughput, SENDERS, 371)["sent"] == 0


def test_a_table_of_a_tiny_run(capsys: pytest.CaptureFixture[str]) -> None:
    """One sender for a second: the ratio is that of both counts, in every format."""
    words = ("tinysec", "throughput", "--senders", "1", "--seconds", "1", *TINY)
    code, out, _ = output(capsys, *words, "--format", "json")
    assert code == 0
    rows = {row["stack"]: row for row in json.loads(out)}
    assert set(rows) == {"none", "auth", "ae"}
    assert rows["ae"]["ratio"] == rows["ae"]["received"] / rows["none"]["received"]
    assert rows["ae"]["received_half"] is None
    read = [THROUGHPUT.from_values(row) for row in rows.values()]
    assert THROUGHPUT.text is not None
    assert "| 1 | ae | 36 |" in THROUGHPUT.text(read)
    assert "<svg" in THROUGHPUT.figure(read)
    again = output(capsys, *words[:-1], "--format", "csv")[1]
    assert next(csv.DictReader(io.StringIO(again)))["stack"] == "none"


def test_a_hop_of_ae_takes_the_time_of_its_octets_more() -> None:
    """Four journeys of four hops, alike in all but the stack: 5 octets a hop, and at most one
    octet time in which a router finds out whether the tag is right, after the last octet."""
    ms = {}
    for stack in ("none", "ae"):
        found = latency.measure(latency.Case("mica2", stack, 1, 4, 4), image(stack))
        assert None not in found["ms"]
        ms[stack] = sum(found["ms"]) / 4
    assert 4.5 < (ms["ae"] - ms["none"]) / 4 / BYTE_TIME_MS < 6.2
    assert 60 * BYTE_TIME_MS < ms["none"] / 4 < 100 * BYTE_TIME_MS
