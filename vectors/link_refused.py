# SPDX-License-Identifier: BSD-3-Clause
"""The refusals among the link-layer vectors: frames that are cut, damaged, forged, or not
allowed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.model.ieee802154_model import (
    ACK,
    BEACON,
    COMMAND,
    HT1,
    MIC_OCTETS,
    Ash,
    Beacon,
    Frame,
    nested_ie,
    payload_ie,
    secure,
    time_correction,
)
from vectors.link_common import (
    ASN,
    BEACON_OPEN_FULL,
    K2,
    KEY,
    LEAF,
    ROOT,
    SHORT_A,
    SHORT_B,
    File,
    h,
    patched,
)

MALFORMED, FORGED = "WM_ERR_MALFORMED", "WM_ERR_SECURITY"
UNSUPPORTED, EXHAUSTED = "WM_ERR_UNSUPPORTED_SECURITY", "WM_ERR_COUNTER"
TOO_LONG, ABSENT = "WM_ERR_FRAME_TOO_LONG", "WM_ERR_PARAM"


def refused_headers(out: File, base: Frame) -> None:
    """What parse must not accept."""
    plain = base.clear()
    ash = base.with_ash(Ash(5, 3, 1, False, bytes(8), 1))
    secured = secure(ash, KEY)
    ack = Frame(ACK, 2, 9, LEAF, ROOT, header_ies=time_correction(0))
    fcf = plain[1]
    at = len(ack.addressing())

    def bad(comment: str, frame: bytes, status: str = MALFORMED, air: int = 1) -> None:
        out.add("mhr", comment, status, frame=frame, air=air)

    bad("empty", b"")
    bad("one octet", plain[:1])
    bad("reserved version 3", patched(plain, 1, fcf | 0x30))
    bad("reserved destination mode", patched(plain, 1, fcf & ~0x0C | 0x04))
    bad("reserved source mode", patched(plain, 1, fcf & ~0xC0 | 0x40))
    bad("reserved frame type 4", patched(plain, 0, 4))
    for kind, name in ((5, "multipurpose"), (6, "fragment"), (7, "extended")):
        bad(f"{name} frame", patched(plain, 0, kind), "WM_ERR_NOT_FOR_US")
    bad("sequence number suppression in version 1", patched(plain, 1, fcf & ~0x30 | 0x11))
    bad("IE present in version 0", patched(plain, 1, fcf & ~0x30 | 0x02))
    legacy = patched(patched(plain, 1, fcf & ~0x30), 0, plain[0] | 8)
    bad("security in version 0", legacy, "WM_ERR_UNSUPPORTED_LEGACY")
    for octets in (2, 3, 5, 13, 20):
        bad(f"addressing cut to {octets} octets", plain[:octets])
    for octets in (21, 22, 25, 26, 34):
        bad(f"ASH cut to {octets - 21} octets", secured[:octets])
    bad("no room for the MIC", secured[:38])
    bad("KeyIndex 0", patched(secured, 34, 0))
    v1 = Frame(version=1, dst=LEAF, src=ROOT, compression=True, ash=Ash(5, 1, 1))
    v1 = replace(v1, private_part=bytes(9))
    bad("counter suppression in version 1", patched(v1.clear(), len(v1.addressing()), 0x2D), air=0)
    bad("ASN in nonce in version 1", patched(v1.clear(), len(v1.addressing()), 0x4D), air=0)
    bad("127 octets", plain + bytes(127 - len(plain)), TOO_LONG)
    bad("one octet of header IE", ack.clear()[: at + 1])
    bad("header IE longer than the frame", patched(ack.clear(), at, 3))
    bad("payload IE among the header IEs", patched(ack.clear(), at + 1, 0x8F))
    bad("header termination with content", ack.addressing() + h("013f00"))
    cut = secure(ack.with_ash(Ash(1, 1, None, True)), K2, "asn", ASN)
    bad("header IE that runs into the MIC", patched(cut, at + 2, 4))
    beacon = Frame(BEACON, 1, src=ROOT, open_part=BEACON_OPEN_FULL)
    for octets in (1, 2, 3, 9, 10, 20):
        cut = beacon.addressing() + BEACON_OPEN_FULL[:octets]
        bad(f"beacon cut to {octets} octets of open payload", cut)
    command = Frame(COMMAND, 1, dst=LEAF, src=ROOT, compression=True)
    bad("command without identifier", command.clear())


@dataclass(frozen=True, slots=True)
class Refused:
    """Adds frames that must not be secured or unsecured."""

    out: File

    def add(
        self,
        comment: str,
        direction: str,
        frame: bytes,
        status: str = UNSUPPORTED,
        form: int = 0,
        asn: int = ASN,
        src_ext: bytes = b"",
        profile: int = 0,
    ) -> None:
        """A frame and why it is refused; `form` is 1 where the ASN is in the nonce."""
        self.out.add(
            "frame-refusal",
            comment,
            status,
            direction=direction,
            key=K2,
            profile=profile,
            nonceForm=form,
            asn=asn.to_bytes(5, "big"),
            srcExt=src_ext,
            frame=frame,
        )


def damaged_frames(bad: Refused, data: Frame) -> None:
    """One octet changed of each part of a secured frame."""
    for level in (1, 2, 3, 5, 6, 7):
        frame = data.with_ash(Ash(level, 1, 3, key_index=2))
        whole = secure(frame, K2)
        ash, mic = len(frame.addressing()), len(whole) - MIC_OCTETS[level]
        for name, at in (
            ("FCF", 0),
            ("sequence number", 2),
            ("source", 20),
            ("counter", ash + 1),
            ("KeyIndex", ash + 5),
            ("first payload octet", ash + 6),
            ("last payload octet", mic - 1),
            ("first MIC octet", mic),
            ("last MIC octet", len(whole) - 1),
        ):
            changed = patched(whole, at, whole[at] ^ (0x10 if name == "FCF" else 0x80))
            bad.add(f"level {level}: {name} changed", "unsecure", changed, FORGED)


def other_nonces(bad: Refused, whole: bytes, at: int, slotted: bytes) -> None:
    """Frames whose level, ASN or sender is another one than was secured."""
    raised = patched(whole, at, whole[at] + 1)
    short = Frame(dst=SHORT_B, src=SHORT_A, compression=True, ash=Ash(5, 1, 3))
    of_root = secure(short, K2, "counter", 0, ROOT)
    bad.add("level raised from 5 to 6", "unsecure", raised, FORGED)
    bad.add("ASN one too high", "unsecure", slotted, FORGED, 1, ASN + 1)
    name = "wrong extended address for a short source"
    bad.add(name, "unsecure", of_root, FORGED, 0, 0, LEAF)


def wrong_counters(bad: Refused, direction: str, octets: bytes, at: int) -> None:
    """Levels that there are not, and counters that may not be carried or not be used; the ASH is at
    `at`."""
    level_4 = patched(octets, at, octets[at] & ~7 | 4)
    all_ones = octets[: at + 1] + b"\xff" * 4 + octets[at + 5 :]
    bad.add(f"{direction} level 0", direction, patched(octets, at, octets[at] & ~7))
    bad.add(f"{direction} level 4 by the rules of 2015", direction, level_4)
    bad.add(f"{direction} with carried counter where the ASN is used", direction, octets, form=1)
    bad.add(f"{direction} counter all ones", direction, all_ones, EXHAUSTED)


def wrong_slots(bad: Refused, direction: str, octets: bytes, at: int) -> None:
    """Frames with an elided counter where that is not possible; the ASH is at `at`."""
    elided = f"{direction} with elided counter where the counter is used"
    all_ones = f"{direction} under an ASN of all ones"
    bad.add(elided, direction, octets)
    bad.add(all_ones, direction, octets, EXHAUSTED, 1, (1 << 40) - 1)
    for clear, name, length in ((0x20, "suppression", 4), (0x40, "ASN", 0)):
        other = octets[:at] + bytes([octets[at] & ~clear]) + bytes(length) + octets[at + 1 :]
        bad.add(f"{direction} without the {name} bit", direction, other, form=1)


def without_nonce(bad: Refused) -> None:
    """Frames that no edition secures so, and frames that lack what the nonce needs."""
    beacon = Frame(BEACON, 2, 0, h("ffff"), ROOT, compression=True, header_ies=HT1)
    beacon = replace(beacon, private_part=Beacon(ASN).payload())
    for level in (5, 6, 7):
        frame = beacon.with_ash(Ash(level, 1, 3))
        sent, received = frame.clear(), secure(frame, K2)
        bad.add(f"Enhanced Beacon encrypted at level {level}", "secure", sent)
        bad.add(f"Enhanced Beacon received at level {level}", "unsecure", received)
    encrypted = beacon.with_ash(Ash(4, 1, 3)).clear()
    bad.add("Enhanced Beacon at level 4 of 2011", "secure", encrypted, profile=1)
    bad.add("secured Imm-Ack", "secure", Frame(ACK, 1, 9, ash=Ash(1, 1, 3)).clear(), src_ext=ROOT)
    counted, slotted = Ash(5, 1, 3), Ash(5, 1, None, True)
    short = Frame(dst=SHORT_B, src=SHORT_A, compression=True, ash=counted, private_part=b"x")
    absent = Frame(dst=LEAF, ash=slotted, private_part=b"x")
    no_pan = Frame(src=SHORT_A, compression=True, ash=slotted, private_part=b"x")
    for name, frame, form in (
        ("counter nonce without an extended address", short, 0),
        ("ASN nonce without any source", absent, 1),
        ("ASN nonce of a short source without PAN identifier", no_pan, 1),
    ):
        bad.add(name, "secure", frame.clear(), ABSENT, form)


def too_long(bad: Refused, data: Frame) -> None:
    """Frames that the MIC makes longer than a frame may be."""
    for level in (1, 2, 3, 5, 6, 7):
        frame = data.with_ash(Ash(level, 1, 3))
        room = 125 - len(replace(frame, private_part=b"").clear()) - MIC_OCTETS[level]
        longer = replace(frame, private_part=bytes(room + 1)).clear()
        bad.add(f"one octet too long at level {level}", "secure", longer, TOO_LONG)


def refused_security(out: File, data: Frame) -> None:
    """Frames that must not be secured or unsecured, and damaged ones."""
    bad = Refused(out)
    good = data.with_ash(Ash(5, 1, 3, key_index=2))
    elided = data.with_ash(Ash(5, 1, None, True, key_index=2))
    whole, slotted = secure(good, K2), secure(elided, K2, "asn", ASN)
    at = len(good.addressing())
    damaged_frames(bad, data)
    other_nonces(bad, whole, at, slotted)
    for direction, octets in (("secure", good.clear()), ("unsecure", whole)):
        wrong_counters(bad, direction, octets, at)
    for direction, octets in (("secure", elided.clear()), ("unsecure", slotted)):
        wrong_slots(bad, direction, octets, at)
    without_nonce(bad)
    too_long(bad, data)


def refused_beacons(out: File) -> None:
    """EBs that name something that is not there, or run past their end."""
    beacon = Beacon(ASN)
    good = beacon.payload()
    for octets in range(len(good)):
        cut = f"cut to {octets} of {len(good)} octets"
        out.add("eb", cut, MALFORMED, payload=good[:octets])
    sync = nested_ie(0x1A, ASN.to_bytes(5, "little") + b"\0")
    slot, hop = nested_ie(0x1C, b"\0"), nested_ie(9, b"\0", long=True)
    frame = nested_ie(0x1B, h("0100650001000000000a"))
    no_links = nested_ie(0x1B, h("01006500ff"))
    no_sequence, sequence_5 = nested_ie(9, b"", long=True), nested_ie(9, b"\5", long=True)
    for comment, status, nested in (
        ("no synchronisation", MALFORMED, slot + hop + frame),
        ("no timeslot", MALFORMED, sync + hop + frame),
        ("no hopping", MALFORMED, sync + slot + frame),
        ("no slotframe", MALFORMED, sync + slot + hop),
        ("synchronisation of 5 octets", MALFORMED, nested_ie(0x1A, bytes(5)) + slot + hop + frame),
        ("timeslot of 24 octets", MALFORMED, sync + nested_ie(0x1C, bytes(24)) + hop + frame),
        ("timeslot without octets", MALFORMED, sync + nested_ie(0x1C, b"") + hop + frame),
        ("template 2 by identifier", ABSENT, sync + nested_ie(0x1C, b"\2") + hop + frame),
        ("hopping without octets", MALFORMED, sync + slot + no_sequence + frame),
        ("hopping sequence 5", ABSENT, sync + slot + sequence_5 + frame),
        ("no slotframes", ABSENT, sync + slot + hop + nested_ie(0x1B, b"\0")),
        ("two slotframes", ABSENT, sync + slot + hop + nested_ie(0x1B, b"\2" + bytes(9))),
        ("slotframe IE without octets", MALFORMED, sync + slot + hop + nested_ie(0x1B, b"")),
        ("255 links that are not there", MALFORMED, sync + slot + hop + no_links),
    ):
        out.add("eb", comment, status, payload=payload_ie(1, nested))
    out.add("eb", "header IE instead of a payload IE", MALFORMED, payload=time_correction(0))
    out.add("eb", "payload termination first", MALFORMED, payload=payload_ie(15, b"") + good)
