# SPDX-License-Identifier: BSD-3-Clause
"""Thousands of frames of every kind, made by the stack and read by tshark and the model, and made
by the model and read by the stack; and the same frames with one bit changed, refused by all three.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.interop import frame_table, frame_tshark
from tests.interop.frame_cases import MAX_FRAME, Case, cases, feasible_pairs, shapes
from tests.interop.frame_stack import LEVEL_ENC, Stack
from tests.interop.frame_tshark import NO_SENDER, WRONG_MIC, supports
from tests.model import ieee802154_model as model
from tests.model import ieee802154_read as reader
from tests.stack.link.linklib import admitted, name_of

# One process makes the frames once.
pytestmark = pytest.mark.xdist_group("frames")

LEAST = 2000
HEADER_OCTETS = 45
ON_TARGET = 100


@cache
def made() -> tuple[tuple[Case, bytes], ...]:
    """Every case with its frame as the stack makes it on the host."""
    stack = Stack("host")
    return tuple((case, stack.make(case)) for case in cases())


@cache
def made_by_model() -> tuple[tuple[Case, bytes], ...]:
    """Every case with its frame as the model makes it."""
    return tuple((case, by_model(case)) for case in cases())


def by_model(case: Case) -> bytes:
    """The frame of a case as it goes on the air."""
    if not case.secured:
        return case.frame.clear()
    return model.secure(case.frame, case.key, case.shape.form, case.asn, case.src_ext or None)


def opened_by_model(case: Case, octets: bytes) -> tuple[str, bytes]:
    """Status and frame in clear, in the stack's words."""
    try:
        level_4 = case.shape.level == LEVEL_ENC
        frame = reader.unsecure(
            octets, case.key, case.shape.form, case.asn, case.src_ext or None, level_4=level_4
        )
    except reader.FrameError as error:
        return error.status, b""
    end = len(octets) - (model.MIC_OCTETS[frame.ash.level] if frame.ash else 0)
    clear = octets[: end - len(frame.private_part)] + frame.private_part
    return admitted(frame.ash.level if frame.ash else 0), clear


def parts(case: Case, octets: bytes) -> dict[str, tuple[int, int]]:
    """Where header, payload and MIC of a frame lie; only those that are not empty."""
    mic = len(octets) - (model.MIC_OCTETS[case.shape.level] if case.secured else 0)
    header = len(case.frame.mhr())
    found = {"header": (0, header), "payload": (header, mic), "MIC": (mic, len(octets))}
    return {name: (start, end) for name, (start, end) in found.items() if start < end}


def flipped(octets: bytes, bit: int) -> bytes:
    """One bit changed, counted from the first octet's least significant one."""
    changed = bytearray(octets)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def one_bit_changed(frames: tuple[tuple[Case, bytes], ...]) -> list[tuple[Case, bytes]]:
    """Every secured frame with one bit of its header, of its payload and of its MIC changed, one at
    a time."""
    source = random.Random(2)
    found: list[tuple[Case, bytes]] = []
    for case, octets in frames:
        for start, end in parts(case, octets).values() if case.secured else ():
            found.append((case, flipped(octets, source.randrange(8 * start, 8 * end))))
    return found


def test_every_two_values_meet() -> None:
    """Any two values of version, type, level, KeyIdMode, nonce, addressing, IEs or length that can
    meet do meet."""
    met: set[tuple[object, object]] = set().union(*(shape.pairs() for shape in shapes()))
    assert feasible_pairs() - met == set()
    assert len(cases()) > 2 * LEAST


def test_longest_frames_are_the_longest() -> None:
    """Payload `max` fills aMaxPhyPacketSize, FCS included."""
    full = [len(octets) for case, octets in made() if case.shape.length == "max"]
    assert len(full) > 100
    assert set(full) == {125}


