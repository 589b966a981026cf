# SPDX-License-Identifier: BSD-3-Clause
"""A real Linux opens what the stack secures, and the stack opens what Linux secures; each refuses
what it should. Where Linux lets more through than the standard does, that is what these tests see
it do."""

import itertools

import pytest

from tests.interop.guest import PeerError
from tests.interop.linux_parties import LINUX_EXTENDED, LINUX_SHORT, OUR_EXTENDED, OUR_SHORT, PAN
from tests.interop.linux_peer import (
    COUNTER_PER_DEVICE,
    COUNTER_PER_KEY,
    KeyId,
    LinuxPeer,
)
from tests.interop.linux_secrets import (
    ANOTHER_KEY,
    COMMON_KEY,
    GREATEST,
    KEY_SOURCES,
    LEVELS,
    PAYLOAD,
)
from tests.interop.linux_stack import Device, changed, clear_length, meet, one
from tests.model.ieee802154_model import MIC_OCTETS
from tests.stack.link.linklib import TARGETS, Link
from tests.turn import REAL_LINUX

# One worker, so one guest.
pytestmark = [pytest.mark.xdist_group("linux-peer"), pytest.mark.turns(*REAL_LINUX)]
ENC = 4


@pytest.fixture(params=TARGETS)
def link(request: pytest.FixtureRequest) -> Link:
    """The stack on this machine and on every emulated CPU."""
    return Link(request.param)


@pytest.fixture
def host() -> Link:
    """The stack on this machine."""
    return Link("host")


@pytest.mark.parametrize("level", LEVELS)
def test_linux_opens_what_we_secure(peer: LinuxPeer, link: Link, level: int) -> None:
    """A program on Linux receives the payload of our secured frame."""
    device = Device(link, level)
    meet(peer, device.level, device.key_id)
    assert peer.hear(device.secure(PAYLOAD)) == [PAYLOAD]


@pytest.mark.parametrize("level", LEVELS)
def test_we_open_what_linux_secures(peer: LinuxPeer, link: Link, level: int) -> None:
    """What a program on Linux sends is secured at the level asked for, and the stack opens it."""
    device = Device(link, level)
    meet(peer, device.level, device.key_id, counter=0x01020304)
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED))
    assert device.counter_of(frame) == 0x01020304
    assert (PAYLOAD in frame) == (level < ENC)
    opened = device.unsecure(frame)
    assert opened.status == "WM_OK"
    assert opened.octets.endswith(PAYLOAD)


@pytest.mark.parametrize("level", LEVELS)
def test_every_length_passes_both_ways(peer: LinuxPeer, host: Link, level: int) -> None:
    """From an empty payload to the longest that fits, and both refuse to make a frame that is
    longer."""
    device = Device(host, level)
    meet(peer, level)
    longest = 125 - len(device.header()) - MIC_OCTETS[level]
    for length in (*range(0, longest, 5), longest):
        payload = bytes(range(length))
        assert peer.hear(device.secure(payload)) == [payload]
        opened = device.unsecure(one(peer.send(payload, OUR_EXTENDED)))
        assert opened.status == "WM_OK"
        assert opened.octets[len(opened.octets) - length :] == payload
    with pytest.raises(PeerError, match="Message too long"):
        peer.send(bytes(longest + 1), OUR_EXTENDED)
    too_long = device.header() + bytes(longest + 1)
    assert host.secure(too_long, key=COMMON_KEY).status == "WM_ERR_FRAME_TOO_LONG"


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("short", [False, True], ids=["extended", "short"])
@pytest.mark.parametrize("level", [2, 5])
def test_every_key_identifier_and_address_passes_both_ways(
    peer: LinuxPeer, host: Link, mode: int, short: bool, level: int
) -> None:
    """KeyIdModes 0 to 3, with an extended source and with a short one, whose nonce holds the
    extended address."""
    ours, theirs = (OUR_SHORT, LINUX_SHORT) if short else (OUR_EXTENDED, LINUX_EXTENDED)
    device = Device(host, level, key_id=KeyId(mode, 7, KEY_SOURCES[mode], ours, PAN))
    meet(peer, device.level, device.key_id, short=LINUX_SHORT)
    assert peer.hear(device.secure(PAYLOAD, source=ours)) == [PAYLOAD]
    frame = one(peer.send(PAYLOAD, ours, source=theirs))
    status, mhr, _ = host.parse(frame)
    assert status == "WM_OK"
    assert mhr["ash"]["key_id_mode"] == mode
    assert bytes(mhr["src"]["octet"])[: len(theirs)] == theirs
    opened = device.unsecure(frame)
    assert opened.status == "WM_OK"
    assert opened.octets.endswith(PAYLOAD)


def test_encryption_alone_passes_both_ways(peer: LinuxPeer, host: Link) -> None:
    """Level 4 of the 2006 and 2011 editions: no MIC, so no frame is refused and a wrong key gives
    other octets."""
    device = Device(host, ENC)
    meet(peer, device.level, device.key_id)
    assert peer.hear(device.secure(PAYLOAD)) == [PAYLOAD]
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED))
    assert device.unsecure(frame).octets.endswith(PAYLOAD)
    device.key = ANOTHER_KEY
    heard = one(peer.hear(device.secure(PAYLOAD)))
    assert len(heard) == len(PAYLOAD)
    assert heard != PAYLOAD


