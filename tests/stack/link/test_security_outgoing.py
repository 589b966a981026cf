# SPDX-License-Identifier: BSD-3-Clause
"""The outgoing procedure: every status, what a refusal leaves alone, and which counter is used
up."""

import itertools
from dataclasses import replace
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import COMMAND, Frame
from tests.stack.link import refused
from tests.stack.link.editions import E2012E, E2015, EDITIONS, USED_UP
from tests.stack.link.frames import ASN, ash, to_peer
from tests.stack.link.linklib import frame_max
from tests.stack.link.outgoing_refusals import TABLES, V1, V2
from tests.stack.link.peers import KEY, OTHER_KEY, OWN, OWN_SHORT, PAN, PEER, PEER_SHORT, THIRD
from tests.stack.link.pib import Key, KeyDevice, Lookup, Params, Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Target

ALL = tuple(itertools.chain(*TABLES.values()))


@pytest.mark.parametrize("table", TABLES)
def test_refusals(target: Target, table: str) -> None:
    """A refused frame stays as it was, octet for octet, and nothing of the PIB moves."""
    for case in TABLES[table]:
        target.reset()
        node = case.node(target)
        before = node.memory()
        outcome = node.secure(case.frame, case.params, case.size)
        assert (outcome.status, outcome.octets) == (case.status, case.frame), case.name
        assert node.memory() == before, case.name


def test_every_status_is_refused_for() -> None:
    """The table has each status that the header lists."""
    assert {case.status for case in ALL} == refused.OF_OUTGOING


@pytest.mark.parametrize("edition", EDITIONS)
def test_counter_is_used_up_by_each_frame(target: Target, edition: int) -> None:
    """Two calls with one and the same frame give two nonces: the caller may drop the first, its
    counter stays used."""
    node = Node(target, Pib(edition, counter=9))
    for counter in (9, 10):
        expected = model.secure(V1.with_ash(ash(5, counter)), KEY)
        made = node.secure(V1.clear())
        assert (made.status, made.octets) == ("WM_OK", expected)
    assert node.counter() == 11


@pytest.mark.parametrize("edition", EDITIONS)
def test_last_counter(target: Target, edition: int) -> None:
    """0xfffffffe is the last counter that secures a frame."""
    node = Node(target, Pib(edition, counter=USED_UP - 1))
    assert node.secure(V1.clear()).status == "WM_OK"
    assert node.counter() == USED_UP
    assert node.secure(V1.clear()).status == "WM_ERR_COUNTER"
    assert node.counter() == USED_UP


def test_keys_with_counters_of_their_own(target: Target) -> None:
    """2015: a key with secFrameCounterPerKey counts for itself, the others share
    secFrameCounter."""
    keys = (
        Key(counter=100),
        Key(OTHER_KEY, (Lookup(index=2),)),
        Key(KEY, (Lookup(index=3),), counter=7),
    )
    node = Node(target, Pib(keys=keys, counter=50))
    for index, key, counter in (
        (1, KEY, 100),
        (2, OTHER_KEY, 50),
        (3, KEY, 7),
        (1, KEY, 101),
        (2, OTHER_KEY, 51),
    ):
        made = node.secure(V1.clear(), Params(index=index))
        assert made.octets == model.secure(V1.with_ash(ash(5, counter, index=index)), key)
    assert (node.key_counter(0), node.counter(), node.key_counter(2)) == (102, 52, 8)


@pytest.mark.parametrize("edition", EDITIONS[:3])
def test_before_2015_keys_have_no_counters(target: Target, edition: int) -> None:
    """2006 to 2012e know macFrameCounter alone; a key's counter is not looked at."""
    node = Node(target, Pib(edition, keys=(Key(counter=USED_UP),), counter=3))
    assert node.secure(V1.clear()).octets == model.secure(V1.with_ash(ash(5, 3)), KEY)
    assert (node.counter(), node.key_counter()) == (4, USED_UP)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("enabled", [False, True])
def test_level_0_leaves_the_frame_alone(target: Target, edition: int, enabled: bool) -> None:
    """At level 0 no key, no counter and no ASH is needed, whether security is enabled or not; the
    status says that the frame is in clear."""
    node = Node(target, Pib(edition, enabled=enabled, keys=(), counter=USED_UP))
    before = node.memory()
    made = node.secure(V1.clear(), Params(0, 9, 0))
    assert (made.status, made.octets, node.memory()) == ("WM_NOT_SECURED", V1.clear(), before)