def test_tshark_reads_every_frame_it_supports(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """tshark authenticates and decrypts every frame that it can by the rule, to the very octets
    that were sent; of the others it says why not."""
    verdicts = frame_tshark.judge(oracle("tshark"), made(), tmp_path / "made.pcap")
    judged = 0
    for (case, octets), verdict in zip(made(), verdicts, strict=True):
        if supports(case):
            assert verdict.complaint == NO_SENDER, case
        else:
            assert verdict == frame_tshark.expected(case), (case, octets.hex())
            judged += case.secured
    assert judged > LEAST


def test_tshark_refuses_a_changed_frame(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """tshark's silence means something: it complains of each of those frames with one bit of the
    MIC changed."""
    source = random.Random(3)
    changed = [
        (
            case,
            flipped(octets, source.randrange(*(8 * edge for edge in parts(case, octets)["MIC"]))),
        )
        for case, octets in made()
        if not supports(case) and "MIC" in parts(case, octets)
    ]
    verdicts = frame_tshark.judge(oracle("tshark"), changed, tmp_path / "changed.pcap")
    assert len(changed) > LEAST
    assert {verdict.complaint for verdict in verdicts} == {WRONG_MIC}


def test_model_opens_every_frame() -> None:
    """The model reads every value and every octet of payload that went into the frame, and makes
    the same frame."""
    for (case, octets), (_, expected) in zip(made(), made_by_model(), strict=True):
        level_4 = case.shape.level == LEVEL_ENC
        src_ext = case.src_ext or None
        assert (
            reader.unsecure(octets, case.key, case.shape.form, case.asn, src_ext, level_4=level_4)
            == case.frame
        )
        assert octets == expected


def test_stack_opens_every_frame_of_the_model() -> None:
    """The stack gives back the frame in clear of every frame that the model made."""
    stack = Stack("host")
    for case, octets in made_by_model():
        status, clear = stack.unsecure(case, octets)
        assert (name_of(status), clear) == (admitted(case.shape.level), case.frame.clear()), case


def behind_ash(octets: bytes) -> int:
    """Where the ASH of a frame on the air ends."""
    return len(replace(reader.read(octets)[0], header_ies=b"").mhr())


def check_refusal(stack: Stack, case: Case, octets: bytes) -> str:
    """The stack says of a changed frame what the model says; when refused nothing of the payload is
    left, or nothing was touched."""
    expected, clear = opened_by_model(case, octets)
    status, left = stack.unsecure(case, octets)
    assert name_of(status) == expected, (case, octets.hex())
    if not expected.startswith("WM_ERR"):
        assert left == clear
    elif expected == "WM_ERR_SECURITY":
        kept = behind_ash(octets)
        assert left == octets[:kept] + bytes(len(octets) - kept)
    else:
        assert left == octets
    return expected


def test_changed_frames_are_refused() -> None:
    """With one bit of header, payload or MIC changed the stack refuses with the status that the
    model names, or says of a frame at level 4, or one whose Security Enabled bit was changed, that
    nothing authenticates it."""
    stack, met = Stack("host"), set[str]()
    changed = one_bit_changed(made_by_model())
    assert len(changed) > len(cases())
    for case, octets in changed:
        status = check_refusal(stack, case, octets)
        assert status != "WM_OK"
        met.add(status)
    assert met >= {
        "WM_NOT_SECURED",
        "WM_NOT_AUTHENTICATED",
        "WM_ERR_SECURITY",
        "WM_ERR_MALFORMED",
        "WM_ERR_NOT_FOR_US",
        "WM_ERR_UNSUPPORTED_SECURITY",
    }


def damaged(source: random.Random, octets: bytes) -> bytes:
    """A frame with some octets of its header or some bits anywhere changed, cut, or random octets
    in its place."""
    kind, changed = source.randrange(4), bytearray(octets)
    if kind == 0:
        return source.randbytes(source.randrange(1, MAX_FRAME + 3))
    if kind == 1:
        return octets[: source.randrange(1, len(octets) + 1)]
    for _ in range(source.randrange(1, 5)):
        if kind == 2:
            changed[source.randrange(min(len(changed), HEADER_OCTETS))] = source.randrange(256)
        else:
            changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def test_stack_and_model_agree_on_damaged_frames() -> None:
    """A frame with one or several faults: both answer the same status and read the same from it."""
    stack, source = Stack("host"), random.Random(5)
    met = Counter(check_refusal(stack, case, damaged(source, octets)) for case, octets in made())
    assert sum(met.values()) > 2 * LEAST
    assert set(met) >= {error.status for error in reader.FrameError.__subclasses__()} - {
        "WM_ERR_COUNTER"
    }


def test_wrong_key_nonce_and_sender_are_refused() -> None:
    """A frame with a MIC opens under no other key, ASN or sender."""
    stack = Stack("host")
    tried = 0
    for case, octets in made_by_model()[::7]:
        if not model.MIC_OCTETS[case.shape.level]:
            continue
        others = [replace(case, key=bytes(16))]
        if case.shape.form == "asn":
            others.append(replace(case, asn=case.asn ^ 1))
        for other in others:
            assert name_of(stack.unsecure(other, octets)[0]) == "WM_ERR_SECURITY"
            tried += 1
    assert tried > LEAST // 4


@pytest.mark.parametrize("name", ["msp430", "armv7m"])
def test_sample_on_target(name: str) -> None:
    """On an emulated CPU the same frames come out, open, and are refused when changed."""
    stack = Stack(name)
    sample = made()[:: len(cases()) // ON_TARGET]
    assert len(sample) >= ON_TARGET
    for case, octets in sample:
        assert stack.make(case) == octets
        status, clear = stack.unsecure(case, octets)
        assert (name_of(status), clear) == (admitted(case.shape.level), case.frame.clear())
    for case, octets in one_bit_changed(sample)[::3]:
        check_refusal(stack, case, octets)


def test_tables_of_the_document_are_up_to_date() -> None:
    """docs/who-reads-our-frames.md shows the counts of these very frames."""
    text = frame_table.PAGE.read_text(encoding="utf-8")
    assert text == frame_table.updated(text), "run: .venv/bin/python -m tests.interop.frame_table"
    assert frame_table.frames_block() in text
    assert frame_table.not_judged_block() in text