@pytest.mark.parametrize("level", LEVELS)
def test_linux_refuses_a_wrong_key_and_a_changed_frame(
    peer: LinuxPeer, host: Link, level: int
) -> None:
    """Neither another key's frame nor one with a bit changed in header, payload or MIC reaches a
    program."""
    device, stranger = Device(host, level), Device(host, level, ANOTHER_KEY)
    meet(peer, device.level, device.key_id)
    assert peer.hear(stranger.secure(PAYLOAD)) == []
    good = device.secure(PAYLOAD)
    mic = clear_length(good, level)
    for at in (2, len(device.header()), mic - 1, mic, len(good) - 1):
        meet(
            peer, device.level, device.key_id
        )  # or the counter of the last one would be the reason
        assert peer.hear(changed(good, at)) == []
    meet(peer, device.level, device.key_id)
    assert peer.hear(good) == [PAYLOAD]


@pytest.mark.parametrize("level", LEVELS)
def test_we_refuse_a_wrong_key_and_a_changed_frame(peer: LinuxPeer, host: Link, level: int) -> None:
    """Linux's frame opens under its own key and untouched, and not otherwise."""
    device, stranger = Device(host, level), Device(host, level, ANOTHER_KEY)
    meet(peer, device.level, device.key_id)
    frame = one(peer.send(PAYLOAD, OUR_EXTENDED))
    assert stranger.unsecure(frame).status == "WM_ERR_SECURITY"
    for at in (2, clear_length(frame, level) - 1, clear_length(frame, level), len(frame) - 1):
        assert device.unsecure(changed(frame, at)).status == "WM_ERR_SECURITY"
    assert device.unsecure(frame).status == "WM_OK"


@pytest.mark.parametrize("level", LEVELS)
def test_linux_refuses_a_replay(peer: LinuxPeer, host: Link, level: int) -> None:
    """A counter that was used, or an older one, is refused; a later one passes, with a gap too."""
    device = Device(host, level)
    meet(peer, device.level, device.key_id)
    first, second, third = (device.secure(PAYLOAD, counter=counter) for counter in (4, 5, 1000))
    assert peer.hear(second) == [PAYLOAD]
    assert peer.hear(second) == []
    assert peer.hear(first) == []
    assert peer.hear(third) == [PAYLOAD]
    assert peer.hear(third) == []


@pytest.mark.parametrize("mode", [COUNTER_PER_DEVICE, COUNTER_PER_KEY])
def test_linux_counts_by_device_or_by_key(peer: LinuxPeer, host: Link, mode: int) -> None:
    """A low counter under a second key is a replay where the device has one counter, not where each
    key has one."""
    first, second = Device(host, 5), Device(host, 5, ANOTHER_KEY, KeyId(index=2))
    meet(peer, 5, key_mode=mode)
    peer.add_key(second.key_id, ANOTHER_KEY)
    if mode == COUNTER_PER_KEY:
        peer.add_device_key(OUR_EXTENDED, first.key_id)
        peer.add_device_key(OUR_EXTENDED, second.key_id)
    assert peer.hear(first.secure(PAYLOAD, counter=9)) == [PAYLOAD]
    assert peer.hear(second.secure(PAYLOAD, counter=3)) == (
        [PAYLOAD] if mode == COUNTER_PER_KEY else []
    )
    assert peer.hear(second.secure(PAYLOAD, counter=10)) == [PAYLOAD]
    assert peer.hear(first.secure(PAYLOAD, counter=9)) == []


def test_linux_uses_its_counter_up_and_then_is_silent(peer: LinuxPeer, host: Link) -> None:
    """The last frame has counter 0xFFFFFFFE; then Linux sends none, and takes none with
    0xFFFFFFFF."""
    device = Device(host, 5)
    meet(peer, device.level, device.key_id, counter=GREATEST)
    assert device.counter_of(one(peer.send(PAYLOAD, OUR_EXTENDED))) == GREATEST
    assert peer.send(PAYLOAD, OUR_EXTENDED) == []
    last = device.secure(PAYLOAD, counter=GREATEST)
    at = len(device.header()) - 5
    assert last[at : at + 4] == bytes.fromhex("feffffff")
    assert peer.hear(last[:at] + bytes([0xFF] * 4) + last[at + 4 :]) == []
    assert peer.hear(last) == [PAYLOAD]


def test_linux_lets_unsecured_frames_through(peer: LinuxPeer, host: Link) -> None:
    """With security on and level 5 alone allowed, a frame in clear still reaches the program."""
    device = Device(host, 5)
    meet(peer, device.level, device.key_id)
    assert peer.hear(device.header(secured=False) + PAYLOAD) == [PAYLOAD]


def test_linux_lets_levels_through_that_its_table_forbids(peer: LinuxPeer, host: Link) -> None:
    """With level 7 alone allowed, every other level passes: its check refuses nothing above level
    0."""
    device = Device(host, 7)
    meet(peer, device.level, device.key_id)
    for device.level, counter in zip((1, 2, 3, 5, 6), itertools.count(1)):
        assert peer.hear(device.secure(PAYLOAD, counter=counter)) == [PAYLOAD]


def test_one_forged_frame_silences_a_device_for_linux(peer: LinuxPeer, host: Link) -> None:
    """Linux moves a device's counter before it looks at the MIC: after one frame with the greatest
    counter, sent by somebody without the key, all that the device says is a replay."""
    device, stranger = Device(host, 5), Device(host, 5, ANOTHER_KEY)
    meet(peer, device.level, device.key_id)
    assert peer.hear(device.secure(PAYLOAD)) == [PAYLOAD]
    assert peer.hear(stranger.secure(PAYLOAD, counter=GREATEST)) == []
    assert peer.hear(device.secure(PAYLOAD)) == []
