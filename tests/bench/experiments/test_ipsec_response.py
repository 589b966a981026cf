# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote ipsec response` and `energy`: times add up, are those of the air and the CPU, and their
overhead does not depend on hops."""

import math
from pathlib import Path

import pytest

from tests.bench.experiments.group_rows import Group
from wardmote.boards import current_of
from wardmote.errors import ImageError
from wardmote.experiments.ipsec import access
from wardmote.experiments.ipsec import response as response_rows
from wardmote.experiments.ipsec.energy import IpsecEnergyRow
from wardmote.experiments.ipsec.response import ResponseRow
from wardmote.experiments.ipsec.verbs import energy, response

pytestmark = [pytest.mark.xdist_group("ipsec response"), pytest.mark.early, pytest.mark.turns(5)]
TELOSB = Group("ipsec", ("telosb",), "docs/what-does-ipsec-cost.md")
DATA, HOPS = (16, 32, 64, 128, 256, 512), (1, 2, 3, 4)
SUITES = "AH XCBC", "ESP CTR+XCBC"
PHY, OCTET_MS, ACK, HEADER, FCS = 6, 0.032, 5, 9, 2


def of(protection: str, data: int, hops: int = 1, baud: int = 0) -> ResponseRow:
    """A row of `response`."""
    return response.one(TELOSB.rows_of("response"), protection, data, hops, baud)


def spent(what: str, protection: str, data: int) -> IpsecEnergyRow:
    """A row of `energy`."""
    return energy.one(TELOSB.rows_of("energy"), what, protection, data)


def test_differences_are_those_of_the_same_in_clear() -> None:
    """Of every row."""
    rows: list[ResponseRow] = TELOSB.rows_of("response")
    for row in rows:
        bare = of("none", row.data_octets, row.hops, row.border_baud)
        assert row.plain_ms == bare.response_ms
        for ours, wanted in (
            (row.added_ms, row.response_ms - bare.response_ms),
            (row.added_air_ms, row.air_ms - bare.air_ms),
            (row.added_cpu_ms, row.cpu_ms - bare.cpu_ms),
            (row.beyond_air_ms, row.added_ms - row.added_air_ms),
            (row.added_mac_ms, row.mac_ms - bare.mac_ms),
            (row.beyond_mac_ms, row.beyond_air_ms - row.added_mac_ms),
        ):
            assert ours == pytest.approx(wanted, abs=0.003)
        assert row.added_part == pytest.approx(row.added_ms / bare.response_ms, abs=0.001)
        assert 0 <= row.spread_ms < 0.5 * row.response_ms
        assert (row.clock_hz, row.runs) == (8_000_000, 40 if response_rows.compared(row) else 10)
        assert row.engine == (", engine" in row.protection)
        assert row.ahead == row.protection.endswith(", overlapped")


@pytest.mark.parametrize("hops", HOPS)
def test_one_frame_each_way(hops: int) -> None:
    """16 octets in clear: 2 octets of IPHC, 4 of UDP, and the destination or the source that the
    frame does not tell of, on each hop; an acknowledgement of each frame."""
    row = of("none", 16, hops)
    assert row.frames == 2 * hops
    assert row.level == 0
    assert row.suite == ""
    acks = 2 * hops * (PHY + ACK)
    data = row.air_ms / OCTET_MS - acks - 2 * hops * (PHY + HEADER + FCS)
    payload = data / (2 * hops)
    assert 2 + 4 + 16 < payload < 2 + 4 + 16 + 20


def test_a_border_mote_takes_the_time_of_its_line() -> None:
    """One frame each way: its octets and their end at ten bits each, and a few milliseconds in which
    the mote copies. Of several frames the line carries one while the air carries another."""
    baud = 115_200
    for protection in ("none", "AH XCBC", "ESP CTR+XCBC"):
        row, ideal = (of(protection, 16, baud=rate) for rate in (baud, 0))
        assert row.air_ms == pytest.approx(ideal.air_ms, abs=0.5)
        assert row.frames == ideal.frames == 2
        on_air = row.air_ms / OCTET_MS - 2 * (PHY + ACK) - 2 * (PHY + FCS)
        line_ms = 1000 * 10 * (on_air + 2) / baud
        assert 0 < row.response_ms - ideal.response_ms - line_ms < 5
    for protection in ("none", "link", *SUITES):
        longest, ideal = (of(protection, 512, baud=rate) for rate in (baud, 0))
        assert longest.frames == ideal.frames
        assert longest.response_ms > ideal.response_ms
        assert longest.response_ms > 1000 * 10 * 2 * 512 / baud
    last = [of("link", 512, baud=rate).link_ms for rate in (baud, 0)]
    assert last[0] == pytest.approx(last[1], rel=0.02), "the last mote does the same"


def test_ah_is_sixteen_octets_on_the_air() -> None:
    """On each hop, both ways."""
    for hops in HOPS:
        row = of("AH XCBC", 16, hops)
        assert row.added_air_ms == pytest.approx(2 * hops * 16 * OCTET_MS, abs=0.01)


def test_the_cpu_does_what_the_functions_take() -> None:
    """IPsec's phases are what `wardmote ipsec crypto` counts, with another form of a function here and
    there; without IPsec there is none, and without link security none of that."""
    for suite in SUITES:
        crypto = Group("ipsec", ("telosb",), "").rows_of("crypto")
        for data in DATA:
            [want] = [
                one.both_ms
                for one in crypto
                if (one.form, one.suite, one.data_octets) == ("fast", suite, data)
            ]
            row = of(suite, data)
            assert row.ipsec_ms == pytest.approx(want, rel=0.15, abs=0.8)
            assert row.link_ms == of("none", data).ipsec_ms == 0
            assert row.ipsec_ms < row.cpu_ms
            both = of(f"{suite} + link", data)
            assert both.ipsec_ms == pytest.approx(row.ipsec_ms, abs=0.1)
            assert both.link_ms > of("link", data).link_ms * 0.99


def test_overhead_does_not_depend_on_hops() -> None:
    """What the last mote computes more is the same over each number of hops, within a millisecond, and
    so is what is added beyond what air, radio and MAC take; what the air takes more is not."""
    for suite in SUITES:
        for data in (16, 512):
            rows = [of(suite, data, hops) for hops in HOPS]
            added = [row.added_cpu_ms for row in rows]
            assert max(added) - min(added) < 1.0
            beyond = [row.beyond_mac_ms for row in rows]
            unsure = max(row.interval_ms for row in rows)
            assert unsure < 0.2
            assert max(beyond) - min(beyond) + unsure < 1.0
            assert rows[-1].added_air_ms > rows[0].added_air_ms + 1
    for suite in SUITES:
        air = [of(suite, 512, hops).beyond_air_ms for hops in HOPS]
        assert max(air) - min(air) < 1.0, "the host leaves the space that motes leave"
    for suite, most in (("AH XCBC", 0.8), ("ESP CTR+XCBC", 1.3)):
        beyond = [of(suite, 16, hops).beyond_air_ms for hops in HOPS]
        assert beyond[0] < beyond[-1] < beyond[0] + most, "three relays, which copy more octets"


def test_back_offs_that_are_longer_than_their_mean_are_taken_off() -> None:
    """What is left between runs is small beside what back-offs make; a border mote's runs keep it."""
    for protection in ("none", *SUITES):
        for hops in HOPS:
            row = of(protection, 512, hops)
            assert 0 < row.error_ms * math.sqrt(row.runs) < 0.03 * row.spread_ms
        line = of(protection, 512, baud=115_200)
        assert line.error_ms * math.sqrt(line.runs) > 0.2 * line.spread_ms


