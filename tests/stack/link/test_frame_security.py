# SPDX-License-Identifier: BSD-3-Clause
"""Securing and unsecuring frames: printed vectors, the model, and every refusal by name."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import Ash, Frame
from tests.stack.link.linklib import Link, admitted, as_built
from tests.vectors import Vector, load, named, of_each_file

KEY = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
SHORT, EXT = bytes.fromhex("0a0b"), bytes.fromhex("00124b0000000001")
OTHER = bytes.fromhex("00124b0000000002")
ASN = 0x0102030405
ALL = load("link_security") + load("tsch")
VALID = [vector for vector in ALL if vector.type == "frame-security"]
REFUSED = [vector for vector in ALL if vector.type == "frame-refusal"]


def parameters(vector: Vector) -> dict[str, object]:
    """What a vector says besides its frame."""
    return {
        "key": vector.octets("key"),
        "asn_form": bool(vector.number("nonceForm")),
        "asn": vector.octets("asn"),
        "src_ext": vector.octets("srcExt"),
        "profile": vector.number("profile"),
    }


@of_each_file(VALID)
def test_secure(link: Link, vectors: list[Vector]) -> None:
    """A frame in clear becomes the frame on the air."""
    for vector in vectors:
        answer = link.secure(vector.octets("clear"), **parameters(vector))
        assert (answer.status, answer.octets) == ("WM_OK", vector.octets("secured")), vector


@of_each_file(VALID)
def test_unsecure(link: Link, vectors: list[Vector]) -> None:
    """A frame on the air becomes the frame in clear."""
    for vector in vectors:
        answer = link.unsecure(vector.octets("secured"), **parameters(vector))
        _, mhr, _ = link.parse(vector.octets("secured"))
        status = admitted(mhr["ash"]["level"])
        assert (answer.status, answer.octets) == (status, vector.octets("clear")), vector


@of_each_file(REFUSED)
def test_refusals(link: Link, vectors: list[Vector]) -> None:
    """A refused frame answers its status; after a wrong MIC nothing behind the ASH is left, else
    nothing changed."""
    for vector in vectors:
        frame = vector.octets("frame")
        run = link.secure if vector.members["direction"] == "secure" else link.unsecure
        answer = run(frame, **parameters(vector))
        assert as_built(link.target, answer.status, vector.members["status"]), vector
        if answer.status == "WM_OK":
            continue
        kept = len(frame)
        if answer.status == "WM_ERR_SECURITY":
            _, _, places = link.parse(frame)
            kept = places["header_ie"]
        assert answer.octets == frame[:kept] + bytes(len(frame) - kept), vector


def frames() -> list[tuple[str, Frame, model.NonceForm]]:
    """Levels, KeyIdModes, carried and elided counters, addressing and versions, all with each
    other."""
    addressing = (
        (b"", EXT),
        (SHORT, EXT),
        (OTHER, EXT),
        (OTHER, SHORT),
        (SHORT, SHORT),
        (OTHER, b""),
    )
    found: list[tuple[str, Frame, model.NonceForm]] = []
    for version, level, mode, elided in itertools.product(
        (1, 2), range(1, 8), range(4), (False, True)
    ):
        for (dst, src), compression in itertools.product(addressing, (False, True)):
            if version == 1 and (elided or (compression and not (dst and src))):
                continue
            if elided and compression and len(src) == 2 and not dst:
                continue
            source = bytes(range(0x11, 0x19))[: model.KEY_SOURCE_OCTETS[mode]]
            ash = Ash(level, mode, None if elided else 0x01020304, elided, source, 9)
            body = bytes(range(17 + level))
            frame = Frame(
                model.DATA,
                version,
                0x5A,
                dst,
                src,
                0x1234,
                0x5678,
                compression,
                ash=ash,
                private_part=body,
            )
            if not frame.pan_fields()[1] and frame.pan_fields()[0]:
                frame = replace(frame, src_pan=frame.dst_pan)
            form: model.NonceForm = "asn" if elided else "counter"
            name = f"v{version}-level{level}-mode{mode}-{form}-{len(dst)}/{len(src)}-{int(compression)}"
            found.append((name, frame, form))
    return found


MATRIX = frames()


def check_both_ways(link: Link, frame: Frame, form: model.NonceForm) -> None:
    """The stack agrees with the model in both directions."""
    assert frame.ash is not None
    src_ext = b"" if len(frame.src) == 8 or (form == "asn" and frame.src) else EXT
    profile = int(frame.ash.level == 4)
    common = {
        "key": KEY,
        "asn_form": form == "asn",
        "asn": ASN.to_bytes(5, "big"),
        "src_ext": src_ext,
    }
    expected = model.secure(frame, KEY, form, ASN, src_ext or None)
    sealed = link.secure(frame.clear(), profile=profile, **common)
    assert (sealed.status, sealed.octets.hex()) == ("WM_OK", expected.hex())
    opened = link.unsecure(expected, profile=profile, **common)
    assert (opened.status, opened.octets) == (admitted(frame.ash.level), frame.clear())


@pytest.mark.parametrize("level", range(1, 8))
def test_matrix_against_model(host_link: Link, level: int) -> None:
    """Every version, KeyIdMode, counter form and addressing at this level gives the model's octets,
    both ways."""
    cases = [
        (frame, form)
        for _, frame, form in MATRIX
        if frame.ash is not None and frame.ash.level == level
    ]
    assert len(cases) > 100
    for frame, form in cases:
        check_both_ways(host_link, frame, form)


@pytest.mark.parametrize("part", range(6))
def test_matrix_on_target(link: Link, part: int) -> None:
    """A sample of the matrix gives the same on each target."""
    for name, frame, form in MATRIX[::23][part::6]:
        with named(name):
            check_both_ways(link, frame, form)


@settings(max_examples=150)
@given(st.data())
def test_random_frames(data: st.DataObject) -> None:
    """Random payloads and header IEs at any level, and one changed bit is always refused."""
    link = Link("host")
    level = data.draw(st.sampled_from((1, 2, 3, 5, 6, 7)))
    ies = data.draw(st.sampled_from((b"", model.time_correction(3) + model.HT2, model.HT2)))
    body = data.draw(st.binary(max_size=60))
    ash = Ash(level, 1, data.draw(st.integers(0, 0xFFFFFFFE)), key_index=3)
    frame = Frame(dst=OTHER, src=EXT, ash=ash, header_ies=ies, private_part=body)
    check_both_ways(link, frame, "counter")
    secured = bytearray(model.secure(frame, KEY))
    at = data.draw(st.integers(len(frame.addressing()) + 1, len(secured) - 1))
    secured[at] ^= 1 << data.draw(st.integers(0, 7))
    answer = link.unsecure(bytes(secured), key=KEY)
    assert answer.status in ("WM_ERR_SECURITY", "WM_ERR_MALFORMED", "WM_ERR_COUNTER")


@of_each_file(VALID)
def test_truncated_frames_are_refused(host_link: Link, vectors: list[Vector]) -> None:
    """No frame authenticates when it is cut, and none grows."""
    for vector in vectors:
        secured = vector.octets("secured")
        for length in range(len(secured)):
            answer = host_link.unsecure(secured[:length], **parameters(vector))
            assert answer.status != "WM_OK", vector
            assert len(answer.octets) <= length, vector


def test_unsecured_frame_passes_unchanged(link: Link) -> None:
    """Whether an unsecured frame may come in is policy: here it passes in both directions, but
    never as a secured one."""
    frame = Frame(dst=OTHER, src=EXT, private_part=b"in clear").clear()
    for run in (link.secure, link.unsecure):
        answer = run(frame, key=KEY)
        assert (answer.status, answer.octets) == ("WM_NOT_SECURED", frame)


def test_no_key(link: Link) -> None:
    """Without a key nothing is secured or unsecured."""
    frame = Frame(dst=OTHER, src=EXT, ash=Ash(5, 1, 1), private_part=b"payload")
    assert link.secure(frame.clear(), key=None).status == "WM_ERR_UNAVAILABLE_KEY"
    assert link.unsecure(model.secure(frame, KEY), key=None).status == "WM_ERR_UNAVAILABLE_KEY"


def test_longest_frame(link: Link) -> None:
    """A frame that fills aMaxPhyPacketSize with its MIC is secured at every level."""
    for level in (1, 2, 3, 5, 6, 7):
        frame = Frame(dst=OTHER, src=EXT, ash=Ash(level, 3, 1, False, bytes(8), 1))
        room = 125 - len(frame.clear()) - model.MIC_OCTETS[level]
        frame = replace(frame, private_part=bytes(room))
        answer = link.secure(frame.clear(), key=KEY)
        assert (answer.status, len(answer.octets)) == ("WM_OK", 125)
        assert answer.octets == model.secure(frame, KEY)


def test_only_a_right_mic_is_ok(link: Link) -> None:
    """A forger without the key gets no WM_OK: not in clear, not at level 4, in no profile."""
    forged = Frame(dst=OTHER, src=EXT, private_part=b"forged")
    for profile in (0, 1):
        assert link.unsecure(forged.clear(), key=KEY, profile=profile).status == "WM_NOT_SECURED"
        for level in range(1, 8):
            frame = replace(forged, ash=Ash(level, 1, 7, key_index=3))
            answer = link.unsecure(model.secure(frame, bytes(16)), key=KEY, profile=profile)
            assert answer.status != "WM_OK", (profile, level)


@pytest.mark.parametrize("level", [1, 2, 3, 5, 6, 7])
def test_frame_without_room_for_its_mic(link: Link, level: int) -> None:
    """A buffer that ends before the MIC is refused and unchanged; behind it nothing is written."""
    frame = Frame(
        dst=OTHER, src=EXT, ash=Ash(level, 1, 7, key_index=3), private_part=bytes(range(20))
    )
    clear, secured = frame.clear(), model.secure(frame, KEY)
    for room in (len(clear), len(secured) - 1):
        answer = link.secure_within(room, clear, key=KEY)
        assert (answer.status, answer.octets) == ("WM_ERR_FRAME_TOO_LONG", clear)
    answer = link.secure_within(len(secured), clear, key=KEY)
    assert (answer.status, answer.octets) == ("WM_OK", secured)
