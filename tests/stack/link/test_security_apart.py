# SPDX-License-Identifier: BSD-3-Clause
"""The procedures without their cipher answer as the whole ones do, and counters move in the second
half alone."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import pytest

from tests.model.ieee802154_model import COMMAND, Frame
from tests.stack.link import incoming_refusals, refused
from tests.stack.link.editions import E2015, EDITIONS, USED_UP
from tests.stack.link.frames import ASN, air, ash, data, in_slot, to_peer
from tests.stack.link.linklib import name_of
from tests.stack.link.pib import Key, KeyDevice, Level, Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Buffer, Target

NOT_READ = "not read"
BEHIND_THE_MIC = {
    *(refused.SECURITY, refused.STORAGE, refused.BAD_IE, refused.MALFORMED),
    *(refused.KEY_TYPE, refused.BAD_LEVEL, refused.NO_LEVEL, refused.NO_DEVICE),
}
"""What the whole procedure may still answer to a frame that the first half admits. The last three: of a
command that is encrypted; of a nonce that has no address."""


@dataclass
class Apart:
    """A frame between the two halves of the incoming procedure."""

    node: Node
    room: Buffer
    job: bytearray
    admission: bytearray
    status: str

    def accept(self, clear: bytes) -> str:
        """wm_incoming_accept of the frame in clear."""
        target = self.node.target
        self.room.write(clear.ljust(127, b"\0"))
        job = target.unpack("wm_frame_job", bytes(self.job)) | {"len": len(clear)}
        packed = target.pack("wm_frame_job", **job)
        return name_of(
            target.call("wm_incoming_accept", self.node.pib, packed, self.admission).value
        )


def admit(node: Node, frame: bytes) -> Apart:
    """wm_incoming_admit of a frame from the air."""
    target = node.target
    mhr, places = target.pack("wm_mhr"), target.pack("wm_frame_map")
    admission = target.pack("wm_admission")
    room = target.buffer(frame.ljust(127, b"\0"))
    status = target.call("wm_frame_parse", frame, len(frame), mhr, places).value
    if status != 0:
        return Apart(node, room, bytearray(), admission, NOT_READ)
    job = target.pack(
        "wm_frame_job",
        frame=room.address,
        len=len(frame),
        asn=node.pib_value.asn.to_bytes(5, "big"),
        mhr=target.unpack("wm_mhr", mhr),
        map=target.unpack("wm_frame_map", places),
    )
    status = target.call("wm_incoming_admit", node.pib, job, admission).value
    return Apart(node, room, job, admission, name_of(status))


def outgoing(node: Node, frame: Frame) -> tuple[str, str]:
    """wm_outgoing_admit and, if it admits, wm_outgoing_take of a header with its ASH."""
    target = node.target
    mhr, places = target.pack("wm_mhr"), target.pack("wm_frame_map")
    octets = frame.mhr() + bytes(16)
    assert target.call("wm_frame_parse", octets, len(octets), mhr, places).value == 0
    key = bytearray(2)
    status = name_of(target.call("wm_outgoing_admit", node.pib, mhr, key).value)
    if status != "WM_OK":
        return status, ""
    number = int.from_bytes(key, "big" if target.model.big_endian else "little")
    return status, name_of(target.call("wm_outgoing_take", node.pib, mhr, number).value)


REFUSED = tuple(
    case
    for case in itertools.chain(*incoming_refusals.TABLES.values())
    if len(case.frame) <= 125 and case.frame[0] & 8
)


def test_refusals(target: Target) -> None:
    """Each refusal of a secured frame is the same, or comes with the MIC; nothing moves."""
    statuses = set()
    for case in REFUSED:
        target.reset()
        node = case.node(target)
        before = node.memory()
        found = admit(node, case.frame)
        assert node.memory() == before, case.name
        if found.status in (NOT_READ, "WM_OK"):
            assert found.status == NOT_READ or case.status in BEHIND_THE_MIC, case.name
            continue
        assert found.status == case.status, case.name
        statuses.add(found.status)
    assert statuses >= {
        *(refused.UNSUPPORTED, refused.NO_KEY, refused.NO_DEVICE),
        *(refused.NO_LEVEL, refused.BAD_LEVEL, refused.COUNTER, refused.KEY_TYPE),
    }


def test_a_frame_in_clear_is_not_admitted(target: Target) -> None:
    """The caller has a cipher to run, and policy may not let such a frame by."""
    assert admit(Node(target, Pib()), data().clear()).status == refused.BAD_LEVEL


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("level", [1, 5, 7])
def test_counters_move_behind_the_mic_alone(target: Target, edition: int, level: int) -> None:
    """As much as the whole procedure moves them; the same frame comes once."""
    frame = data(ash=ash(level))
    whole, apart = Node(target, Pib(edition)), Node(target, Pib(edition))
    octets = air(frame)
    found = admit(apart, octets)
    assert found.status == "WM_OK"
    assert apart.incoming_counter() == 0
    assert found.accept(frame.clear()) == "WM_OK"
    assert whole.unsecure(octets).status == "WM_OK"
    assert apart.incoming_counter() == whole.incoming_counter() == 8
    assert admit(apart, octets).status == refused.COUNTER


def test_a_counter_that_is_not_kept(target: Target) -> None:
    """The second half refuses, and the counter stays."""
    store = target.buffer(bytes(target.pack("wm_counter_store")))
    kept = Key(devices=(KeyDevice(slot=0),))
    node = Node(target, Pib(keys=(kept,), store=store.address))
    frame = data(ash=ash())
    found = admit(node, air(frame))
    assert (found.status, found.accept(frame.clear())) == ("WM_OK", refused.STORAGE)
    assert node.incoming_counter() == 0


def test_what_was_encrypted_is_judged_behind_the_mic(target: Target) -> None:
    """The identifier of a command of version 2: no level for it, and a key that is not for it."""
    frame = replace(
        data(ash=ash(), version=2, compression=False), type=COMMAND, private_part=b"\x07content"
    )
    for pib, status in (
        (Pib(levels=(Level(COMMAND, command=7),)), "WM_OK"),
        (Pib(levels=(Level(COMMAND, command=7),), keys=(Key(usage=((COMMAND, 8),)),)), None),
        (Pib(levels=(Level(COMMAND, command=8),)), refused.NO_LEVEL),
    ):
        node = Node(target, pib)
        before = node.memory()
        found = admit(node, air(frame))
        assert found.status == "WM_OK"
        assert found.accept(frame.clear()) == (status or refused.KEY_TYPE)
        assert (node.memory() == before) == (status != "WM_OK")


def test_time_slotted(target: Target) -> None:
    """With the ASN in the nonce there is no counter to move, and the slot's ASN is used up by what is
    sent alone."""
    frame = data(ash=ash(5, None), version=2, compression=False)
    own = to_peer(ash=ash(5, None), version=2, compression=False)
    node = Node(target, Pib(asn_form=True, asn=ASN))
    found = admit(node, in_slot(frame))
    assert (found.status, found.accept(frame.clear())) == ("WM_OK", "WM_OK")
    assert not node.state()["asn_used"]
    assert outgoing(node, own) == ("WM_OK", "WM_OK")
    assert node.state()["asn_used"]
    assert outgoing(node, own) == (refused.COUNTER, "")
    assert node.set_asn(ASN + 1) == "WM_OK"
    assert outgoing(node, own) == ("WM_OK", "WM_OK")


@pytest.mark.parametrize("edition", EDITIONS)
def test_outgoing(target: Target, edition: int) -> None:
    """A counter is taken once, and only the PIB's next; the last is refused."""
    node = Node(target, Pib(edition, counter=9))
    other = to_peer(ash=ash(5, 10))
    assert outgoing(node, other) == ("WM_OK", refused.COUNTER)
    assert outgoing(node, to_peer(ash=ash(5, 9))) == ("WM_OK", "WM_OK")
    assert outgoing(node, to_peer(ash=ash(5, 9))) == ("WM_OK", refused.COUNTER)
    assert outgoing(node, other) == ("WM_OK", "WM_OK")
    assert node.counter() == 11
    used_up = Node(target, Pib(edition, counter=USED_UP))
    assert outgoing(used_up, to_peer(ash=ash(5, USED_UP))) == (refused.COUNTER, "")


