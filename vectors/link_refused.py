# SPDX-License-Identifier: BSD-3-Clause
"""The refusals among the link-layer vectors: frames that are cut, damaged, forged, or not allowed."""

from __future__ import annotations

from dataclasses import replace

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


def refused_headers(out: File, base: Frame) -> None:
    """What parse must not accept."""
    plain = base.clear()
    ash = base.with_ash(Ash(5, 3, 1, False, bytes(8), 1))
    secured = secure(ash, KEY)
    ack = Frame(ACK, 2, 9, LEAF, ROOT, header_ies=time_correction(0))
    fcf = plain[1]
    at = len(ack.addressing())

    def bad(comment: str, frame: bytes, status: str = "WM_ERR_MALFORMED", air: int = 1) -> None:
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
    bad("security in version 0", patched(patched(plain, 1, fcf & ~0x30), 0, plain[0] | 8), "WM_ERR_UNSUPPORTED_LEGACY")
    for octets in (2, 3, 5, 13, 20):
        bad(f"addressing cut to {octets} octets", plain[:octets])
    for octets in (21, 22, 25, 26, 34):
        bad(f"ASH cut to {octets - 21} octets", secured[:octets])
    bad("no room for the MIC", secured[:38])
    bad("KeyIndex 0", patched(secured, 34, 0))
    v1 = Frame(version=1, dst=LEAF, src=ROOT, compression=True, ash=Ash(5, 1, 1), private_part=bytes(9))
    bad("counter suppression in version 1", patched(v1.clear(), len(v1.addressing()), 0x2D), air=0)
    bad("ASN in nonce in version 1", patched(v1.clear(), len(v1.addressing()), 0x4D), air=0)
    bad("127 octets", plain + bytes(127 - len(plain)), "WM_ERR_FRAME_TOO_LONG")
    bad("one octet of header IE", ack.clear()[: at + 1])
    bad("header IE longer than the frame", patched(ack.clear(), at, 3))
    bad("payload IE among the header IEs", patched(ack.clear(), at + 1, 0x8F))
    bad("header termination with content", ack.addressing() + h("013f00"))
    cut = secure(ack.with_ash(Ash(1, 1, None, True)), K2, "asn", ASN)
    bad("header IE that runs into the MIC", patched(cut, at + 2, 4))
    beacon = Frame(BEACON, 1, src=ROOT, open_part=BEACON_OPEN_FULL)
    for octets in (1, 2, 3, 9, 10, 20):
        bad(f"beacon cut to {octets} octets of open payload", beacon.addressing() + BEACON_OPEN_FULL[:octets])
    bad("command without identifier", Frame(COMMAND, 1, dst=LEAF, src=ROOT, compression=True).clear())


