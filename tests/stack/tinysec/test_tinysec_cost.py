# SPDX-License-Identifier: BSD-3-Clause
"""What TinySec costs is what its document says, and leaves the time that the paper asks for."""

from __future__ import annotations

import pytest

from tests.model.tinysec_model import MOST
from tests.stack.tinysec import cost
from tests.stack.tinysec.test_tinysec import AE, AUTH
from wardmote.published import load

pytestmark = pytest.mark.xdist_group("tinysec cost")


def test_the_document_has_the_figures() -> None:
    """As measured now."""
    found = cost.BLOCK.search(cost.DOCUMENT.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == found[1] + cost.text() + found[2]


def test_block_operations() -> None:
    """Counted in the archived code: twelve for the longest AE packet, seven for Auth; one less where
    a block of the CBC-MAC takes eight octets. The paper's ten are those of its 24 octets."""
    assert cost.operations(AE, MOST, "shipped") == 12
    assert cost.operations(AUTH, MOST, "shipped") == 7
    assert cost.operations(AE, MOST, "paper") == 11
    assert cost.operations(AUTH, MOST, "paper") == 6
    printed = load("tinysec")["bounds"]["block_operations_max_per_packet"]
    assert cost.operations(AE, 24, "shipped") == printed


def test_the_sender_is_ready_before_the_start_symbol_ends() -> None:
    """With either cipher."""
    symbol = cost.PREAMBLE * cost.BYTE_TIME_S * cost.CLOCK_HZ
    for cipher in ("skipjack", "rc5"):
        assert cost.tinysec(cipher, AE, MOST).secure < symbol / 2


def test_little_is_left_behind_the_last_octet() -> None:
    """A block, and what it takes to hand the message over; no octet takes longer than a radio can
    wait with two octets of its own."""
    last, most, whole = cost.behind_the_last_octet()
    block = cost.block_cycles("skipjack")
    assert block < last < 3.5 * block
    assert cost.byte_times(most) < 2
    assert last < whole / 8
