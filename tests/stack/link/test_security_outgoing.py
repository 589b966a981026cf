# SPDX-License-Identifier: BSD-3-Clause
"""The outgoing procedure: every status, what a refusal leaves alone, and which counter is used
up."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, BEACON, COMMAND, Frame
from tests.stack.link.securitylib import (
    E2006,
    E2011,
    E2012E,
    E2015,
    EDITIONS,
    KEY,
    OTHER_KEY,
    OWN,
    OWN_SHORT,
    PAN,
    PEER,
    PEER_SHORT,
    THIRD,
    USED_UP,
    Key,
    KeyDevice,
    Lookup,
    Node,
    Params,
    Pib,
    ash,
)
from wardmote.call import Target

ASN = 0x0102030405
ALL_ONES_ASN = (1 << 40) - 1


def to_peer(body: bytes = b"payload", **members: Any) -> Frame:
    """A data frame in clear from OWN to PEER; version 1 unless said otherwise."""
    usual: dict[str, Any] = {
        "version": 1,
        "compression": True,
        "dst": PEER,
        "src": OWN,
        "private_part": body,
    }
    return Frame(**(usual | members))


V1, V2 = to_peer(), to_peer(version=2, compression=False)
EB = Frame(
    BEACON, dst=b"\xff\xff", src=OWN, header_ies=model.HT1, private_part=model.Beacon(ASN).payload()
)
USUAL = Params()
LONGEST = to_peer(bytes(125 - len(to_peer(b"", ash=ash()).mhr()) - 4))


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason to refuse."""

    name: str
    status: str
    pib: Pib
    frame: bytes
    params: Params = USUAL
    size: int = 125


def refusals() -> list[Refusal]:
    """Every status of the outgoing procedure, in the order of its checks."""
    new = Pib()
    keyless = Pib(keys=())
    per_key = Pib(keys=(Key(counter=USED_UP),))
    v1, v2 = V1.clear(), V2.clear()
    found = [
        Refusal("one octet", "WM_ERR_MALFORMED", new, v1[:1]),
        Refusal("cut address", "WM_ERR_MALFORMED", new, v1[:10]),
        Refusal("multipurpose", "WM_ERR_NOT_FOR_US", new, b"\x05\x00" + bytes(10)),
        Refusal("secured version 0", "WM_ERR_UNSUPPORTED_LEGACY", new, to_peer(version=0, ash=ash()).clear()),
        Refusal("has an ASH", "WM_ERR_PARAM", new, to_peer(ash=ash()).clear()),
        Refusal("level 8", "WM_ERR_PARAM", new, v1, Params(8)),
        Refusal("KeyIdMode 4", "WM_ERR_PARAM", new, v1, Params(mode=4)),
        Refusal("KeyIndex 0", "WM_ERR_PARAM", new, v1, Params(index=0)),
        Refusal("version 2 in 2006", "WM_ERR_PARAM", Pib(E2006), v2),
        Refusal("version 2 in 2011", "WM_ERR_PARAM", Pib(E2011), v2),
        Refusal("level 4 in 2015", "WM_ERR_UNSUPPORTED_SECURITY", new, v1, Params(4)),
        Refusal("encrypted beacon in 2012e", "WM_ERR_UNSUPPORTED_SECURITY", Pib(E2012E), EB.clear()),
        Refusal("encrypted beacon in 2015", "WM_ERR_UNSUPPORTED_SECURITY", new, EB.clear()),
        Refusal("Imm-Ack", "WM_ERR_UNSUPPORTED_SECURITY", new, Frame(ACK, 1, 7).clear()),
        Refusal("version 1 in TSCH", "WM_ERR_UNSUPPORTED_SECURITY", Pib(asn_form=True), v1),
        Refusal("one octet over 127", "WM_ERR_FRAME_TOO_LONG", new, LONGEST.clear() + b"\0"),
        Refusal("level 7 over 127", "WM_ERR_FRAME_TOO_LONG", new, LONGEST.clear(), Params(7)),
        Refusal("KeyIdMode 3 over 127", "WM_ERR_FRAME_TOO_LONG", Pib(keys=(Key(lookups=(Lookup(3, 1, bytes(8)),)),)),
                LONGEST.clear(), Params(mode=3, source=bytes(8))),
        Refusal("too small a buffer", "WM_ERR_FRAME_TOO_LONG", new, v1, size=len(v1) + 6 + 3),
        Refusal("key's counter used up", "WM_ERR_COUNTER", per_key, v1),
        Refusal("ASN all ones", "WM_ERR_COUNTER", Pib(asn_form=True, asn=ALL_ONES_ASN), v2),
        Refusal("ASN all ones in 2012e", "WM_ERR_COUNTER", Pib(E2012E, True, asn=ALL_ONES_ASN), v2),
        Refusal("ASN used", "WM_ERR_COUNTER", Pib(asn_form=True, asn_used=True), v2),
        Refusal("no KeyIdMode 0 entry", "WM_ERR_UNAVAILABLE_KEY", new, v1, Params(mode=0)),
        Refusal("other device", "WM_ERR_UNAVAILABLE_KEY", Pib(keys=(Key(lookups=(Lookup(0, 0, THIRD),)),)), v1,
                Params(mode=0)),
        Refusal("other PAN", "WM_ERR_UNAVAILABLE_KEY", Pib(keys=(Key(lookups=(Lookup(0, 0, PEER, PAN + 1),)),)), v1,
                Params(mode=0)),
        Refusal("other default key source", "WM_ERR_UNAVAILABLE_KEY", Pib(default_source=bytes(8)), v1),
        Refusal("2: source of mode 3", "WM_ERR_UNAVAILABLE_KEY", Pib(keys=(Key(lookups=(Lookup(3, 1, b"abcd"),)),)), v1,
                Params(mode=2, source=b"abcd")),
        Refusal("2: other source", "WM_ERR_UNAVAILABLE_KEY", Pib(keys=(Key(lookups=(Lookup(2, 1, b"abcd"),)),)), v1,
                Params(mode=2, source=b"abce")),
        Refusal("3: other source", "WM_ERR_UNAVAILABLE_KEY", Pib(keys=(Key(lookups=(Lookup(3, 1, b"abcdefgh"),)),)), v1,
                Params(mode=3, source=b"bbcdefgh")),
        Refusal("no key although a counter", "WM_ERR_UNAVAILABLE_KEY", replace(keyless, counter=USED_UP), v1),
        Refusal("slot that the store has not", "WM_ERR_STORAGE", Pib(slot=3), v1),
        Refusal("key's slot that the store has not", "WM_ERR_STORAGE", Pib(keys=(Key(counter=5, slot=3),)), v1),
    ]  # fmt: skip
    for edition in EDITIONS:
        found += [
            Refusal(
                f"secEnabled FALSE, {edition}",
                "WM_ERR_UNSUPPORTED_SECURITY",
                Pib(edition, enabled=False),
                v1,
            ),
            Refusal(
                f"counter used up, {edition}", "WM_ERR_COUNTER", Pib(edition, counter=USED_UP), v1
            ),
            Refusal(
                f"no keys, {edition}",
                "WM_ERR_UNAVAILABLE_KEY",
                replace(keyless, edition=edition),
                v1,
            ),
            Refusal(
                f"other index, {edition}",
                "WM_ERR_UNAVAILABLE_KEY",
                Pib(edition),
                v1,
                Params(index=2),
            ),
        ]
        if edition != E2015:
            both = replace(keyless, edition=edition, counter=USED_UP)
            found.append(Refusal(f"counter before key, {edition}", "WM_ERR_COUNTER", both, v1))
    return found