def test_outgoing_counter_of_a_key(target: Target) -> None:
    """From 2015 on a key may have one: that counts."""
    node = Node(target, Pib(E2015, counter=3, keys=(Key(counter=20),)))
    assert outgoing(node, to_peer(ash=ash(5, 3))) == ("WM_OK", refused.COUNTER)
    assert outgoing(node, to_peer(ash=ash(5, 20))) == ("WM_OK", "WM_OK")
    assert (node.counter(), node.key_counter()) == (3, 21)


def test_outgoing_refusals(target: Target) -> None:
    """No such key, security off, a frame that has no ASN nonce, and a store that keeps nothing."""
    header = to_peer(ash=ash(5, 0))
    slotted = replace(header, version=1, ash=ash(5, 0))
    assert outgoing(Node(target, Pib(keys=())), header) == (refused.NO_KEY, "")
    assert outgoing(Node(target, Pib(enabled=False)), header) == (refused.UNSUPPORTED, "")
    assert outgoing(Node(target, Pib(asn_form=True)), slotted) == (refused.UNSUPPORTED, "")
    store = target.buffer(bytes(target.pack("wm_counter_store")))
    node = Node(target, Pib(store=store.address, slot=0))
    assert outgoing(node, header) == ("WM_OK", refused.STORAGE)
    assert node.counter() == 0