def test_version_0_becomes_version_1(target: Target) -> None:
    """A frame of version 0 cannot say that it is secured. It goes out as version 1 (2006
    7.2.1.1.7)."""
    made = Node(target, Pib()).secure(to_peer(version=0).clear())
    assert made.octets == model.secure(V1.with_ash(ash(5, 0)), KEY)


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
def test_longest_frame(target: Target, level: int) -> None:
    """A frame that fills aMaxPhyPacketSize with ASH, MIC and FCS goes out; the octet more is
    refused above."""
    empty = to_peer(b"", ash=ash(level, 0))
    frame = to_peer(bytes(125 - len(empty.mhr()) - model.MIC_OCTETS[level]))
    made = Node(target, Pib()).secure(frame.clear(), Params(level))
    assert (made.status, len(made.octets)) == ("WM_OK", 125)
    assert made.octets == model.secure(frame.with_ash(ash(level, 0)), KEY)


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("edition", EDITIONS)
def test_levels_of_the_editions(target: Target, edition: int, level: int) -> None:
    """Every level is there in each edition, but level 4 not in 2015."""
    made = Node(target, Pib(edition)).secure(V1.clear(), Params(level))
    if (edition, level) == (E2015, 4):
        assert made.status == "WM_ERR_UNSUPPORTED_SECURITY"
    else:
        assert made.octets == model.secure(V1.with_ash(ash(level, 0)), KEY)


@pytest.mark.parametrize("src", [OWN_SHORT, b""], ids=["short", "none"])
def test_nonce_of_own_frames_without_extended_source(target: Target, src: bytes) -> None:
    """A frame with a short source, or none, is secured under our extended address."""
    frame = replace(V1, src=src, compression=bool(src))
    made = Node(target, Pib()).secure(frame.clear())
    assert made.octets == model.secure(frame.with_ash(ash(5, 0)), KEY, src_ext=OWN)


@pytest.mark.parametrize("edition", [E2012E, E2015])
@pytest.mark.parametrize("src", [OWN, OWN_SHORT, b""], ids=["extended", "short", "none"])
def test_tsch_nonces(target: Target, edition: int, src: bytes) -> None:
    """In TSCH mode the ASN is the counter; 2015 has a nonce for short sources, 2012e takes the
    extended address."""
    frame = replace(V2, src=src, src_pan=PAN)
    secured = frame.with_ash(ash(5, None))
    made = Node(target, Pib(edition, True)).secure(frame.clear())
    if edition == E2012E and len(src) == 2:
        ext = replace(secured, src=OWN)
        nonce = model.nonce_of(ext, "asn", ASN, None)
        ciphertext, mic = model.ccm_star(KEY, nonce, secured.mhr(), secured.private_part, 4)
        assert made.octets == secured.mhr() + ciphertext + mic
    else:
        assert made.octets == model.secure(secured, KEY, "asn", ASN, OWN)


def test_short_source_without_pan_uses_our_pan(target: Target) -> None:
    """2015 table 7-2 knows frames with a short source and no PAN identifier: macPanId goes into the
    nonce."""
    frame = Frame(dst=b"", src=OWN_SHORT, compression=True, private_part=b"payload", src_pan=PAN)
    assert frame.pan_fields() == (False, False)
    made = Node(target, Pib(asn_form=True)).secure(frame.clear())
    assert made.octets == model.secure(frame.with_ash(ash(5, None)), KEY, "asn", ASN)


def test_one_nonce_a_slot(target: Target) -> None:
    """In one slot one frame is secured; the next slot has a nonce again; an earlier slot never
    comes back."""
    node = Node(target, Pib(asn_form=True, asn=ASN))
    assert node.secure(V2.clear()).status == "WM_OK"
    assert node.secure(V2.clear()).status == "WM_ERR_COUNTER"
    assert node.set_asn(ASN) == "WM_OK"
    assert node.secure(V2.clear()).status == "WM_ERR_COUNTER"
    assert node.set_asn(ASN - 1) == "WM_ERR_COUNTER"
    assert node.set_asn(ASN + 1) == "WM_OK"
    made = node.secure(V2.clear())
    assert made.octets == model.secure(V2.with_ash(ash(5, None)), KEY, "asn", ASN + 1)


def test_key_by_destination(target: Target) -> None:
    """KeyIdMode 0: the key is found by where the frame goes, the PAN coordinator where it does not
    say."""
    keys = (
        Key(OTHER_KEY, (Lookup(0, 0, THIRD), Lookup(0, 0, b"\0\x03"))),
        Key(KEY, (Lookup(0, 0, PEER), Lookup(0, 0, PEER_SHORT))),
    )
    frames = (
        (PEER, KEY),
        (PEER_SHORT, KEY),
        (THIRD, OTHER_KEY),
        (b"\0\x03", OTHER_KEY),
        (b"", KEY),
    )
    for coordinator_short in (0xFFFF, 0xFFFE, 2):
        target.reset()
        node = Node(target, Pib(keys=keys, coordinator=PEER, coordinator_short=coordinator_short))
        for counter, (dst, key) in enumerate(frames):
            frame = replace(V1, dst=dst, compression=bool(dst))
            made = node.secure(frame.clear(), Params(mode=0))
            assert made.octets == model.secure(frame.with_ash(ash(5, counter, 0)), key)


