# SPDX-License-Identifier: BSD-3-Clause
"""The frame security procedures of every edition against a real Linux: both open what the other
secures and refuse what was replayed or changed, and the stack refuses what Linux should."""

import struct

import pytest

from tests.interop.linux_node import EDITIONS, Node
from tests.interop.linux_parties import LINUX_EXTENDED, LINUX_SHORT, OUR_EXTENDED, OUR_SHORT, PAN
from tests.interop.linux_peer import KeyId, LinuxPeer
from tests.interop.linux_secrets import ANOTHER_KEY, GREATEST, KEY_SOURCES, LEVELS, PAYLOAD
from tests.interop.linux_stack import changed, clear_length, meet, one
from tests.stack.link.linklib import TARGETS, Answer, link_target
from tests.turn import REAL_LINUX

# One worker, so one guest.
pytestmark = [pytest.mark.xdist_group("linux-peer"), pytest.mark.turns(*REAL_LINUX)]
ARRIVED = Answer("WM_OK", PAYLOAD)
ADDRESSING_OCTETS = 21
COUNTER_AT = ADDRESSING_OCTETS + 1
every_level = pytest.mark.parametrize("level", LEVELS)
every_edition = pytest.mark.parametrize("edition", list(EDITIONS))


def secured(node: Node, level: int, payload: bytes = PAYLOAD) -> bytes:
    """A frame of ours."""
    made = node.secure(payload, level)
    assert made.status == ("WM_OK" if level else "WM_NOT_SECURED")
    return made.octets


@every_level
@every_edition
def test_both_open_what_the_other_secures(peer: LinuxPeer, edition: str, level: int) -> None:
    """Three frames each way, with the counters the two keep themselves."""
    node = Node("host", edition, {level})
    meet(peer, level)
    for number in range(3):
        payload = PAYLOAD + bytes([number])
        assert peer.hear(secured(node, level, payload)) == [payload]
        assert node.unsecure(one(peer.send(payload, OUR_EXTENDED))) == Answer("WM_OK", payload)


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "host"])
@every_level
def test_emulated_motes_talk_to_linux(peer: LinuxPeer, target: str, level: int) -> None:
    """The same objects that firmware links, on the CPUs they are for."""
    link_target(target).reset()
    node = Node(target, "2015", {level})
    meet(peer, level)
    assert peer.hear(secured(node, level)) == [PAYLOAD]
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED))
    assert node.unsecure(frame) == ARRIVED
    assert node.unsecure(frame).status == "WM_ERR_COUNTER"


@every_level
@every_edition
def test_both_refuse_a_replay(peer: LinuxPeer, edition: str, level: int) -> None:
    """The same frame again, and an older one that comes late, arrive nowhere; the next one does."""
    node = Node("host", edition, {level})
    meet(peer, level)
    ours = [secured(node, level) for _ in range(3)]
    theirs = [one(peer.send(PAYLOAD, OUR_EXTENDED)) for _ in range(3)]
    assert [peer.hear(ours[at]) for at in (1, 1, 0, 2, 2)] == [[PAYLOAD], [], [], [PAYLOAD], []]
    late = Answer("WM_ERR_COUNTER")
    assert [node.unsecure(theirs[at]) for at in (1, 1, 0, 2, 2)] == [
        ARRIVED,
        late,
        late,
        ARRIVED,
        late,
    ]


@every_level
@every_edition
def test_both_refuse_a_wrong_key(peer: LinuxPeer, edition: str, level: int) -> None:
    """Linux hands nothing on; the stack says that the MIC is wrong, and opens with the right key
    afterwards."""
    node, stranger = Node("host", edition, {level}), Node("host", edition, {level}, key=ANOTHER_KEY)
    meet(peer, level)
    assert peer.hear(secured(stranger, level)) == []
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED))
    assert stranger.unsecure(frame).status == "WM_ERR_SECURITY"
    assert node.unsecure(frame) == ARRIVED
    meet(peer, level)
    assert peer.hear(secured(node, level)) == [PAYLOAD]


@every_level
def test_a_forged_frame_costs_us_nothing(peer: LinuxPeer, level: int) -> None:
    """A frame of Linux with one bit changed is refused, and one that claims the greatest counter
    too. Neither moves the counter: the frame itself still arrives."""
    node = Node("host", "2015", {level})
    meet(peer, level)
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED))
    mic = clear_length(frame, level)
    for at in (2, mic - 1, mic, len(frame) - 1):
        assert node.unsecure(changed(frame, at)).status == "WM_ERR_SECURITY"
    forged = frame[:COUNTER_AT] + struct.pack("<I", GREATEST) + frame[COUNTER_AT + 4 :]
    assert node.unsecure(forged).status == "WM_ERR_SECURITY"
    assert node.unsecure(frame) == ARRIVED


