# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec keying`: what Table 1 says of each keying is what attackers find."""

from pathlib import Path

import pytest

from tests.bench.experiments.tinysec_rows import is_in_the_document, of_everything, rows_of
from wardmote.experiments.tinysec.keying import KeyingRow

pytestmark = pytest.mark.xdist_group("tinysec keying")
PROTECT = "docs/what-does-tinysec-protect.md"
MODES = ("auth", "ae")


def row(keying: str, mode: str) -> KeyingRow:
    """One of the rows."""
    [found] = [one for one in rows_of("keying") if (one.keying, one.mode) == (keying, mode)]
    assert isinstance(found, KeyingRow)
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("keying", "read", "reached", "names"),
    [("network", 3, 3, 3), ("link", 1, 1, 1), ("group", 2, 2, 3)],
)
def test_what_a_captured_mote_gives_away(
    keying: str, mode: str, read: int, reached: int, names: int
) -> None:
    """One key: all. Links: its own. Groups: those of A, B and D, whose packets name whom they like;
    of the three neighbours of D, C is in another group. A stranger is refused by all."""
    one = row(keying, mode)
    assert (one.read, one.reached, one.names, one.strangers) == (read, reached, names, 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("keying", "broadcast", "overheard"), [("network", 3, 2), ("link", 0, 0), ("group", 2, 1)]
)
def test_broadcast_and_overhearing(keying: str, mode: str, broadcast: int, overheard: int) -> None:
    """Table 1: keys of links prohibit both. A broadcast under the key of D's first group reaches A
    and B; B overhears A."""
    one = row(keying, mode)
    assert (one.broadcast, one.overheard) == (broadcast, overheard)


@pytest.mark.parametrize("mode", MODES)
def test_what_a_neighbour_takes_in_ram(mode: str) -> None:
    """A key of Skipjack has 10 octets behind pointers of 2 and the record of its cipher: 14. A pair
    has two; its entry a peer and two pointers, 6; the keyring a pointer, two octets and a kind."""
    assert (row("network", mode).pairs, row("network", mode).ram_octets) == (1, 2 * 14)
    assert row("network", mode).pair_octets == 2 * 14
    for keying, pairs, kept in (("link", 3, 25), ("group", 2, 1)):
        one = row(keying, mode)
        assert (one.pairs, one.pair_octets) == (pairs, 2 * 14 + 6)
        assert one.ram_octets == kept * (2 * 14 + 6) + 6


def test_what_further_keys_cost() -> None:
    """A packet with 22 octets of data has a MAC of 5 blocks as Auth (30 octets and the length), as AE
    as many. Each further pair costs one, where the source does not tell the keys."""
    for keying, mode in (("link", "auth"), ("group", "auth"), ("group", "ae")):
        assert 5 * 1248 < row(keying, mode).more_cycles < 10 * 1248
        one, network = row(keying, mode), row("network", mode)
        more = (one.pairs - 1) * one.more_cycles
        assert one.refusal_cycles == pytest.approx(network.refusal_cycles + more, rel=0.03)
    assert row("link", "ae").more_cycles < 100
    assert row("network", "ae").more_cycles == 0
    assert 1248 < row("network", "auth").refusal_cycles < 4 * 1248


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = of_everything("keying", "board", "seed", "wardmote", "commit")
    assert found == {("mica2", 1, "1.0", "c0ffee")}


def test_the_document_has_these_figures(root: Path) -> None:
    """As measured now, but for the last digit."""
    assert is_in_the_document(root, "keying", 0.02, PROTECT)