def test_first_key_that_answers_holds(target: Target) -> None:
    """Two keys that answer to one identifier: the first of the table is used."""
    for first, second in ((KEY, OTHER_KEY), (OTHER_KEY, KEY)):
        target.reset()
        made = Node(target, Pib(keys=(Key(first), Key(second)))).secure(V1.clear())
        assert made.octets == model.secure(V1.with_ash(ash(5, 0)), first)


@pytest.mark.parametrize("version", [1, 2])
def test_commands(target: Target, version: int) -> None:
    """The identifier of a version 1 command stays readable, that of a version 2 command is
    encrypted."""
    open_part, private = (b"\x01", b"\xce") if version == 1 else (b"", b"\x01\xce")
    frame = replace(V1, type=COMMAND, version=version, open_part=open_part, private_part=private)
    made = Node(target, Pib()).secure(frame.clear(), Params(6))
    secured = frame.with_ash(ash(6, 0))
    assert made.octets == model.secure(secured, KEY)
    assert (made.octets[len(secured.mhr())] == 1) == (version == 1)


def header(frame: Frame) -> dict[str, Any]:
    """A wm_mhr by hand."""
    mode = {0: 0, 2: 2, 8: 3}
    return {
        "type": frame.type,
        "version": frame.version,
        "ack_request": frame.ack_request,
        "pan_id_compression": frame.compression,
        "ie_present": bool(frame.header_ies),
        "seq": frame.seq,
        "dst_pan": frame.dst_pan,
        "src_pan": frame.src_pan,
        "dst": {"mode": mode[len(frame.dst)], "octet": frame.dst},
        "src": {"mode": mode[len(frame.src)], "octet": frame.src},
    }


def test_build(target: Target) -> None:
    """Header, IEs and payload give the same frame as the other function makes from the frame in
    clear."""
    ies = model.time_correction(5) + model.HT1
    frame = replace(
        V2,
        header_ies=ies,
        private_part=model.payload_ie(2, b"abc") + model.payload_ie(0xF, b"") + b"data",
    )
    node = Node(target, Pib())
    made = node.build(header(frame), ies + frame.private_part)
    assert (made.status, made.octets) == ("WM_OK", model.secure(frame.with_ash(ash(5, 0)), KEY))
    bare = node.build(header(frame), ies + frame.private_part, Params(0))
    assert (bare.status, bare.octets, node.counter()) == ("WM_NOT_SECURED", frame.clear(), 1)


@pytest.mark.parametrize(
    ("change", "body", "size", "status"),
    [
        ({"security_enabled": True}, 0, 125, "WM_ERR_PARAM"),
        ({"version": 3}, 0, 125, "WM_ERR_PARAM"),
        ({"version": 1, "ie_present": True}, 0, 125, "WM_ERR_PARAM"),
        ({}, 0, 20, "WM_ERR_FRAME_TOO_LONG"),
        ({}, 30, 52, "WM_ERR_FRAME_TOO_LONG"),
        ({}, 103, 125, "WM_ERR_FRAME_TOO_LONG"),
        ({}, 95, 125, "WM_ERR_FRAME_TOO_LONG"),
        ({}, 255, 255, "WM_ERR_FRAME_TOO_LONG"),
        ({"ie_present": True}, 1, 125, "WM_ERR_MALFORMED"),
    ],
)
def test_build_refuses(
    target: Target, change: dict[str, Any], body: int, size: int, status: str
) -> None:
    """A frame that no header can express, or that does not fit, is refused and uses up no
    counter."""
    node = Node(target, Pib())
    before = node.memory()
    assert node.build(header(V2) | change, bytes(body), size=size).status == status
    assert node.memory() == before


@pytest.mark.parametrize("beyond", [0, 1])
@pytest.mark.parametrize("room", [0, 20], ids=["exact", "more"])
def test_build_the_longest_frame(target: Target, beyond: int, room: int) -> None:
    """A frame in clear may be as long as frames are, in a buffer of that length and in a longer one;
    not an octet longer. Secured, it must leave room for what security adds."""
    most = frame_max(target)
    node = Node(target, Pib())
    taken = len(node.build(header(V2), b"", Params(0)).octets)
    built = node.build(header(V2), bytes(most - taken + beyond), Params(0), size=most + room)
    assert built.status == ("WM_ERR_FRAME_TOO_LONG" if beyond else "WM_NOT_SECURED")
    added = 1 + 4 + 1 + 4  # control, frame counter, key index, MIC
    built = node.build(header(V2), bytes(most - taken - added + beyond), size=most + room)
    assert built.status == ("WM_ERR_FRAME_TOO_LONG" if beyond else "WM_OK")


def test_key_devices_do_not_matter(target: Target) -> None:
    """A key's device list is for received frames only: a key without devices secures."""
    for devices in ((), (KeyDevice(blacklisted=True),)):
        assert Node(target, Pib(keys=(Key(devices=devices),))).secure(V1.clear()).status == "WM_OK"
