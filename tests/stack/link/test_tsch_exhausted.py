# SPDX-License-Identifier: BSD-3-Clause
"""A node whose counter or ASN is used up falls silent, and what an Enh-Ack must at least say."""

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.linklib import Link, name_of
from tests.stack.link.simulation import LEAF, ROOT, Sent, exchange, kind

ALL_ONES = {"tx_counter": b"\xff" * 4, "asn": b"\xff" * 5}


@pytest.mark.parametrize("member", ALL_ONES)
@pytest.mark.parametrize("node", [ROOT, LEAF])
def test_a_used_up_nonce_sends_nothing(node: int, member: str) -> None:
    """With the last counter, or the last ASN, behind it a node sends no frame of any kind again,
    and goes on."""
    simulation = exchange(0.3, counter_carried=member == "tx_counter")
    simulation.set(node, member, ALL_ONES[member])
    simulation.run(0.1)
    simulation.sent.clear()
    simulation.run(1)
    assert {sent.node for sent in simulation.sent} <= {1 - node}
    assert simulation.stats(ROOT)["joined"] == 1
    assert node == LEAF or simulation.stats(ROOT)["last_error"] == 4


@pytest.mark.parametrize("level", [0, 4])
def test_an_ack_without_time_correction_is_refused(level: int) -> None:
    """Where no MIC protects an Enh-Ack, one that lacks its IE counts as refused, not as an
    acknowledgment."""
    simulation = exchange(0.3, level=level, profile=1)
    where = len(model.time_correction(0))

    def medium(sent: Sent) -> bytes:
        if kind(sent) != model.ACK:
            return sent.octets
        begin = len(sent.octets) - where
        return sent.octets[:begin] + b"\x02\x10" + sent.octets[begin + 2 :]

    simulation.medium = medium
    before = simulation.stats(LEAF)
    simulation.run(0.5)
    after = simulation.stats(LEAF)
    assert after["data_acked"] - before["data_acked"] <= 1
    assert (after["refused"] - before["refused"] > 5, after["last_error"]) == (True, 2)


@pytest.mark.parametrize("function", ["wm_frame_split_clear", "wm_frame_split_secured"])
def test_a_frame_shorter_than_its_map_is_refused(link: Link, function: str) -> None:
    """A length that does not reach the private payload, or not the MIC behind it, is malformed."""
    target = link.target
    mhr = target.pack("wm_mhr", type=model.DATA, version=1, security_enabled=True, ash={"level": 5})
    places = target.pack("wm_frame_map", ash=9, header_ie=14, open=14, private_payload=14)
    mic = 4 if function.endswith("secured") else 0
    answers = []
    for length in (14 + mic, 13 + mic, mic, 0):
        split = target.pack("wm_frame_split")
        answers.append(name_of(target.call(function, mhr, places, 1, length, split).value))
    assert answers == ["WM_OK", *["WM_ERR_MALFORMED"] * 3]
