# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong in link security: for each error that was found in some stack, the very input
that it mishandles.

Here: nonce, MIC, lengths, parsing and Enhanced Beacons of one frame. test_known_bugs_policy.py has
those of tables and counters, test_known_bugs_memory.py those that read past a frame.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import Ash, Beacon, Frame
from tests.model.ieee802154_read import read
from tests.stack.calls import bound
from tests.stack.link.linklib import Link, frame_max, name_of
from tests.stack.link.simulation import CONFIG, LEAF, ROOT, Sent, Simulation, exchange, flip, kind
from wardmote.call import EmulatedTarget, Outcome

KEY = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
SHORT, EXT = bytes.fromhex("0a0b"), bytes.fromhex("00124b0000000001")
OTHER = bytes.fromhex("00124b0000000002")
ASN = 0x0102030405
ASN_OCTETS = ASN.to_bytes(5, "big")
LEVELS = (1, 2, 3, 5, 6, 7)
SECURITY, FORM = "WM_ERR_SECURITY", "WM_ERR_UNSUPPORTED_SECURITY"
ANNEX_C_KEY = bytes.fromhex("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
ANNEX_C_HEADER = bytes.fromhex("69dc842143020000000048deac010000000048deac")


def data(level: int = 5, payload: bytes = b"payload", **changes: Any) -> Frame:
    """A data frame with a carried counter."""
    return replace(Frame(dst=OTHER, src=EXT, ash=Ash(level, 1, 1), private_part=payload), **changes)


# Nonce and MIC.


@pytest.mark.parametrize(
    ("level", "right", "wrong"),
    [(5, "3566bd721b0c6e27", "3566bd728b839d9a"), (1, "61626364f03f3843", "616263644bf90f4d")],
)
def test_mic_length_not_shifted_into_the_flags(
    link: Link, level: int, right: str, wrong: str
) -> None:
    """Flags of B_0 without M' in bits 3 to 5, and at levels 1 to 3 the payload taken as m: every
    MIC is another one. The data frame of Annex C with its right MIC opens, with the one of such a
    stack it does not."""
    head = ANNEX_C_HEADER + bytes([level]) + bytes.fromhex("05000000")
    assert link.secure(head + b"abcd", key=ANNEX_C_KEY).octets == head + bytes.fromhex(right)
    assert link.unsecure(head + bytes.fromhex(right), key=ANNEX_C_KEY).octets == head + b"abcd"
    assert link.unsecure(head + bytes.fromhex(wrong), key=ANNEX_C_KEY).status == SECURITY


def test_payload_authenticated_as_message(link: Link) -> None:
    """Levels 1 to 3 authenticate the payload as a; a MIC over it as m with the right flags is
    refused as well."""
    frame = Frame(
        version=1,
        seq=0x84,
        dst=OTHER,
        src=EXT,
        ash=Ash(1, 0, 5),
        private_part=b"abcd",
        compression=True,
    )
    nonce = model.nonce_of(frame, "counter", 0, None)
    as_message = frame.clear() + model.ccm_star(KEY, nonce, frame.mhr(), b"abcd", 4)[1]
    assert link.unsecure(as_message, key=KEY).status == SECURITY
    assert link.unsecure(model.secure(frame, KEY), key=KEY).status == "WM_OK"


@pytest.mark.parametrize("run", ["secure", "unsecure"])
def test_short_source_read_as_an_extended_one(link: Link, run: str) -> None:
    """8 octets of a 2-octet source in the nonce: we take the extended address that the caller
    knows, or refuse."""
    frame = data(src=SHORT)
    secured = model.secure(frame, KEY, src_ext=EXT)
    there, back = (frame.clear(), secured) if run == "secure" else (secured, frame.clear())
    assert getattr(link, run)(there, key=KEY).status == "WM_ERR_PARAM"
    assert getattr(link, run)(there, key=KEY, src_ext=EXT).octets == back
    # What an over-read takes: the address and the six octets of the frame that follow it.
    over = model.secure(frame, KEY, src_ext=(frame.mhr()[-8:])[::-1])
    assert link.unsecure(over, key=KEY, src_ext=EXT).status == SECURITY


def test_asn_little_endian_in_the_nonce(link: Link) -> None:
    """A MIC over a nonce with the ASN's octets reversed is refused."""
    frame = data(ash=Ash(5, 1, None, True))
    wrong = model.secure(frame, KEY, "asn", int.from_bytes(ASN.to_bytes(5, "little"), "big"))
    assert link.unsecure(wrong, key=KEY, asn_form=True, asn=ASN_OCTETS).status == SECURITY
    right = model.secure(frame, KEY, "asn", ASN)
    assert link.unsecure(right, key=KEY, asn_form=True, asn=ASN_OCTETS).status == "WM_OK"


def test_nonce_form_taken_from_the_frame(link: Link) -> None:
    """A receiver in TSCH mode refuses a frame that claims the counter nonce although its MIC is
    right for that."""
    answer = link.unsecure(model.secure(data(), KEY), key=KEY, asn_form=True, asn=ASN_OCTETS)
    assert answer.status == FORM


def test_asn_nonce_under_a_header_that_claims_a_counter(link: Link) -> None:
    """A zero counter in the ASH, bits 5 and 6 clear, and a MIC over the ASN: not a frame of the
    standard."""
    frame = data(ash=Ash(5, 1, 0))
    nonce = EXT + ASN_OCTETS
    ciphertext, mic = model.ccm_star(KEY, nonce, frame.mhr(), frame.private_part, 4)
    answer = link.unsecure(frame.mhr() + ciphertext + mic, key=KEY, asn_form=True, asn=ASN_OCTETS)
    assert answer.status == FORM


def test_framer_forgets_bits_5_and_6() -> None:
    """Every secured frame of a TSCH node without counters says so in the ASH, and carries no
    counter."""
    sent = exchange(0.3).sent
    assert {kind(frame) for frame in sent} == {model.BEACON, model.DATA, model.ACK}
    for frame in sent:
        ash = read(frame.octets)[0].ash
        assert ash is not None
        assert (ash.counter, ash.asn_in_nonce) == (None, True)
        assert len(ash.octets()) == 2


@pytest.mark.parametrize(
    "prepare", ["wm_tsch_prepare_ack", "wm_tsch_prepare_eb", "wm_tsch_prepare_data"]
)
def test_security_bits_from_what_memory_held(link: Link, prepare: str) -> None:
    """Header bits that no one set hold earlier memory. The frame must not depend on it."""
    target = link.target
    layout = target.layout("wm_tsch")
    config = target.pack("wm_tsch_config", **{**CONFIG, "eui64": OTHER, "peer": EXT})
    made = set()
    for poison in (0x00, 0xFF, 0x5A, 0xA5):
        if isinstance(target, EmulatedTarget):
            top = target.program.symbol("__stack")[0]
            target.program.write(top - 512, bytes([poison]) * 512)
        tsch = bytearray([poison]) * layout.size
        at = layout.offset("config")
        tsch[at : at + len(config)] = config
        at = layout.offset("asn")
        tsch[at : at + 5] = ASN_OCTETS
        room = target.buffer(tsch)
        assert target.call(prepare, room).value == 0
        after = target.unpack("wm_tsch", room.read())
        made.add(after["tx_frame"][: after["tx"]["len"]])
        target.reset()
    assert len(made) == 1


# Lengths.


@pytest.mark.parametrize(
    ("level", "octets"), [(0, 0), (1, 4), (2, 8), (3, 16), (4, 0), (5, 4), (6, 8), (7, 16)]
)
def test_mic_length_by_shifting_two(link: Link, level: int, octets: int) -> None:
    """2 << (level & 3) says 2 octets at levels 0 and 4, which have no MIC."""
    assert link.target.call("wm_level_mic_len", level).value == octets


@pytest.mark.parametrize("tag", [1, 2, 3, 5, 17])
@pytest.mark.parametrize("run", ["wm_ccm_seal", "wm_ccm_open"])
def test_tag_length_refused_in_silence(link: Link, run: str, tag: int) -> None:
    """A tag length that CCM does not have: the caller is told, and does not take the plaintext for
    ciphertext."""
    target = link.target
    key, m = bound(target, "aes128_tab", KEY), bytearray(b"message")
    args = (key, bytes(13), b"head", 4, m, len(m), bytearray(16), tag)
    assert name_of(target.call(run, *args).value) == "WM_ERR_PARAM"
    assert m == b"message"


@pytest.mark.parametrize("profile", [0, 1])
def test_level_0_with_security_enabled(link: Link, profile: int) -> None:
    """Security Enabled at level 0 falls through to lengths that no one set. It is refused in both
    directions."""
    frame = data(0)
    for run in (link.secure, link.unsecure):
        answer = run(frame.clear(), key=KEY, profile=profile)
        assert (answer.status, answer.octets) == (FORM, frame.clear())


def test_level_4_after_2011(link: Link) -> None:
    """Encryption without a MIC left the standard in 2015: refused in both directions, and done
    right before."""
    frame = data(4)
    for run, octets in ((link.secure, frame.clear()), (link.unsecure, model.secure(frame, KEY))):
        assert run(octets, key=KEY, profile=0).status == FORM
    assert link.secure(frame.clear(), key=KEY, profile=1).octets == model.secure(frame, KEY)


def test_level_4_encrypts_the_header(link: Link) -> None:
    """Encryption without MIC encrypts the private payload and not one octet of the header."""
    frame = Frame(
        version=1, dst=OTHER, src=EXT, compression=True, ash=Ash(4, 0, 5), private_part=b"abcd"
    )
    answer = link.secure(frame.clear(), key=KEY, profile=1)
    assert answer.octets[: len(frame.mhr())] == frame.mhr()
    assert answer.octets != frame.clear()


@pytest.mark.parametrize("level", LEVELS)
def test_mic_not_counted_in_the_frame_length(link: Link, level: int) -> None:
    """A payload that fits without the MIC only: nothing is written past aMaxPhyPacketSize, one
    octet less is sent."""
    most = frame_max(link.target)
    room = most - len(data(level, b"").clear()) - model.MIC_OCTETS[level]
    full, over = data(level, bytes(room)), data(level, bytes(room + 1))
    assert len(link.secure(full.clear(), key=KEY).octets) == most
    answer = link.secure(over.clear(), key=KEY)
    assert (answer.status, answer.octets) == ("WM_ERR_FRAME_TOO_LONG", over.clear())


# Parsing.


def test_key_source_of_two_octets(link: Link) -> None:
    """The Key Source of KeyIdMode 2 has 4 octets: with 2 the KeyIndex would be read one field too
    early."""
    frame = data(ash=Ash(5, 2, 1, False, b"\x01\x02\x03\x04", 9))
    _, mhr, places = link.parse(model.secure(frame, KEY))
    assert (mhr["ash"]["key_source"][:4], mhr["ash"]["key_index"]) == (b"\x01\x02\x03\x04", 9)
    assert places["header_ie"] - places["ash"] == 10


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("carried", [False, True])
def test_ash_cut_short(link: Link, mode: int, carried: bool) -> None:
    """A frame that ends anywhere within its ASH, or before its MIC is whole, is refused and not
    read on."""
    ash = Ash(
        5, mode, 1 if carried else None, not carried, bytes(8)[: model.KEY_SOURCE_OCTETS[mode]], 1
    )
    secured = model.secure(data(ash=ash, payload=b""), KEY, "counter" if carried else "asn")
    for length in range(len(data().addressing()), len(secured)):
        assert link.parse(secured[:length])[0] == "WM_ERR_MALFORMED"


ADDRESSES = {"none": b"", "short": SHORT, "extended": EXT}


@pytest.mark.parametrize("dst", ADDRESSES)
@pytest.mark.parametrize("src", ADDRESSES)
@pytest.mark.parametrize("compression", [False, True])
def test_pan_identifier_always_read(link: Link, dst: str, src: str, compression: bool) -> None:
    """A PAN identifier that the addressing does not have shifts every field behind it: table 7-2,
    row by row."""
    frame = Frame(
        dst=ADDRESSES[dst], src=ADDRESSES[src], compression=compression, private_part=b"payload"
    )
    status, mhr, places = link.parse(frame.clear())
    assert (status, places["ash"]) == ("WM_OK", len(frame.addressing()))
    assert (mhr["dst_pan_present"], mhr["src_pan_present"]) == frame.pan_fields()
    assert mhr["dst"]["octet"][: len(frame.dst)] == frame.dst
    assert mhr["src"]["octet"][: len(frame.src)] == frame.src


# Header IEs that a loop which waits for a termination does not stop at.
LISTS_WITHOUT_END = [
    ("empty IEs to the last octet", model.header_ie(0x20, b"") * 30, "WM_OK"),
    ("an IE that says more than there is", b"\x7f\x10" + bytes(9), "WM_ERR_MALFORMED"),
    ("half a descriptor", model.header_ie(0x20, b"ab") + b"\x00", "WM_ERR_MALFORMED"),
    ("nothing at all", b"", "WM_OK"),
]


@pytest.mark.parametrize(
    ("what", "ies", "status"), LISTS_WITHOUT_END, ids=[case[0] for case in LISTS_WITHOUT_END]
)
def test_header_ie_list_without_termination(link: Link, what: str, ies: bytes, status: str) -> None:
    """A list that never terminates ends with the frame, and in a secured frame with the MIC."""
    for frame in (Frame(dst=OTHER, src=EXT), data(payload=b"")):
        head = bytearray(frame.mhr())
        head[1] |= 0x02
        mic = bytes(4) if frame.ash else b""
        found, _, places = link.parse(bytes(head) + ies + mic)
        assert found == status, what
        if status == "WM_OK":
            assert places["open"] == len(head) + len(ies)


@pytest.mark.parametrize(
    ("what", "payload"),
    [
        ("empty payload IEs only", model.payload_ie(2, b"") * 40),
        ("empty nested IEs only", model.payload_ie(1, model.nested_ie(0x30, b"") * 40)),
        ("MLME IE longer than the frame", b"\xff\x8f" + bytes(20)),
        (
            "nested IE longer than the MLME IE",
            model.payload_ie(1, b"\x7f\x1a" + bytes(6)) + bytes(80),
        ),
        ("half a descriptor", model.payload_ie(1, model.nested_ie(0x1A, bytes(6)) + b"\x00")),
    ],
)
def test_payload_ie_list_without_end(link: Link, what: str, payload: bytes) -> None:
    """An Enhanced Beacon whose IEs never reach the one that is searched, or never end."""
    eb = link.target.pack("wm_eb")
    assert (
        name_of(link.target.call("wm_eb_parse", payload, len(payload), eb).value)
        == "WM_ERR_MALFORMED"
    ), what


@pytest.mark.parametrize(("identifier", "status"), [(0, "WM_OK"), (1, "WM_ERR_PARAM")])
def test_hopping_sequence_of_no_channels(link: Link, identifier: int, status: str) -> None:
    """A Channel Hopping IE whose sequence has length 0 makes a stack that computes ASN mod length
    divide by zero. We follow the default sequence alone: identifier 0 means that one whatever else
    the IE says, any other cannot be followed."""
    # identifier 1 | channel page 1 | number of channels 2 | PHY configuration 4 | sequence length 2
    # | current hop 2
    hopping = bytes([identifier, 0]) + bytes([16, 0]) + bytes(4) + bytes(2) + bytes(2)
    payload = Beacon(ASN, hopping=hopping).payload()
    eb = link.target.pack("wm_eb")
    assert name_of(link.target.call("wm_eb_parse", payload, len(payload), eb).value) == status
    assert link.target.unpack("wm_eb", eb)["hopping_id"] == identifier


# Where encryption begins.


@pytest.mark.parametrize(
    "ies", [model.HT1, model.HT2, model.time_correction(5) + model.HT2], ids=["HT1", "HT2", "list"]
)
@pytest.mark.parametrize("level", LEVELS)
def test_header_termination_not_stopped_at(link: Link, ies: bytes, level: int) -> None:
    """What follows a header termination is payload, also when it looks like another header IE: it
    is encrypted, and the termination is not."""
    body = model.time_correction(1) + b"data"
    frame = data(level, model.payload_ie(1, body) if ies == model.HT1 else body, header_ies=ies)
    answer = link.secure(frame.clear(), key=KEY)
    assert answer.octets == model.secure(frame, KEY)
    assert answer.octets[: len(frame.mhr())] == frame.mhr()
    assert (answer.octets[len(frame.mhr()) :][: len(body)] != frame.private_part[: len(body)]) == (
        level >= 4
    )


@pytest.mark.parametrize(
    "ies", [b"", model.HT2, model.time_correction(5)], ids=["none", "HT2", "list"]
)
@pytest.mark.parametrize("level", LEVELS)
def test_mic_of_an_empty_payload(link: Link, ies: bytes, level: int) -> None:
    """Nothing to encrypt: the MIC is over the header alone, at every level, and does not fail to
    appear."""
    frame = data(level, b"", header_ies=ies)
    secured = link.secure(frame.clear(), key=KEY).octets
    assert secured == model.secure(frame, KEY)
    assert len(secured) == len(frame.clear()) + model.MIC_OCTETS[level]
    assert link.unsecure(secured, key=KEY).octets == frame.clear()


# What a refused frame leaves behind.


@pytest.mark.parametrize("level", LEVELS)
def test_plaintext_left_after_a_wrong_mic(link: Link, level: int) -> None:
    """A frame with a wrong MIC is decrypted before that is known: no octet of it may be left in the
    buffer."""
    frame = data(level, bytes(range(1, 41)), header_ies=model.HT2)
    answer = link.unsecure(flip(-1)(model.secure(frame, KEY)), key=KEY)
    kept = len(frame.mhr()) - len(frame.header_ies)
    assert answer.status == SECURITY
    assert answer.octets == frame.mhr()[:kept] + bytes(len(answer.octets) - kept)


def traced(link: Link, frame: bytes) -> Outcome:
    """wm_frame_unsecure with everything at the same addresses each time."""
    target = link.target
    target.reset()
    key = bound(target, "aes128_tab", KEY)
    security = target.pack(
        "wm_security",
        cipher=key.address,
        profile=0,
        nonce_form=0,
    )
    outcome = target.call(
        "wm_frame_unsecure",
        bytes(security),
        bytearray(frame),
        bytearray([len(frame)]),
        trace="hash",
    )
    target.reset()
    return outcome


@pytest.mark.parametrize("name", ["msp430", "armv7m"])
@pytest.mark.parametrize("level", [1, 5, 7])
def test_mic_compared_until_the_first_difference(name: str, level: int) -> None:
    """memcmp tells by its time how many octets of a forged MIC were right: cycles and every
    executed address are the same wherever the MIC is wrong."""
    link = Link(name)
    secured = model.secure(data(level), KEY)
    outcomes = [traced(link, flip(-1 - place)(secured)) for place in range(model.MIC_OCTETS[level])]
    assert {name_of(outcome.value) for outcome in outcomes} == {SECURITY}
    assert (
        len({(o.cycles, o.trace.pc_hash, o.trace.address_hash) for o in outcomes if o.trace}) == 1
    )


# Enhanced Beacons and Enh-Acks of a network.


def changed(type_: int, at: int) -> Any:
    """A medium that changes one octet of every frame of a type."""
    return lambda sent: flip(at)(sent.octets) if kind(sent) == type_ else sent.octets


def test_mic_of_an_enhanced_beacon_not_checked() -> None:
    """A leaf without time still checks the MIC of the EB that gives it time. A forged EB does not
    make it join."""
    simulation = Simulation()
    simulation.medium = changed(model.BEACON, -1)
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(1)
    leaf = simulation.stats(LEAF)
    assert (leaf["joined"], leaf["refused"] > 0, leaf["last_error"], simulation.asn(LEAF)) == (
        0,
        True,
        10,
        0,
    )


def test_mic_skipped_while_there_is_no_key(link: Link) -> None:
    """A secured frame whose key is unknown is never taken for an unsecured one; this holds for
    Enhanced Beacons too."""
    header = Frame(
        model.BEACON,
        2,
        1,
        b"\xff\xff",
        EXT,
        compression=True,
        ash=Ash(1, 1, 1),
        header_ies=model.HT1,
    )
    for frame in (replace(header, private_part=Beacon(ASN).payload()), data()):
        secured = model.secure(frame, KEY)
        answer = link.unsecure(secured, key=None)
        assert (answer.status, answer.octets) == ("WM_ERR_UNAVAILABLE_KEY", secured)


def test_clock_moved_by_an_enh_ack_that_does_not_authenticate() -> None:
    """A forged time correction of the largest size moves nothing: the next slots are as far apart
    as before."""
    simulation = exchange(0.3)
    starts: list[int] = []

    def medium(sent: Sent) -> bytes:
        if kind(sent) == model.DATA:
            starts.append(simulation.state(LEAF)["slot_start"])
        if kind(sent) != model.ACK:
            return sent.octets
        return sent.octets.replace(
            model.header_ie(0x1E, sent.octets[25:27]), model.time_correction(2047)
        )

    simulation.medium = medium
    simulation.run(0.5)
    assert simulation.stats(LEAF)["last_error"] == 10
    steps = {(b - a) % 65536 for a, b in itertools.pairwise(starts)}
    assert {step % CONFIG["timing"]["ts_slot_duration"] for step in steps} == {0}
    assert len(starts) > 5
