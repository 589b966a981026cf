# SPDX-License-Identifier: BSD-3-Clause
"""A cipher whose engine fails within a frame: nothing of the frame counts, and no counter twice."""

import pytest

from tests.stack.conftest import target_named
from tests.stack.link.editions import EDITIONS
from tests.stack.link.frames import air
from tests.stack.link.incoming_refusals import V1 as RECEIVED
from tests.stack.link.outgoing_refusals import V1
from tests.stack.link.peers import KEY
from tests.stack.link.pib import Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Target

COUNTER = 9


def node_with_engine(target: Target, edition: int) -> Node:
    """Its key goes through the double of an engine, and takes the place of one that is as large."""
    sizes = {target.layout(f"wm_aes128_{form}_key").size for form in ("tab", "small")}
    assert len(sizes) == 1
    node = Node(target, Pib(edition, counter=COUNTER))
    keys = target.unpack("wm_key_descriptor", node.tables["keys"].read())
    target.call("engine_double_aes128", keys["cipher"], KEY)
    target.call("engine_double_fail_at", 0)
    return node


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_frame_leaves_half_secured(edition: int) -> None:
    """Wherever the engine fails, the frame is zero, as long as it was; its counter is used up."""
    target = target_named("host")
    frame = V1.clear()
    assert node_with_engine(target, edition).secure(frame).status == "WM_OK"
    blocks = target.call("engine_double_count").value
    assert blocks > 2
    for block in range(1, blocks + 1):
        node = node_with_engine(target, edition)
        target.call("engine_double_fail_at", block)
        made = node.secure(frame)
        assert (made.status, made.octets) == ("WM_ERR_ENGINE", bytes(len(frame))), block
        assert node.counter() == COUNTER + 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_frame_is_taken(edition: int) -> None:
    """Wherever the engine fails, a right frame is refused, nothing behind its ASH is left, and no
    counter moves."""
    target = target_named("host")
    frame = air(RECEIVED)
    assert node_with_engine(target, edition).unsecure(frame).status == "WM_OK"
    blocks = target.call("engine_double_count").value
    for block in range(1, blocks + 1):
        node = node_with_engine(target, edition)
        before = node.memory()
        target.call("engine_double_fail_at", block)
        refused = node.unsecure(frame)
        assert refused.status == "WM_ERR_ENGINE"
        hidden = len(RECEIVED.private_part) + 4  # and the MIC
        assert refused.octets == frame[:-hidden] + bytes(hidden), block
        assert node.memory() == before
