# SPDX-License-Identifier: BSD-3-Clause
"""What the incoming procedure lets pass: keys by each KeyIdMode, devices by each address, levels of
each edition, and counters that move for a verified frame and for nothing else."""

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, Frame
from tests.stack.conftest import target_named
from tests.stack.link.editions import E2006, E2011, E2012E, E2015, EDITIONS, NO_INDEX, USED_UP
from tests.stack.link.frames import air, ash, data
from tests.stack.link.linklib import admitted
from tests.stack.link.peers import KEY, OTHER_KEY, OWN, OWN_SHORT, PAN, PEER, PEER_SHORT, THIRD
from tests.stack.link.pib import ALL_TYPES, Device, IeUse, Key, KeyDevice, Level, Lookup, Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Target

V1 = data(ash=ash())
BOTH = (Device(), Device(THIRD, b"\0\x03"))
SOURCES = {1: b"", 2: b"abcd", 3: b"abcdefgh"}


def counted(counter: int) -> bytes:
    """A frame from PEER with this counter."""
    return air(replace(V1, ash=ash(5, counter)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_counter_moves_past_the_frame(target: Target, edition: int) -> None:
    """After a verified frame its counter is past: that frame and every earlier one is refused, the
    next is not."""
    node = Node(target, Pib(edition))
    for counter, status in (
        (5, "OK"),
        (5, "ERR_COUNTER"),
        (4, "ERR_COUNTER"),
        (6, "OK"),
        (900, "OK"),
        (7, "ERR_COUNTER"),
    ):
        assert node.unsecure(counted(counter)).status == f"WM_{status}"
    assert node.incoming_counter() == 901


@pytest.mark.parametrize("edition", EDITIONS)
def test_forged_counter_does_not_mute_a_peer(target: Target, edition: int) -> None:
    """A forged frame with counter 0xfffffffe changes nothing: the peer's next frame is still
    taken."""
    node = Node(target, Pib(edition))
    assert node.unsecure(counted(5)).status == "WM_OK"
    before = node.memory()
    forged = bytearray(counted(USED_UP - 1))
    forged[-1] ^= 1
    assert node.unsecure(bytes(forged)).status == "WM_ERR_SECURITY"
    assert (
        node.unsecure(air(replace(V1, ash=ash(5, USED_UP - 1)), OTHER_KEY)).status
        == "WM_ERR_SECURITY"
    )
    assert node.memory() == before
    assert node.unsecure(counted(6)).status == "WM_OK"


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_level_4_mutes_no_other_level(target: Target, edition: int) -> None:
    """Before 2015 a network may allow level 4, which authenticates nothing. A forgery at level 4
    silences no device at other levels."""
    node = Node(target, Pib(edition, levels=(Level(minimum=0),)))
    forged = node.unsecure(air(replace(V1, ash=ash(4, USED_UP - 1)), OTHER_KEY))
    assert forged.status == "WM_NOT_AUTHENTICATED"
    assert node.incoming_counter() == 0
    assert not node.key_device()["blacklisted"]
    assert node.unsecure(counted(5)).status == "WM_OK"
    assert node.unsecure(air(replace(V1, ash=ash(4, 5)))).status == "WM_ERR_COUNTER"


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_level_4_frame_comes_once(target: Target, edition: int) -> None:
    """A frame at level 4 is no replay of an earlier one, at any level, of its sender under its
    key."""
    node = Node(target, Pib(edition, levels=(Level(minimum=0),)))
    sent = ((4, 7, True), (4, 7, False), (4, 6, False), (4, 8, True), (5, 20, True))
    for level, counter, taken in (*sent, (4, 20, False), (4, 21, True), (5, 21, True)):
        status = admitted(level) if taken else "WM_ERR_COUNTER"
        assert node.unsecure(air(replace(V1, ash=ash(level, counter)))).status == status


@pytest.mark.parametrize("edition", EDITIONS)
def test_last_counter(target: Target, edition: int) -> None:
    """0xfffffffe is the last counter that is taken; before 2015 the device is then blacklisted
    under this key."""
    node = Node(target, Pib(edition))
    assert node.unsecure(counted(USED_UP - 1)).status == "WM_OK"
    assert node.incoming_counter() == USED_UP
    assert node.key_device()["blacklisted"] == (edition != E2015)
    refusal = "WM_ERR_COUNTER" if edition == E2015 else "WM_ERR_UNAVAILABLE_DEVICE"
    for counter in (7, USED_UP - 1):
        assert node.unsecure(counted(counter)).status == refusal


def test_blacklist_is_of_one_key(target: Target) -> None:
    """A device that used up its counter under one key may go on under a new one, once its counter
    was set back."""
    keys = (Key(devices=(KeyDevice(blacklisted=True),)), Key(OTHER_KEY, (Lookup(index=2),)))
    node = Node(target, Pib(E2011, keys=keys))
    assert node.unsecure(counted(7)).status == "WM_ERR_UNAVAILABLE_DEVICE"
    fresh = node.unsecure(air(replace(V1, ash=ash(5, 7, index=2)), OTHER_KEY))
    assert (fresh.status, fresh.result["key"]) == ("WM_OK", 1)


def two_keys(edition: int) -> Pib:
    """Two keys, two devices, each device under each key."""
    under = (KeyDevice(0), KeyDevice(1))
    keys = (Key(devices=under), Key(OTHER_KEY, (Lookup(index=2),), devices=under))
    return Pib(edition, keys=keys, devices=BOTH)


@pytest.mark.parametrize("edition", EDITIONS)
def test_whose_counter(target: Target, edition: int) -> None:
    """Before 2015 a device has one counter for all keys, in 2015 one for each key; another device
    has its own."""
    node = Node(target, two_keys(edition))
    assert node.unsecure(counted(50)).status == "WM_OK"
    assert node.unsecure(model.secure(replace(V1, src=THIRD, ash=ash(5, 3)), KEY)).status == "WM_OK"
    other = air(replace(V1, ash=ash(5, 20, index=2)), OTHER_KEY)
    assert node.unsecure(other).status == ("WM_OK" if edition == E2015 else "WM_ERR_COUNTER")
    if edition == E2015:
        kept = [node.incoming_counter(key, entry) for key in (0, 1) for entry in (0, 1)]
        assert kept == [51, 4, 21, 0]
    else:
        assert [node.device_counter(0), node.device_counter(1)] == [51, 4]


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_key_by_identifier(target: Target, mode: int) -> None:
    """KeyIdModes 1 to 3: index and source name the key among others that differ in one of them."""
    source = SOURCES[mode]
    right = Lookup(mode, 9, source or Lookup().source)
    near = [
        replace(right, index=8),
        replace(right, source=bytes([right.source[0] ^ 1]) + right.source[1:]),
    ]
    near += [
        replace(right, source=right.source[:-1] + bytes([right.source[-1] ^ 1])),
        Lookup({1: 3, 2: 3, 3: 2}[mode], 9, source),
    ]
    keys = (*(Key(OTHER_KEY, (lookup,)) for lookup in near), Key(KEY, (Lookup(index=200), right)))
    node = Node(target, Pib(keys=keys))
    found = node.unsecure(air(replace(V1, ash=ash(5, 7, mode, 9, source))))
    assert (found.status, found.result["key"], found.result["key_id_mode"]) == ("WM_OK", 4, mode)


@pytest.mark.parametrize("source", [PEER, PEER_SHORT, b""], ids=["extended", "short", "absent"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_key_and_device_by_source(target: Target, edition: int, source: bytes) -> None:
    """KeyIdMode 0: the frame's source names key and device; an absent one is the PAN coordinator;
    the nonce of a source that is not extended has the address of the device table."""
    keys = (Key(OTHER_KEY, (Lookup(0, 0, THIRD),), devices=(KeyDevice(1),)),
            Key(KEY, (Lookup(0, 0, PEER), Lookup(0, 0, PEER_SHORT)), devices=(KeyDevice(1), KeyDevice(0))))  # fmt: skip
    frame = replace(V1, src=source, compression=bool(source), ash=ash(5, 7, 0))
    for coordinator_short in (0xFFFF, 2):
        target.reset()
        pib = Pib(
            edition,
            keys=keys,
            devices=(Device(THIRD, b"\0\x03"), Device()),
            coordinator_short=coordinator_short,
        )
        pib = replace(pib, keys=(keys[0], replace(keys[1], devices=(KeyDevice(0), KeyDevice(1)))))
        found = Node(target, pib).unsecure(air(frame))
        assert (found.status, found.octets) == ("WM_OK", frame.clear())
        assert (found.result["key"], found.result["device"]) == (1, 1)


def test_pan_of_a_frame_that_carries_none(target: Target) -> None:
    """2015: both addresses extended and PAN ID Compression set leave no PAN identifier; it is
    macPanId."""
    frame = Frame(dst=OWN, src=PEER, compression=True, ash=ash(5, 7, 0), private_part=b"payload")
    assert frame.pan_fields() == (False, False)
    keys = (Key(lookups=(Lookup(0, 0, PEER, PAN),)),)
    assert Node(target, Pib(keys=keys)).unsecure(air(frame)).status == "WM_OK"
    target.reset()
    assert (
        Node(target, Pib(keys=keys, pan=PAN + 1)).unsecure(air(frame)).status
        == "WM_ERR_UNAVAILABLE_KEY"
    )


def test_extended_address_in_2006(target: Target) -> None:
    """In 2006 an extended address names a key in whatever PAN; later the entry's PAN identifier
    counts."""
    for edition, status in (
        (E2006, "WM_OK"),
        (E2011, "WM_ERR_UNAVAILABLE_KEY"),
        (E2015, "WM_ERR_UNAVAILABLE_KEY"),
    ):
        target.reset()
        node = Node(target, Pib(edition, keys=(Key(lookups=(Lookup(0, 0, PEER, PAN + 1),)),)))
        assert node.unsecure(air(replace(V1, ash=ash(5, 7, 0)))).status == status


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_unique_device(target: Target, edition: int) -> None:
    """A link key tells its device where the source is short or absent, but not against an extended
    address."""
    for unique, source, status in (
        (True, b"\x12\x34", "WM_OK"),
        (True, b"", "WM_OK"),
        (True, THIRD, "WM_ERR_UNAVAILABLE_DEVICE"),
        (False, b"\x12\x34", "WM_ERR_UNAVAILABLE_DEVICE"),
        (False, b"", "WM_ERR_UNAVAILABLE_DEVICE"),
    ):
        target.reset()
        keys = (Key(devices=(KeyDevice(unique=unique),)),)
        node = Node(
            target, Pib(edition, keys=keys, devices=(Device(short=b""),), coordinator=THIRD)
        )
        frame = replace(V1, src=source, compression=bool(source))
        assert node.unsecure(air(frame)).status == status


def passes(edition: int, level: Level, frame_level: int) -> bool:
    """The level policy in plain words."""
    if edition == E2015 or (edition != E2006 and level.allowed):
        return frame_level in level.allowed
    if frame_level % 4 == 0 and not level.unproven:
        return False
    enough_mic = frame_level % 4 >= level.minimum % 4
    return enough_mic and frame_level // 4 >= level.minimum // 4


@pytest.mark.parametrize("unproven", [False, True], ids=["with a MIC", "any"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_level_policy(host: Target, edition: int, unproven: bool) -> None:
    """Each level against each minimum and several sets: the plain words and the procedure agree,
    level 0 among them, whether or not a minimum admits what has no MIC."""
    sets = ((), (0,), (5,), (1, 5), (0, 2, 6), (4, 7), tuple(range(8)))
    seen = set()
    for level, minimum, allowed in itertools.product(range(8), range(8), sets):
        host.reset()
        entry = Level(minimum=minimum, allowed=allowed, unproven=unproven)
        frame = replace(V1, ash=ash(level)) if level else data()
        status = (
            Node(host, Pib(edition, levels=(entry,)))
            .unsecure(air(frame) if level else frame.clear())
            .status
        )
        expected = (
            admitted(level) if passes(edition, entry, level) else "WM_ERR_IMPROPER_SECURITY_LEVEL"
        )
        if (level, edition) == (4, E2015):
            expected = "WM_ERR_UNSUPPORTED_SECURITY"
        assert status == expected, (level, minimum, allowed)
        seen.add(status)
    assert {"WM_OK", "WM_ERR_IMPROPER_SECURITY_LEVEL"} <= seen


@pytest.fixture
def host() -> Target:
    """The host, for tests with very many cases."""
    target = target_named("host")
    target.reset()
    return target


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("override", "exempt", "admitted"), [(1, 1, True), (1, 0, False), (0, 1, False), (0, 0, False)]
)
def test_exempt_devices(
    target: Target, edition: int, override: int, exempt: int, admitted: bool
) -> None:
    """A device may send in clear only if it is exempt and the level entry lets exempt devices
    override it."""
    pib = Pib(
        edition, levels=(Level(override=bool(override)),), devices=(Device(exempt=bool(exempt)),)
    )
    frame = data(src=PEER_SHORT).clear()
    found = Node(target, pib).unsecure(frame)
    assert found.octets == frame
    if admitted:
        assert (found.status, found.result["level"]) == ("WM_NOT_SECURED", 0)
        assert found.result["key"] == NO_INDEX
        assert found.result["device"] == 0
    else:
        assert found.status == "WM_ERR_IMPROPER_SECURITY_LEVEL"


@pytest.mark.parametrize("edition", EDITIONS)
def test_security_disabled(target: Target, edition: int) -> None:
    """With secEnabled FALSE what comes in clear passes whatever the tables say, and its sender is
    named if known."""
    node = Node(target, Pib(edition, enabled=False, levels=(), keys=()))
    for source, device in ((PEER, 0), (THIRD, NO_INDEX)):
        found = node.unsecure(data(src=source).clear())
        assert (found.status, found.result["device"]) == ("WM_NOT_SECURED", device)


def test_imm_ack_needs_no_policy(target: Target) -> None:
    """An Imm-Ack cannot be secured. Without a policy for acks it passes. With one, the policy
    decides."""
    imm_ack = Frame(ACK, 1, 7).clear()
    for levels, status in (
        (ALL_TYPES[:2], "WM_NOT_SECURED"),
        ((Level(ACK, (0,)),), "WM_NOT_SECURED"),
        ((Level(ACK, (5,)),), "WM_ERR_IMPROPER_SECURITY_LEVEL"),
    ):
        target.reset()
        assert Node(target, Pib(levels=levels)).unsecure(imm_ack).status == status


@pytest.mark.parametrize(
    "frame",
    [
        Frame(ACK, 1, 7, private_part=b"content"),
        Frame(ACK, 1, 7, OWN, PEER, compression=True),
        Frame(ACK, 0, 7, src=PEER),
    ],
    ids=["payload", "addresses", "source"],
)
def test_what_is_longer_than_an_imm_ack_needs_a_policy(target: Target, frame: Frame) -> None:
    """Content and addresses in clear do not pass because their frame calls itself an ack of version
    0 or 1."""
    answer = Node(target, Pib(levels=ALL_TYPES[:2])).unsecure(frame.clear())
    assert answer.status == "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"


@pytest.mark.parametrize(("version", "level"), [(1, 6), (2, 6), (2, 1), (2, 0)])
def test_commands(target: Target, version: int, level: int) -> None:
    """The identifier is found in front of the payload in version 1 and behind the payload IEs in
    version 2, and the entries of tables for just this command hold."""
    ies = model.payload_ie(2, b"vendor") + model.payload_ie(0xF, b"") if version == 2 else b""
    parts: dict[str, Any] = {"open_part": b"\x05"} if version == 1 else {"header_ies": model.HT1}
    content = b"content" if version == 1 else ies + b"\x05content"
    frame = replace(
        V1, type=COMMAND, version=version, compression=version == 1, private_part=content, **parts
    )
    frame = replace(frame, ash=ash(level) if level else None)
    levels = (
        Level(COMMAND, (3,), command=4),
        Level(COMMAND, (level,), command=5),
        Level(COMMAND, (3,)),
    )
    keys = (Key(usage=((COMMAND, 4), (COMMAND, 5))),)
    found = Node(target, Pib(levels=levels, keys=keys)).unsecure(
        air(frame) if level else frame.clear()
    )
    assert (found.status, found.octets) == (admitted(level), frame.clear())
    assert (found.result["command_id"], found.octets[found.result["payload"] :]) == (
        5,
        b"\x05content",
    )


@pytest.mark.parametrize("level", [0, 1, 5])
@pytest.mark.parametrize("ends", ["HT1", "HT1 without IEs", "HT2", "none", "payload IE last"])
def test_where_the_payload_begins(target: Target, level: int, ends: str) -> None:
    """Payload IEs follow header termination 1 alone; the result points behind them."""
    correction, vendor = model.time_correction(5), model.payload_ie(2, b"vendor")
    header, body, payload = {
        "HT1": (correction + model.HT1, vendor + model.payload_ie(0xF, b""), b"payload"),
        "HT1 without IEs": (correction + model.HT1, b"", b""),
        "HT2": (correction + model.HT2, b"", vendor + b"payload"),
        "none": (correction, b"", b""),
        "payload IE last": (model.HT1, vendor + vendor, b""),
    }[ends]
    members: dict[str, Any] = {
        "version": 2,
        "compression": False,
        "header_ies": header,
        "private_part": body + payload,
    }
    frame = replace(V1, **members, ash=ash(level) if level else None)
    pib = Pib(
        levels=(Level(DATA, (level,)),), ie_usage=(IeUse(1, 2, (level,)), IeUse(0, 0x1E, (level,)))
    )
    found = Node(target, pib).unsecure(air(frame) if level else frame.clear())
    assert (found.status, found.octets) == (admitted(level), frame.clear())
    assert found.octets[found.result["payload"] :] == payload


def test_ie_policy_is_of_later_editions(target: Target) -> None:
    """Version 1 frames have no IEs; what looks like one in their payload is payload."""
    frame = replace(V1, private_part=model.HT1 + model.payload_ie(2, b"vendor"))
    for edition in EDITIONS:
        target.reset()
        pib = Pib(edition, ie_usage=(IeUse(1, 2, ()), IeUse(0, 0x7E, ())))
        assert Node(target, pib).unsecure(air(frame)).status == "WM_OK"


def test_version_1_frames_in_every_edition(target: Target) -> None:
    """A 2015 node still takes frames of version 1."""
    beacon = replace(
        V1, type=BEACON, dst=b"", compression=False, open_part=bytes.fromhex("55cf0000")
    )
    for edition, frame in itertools.product(EDITIONS, (V1, beacon)):
        target.reset()
        found = Node(target, Pib(edition)).unsecure(air(frame))
        assert (found.status, found.octets) == ("WM_OK", frame.clear())


@settings(max_examples=200)
@given(st.data())
def test_no_changed_frame_is_admitted(draw: st.DataObject) -> None:
    """One changed bit anywhere: some status, never WM_OK; no counter moves; nothing of the
    plaintext is left when the MIC had to be looked at."""
    host = target_named("host")
    host.reset()
    edition = draw.draw(st.sampled_from(EDITIONS))
    level = draw.draw(st.sampled_from((1, 2, 3, 5, 6, 7)))
    version = draw.draw(st.sampled_from((1, 2) if edition <= E2012E else (1,)))
    frame = replace(
        V1,
        version=version,
        compression=version == 1,
        ash=ash(level),
        private_part=bytes(range(32, 64)),
    )
    secured = bytearray(air(frame))
    bit = draw.draw(st.integers(0, 8 * len(secured) - 1))
    secured[bit // 8] ^= 1 << bit % 8
    clear_type = bool(secured[0] & 8 == 0)
    node = Node(host, Pib(edition, levels=(Level(DATA, (1, 2, 3, 5, 6, 7)),)))
    before = node.memory()
    refused = node.unsecure(bytes(secured))
    # The reserved bit 7 of the first octet is authenticated like the others.
    assert refused.status != "WM_OK"
    assert node.memory() == before
    assert refused.octets == bytes(secured) or refused.octets.endswith(
        bytes(len(frame.private_part))
    )
    assert clear_type or level < 4 or frame.private_part not in refused.octets


def test_own_frames_go_both_ways(target: Target) -> None:
    """What the outgoing procedure makes the incoming one opens, over editions and sources."""
    for edition in (E2006, E2011, E2012E, E2015):
        target.reset()
        sender = Node(target, Pib(edition, own=PEER))
        frame = data(src=OWN_SHORT if edition == E2006 else PEER)
        made = sender.secure(frame.clear())
        receiver = Node(target, Pib(edition, devices=(Device(short=OWN_SHORT),)))
        found = receiver.unsecure(made.octets)
        assert (made.status, found.status) == ("WM_OK", "WM_OK")
        assert found.octets == replace(frame, ash=ash(5, 0)).clear()
