# SPDX-License-Identifier: BSD-3-Clause
"""A cipher that fails at a block: no packet is sent in clear or with an ICV of nothing, and none is
taken."""

from __future__ import annotations

from tests.model.ipsec_model import AHS, ESPS, Sa, secured
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import GROUP, IN, OUT, PROTECT, Node
from tests.vectors import named
from vectors.generate_ipsec import OURS, PEER, clear, sa_of
from wardmote.call import Target

HEADERS = (*ipseclib.HEADERS, "engine_double")
PACKET = clear(30)


def made(target: Target, direction: int, sa: Sa) -> Node:
    """A node whose ciphers are engines."""
    policy = {"remote": PEER if direction == IN else OURS, "prefix": 128, "action": PROTECT}
    policy["ah" if sa.suite.is_ah else "esp"] = GROUP
    sas, engine = [(direction, sa)], "engine"
    node = Node(target, sas, policies=[policy], cipher=engine, code_cipher=engine)
    assert node.started == "WM_OK"
    target.call("engine_double_fail_at", 0)
    return node


def answer(node: Node, direction: int, packet: bytes) -> str:
    """Status; the node looks at what is left of a refused packet."""
    return (node.secure(packet) if direction == OUT else node.unsecure(packet))[0]


def test_every_block_that_fails(few: Target) -> None:
    """Nothing is left of the packet, and the window does not move."""
    for suite in (*AHS, *ESPS):
        sa = sa_of(suite, 1)
        for direction, packet in ((OUT, PACKET), (IN, secured((sa,), PACKET, 1))):
            with named(f"{suite} {direction}"):
                node = made(few, direction, sa)
                assert answer(node, direction, packet) == "WM_OK"
                blocks = few.call("engine_double_count").value
                every = range(1, blocks + 1) if few.name == "host" else {*(1, blocks)} - {0}
                for block in every if blocks else ():
                    node = made(few, direction, sa)
                    few.call("engine_double_fail_at", block)
                    assert answer(node, direction, packet) == "WM_ERR_ENGINE", block
                    assert node.sa(IN)["sequence"] == 0 if direction == IN else True