def refused_security(out: File, data: Frame) -> None:
    """Frames that must not be secured or unsecured, and damaged ones."""
    good = data.with_ash(Ash(5, 1, 3, key_index=2))
    elided = data.with_ash(Ash(5, 1, None, True, key_index=2))

    def bad(
        comment: str,
        direction: str,
        frame: bytes,
        status: str,
        form: int = 0,
        asn: int = ASN,
        src_ext: bytes = b"",
        profile: int = 1,
    ) -> None:
        out.add(
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

    for level in (1, 2, 3, 5, 6, 7):
        frame = data.with_ash(Ash(level, 1, 3, key_index=2))
        whole = secure(frame, K2)
        ash = len(frame.addressing())
        for name, at in (
            ("FCF", 0),
            ("sequence number", 2),
            ("source", 20),
            ("counter", ash + 1),
            ("KeyIndex", ash + 5),
            ("first payload octet", ash + 6),
            ("last payload octet", len(whole) - MIC_OCTETS[level] - 1),
            ("first MIC octet", len(whole) - MIC_OCTETS[level]),
            ("last MIC octet", len(whole) - 1),
        ):
            flip = 0x10 if name == "FCF" else 0x80
            bad(f"level {level}: {name} changed", "unsecure", patched(whole, at, whole[at] ^ flip), "WM_ERR_SECURITY")
    whole = secure(good, K2)
    at = len(good.addressing())
    bad("level raised from 5 to 6", "unsecure", patched(whole, at, whole[at] + 1), "WM_ERR_SECURITY")
    bad("ASN one too high", "unsecure", secure(elided, K2, "asn", ASN), "WM_ERR_SECURITY", 1, ASN + 1)
    bad(
        "wrong extended address for a short source",
        "unsecure",
        secure(Frame(dst=SHORT_B, src=SHORT_A, compression=True, ash=Ash(5, 1, 3)), K2, "counter", 0, ROOT),
        "WM_ERR_SECURITY",
        0,
        0,
        LEAF,
    )
    for direction, octets in (("secure", good.clear()), ("unsecure", whole)):
        unsupported = "WM_ERR_UNSUPPORTED_SECURITY"
        bad(f"{direction} level 0", direction, patched(octets, at, octets[at] & ~7), unsupported)
        bad(
            f"{direction} level 4 by the rules of 2015",
            direction,
            patched(octets, at, octets[at] & ~7 | 4),
            unsupported,
        )
        bad(f"{direction} with carried counter where the ASN is used", direction, octets, unsupported, 1)
        bad(
            f"{direction} counter all ones",
            direction,
            octets[: at + 1] + b"\xff" * 4 + octets[at + 5 :],
            "WM_ERR_COUNTER",
        )
    for direction, octets in (("secure", elided.clear()), ("unsecure", secure(elided, K2, "asn", ASN))):
        bad(
            f"{direction} with elided counter where the counter is used",
            direction,
            octets,
            "WM_ERR_UNSUPPORTED_SECURITY",
            0,
        )
        bad(f"{direction} under an ASN of all ones", direction, octets, "WM_ERR_COUNTER", 1, (1 << 40) - 1)
        for clear, name in ((0x20, "suppression"), (0x40, "ASN")):
            length = 4 if clear == 0x20 else 0
            other = octets[:at] + bytes([octets[at] & ~clear]) + bytes(length) + octets[at + 1 :]
            bad(f"{direction} without the {name} bit", direction, other, "WM_ERR_UNSUPPORTED_SECURITY", 1)
    beacon = Frame(BEACON, 2, 0, h("ffff"), ROOT, compression=True, header_ies=HT1, private_part=Beacon(ASN).payload())
    for level in (5, 6, 7):
        frame = beacon.with_ash(Ash(level, 1, 3))
        bad(f"Enhanced Beacon encrypted at level {level}", "secure", frame.clear(), "WM_ERR_UNSUPPORTED_SECURITY")
        bad(f"Enhanced Beacon received at level {level}", "unsecure", secure(frame, K2), "WM_ERR_UNSUPPORTED_SECURITY")
    encrypted = beacon.with_ash(Ash(4, 1, 3))
    bad("Enhanced Beacon at level 4 of 2011", "secure", encrypted.clear(), "WM_ERR_UNSUPPORTED_SECURITY", profile=0)
    imm = Frame(ACK, 1, 9, ash=Ash(1, 1, 3))
    bad("secured Imm-Ack", "secure", imm.clear(), "WM_ERR_UNSUPPORTED_SECURITY", src_ext=ROOT)
    short = Frame(dst=SHORT_B, src=SHORT_A, compression=True, ash=Ash(5, 1, 3), private_part=b"x")
    bad("counter nonce without an extended address", "secure", short.clear(), "WM_ERR_PARAM")
    absent = Frame(dst=LEAF, ash=Ash(5, 1, None, True), private_part=b"x")
    bad("ASN nonce without any source", "secure", absent.clear(), "WM_ERR_PARAM", 1)
    no_pan = Frame(src=SHORT_A, compression=True, ash=Ash(5, 1, None, True), private_part=b"x")
    bad("ASN nonce of a short source without PAN identifier", "secure", no_pan.clear(), "WM_ERR_PARAM", 1)
    for level in (1, 2, 3, 5, 6, 7):
        frame = data.with_ash(Ash(level, 1, 3))
        room = 125 - len(replace(frame, private_part=b"").clear()) - MIC_OCTETS[level]
        bad(
            f"one octet too long at level {level}",
            "secure",
            replace(frame, private_part=bytes(room + 1)).clear(),
            "WM_ERR_FRAME_TOO_LONG",
        )


def refused_beacons(out: File) -> None:
    """EBs that name something that is not there, or run past their end."""
    beacon = Beacon(ASN)
    good = beacon.payload()
    for octets in range(len(good)):
        out.add("eb", f"cut to {octets} of {len(good)} octets", "WM_ERR_MALFORMED", payload=good[:octets])
    sync = nested_ie(0x1A, ASN.to_bytes(5, "little") + b"\0")
    slot, hop = nested_ie(0x1C, b"\0"), nested_ie(9, b"\0", long=True)
    frame = nested_ie(0x1B, h("0100650001000000000a"))
    for comment, status, nested in (
        ("no synchronisation", "WM_ERR_MALFORMED", slot + hop + frame),
        ("no timeslot", "WM_ERR_MALFORMED", sync + hop + frame),
        ("no hopping", "WM_ERR_MALFORMED", sync + slot + frame),
        ("no slotframe", "WM_ERR_MALFORMED", sync + slot + hop),
        ("synchronisation of 5 octets", "WM_ERR_MALFORMED", nested_ie(0x1A, bytes(5)) + slot + hop + frame),
        ("timeslot of 24 octets", "WM_ERR_MALFORMED", sync + nested_ie(0x1C, bytes(24)) + hop + frame),
        ("timeslot without octets", "WM_ERR_MALFORMED", sync + nested_ie(0x1C, b"") + hop + frame),
        ("template 2 by identifier", "WM_ERR_PARAM", sync + nested_ie(0x1C, b"\2") + hop + frame),
        ("hopping without octets", "WM_ERR_MALFORMED", sync + slot + nested_ie(9, b"", long=True) + frame),
        ("hopping sequence 5", "WM_ERR_PARAM", sync + slot + nested_ie(9, b"\5", long=True) + frame),
        ("no slotframes", "WM_ERR_PARAM", sync + slot + hop + nested_ie(0x1B, b"\0")),
        ("two slotframes", "WM_ERR_PARAM", sync + slot + hop + nested_ie(0x1B, b"\2" + bytes(9))),
        ("slotframe IE without octets", "WM_ERR_MALFORMED", sync + slot + hop + nested_ie(0x1B, b"")),
        ("255 links that are not there", "WM_ERR_MALFORMED", sync + slot + hop + nested_ie(0x1B, h("01006500ff"))),
    ):
        out.add("eb", comment, status, payload=payload_ie(1, nested))
    out.add("eb", "header IE instead of a payload IE", "WM_ERR_MALFORMED", payload=time_correction(0))
    out.add("eb", "payload termination first", "WM_ERR_MALFORMED", payload=payload_ie(15, b"") + good)