@pytest.mark.parametrize("hops", HOPS)
def test_what_radio_and_mac_take(hops: int) -> None:
    """16 octets in clear, one frame each way on each hop: a back-off of 3.5 units in the mean and two
    turnarounds of each frame, and one assessment, the host's."""
    us = 2 * hops * (3.5 * 320 + 2 * 192) + 128
    assert of("none", 16, hops).mac_ms == pytest.approx(us / 1000, abs=0.001)


def test_a_fragment_more_takes_its_back_off() -> None:
    """One of the host and one of the mote, with a space in front of each; the host assesses, too."""
    more = 2 * (3.5 * 320 + 2 * 192 + 640) + 128
    assert of("AH XCBC", 512).added_mac_ms == pytest.approx(more / 1000, abs=0.001)


@pytest.mark.parametrize(("us", "units"), [(320, 0), (640, 1), (2560, 7)])
def test_the_hosts_back_off(us: int, units: int) -> None:
    """An assessment and a turnaround are behind it."""
    assert access.host_units(us * access.US) == units


@pytest.mark.parametrize("us", [0, 310, 330, 2880])
def test_a_host_that_waits_otherwise(us: int) -> None:
    """No back-off, half a unit of one, and one that is longer than a frame's first."""
    with pytest.raises(ImageError, match="the host's frame comes"):
        access.host_units(us * access.US)


