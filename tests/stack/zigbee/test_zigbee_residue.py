# SPDX-License-Identifier: BSD-3-Clause
"""ZigBee leaves no key and no payload on the stack, on each emulated CPU: keys made of keys, frames
of both layers sent, taken and refused, commands that carry keys read and written."""

from __future__ import annotations

from random import Random

import pytest

from tests.model.zigbee_model import ApsFrame, ApsHeader, Aux, Command, KeyId, NwkFrame
from tests.stack.conftest import target_named
from tests.stack.residue import KINDS, Operation, check, residue
from tests.stack.zigbee import apslib, test_zigbee_keys, zigbeelib
from vectors.generate_zigbee import OWN, PEER
from wardmote.call import EmulatedTarget
from wardmote.cpus import CPU_NAMES


def derive(target: EmulatedTarget, source: Random) -> None:
    """A key of a link key."""
    test_zigbee_keys.made(target, "wm_zigbee_derive", source.randbytes(16), 0)


def hashed(target: EmulatedTarget, source: Random) -> None:
    """What installation codes are made into keys by; 30 octets want a block of padding."""
    test_zigbee_keys.made(target, "wm_zigbee_hash", source.randbytes(30), 30)


def nwk(target: EmulatedTarget, source: Random) -> None:
    """A NWK frame that is sent, one that is taken, one that is refused."""
    key, frame = source.randbytes(16), NwkFrame(payload=source.randbytes(30))
    node = zigbeelib.Node(target, key, 0, OWN)
    assert node.secure(frame.clear())[0] == "WM_OK"
    octets = frame.secured(key, Aux(KeyId.NETWORK, 0, PEER, 0))
    assert node.unsecure(octets)[0] == "WM_OK"
    octets = frame.secured(source.randbytes(16), Aux(KeyId.NETWORK, 1, PEER, 0))
    assert node.unsecure(octets)[0] == "WM_ERR_SECURITY"


def aps(target: EmulatedTarget, source: Random) -> None:
    """An APS command with a key, likewise, under the key-transport key."""
    key, payload = (
        source.randbytes(16),
        Command.network_key(source.randbytes(16), 0, OWN, PEER),
    )
    frame, aux = ApsFrame(ApsHeader(1), payload), Aux(KeyId.TRANSPORT, 0, PEER)
    node = apslib.ApsNode(target, (apslib.Link(PEER, key),), OWN)
    assert node.secure(frame.clear(), PEER)[0] == "WM_OK"
    assert node.unsecure(frame.secured(key, aux))[0] == "WM_OK"
    octets = frame.secured(source.randbytes(16), Aux(KeyId.TRANSPORT, 1, PEER))
    assert node.unsecure(octets)[0] == "WM_ERR_SECURITY"


def command(target: EmulatedTarget, source: Random) -> None:
    """A command that carries a key, read and written."""
    payload = Command.center_key(source.randbytes(16), OWN, PEER)
    read = bytearray(len(target.pack("wm_zigbee_command")))
    assert target.call("wm_zigbee_command_parse", payload, len(payload), read).value == 0
    out, length = bytearray(60), bytearray(1)
    assert target.call("wm_zigbee_command_build", read, out, 60, length).value == 0


OPERATIONS: dict[str, tuple[tuple[str, ...], dict[str, Operation]]] = {
    "keys": (test_zigbee_keys.HEADERS, {"derive": derive, "hash": hashed}),
    "nwk": (zigbeelib.HEADERS, {"frames": nwk}),
    "aps": (apslib.HEADERS, {"frames": aps, "command": command}),
}


@pytest.mark.parametrize("room", OPERATIONS)
@pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_zigbee_leaves_nothing(cpu: str, form: str, room: str) -> None:
    """Whatever it answers."""
    headers, ways = OPERATIONS[room]
    target = target_named(cpu + form, *headers)
    assert isinstance(target, EmulatedTarget)
    check({way: residue(target, run) for way, run in ways.items()})
