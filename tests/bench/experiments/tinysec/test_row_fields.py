# SPDX-License-Identifier: BSD-3-Clause
"""Every field of the rows of `wardmote tinysec`, by hand from cases that are made up."""

import dataclasses
from typing import Any

import pytest

from wardmote.experiments.tinysec.verbs.throughput import TinysecThroughputRow, gathered


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
