# SPDX-License-Identifier: BSD-3-Clause
"""A node that goes on where it was before a restart, and no further than a store grants."""

import ctypes
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.linklib import Link, link_target, name_of
from tests.stack.link.simulation import LEAF, ROOT, Simulation, assert_clean, kind

ASN = 0x0102030405
USED_UP = 0xFFFFFFFF


def values(tx: int = 0, rx: tuple[int, int] = (0, 0), asn: int = 0) -> dict[str, Any]:
    """wm_tsch_resumption."""
    return {"tx_counter": tx, "rx_counter": rx, "asn": asn.to_bytes(5, "big")}


def resume(simulation: Simulation, node: int, **what: Any) -> str:
    """wm_tsch_resume of a node of the simulation."""
    octets = bytes(link_target("host").pack("wm_tsch_resumption", **values(**what)))
    tsch = ctypes.c_void_p(simulation.library.port_double_tsch(node))
    return name_of(simulation.library.wm_tsch_resume(tsch, octets))


def begin(simulation: Simulation, seconds: float = 1.5) -> Simulation:
    """Both nodes start, and run for a while."""
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(seconds)
    return simulation


def counter_of(octets: bytes) -> int:
    """Frame counter of a frame with two extended addresses, or of a beacon."""
    at = 16 if octets[0] & 7 == model.BEACON else 22
    return int.from_bytes(octets[at : at + 4], "little")


def test_a_root_goes_on_at_its_asn() -> None:
    """The root's first slot has the ASN it resumes with, at its place in slotframe and hopping
    sequence."""
    simulation = Simulation()
    assert resume(simulation, ROOT, asn=ASN) == "WM_OK"
    assert_clean(begin(simulation, 6))
    beacons = [sent for sent in simulation.sent if kind(sent) == model.BEACON]
    assert beacons[0].asn == ASN + -ASN % 7
    assert {sent.asn % 7 for sent in beacons} == {0}
    assert simulation.asn(LEAF) > ASN


def test_a_leaf_refuses_beacons_from_before() -> None:
    """A leaf that secured frames up to an ASN joins no network whose time is earlier."""
    simulation = Simulation()
    assert resume(simulation, LEAF, asn=ASN) == "WM_OK"
    leaf = begin(simulation).stats(LEAF)
    assert (leaf["joined"], leaf["refused"] > 0, leaf["last_error"]) == (0, True, 4)


def test_counters_go_on() -> None:
    """No frame has a counter below the one resumed with, and none below the least acceptable is
    taken."""
    simulation = Simulation(counter_carried=True)
    assert resume(simulation, LEAF, tx=1000, rx=(70, 70)) == "WM_OK"
    assert resume(simulation, ROOT, tx=70, rx=(0, 1000)) == "WM_OK"
    assert_clean(begin(simulation, 6))
    for node, first in ((ROOT, 70), (LEAF, 1000)):
        counters = [counter_of(sent.octets) for sent in simulation.sent if sent.node == node]
        assert counters == list(range(first, first + len(counters)))


@pytest.mark.parametrize("node", [ROOT, LEAF])
@pytest.mark.parametrize("which", ["tx", "asn"])
def test_what_is_used_up_sends_nothing(node: int, which: str) -> None:
    """A store that could not be read says that everything is used up: the node is silent."""
    simulation = Simulation(counter_carried=which == "tx")
    what = {"tx": USED_UP} if which == "tx" else {"asn": (1 << 40) - 1}
    assert resume(simulation, node, **what) == "WM_OK"
    assert {sent.node for sent in begin(simulation).sent} <= {1 - node}


def test_nothing_is_sent_that_the_store_does_not_grant() -> None:
    """A port that refuses counters from a limit on silences its node there; when the limit rises it
    goes on."""
    simulation = Simulation(counter_carried=True)
    simulation.library.port_double_grant(LEAF, 10)
    begin(simulation)
    assert simulation.stats(LEAF)["last_error"] == 20
    sent = [counter_of(frame.octets) for frame in simulation.sent if frame.node == LEAF]
    assert sent == list(range(10))
    simulation.library.port_double_grant(LEAF, 12)
    simulation.run(0.5)
    sent = [counter_of(frame.octets) for frame in simulation.sent if frame.node == LEAF]
    assert sent == list(range(12))


def test_nothing_goes_back(link: Link) -> None:
    """A value below the node's, or a node that has started, is refused and changes nothing."""
    now = values(5, (6, 7), 300)
    worse = [
        values(4, (6, 7), 300),
        values(5, (5, 7), 300),
        values(5, (6, 6), 300),
        values(5, (6, 7), 255),
    ]
    for state, tried, status in (
        *(("WM_TSCH_OFF", value, "WM_ERR_COUNTER") for value in worse),
        ("WM_TSCH_SCAN", values(9, (9, 9), 400), "WM_ERR_STATE"),
        ("WM_TSCH_OFF", values(5, (6, 7), 301), "WM_OK"),
    ):
        link.target.reset()
        number = link.target.prototypes.constants[state]
        node = link.target.pack("wm_tsch", state=number, config={"slotframe_length": 101}, **now)
        before = bytes(node)
        resumption = bytes(link.target.pack("wm_tsch_resumption", **tried))
        assert name_of(link.target.call("wm_tsch_resume", node, resumption).value) == status
        after = link.target.unpack("wm_tsch", bytes(node))
        assert (bytes(node) == before) == (status != "WM_OK")
        if status == "WM_OK":
            assert (after["slot_offset"], after["channel_index"]) == (301 % 101, 301 % 16)
