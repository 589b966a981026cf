# SPDX-License-Identifier: BSD-3-Clause
"""Every field of the rows of `wardmote tinysec`, by hand from cases that are made up."""

import dataclasses
from typing import Any

import pytest

from wardmote.experiments.tinysec.verbs.throughput import TinysecThroughputRow, gathered
from wardmote.experiments.tinysec.verbs.turns import TinysecTurnsRow, answer, over_all
from wardmote.experiments.tinysec.verbs.turns import gathered as turns


def cases(stack: str, received: list[int], senders: int = 6) -> list[dict[str, Any]]:
    """A case of each seed."""
    return [
        {"board": "mica2", "stack": stack, "senders": senders, "seconds": 60, "gap": 9, "seed": 3 + n,
         "received": octets, "sent": 100 + 10 * n, "refused": 2 * n}
        for n, octets in enumerate(received)
    ]  # fmt: skip


def test_every_field_of_throughput() -> None:
    """With 3 seeds the half of the interval is 4.303 standard deviations over the root of 3. 10, 20
    and 30 deviate by 10; beside 20, 25 and 30 they are 0.5, 0.8 and 1, which deviate by 0.251661. The
    paper says that AE loses 6 % above 5 senders. A packet of AE has 24 + 12 octets."""
    none, ae = gathered([*cases("ae", [10, 20, 30]), *cases("none", [20, 25, 30])][::-1])
    expected = {
        "board": "mica2", "stack": "ae", "senders": 6, "seconds": 60, "gap": 9, "seeds": [5, 4, 3],
        "data_octets": 24, "packet_octets": 36, "received": 20.0, "received_half": 24.8434,
        "received_each": [30, 20, 10], "sent": 110.0, "refused": 2.0,
        "sent_each": [120, 110, 100], "in_the_air": 0.053472, "reference": "none",
        "ratio": 0.766667, "ratio_half": 0.625211, "paper_ratio": 0.94,
    }  # fmt: skip
    rounded = {name: round(x, 6) if isinstance(x, float) else x for name, x in ae.items()}
    assert rounded.pop("received_half") == pytest.approx(expected.pop("received_half"), abs=1e-4)
    assert rounded.pop("ratio_half") == pytest.approx(expected.pop("ratio_half"), abs=1e-5)
    assert rounded == expected
    names = {field.name for field in dataclasses.fields(TinysecThroughputRow)}
    assert names == set(ae) | {"wardmote", "commit"}
    assert (none["stack"], none["ratio"], none["paper_ratio"]) == ("none", None, None)
    few = list(gathered([*cases("auth", [7], 5), *cases("none", [20], 5)]))
    assert (few[0]["received_half"], few[0]["ratio"], few[0]["packet_octets"]) == (None, 0.35, 32)
    assert few[0]["paper_ratio"] == 1.0
    fewer = list(gathered([*cases("ae", [7], 5), *cases("none", [20], 5)]))
    assert fewer[0]["paper_ratio"] == 1.0
    [alone] = gathered(cases("none-29", [7, 9]))
    assert (alone["reference"], alone["ratio"], alone["paper_ratio"]) == ("ae", None, 1.0)
    assert (alone["data_octets"], alone["packet_octets"]) == (29, 36)


def test_every_field_of_turns() -> None:
    """With 2 seeds. 5 and 4 turns beside 10 and 10 are 0.5 and 0.4: 0.45, and 12.706 times 0.0707 over
    the root of 2. Of those 9 turns 6 have one packet, so that of 3 collisions one gives a packet when
    7 are received. 4 of 5 and 3 of 4 received are 0.8 and 0.75."""
    ae = [
        {"board": "mica2", "stack": "ae", "senders": 6, "seconds": 30, "gap": 0, "seed": seed, **found}
        for seed, found in enumerate(
            [{"turns": 5, "alone": 3, "received": 4}, {"turns": 4, "alone": 3, "received": 3}], 7
        )
    ]  # fmt: skip
    none = [one | {"stack": "none", "turns": 10, "alone": 10, "received": 10} for one in ae]
    plain, found = turns([*none, *ae])
    expected = {
        "board": "mica2", "stack": "ae", "senders": 6, "seconds": 30, "seeds": [7, 8], "turns": 4.5,
        "turns_half": 6.353, "turns_each": [5, 4], "alone": 3.0, "received": 3.5,
        "received_each": [4, 3], "chance": 0.775, "chance_half": 0.31765, "captured": 1 / 3,
        "reference": "none", "ratio": 0.45, "ratio_half": 0.6353,
    }  # fmt: skip
    assert set(found) == set(expected)
    for name, value in expected.items():
        assert found[name] == (
            pytest.approx(value, abs=1e-4) if isinstance(value, float) else value
        )
    names = {field.name for field in dataclasses.fields(TinysecTurnsRow)}
    assert names == set(found) | {"wardmote", "commit"}
    assert (plain["captured"], plain["ratio"], plain["ratio_half"]) == (None, None, None)


def test_shares_of_turns_by_hand() -> None:
    """With 2 seeds and 2 and 6 senders. AE's loss is asked of more than 5 senders: 45 of 50 and 46 of
    50 turns, 36 of 40 and 46 of 40 packets. Plain packets as long are asked of all: 8 + 44 of 10 + 45
    turns, then 8 + 47 of 10 + 46."""
    counted = {
        ("none", 6): [(50, 40), (50, 40)],
        ("ae", 2): [(10, 10), (10, 10)],
        ("ae", 6): [(45, 36), (46, 46)],
        ("none-29", 2): [(8, 8), (8, 8)],
        ("none-29", 6): [(44, 36), (47, 46)],
    }
    rows = [
        TinysecTurnsRow(**row, wardmote="", commit="")
        for row in turns(
            [
                {"board": "mica2", "stack": stack, "senders": senders, "seconds": 30, "gap": 0,
                 "seed": seed, "turns": one, "alone": 0, "received": received}
                for (stack, senders), each in counted.items()
                for seed, (one, received) in enumerate(each)
            ]
        )
    ]  # fmt: skip
    shares = over_all([row for row in rows if row.senders == 6], "ae")
    assert shares.turns.mean == pytest.approx((0.9 + 0.92) / 2)
    assert shares.received.mean == pytest.approx((0.9 + 1.15) / 2)
    assert shares.chance.mean == pytest.approx((1.0 + 1.25) / 2)
    shares = over_all(rows, "none-29")
    assert shares.turns.mean == pytest.approx((52 / 55 + 55 / 56) / 2)
    assert shares.received.mean == pytest.approx((44 / 46 + 54 / 56) / 2)
    said = answer(rows)
    assert said.startswith("AE beside plain TinyOS, with 6 senders: turns 0.910 ± ")
    assert "plain packets as long as AE's, beside AE, with 2 to 6 senders: turns 0.964 ± " in said
    assert answer([row for row in rows if row.stack == "none"]) == (
        "No stack was compared with another."
    )
