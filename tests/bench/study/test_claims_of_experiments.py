# SPDX-License-Identifier: BSD-3-Clause
"""The lists of claims that rows of experiments judge have all tables, figures and printed numbers of
their papers."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.bench.study.test_claims import leaves
from wardmote.published import load
from wardmote.study.claims.judge import NOT_MEASURED, claims, places
from wardmote.study.claims.judges import JUDGES

HELD = {
    "tinysec": {*(f"Table {n}" for n in range(1, 5)), *(f"Fig. {n}" for n in range(1, 6))},
    "ipsec": {"Table I", "Table II", *(f"Fig. {n}" for n in range(1, 11))},
}
"""Tables and figures of each paper, as its pages count them."""
WORDS = {
    "tinysec": {
        *("platform.node", "platform.cpu", "platform.radio", "throughput.auth_loss"),
        "throughput.equal_length_packets_equal_throughput",
    },
    "ipsec": {
        *("nhc.eid_ah_esp", "nhc.nhc_id_ah", "nhc.nhc_id_esp"),
        "response_time.overhead_constant_in_hops",
    },
}
"""What a paper's file says in words."""
PAPERS = [judge.paper for judge in JUDGES]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_and_figure_is_in_the_list_once(paper: str) -> None:
    """And no name or sentence is there twice."""
    listed = claims(paper)
    starts = Counter(one["at"].split(", ")[0] for one in listed)
    assert {name: starts[name] for name in HELD[paper]} == dict.fromkeys(HELD[paper], 1)
    for key in ("id", "says"):
        assert max(Counter(one[key] for one in listed).values()) == 1


@pytest.mark.parametrize("paper", PAPERS)
def test_every_printed_figure_belongs_to_a_claim(paper: str) -> None:
    """No figure of the paper's file is without a claim, and no claim names one that is not there."""
    named = {place for one in claims(paper) for place in places(one)}
    assert named == set(leaves(load(paper))) - WORDS[paper]


@pytest.mark.parametrize("paper", PAPERS)
def test_reasons_are_used(paper: str, root: Path) -> None:
    """What cannot be judged says why, what is judged has figures of ours, and pages and tests that
    are named are there."""
    listed = claims(paper)
    reasons = set(load(f"{paper}_claims")["reason"])
    assert {one["cannot"] for one in listed if "cannot" in one} | {NOT_MEASURED} == reasons
    for one in listed:
        assert "cannot" in one or one["ours"], one["id"]
        assert (root / one["shown"]).is_file(), one["id"]
    sources = "\n".join(path.read_text() for path in (root / "tests").rglob("test_*.py"))
    for name in re.findall(r"`(test_\w+)`", " ".join(one.get("note", "") for one in listed)):
        assert f"def {name}(" in sources
