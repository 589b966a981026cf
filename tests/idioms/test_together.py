# SPDX-License-Identifier: BSD-3-Clause
"""The programs of all boards in one air: frames that one board sends are heard and acknowledged by
another one, whose program and radio are others."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from tests.idioms.texts import lines
from wardmote import Air, Mote

pytestmark = pytest.mark.xdist_group("idioms-together")

SLOWEST_S = 6.0
# How each is told to send five frames, and at how many baud.
COMMANDS = {
    "telosb": ("s", 57_600),
    "micaz": ("send 5\n", 57_600),
    "openmote-cc2538": ("send 5\n", 115_200),
}


@pytest.mark.parametrize(("sender", "receiver"), [*permutations(COMMANDS, 2)])
def test_frames(program: Callable[..., Path], sender: str, receiver: str) -> None:
    """Five are sent, five acknowledged, five heard, and nobody misuses a chip."""
    air = Air()
    one = Mote(program(sender), sender, air=air, node_id=1)
    two = Mote(program(receiver), receiver, air=air, node_id=2)
    for node in (one, two):
        node.until_text("ready", SLOWEST_S)
    text, baud = COMMANDS[sender]
    one.send(text, baud=baud)
    one.until_text("acked ")
    air.run(0.1)
    assert lines(one.text)["acked"][0] == "5"
    assert lines(two.text)["heard"] == ["5"]
    assert [len(frame.octets) for frame in one.frames + two.frames] == [29] * 5 + [5] * 5
    assert one.misuse == two.misuse == []