@pytest.mark.parametrize("case", refusals(), ids=lambda case: case.name)
def test_refusals(target: Target, case: Refusal) -> None:
    """A refused frame stays as it was, octet for octet, and nothing of the PIB moves."""
    pib = case.pib
    if case.status == "WM_ERR_STORAGE":
        pib = replace(pib, store=target.buffer(bytes(target.pack("wm_counter_store"))).address)
    node = Node(target, pib)
    before = node.memory()
    refused = node.secure(case.frame, case.params, case.size)
    assert (refused.status, refused.octets) == (case.status, case.frame)
    assert node.memory() == before


def test_every_status_is_refused_for() -> None:
    """The table above has each status that the header lists."""
    named = {case.status for case in refusals()}
    assert named == {
        "WM_ERR_MALFORMED",
        "WM_ERR_NOT_FOR_US",
        "WM_ERR_UNSUPPORTED_LEGACY",
        "WM_ERR_PARAM",
        "WM_ERR_UNSUPPORTED_SECURITY",
        "WM_ERR_FRAME_TOO_LONG",
        "WM_ERR_COUNTER",
        "WM_ERR_UNAVAILABLE_KEY",
        "WM_ERR_STORAGE",
    }


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
    """At level 0 no key, no counter and no ASH is needed, whether security is enabled or not."""
    node = Node(target, Pib(edition, enabled=enabled, keys=(), counter=USED_UP))
    before = node.memory()
    made = node.secure(V1.clear(), Params(0, 9, 0))
    assert (made.status, made.octets, node.memory()) == ("WM_OK", V1.clear(), before)


def test_version_0_becomes_version_1(target: Target) -> None:
    """A frame of version 0 can not say that it is secured: it goes out as version 1 (2006
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
    """A frame from header, IEs and payload is the one that the other function makes of the frame in
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
    assert (bare.status, bare.octets, node.counter()) == ("WM_OK", frame.clear(), 1)


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
    """What no header can express, or what does not fit, is refused and uses up nothing."""
    node = Node(target, Pib())
    before = node.memory()
    assert node.build(header(V2) | change, bytes(body), size=size).status == status
    assert node.memory() == before


def test_key_devices_do_not_matter(target: Target) -> None:
    """Who may send under a key says nothing about sending: a key without devices secures."""
    for devices in ((), (KeyDevice(blacklisted=True),)):
        assert Node(target, Pib(keys=(Key(devices=devices),))).secure(V1.clear()).status == "WM_OK"
