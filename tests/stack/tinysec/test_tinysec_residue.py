# SPDX-License-Identifier: BSD-3-Clause
"""After a call of TinySec nothing of a key or a message stays on the stack, on each emulated CPU."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from tests.model.tinysec_model import Message, Node, ae, auth
from tests.stack.conftest import target_named
from tests.stack.residue import KINDS, Operation, check, residue
from tests.stack.tinysec.test_tinysec import AE, AUTH, BY_GROUP, HEADERS, LINK, PROFILES, Mote
from wardmote.call import EmulatedTarget
from wardmote.cpus import CPU_NAMES

OCTETS = 29


def send(target: EmulatedTarget, source: Random, mode: int, profile: str) -> None:
    """A packet is made."""
    node = Mote(target, source.randbytes(16), config={"send": mode, "profile": PROFILES[profile]})
    assert node.secure(Message(3, 1, source.randbytes(OCTETS)))[0] == "WM_OK"


def receive(
    target: EmulatedTarget, source: Random, mode: int, profile: str, status: str, octets: int
) -> None:
    """A packet is taken octet by octet, and accepted or refused."""
    key = source.randbytes(16)
    message, model = Message(2, 1, source.randbytes(octets)), Node(key, profile, "skipjack")
    packet = bytearray(ae(model, message, 5) if mode == AE else auth(model, message))
    packet[-1] ^= status != "WM_OK"
    node = Mote(target, key, config={"profile": PROFILES[profile]})
    assert node.receive(bytes(packet), (1,) * len(packet))[0] == status


def receive_in_ring(
    target: EmulatedTarget, source: Random, mode: int, keying: int, status: str
) -> None:
    """A packet of the second of three pairs, so that another was tried before, or of none."""
    keys = [source.randbytes(16) for _ in range(3)]
    pairs = list(zip((5, 6, 7), keys, strict=True))
    message = Message(2, 1, source.randbytes(OCTETS))
    model = Node(keys[1] if status == "WM_OK" else source.randbytes(16), "paper", "skipjack", 6)
    packet = ae(model, message, 5) if mode == AE else auth(model, message)
    node = Mote(target, source.randbytes(16), pairs=pairs, keying=keying)
    assert node.receive(packet, (1,) * len(packet))[0] == status


OPERATIONS: dict[str, Operation] = {
    **{
        f"receive {mode} {status} keyring {keying}": partial(
            receive_in_ring, mode=mode, keying=keying, status=status
        )
        for mode in (AUTH, AE)
        for keying in (LINK, BY_GROUP)
        for status in ("WM_OK", "WM_ERR_SECURITY")
    },
    **{
        f"send {mode} {profile}": partial(send, mode=mode, profile=profile)
        for mode in (AUTH, AE)
        for profile in PROFILES
    },
    **{
        f"receive {mode} {status} {octets}": partial(
            receive, mode=mode, profile="paper", status=status, octets=octets
        )
        for mode in (AUTH, AE)
        for status in ("WM_OK", "WM_ERR_SECURITY")
        for octets in (5, OCTETS)
    },
}


@pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_packets_leave_nothing(cpu: str, form: str) -> None:
    """Sent, accepted and refused."""
    target = target_named(cpu + form, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    check({name: residue(target, run) for name, run in OPERATIONS.items()})
