# SPDX-License-Identifier: BSD-3-Clause
"""After a call of IPsec nothing of a key or a message stays on the stack, on each emulated CPU."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from tests.model.ipsec_model import AHS, ENCRYPTION, ESPS, INTEGRITY, UDP, Sa, Suite, ipv6, secured
from tests.stack.conftest import target_named
from tests.stack.net import ipseclib
from tests.stack.net.ipseclib import IN, OUT, PROTECT, Node
from tests.stack.residue import KINDS, Operation, check, residue
from vectors.generate_ipsec import OURS, PEER
from wardmote.call import EmulatedTarget
from wardmote.cpus import CPU_NAMES

SALT = b"salt"
"""Public, as the IV that follows from it."""
OCTETS = 11
"""With more, buffers reach the stack where portable C fills the AVR's RAM with tables."""


def secret_sa(suite: Suite, source: Random) -> Sa:
    """Keys are secret."""
    key = source.randbytes(ENCRYPTION[suite.encryption].key_octets if suite.encryption else 0)
    code = source.randbytes(INTEGRITY[suite.integrity].key_octets if suite.integrity else 0)
    return Sa(suite, 1, key, SALT, code)


def exchange(target: EmulatedTarget, source: Random, suite: Suite, way: str) -> None:
    """A packet is sent, taken or refused."""
    sa = secret_sa(suite, source)
    packet = ipv6(PEER, OURS, UDP, b"\x0f\xa0\0\x07" + source.randbytes(OCTETS))
    remote = OURS if way == "send" else PEER
    policy = {"remote": remote, "prefix": 128, "action": PROTECT}
    policy["ah" if suite.is_ah else "esp"] = ipseclib.GROUP
    direction = OUT if way == "send" else IN
    sas = [(direction, sa)]
    made_node = Node(
        target, sas, policies=[policy], cipher="small_both", code_cipher="small", slots=1
    )
    if way == "send":
        assert made_node.secure(packet)[0] == "WM_OK"
        return
    made = bytearray(secured((sa,), packet, 1))
    made[60] ^= way == "refuse"
    status = "WM_ERR_SECURITY" if way == "refuse" else "WM_OK"
    assert made_node.unsecure(bytes(made))[0] == status


OPERATIONS: dict[str, Operation] = {
    f"{way} {suite}": partial(exchange, suite=suite, way=way)
    for suite in (*AHS, *ESPS)
    for way in ("send", "take", "refuse")
}


@pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_packets_leave_nothing(cpu: str, form: str) -> None:
    """Sent, accepted and refused."""
    target = target_named(cpu + form, *ipseclib.HEADERS)
    assert isinstance(target, EmulatedTarget)
    check({name: residue(target, run) for name, run in OPERATIONS.items()})
