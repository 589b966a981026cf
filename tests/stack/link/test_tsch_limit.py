# SPDX-License-Identifier: BSD-3-Clause
"""What an Enhanced Beacon with an ASN far ahead does to a leaf, as tsch.h says: without a limit the
leaf misses its true network; beyond the limit it is not believed."""

import pytest

from tests.stack.link.simulation import LEAF, ROOT, Simulation

FAR = 0xFF00000000 // 112 * 112
"""A multiple of the slotframe's and the hopping sequence's length."""
ANY = (1 << 40) - 1


def octets(asn: int) -> bytes:
    """An ASN as the stack keeps it."""
    return asn.to_bytes(5, "big")


def meet(limit: int, asn: int) -> Simulation:
    """A leaf with this limit, scanning where a root sends EBs from this ASN on."""
    simulation = Simulation(leaf={"join_asn_max": octets(limit)})
    simulation.set(ROOT, "asn", octets(asn))
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(8)
    return simulation


@pytest.mark.parametrize(
    ("limit", "asn", "joined"),
    [(ANY, FAR, 1), (FAR - 1, FAR, 0), (10_000, 112, 1), (10_000, 11_200, 0)],
)
def test_limit(limit: int, asn: int, joined: int) -> None:
    """A leaf joins by no EB beyond the limit, and its own ASN stays."""
    simulation = meet(limit, asn)
    assert simulation.stats(LEAF)["joined"] == joined
    assert (simulation.asn(LEAF) >= asn) == bool(joined)


def test_a_leaf_that_was_led_ahead_misses_its_network() -> None:
    """Without a limit one EB with a far ASN shuts a leaf out: what the true root sends afterwards is
    behind."""
    simulation = meet(ANY, FAR)
    simulation.set(ROOT, "asn", octets(1_120))
    simulation.run(300)
    assert simulation.stats(LEAF)["joined"] == 0
    assert simulation.asn(LEAF) >= FAR


def test_limit_is_moved() -> None:
    """wm_tsch_limit_join lets a leaf that learned the time join."""
    simulation = meet(10_000, 11_200)
    simulation.library.wm_tsch_limit_join(simulation._tsch(LEAF), octets(ANY))
    simulation.run(8)
    assert simulation.stats(LEAF)["joined"] == 1


def test_a_leaf_without_a_limit_is_refused() -> None:
    """All zero, as in a member that was never set, is a leaf that could never join."""
    assert Simulation(leaf={"join_asn_max": bytes(5)}).status == ["WM_OK", "WM_ERR_PARAM"]


@pytest.mark.parametrize("octet", range(5))
def test_any_octet_is_a_limit(octet: int) -> None:
    """A limit of one octet, wherever it stands, is a limit."""
    limit = octets(1 << 8 * octet)
    assert Simulation(leaf={"join_asn_max": limit}).status == ["WM_OK", "WM_OK"]
