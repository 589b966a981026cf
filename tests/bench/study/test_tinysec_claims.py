# SPDX-License-Identifier: BSD-3-Clause
"""The list of claims of the paper on TinySec has all its tables, figures and printed numbers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tests.bench.study.test_claims import leaves
from wardmote.published import load
from wardmote.study.claims import tinysec
from wardmote.study.claims.judge import FAILS, HOLDS, UNJUDGED, claims, places
from wardmote.views import claims as view

HELD = {*(f"Table {n}" for n in range(1, 5)), *(f"Fig. {n}" for n in range(1, 6))}
WORDS = {"platform.node", "platform.cpu", "platform.radio", "throughput.auth_loss"}
WORDS |= {"throughput.equal_length_packets_equal_throughput"}
"""What the paper's file says in words."""


def test_every_table_and_figure_is_in_the_list_once() -> None:
    """And no name or sentence is there twice."""
    listed = claims(tinysec.PAPER)
    starts = Counter(one["at"].split(", ")[0] for one in listed)
    assert {name: starts[name] for name in HELD} == dict.fromkeys(HELD, 1)
    for key in ("id", "says"):
        assert max(Counter(one[key] for one in listed).values()) == 1


def test_every_printed_figure_belongs_to_a_claim() -> None:
    """No figure of the paper's file is without a claim, and no claim names one that is not there."""
    named = {place for one in claims(tinysec.PAPER) for place in places(one)}
    assert named == set(leaves(load(tinysec.PAPER))) - WORDS


def test_reasons_are_used(root: Path) -> None:
    """What cannot be judged says why, what is judged has figures of ours, and pages that are named
    are there."""
    listed = claims(tinysec.PAPER)
    reasons = set(load(f"{tinysec.PAPER}_claims")["reason"])
    assert {one["cannot"] for one in listed if "cannot" in one} == reasons
    for one in listed:
        assert "cannot" in one or one["ours"], one["id"]
        assert (root / one["shown"]).is_file(), one["id"]
    sources = "\n".join(path.read_text() for path in (root / "tests").rglob("test_*.py"))
    for name in re.findall(r"`(test_\w+)`", " ".join(one.get("note", "") for one in listed)):
        assert f"def {name}(" in sources


def test_verdicts() -> None:
    """What follows from the format agrees, but for a figure of the text that the paper's own table
    corrects; what needs a network waits."""
    rows = {row.claim: row for row in tinysec.tinysec_claims()}
    verdicts = Counter(row.verdict for row in rows.values())
    assert [name for name, row in rows.items() if row.verdict == FAILS] == ["expected-latency"]
    assert rows["table-2"].verdict == rows["iv-life"].verdict == HOLDS
    assert rows["figure-3"].verdict == rows["table-4"].verdict == UNJUDGED
    assert verdicts[HOLDS] >= 10


def test_the_document_has_the_list(root: Path) -> None:
    """As computed now."""
    text = (root / "docs/do-the-claims-hold.md").read_text(encoding="utf-8")
    assert view.block(tinysec.tinysec_claims()) in text
