# SPDX-License-Identifier: BSD-3-Clause
"""Verdicts on the claims of the paper on compressed IPsec follow from rows, and the pages have them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from scripts.update_docs import close
from tests.bench.experiments.group_rows import Group
from wardmote.boards import BOARDS
from wardmote.cli import main
from wardmote.experiments.ipsec.crypto import PAPER_CLOCKS_HZ, exchange
from wardmote.experiments.ipsec.suites import SUITES
from wardmote.experiments.section import CLAIMS, sections
from wardmote.study.claims import ipsec
from wardmote.study.claims.judge import FAILS, HOLDS, UNJUDGED, ClaimRow
from wardmote.views import claims as view
from wardmote.views.data import to_json
from wardmote.views.document import texts
from wardmote.views.table import to_markdown

pytestmark = [pytest.mark.xdist_group("ipsec response"), pytest.mark.early, pytest.mark.turns(5)]
TELOSB = Group("ipsec", ("telosb",), "docs/what-does-ipsec-cost.md")
ESP = "ESP CTR+XCBC"
VERBS = ("overhead", "footprint", "energy", "response")
JUDGED = {
    **dict.fromkeys(("ah-octets", "ah-compressed", "both-headers", "udp-in-clear"), HOLDS),
    **dict.fromkeys(("esp-octets", "esp-compressed", "table-2", "cost-of-end-to-end"), FAILS),
    **dict.fromkeys(("comparable", "two-fragments", "table-1", "ram"), FAILS),
    **dict.fromkeys(("fits", "no-decryption"), HOLDS),
    **dict.fromkeys(("ah-over-the-header", "linear", "sha1-fixed"), HOLDS),
    **dict.fromkeys(("figure-7", "cbc-as-ctr", "figure-8", "worst-energy"), FAILS),
    **dict.fromkeys(("long-datagrams", "hardware-faster"), HOLDS),
    **dict.fromkeys(("figure-9", "figure-10", "relays", "worst-added", "hardware"), FAILS),
    "response-linear": FAILS,
}
"""By rows of ours. ESP's IV and NHC are more than the paper counts; AES of ours is faster, so that the
air decides what the CPU did in the paper; every hop carries what is added."""


def rows() -> dict[str, list[Any]]:
    """What the verbs measure."""
    return {verb: TELOSB.rows_of(verb) for verb in VERBS}


def judged(known: dict[str, list[Any]]) -> dict[str, ClaimRow]:
    """The claims by name."""
    return {row.claim: row for row in ipsec.ipsec_claims(known)}


def test_verdicts() -> None:
    """What fails says why, and all else waits for nothing."""
    found = judged(rows())
    assert {name: found[name].verdict for name in JUDGED} == JUDGED
    assert {name for name, row in found.items() if row.verdict != UNJUDGED} == set(JUDGED)
    for name, verdict in JUDGED.items():
        assert bool(found[name].why) == (verdict == FAILS)


def changed(known: dict[str, list[Any]], verb: str, which: dict[str, Any], **values: Any) -> Any:
    """The same rows, but these values in those of a verb that have `which`."""

    def hit(row: Any) -> bool:
        return all(getattr(row, name) == value for name, value in which.items())

    own = [dataclasses.replace(row, **values) if hit(row) else row for row in known[verb]]
    return known | {verb: own}


def test_other_rows_give_other_verdicts() -> None:
    """What fails holds, and what holds fails."""
    known, flash = rows(), {"suite": "ESP CTR+XCBC", "form": "small"}
    short = {"protection": "ESP CTR+XCBC", "data_octets": 16, "border_baud": 0}
    assert judged(changed(known, "response", short, response_ms=1.0))["figure-9"].verdict == HOLDS
    of_hops = changed(known, "response", {"data_octets": 512}, added_ms=20.0, beyond_mac_ms=15.0)
    of_hops = changed(of_hops, "response", {"data_octets": 16}, added_ms=5.0, beyond_mac_ms=3.0)
    assert judged(of_hops)["figure-10"].verdict == judged(of_hops)["relays"].verdict == HOLDS
    far = {"protection": "AH XCBC", "data_octets": 512, "hops": 4}
    assert judged(changed(of_hops, "response", far, beyond_mac_ms=17.0))["relays"].verdict == FAILS
    near = changed(known, "response", {"data_octets": 16, "hops": 4}, beyond_mac_ms=4.0)
    assert judged(near)["relays"].verdict == FAILS
    line = changed(known, "response", {"data_octets": 512}, added_ms=25.0)
    line = changed(line, "response", {"data_octets": 256}, added_ms=15.0)
    line = changed(line, "response", {"data_octets": 128}, added_ms=10.0)
    assert judged(line)["response-linear"].verdict == HOLDS
    less = changed(known, "overhead", {"protection": "ESP CTR"}, more_octets=1)
    assert judged(less)["two-fragments"].verdict == HOLDS
    large = changed(known, "footprint", flash, flash_octets=20_000)
    assert judged(large)["no-decryption"].verdict == FAILS
    as_printed = {"what": "exchange", "protection": "AH XCBC", "data_octets": 64}
    worst = changed(known, "energy", as_printed, energy_uj=500.0, listening_ms=8.0)
    assert judged(worst)["worst-energy"].verdict == HOLDS
    assert (
        judged(changed(worst, "energy", as_printed, energy_uj=700.0))["figure-8"].verdict == FAILS
    )


def test_the_worst_at_the_clock_of_contiki() -> None:
    """What the reasons say of forms: the fast one takes less than half of the paper's worst for every
    suite, the small one more; and with 16 octets its CPU gains more under ESP than the air takes."""
    cpu, clock_hz = BOARDS["telosb"].cpu, PAPER_CLOCKS_HZ["telosb"]
    worst_ms = max(1000 * sum(exchange(cpu, suite, 512)[1:]) / clock_hz for suite in SUITES)
    assert 2 * worst_ms < 261 < 1000 * sum(exchange(cpu, ESP, 512, "small")[1:]) / clock_hz
    short = [sum(exchange(cpu, suite, 16, "small")[1:]) for suite in ("AH XCBC", ESP)]
    saves_ms = 1000 * (short[0] - short[1]) / BOARDS["telosb"].clock_hz
    ours = {one.name: one.value for one in judged(rows())["figure-9"].ours}
    assert ours["cpu saves"] < ours["air takes"] < saves_ms


def test_nothing_is_judged_without_rows() -> None:
    """Not even what follows from formats: our figures are cut from frames."""
    assert {row.verdict for row in ipsec.ipsec_claims({})} == {UNJUDGED}


def test_the_document_has_the_list(root: Path) -> None:
    """As computed now. A figure may differ by half a per cent."""
    text = texts((root / "docs/do-the-claims-hold.md").read_text("utf-8"), "ipsec-claims")["text"]
    lines = text.splitlines()
    for row in ipsec.ipsec_claims(rows()):
        if row.verdict != UNJUDGED:
            *_, line = to_markdown([row], view.DOCUMENT).splitlines()
            assert any(close(have, line, 0.02) for have in lines), row.claim


def test_a_report_judges_by_its_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`wardmote ipsec claims`: what the folder has rows of is judged, the rest waits; a folder
    without rows names the verbs that write some."""
    assert main(["ipsec", "claims", str(tmp_path)]) == 3
    [line] = capsys.readouterr().err.splitlines()
    assert all(name in line for name in VERBS)
    kept = to_json(TELOSB.rows_of("overhead"))
    (tmp_path / "ipsec-overhead.json").write_text(kept, encoding="utf-8")
    assert main(["ipsec", "claims", str(tmp_path), "--format", "json"]) == 0
    found = {row["claim"]: row["verdict"] for row in json.loads(capsys.readouterr().out)}
    assert (found["two-fragments"], found["figure-9"]) == (FAILS, UNJUDGED)
    [*_, section] = sections(tmp_path)
    assert section.title == CLAIMS.format("compressed IPsec")