@every_edition
def test_we_refuse_the_unsecured_frame_that_linux_accepts(peer: LinuxPeer, edition: str) -> None:
    """Security is on at both ends, with level 5 alone allowed: Linux hands our frame in clear on,
    we refuse its."""
    node = Node("host", edition, {5})
    meet(peer, 5)
    assert peer.hear(secured(node, 0)) == [PAYLOAD]
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED, secured=False))
    assert frame.endswith(PAYLOAD)
    assert node.unsecure(frame).status == "WM_ERR_IMPROPER_SECURITY_LEVEL"


@pytest.mark.parametrize("sent", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("edition", ["2011", "2012e", "2015"])
def test_we_refuse_the_level_that_linux_accepts(peer: LinuxPeer, edition: str, sent: int) -> None:
    """Both ends allow level 7 alone. Linux accepts a secured frame of another level all the same; we
    refuse it."""
    node = Node("host", edition, {7})
    meet(peer, 7)
    assert peer.hear(secured(node, sent)) == [PAYLOAD]
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED, level=sent))
    assert node.unsecure(frame).status == "WM_ERR_IMPROPER_SECURITY_LEVEL"


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("short", [False, True], ids=["extended", "short"])
@pytest.mark.parametrize("edition", ["2006", "2015"])
def test_keys_and_devices_are_found_by_every_identifier(
    peer: LinuxPeer, edition: str, mode: int, short: bool
) -> None:
    """KeyIdModes 0 to 3, with both ends at their extended addresses or both at their short ones."""
    ours, theirs = (OUR_SHORT, LINUX_SHORT) if short else (OUR_EXTENDED, LINUX_EXTENDED)
    key_id = KeyId(mode, 7, KEY_SOURCES[mode], ours, PAN)
    node = Node("host", edition, {6}, key_id=key_id)
    meet(peer, 6, key_id, short=LINUX_SHORT)
    made = node.secure(PAYLOAD, 6, source=ours, to=theirs)
    assert peer.hear(made.octets) == [PAYLOAD]
    assert node.unsecure(one(peer.send(PAYLOAD, ours, source=theirs))) == ARRIVED


def test_neither_finds_a_key_or_device_that_is_not_there(peer: LinuxPeer) -> None:
    """Another key index, and a Linux of another address; Linux refuses another index and a
    stranger's frame."""
    node, other = Node("host", "2015", {5}), Node("host", "2015", {5}, key_id=KeyId(index=2))
    meet(peer, 5)
    assert peer.hear(secured(other, 5)) == []
    assert peer.hear(node.secure(PAYLOAD, 5, source=bytes.fromhex("0200000000000003")).octets) == []
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED))
    assert other.unsecure(frame).status == "WM_ERR_UNAVAILABLE_KEY"
    assert node.unsecure(frame) == ARRIVED
    meet(peer, 5, extended=bytes.fromhex("0200000000000004"))
    assert (
        node.unsecure(one(peer.send(PAYLOAD, OUR_EXTENDED))).status == "WM_ERR_UNAVAILABLE_DEVICE"
    )


def test_counters_end_on_both_sides(peer: LinuxPeer) -> None:
    """The frame with counter 0xFFFFFFFE passes. After it neither side can secure another."""
    node = Node("host", "2015", {5}, counter=GREATEST)
    meet(peer, 5, counter=GREATEST)
    assert peer.hear(secured(node, 5)) == [PAYLOAD]
    assert node.secure(PAYLOAD, 5).status == "WM_ERR_COUNTER"
    assert node.unsecure(one(peer.send(PAYLOAD, OUR_EXTENDED))) == ARRIVED
    assert peer.send(PAYLOAD, OUR_EXTENDED) == []


def test_a_linux_that_restarts_begins_again_and_is_refused(peer: LinuxPeer) -> None:
    """Linux keeps no counter over a restart: its nonces come back, and its frames are replays until
    it caught up."""
    node = Node("host", "2015", {5})
    meet(peer, 5, counter=3)
    assert node.unsecure(one(peer.send(PAYLOAD, OUR_EXTENDED))) == ARRIVED
    meet(peer, 5)
    again = [node.unsecure(one(peer.send(PAYLOAD, OUR_EXTENDED))).status for _ in range(5)]
    assert again == ["WM_ERR_COUNTER"] * 4 + ["WM_OK"]