def test_an_interval_of_95_per_cent() -> None:
    """Student's: 2.262 standard errors of 10 runs and 2.023 of 40, by the tables."""
    assert response_rows.sure(1.0, 10) == pytest.approx(2.262, abs=0.005)
    assert response_rows.sure(1.0, 40) == pytest.approx(2.023, abs=0.001)


def test_the_papers_order() -> None:
    """Longer is slower, further is slower, and both kinds of security take longest."""
    for hops in (1, 4):
        for protection in ("none", "link", *SUITES):
            times = [of(protection, data, hops).response_ms for data in DATA]
            assert times[-1] > 1.5 * times[0]
        for suite in SUITES:
            assert of(f"{suite} + link", 512, hops).response_ms > of(suite, 512, hops).response_ms
    assert of("ESP CTR+XCBC", 512).added_ms > of("AH XCBC", 512).added_ms
    assert of("ESP CTR+XCBC", 512).added_ms < 261


def test_the_engine_takes_over_what_aes_takes() -> None:
    """Nothing else changes: not what is on the air, and the CPU does everything but blocks."""
    for suite in (*SUITES, "ESP CCM-8"):
        soft, hard = of(suite, 512), of(f"{suite}, engine", 512)
        assert hard.air_ms == pytest.approx(soft.air_ms, abs=0.3)
        assert hard.frames == soft.frames
        assert 0.15 * soft.ipsec_ms < hard.ipsec_ms < 0.9 * soft.ipsec_ms


def test_overlapped_work_is_done_but_not_waited_for() -> None:
    """The same frames and octets; the CPU does as much and a third more, a block at a time, and the
    answer comes sooner; in one frame there is nothing to overlap. No case takes longer than its bound."""
    bounds = {"AH XCBC": 20, "ESP CTR+XCBC": 20, "AH XCBC, engine": 11, "ESP CTR+XCBC, engine": 19}
    for name, most in bounds.items():
        whole, lapped = of(name, 512), of(f"{name}, overlapped", 512)
        assert lapped.frames == whole.frames
        assert lapped.air_ms == pytest.approx(whole.air_ms, abs=0.3)
        assert whole.ipsec_ms < lapped.ipsec_ms < 1.6 * whole.ipsec_ms
        assert lapped.beyond_air_ms < min(most, 0.8 * whole.beyond_air_ms)
        assert lapped.beyond_air_ms < lapped.ipsec_ms
        one = [of(f"{name}{how}", 16).response_ms for how in ("", ", overlapped")]
        assert 0 <= one[1] - one[0] < 1


def test_energy_is_time_by_current() -> None:
    """At 3.6 V, for the data sheet allows 8 MHz at no lower one; listening is the radio's current."""
    active, listening = (
        current_of("telosb", "cpu", "active", 8_000_000, supply_v=3.6),
        current_of("telosb", "cc2420", "rx"),
    )
    rows: list[IpsecEnergyRow] = TELOSB.rows_of("energy")
    for row in rows:
        assert row.energy_uj == pytest.approx(row.cpu_ms * active.ma * 3.6, rel=1e-3)
        assert row.listening_ms == pytest.approx(row.cpu_ms * active.ma / listening.ma, rel=1e-3)
        assert row.runs == (1 if row.what == "algorithms" else 20)
        assert row.spread_ms < 2.5
        paper = (row.what, row.protection, row.data_octets) == ("exchange", "AH XCBC", 64)
        assert (row.paper_uj, row.paper_listening_ms) == ((500, 8) if paper else (None, None))


def test_energy_follows_the_paper() -> None:
    """ESP takes more than AH, both more than none, and an exchange more than its algorithms."""
    for data in DATA[2:]:
        none, ah, esp = (spent("exchange", name, data).cpu_ms for name in ("none", *SUITES))
        assert none < ah < esp
        assert ah > spent("algorithms", "AH XCBC", data).cpu_ms


@pytest.mark.parametrize("verb", ["response", "energy"])
def test_what_was_measured(root: Path, verb: str) -> None:
    """A TelosB, and the page has it, but for 5 per cent or some milliseconds."""
    found = TELOSB.of_everything(verb, "board", "seed", "wardmote", "commit")
    assert found == {("telosb", 1, "1.0", "c0ffee")}
    assert TELOSB.is_in_the_document(root, verb, {"response": 8.0, "energy": 8.0}[verb])
