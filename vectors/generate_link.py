# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{ieee802154,link_security,tsch}/*.json: IEEE 802.15.4 frames, secured frames, TSCH.

Values that a standard prints are written out below and compared with tests/model/ieee802154_model.py; everything else is
computed by that model. Run from the root of the repository: `python -m vectors.generate_link`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.model.ieee802154_model import (
    ACK,
    BEACON,
    COMMAND,
    DATA,
    HT1,
    HT2,
    MIC_OCTETS,
    Ash,
    Beacon,
    Frame,
    NonceForm,
    Timeslot,
    channel,
    header_ie,
    nested_ie,
    payload_ie,
    secure,
    time_correction,
)

FOLDER = Path(__file__).resolve().parent
h = bytes.fromhex
KEY = h("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
K1 = b"6TiSCH minimal15"
K2 = h("deadbeeffacecafedeadbeeffacecafe")
ROOT, LEAF = h("00124b0000000001"), h("00124b0000000002")
ASN = 0x0102030405
MODEL = {
    "clause": "IEEE 802.15.4-2015 6.3.6, 7.2, 7.4, 9.3, 9.4",
    "licence": "BSD-3-Clause",
    "name": "tests/model/ieee802154_model.py",
    "provenance": "made by vectors/generate_link.py; the model reproduces Annex C of the 2006 and 2011 editions",
}
ANNEX_C = {
    "clause": "Annex C.2",
    "licence": "facts of a standard",
    "name": "IEEE 802.15.4-2006, -2011",
    "provenance": "values of the standard; recomputed by the model",
}


class File:
    """One vector file in the making; numbers its tests."""

    def __init__(self, path: str, algorithm: str, source: dict[str, str]) -> None:
        self.path, self.algorithm, self.source = path, algorithm, source
        self.groups: dict[str, list[dict[str, Any]]] = {}
        self.count = 0

    def add(self, type_: str, comment: str, status: str = "WM_OK", **members: Any) -> None:
        """Appends a test; octets become hexadecimal."""
        self.count += 1
        shown = {name: value.hex() if isinstance(value, bytes) else value for name, value in members.items()}
        result = "valid" if status == "WM_OK" else "invalid"
        test = {"tcId": 0, "comment": comment, **shown, "result": result, "status": status}
        self.groups.setdefault(type_, []).append(test)

    def write(self) -> None:
        """Writes it, tests numbered in the order of the file."""
        number = 0
        for tests in self.groups.values():
            for test in tests:
                number += 1
                test["tcId"] = number
        document = {"algorithm": self.algorithm, "source": self.source}
        document["groups"] = [{"type": t, "tests": tests} for t, tests in self.groups.items()]  # type: ignore[assignment]
        path = FOLDER / self.path
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def fields(frame: Frame) -> dict[str, Any]:
    """What a parser must find in the frame, offsets included."""
    dst_pan, src_pan = frame.pan_fields()
    ash = len(frame.addressing())
    header_ie_at = ash + (len(frame.ash.octets()) if frame.ash else 0)
    open_at = header_ie_at + len(frame.header_ies)
    values: dict[str, Any] = {"type": frame.type, "version": frame.version, "seqSuppressed": int(frame.seq is None)}
    values |= {"seq": frame.seq or 0, "pending": int(frame.pending), "ackRequest": int(frame.ack_request)}
    values |= {"compression": int(frame.compression), "iePresent": int(bool(frame.header_ies))}
    values |= {"dstPanPresent": int(dst_pan), "srcPanPresent": int(src_pan), "dst": frame.dst, "src": frame.src}
    values |= {"dstPan": frame.dst_pan if dst_pan else 0}
    values |= {"srcPan": frame.src_pan if src_pan else values["dstPan"], "security": int(frame.ash is not None)}
    if frame.ash:
        a = frame.ash
        values |= {"level": a.level, "keyIdMode": a.key_id_mode, "counterSuppressed": int(a.counter is None)}
        values |= {"asnInNonce": int(a.asn_in_nonce), "counter": a.counter or 0}
        values |= {"keySource": a.key_source, "keyIndex": a.key_index if a.key_id_mode else 0}
    values |= {"ashAt": ash, "headerIeAt": header_ie_at, "openAt": open_at}
    return values | {"privateAt": open_at + len(frame.open_part)}


SHORT_A, SHORT_B = h("0001"), h("beef")
BEACON_OPEN = h("55cf0000")
BEACON_OPEN_FULL = h("55cf") + h("8200") + h("010203040506") + h("12") + h("0102") + bytes(8) + h("0304")
BEACON_OPEN_FULL = h("55cf") + h("8203") + h("010203040506") + h("12") + h("01020304") + bytes(8)


def headers() -> File:
    """Every version, addressing combination and kind of ASH."""
    out = File("ieee802154/headers.json", "IEEE 802.15.4 MHR", MODEL)
    for version in (0, 1, 2):
        for dst in (b"", SHORT_B, LEAF):
            for src in (b"", SHORT_A, ROOT):
                for compression in (False, True):
                    frame = Frame(version=version, dst=dst, src=src, dst_pan=0xABCD, src_pan=0x1234)
                    frame = replace(frame, compression=compression, private_part=b"payload")
                    if version < 2 and compression and not (dst and src):
                        out.add(
                            "mhr",
                            f"version {version}, {len(dst)}/{len(src)} octets: compression takes two addresses",
                            "WM_ERR_MALFORMED",
                            frame=frame.clear(),
                            air=1,
                        )
                        continue
                    out.add(
                        "mhr",
                        f"version {version}, {len(dst)}/{len(src)} octets of address, compression {int(compression)}",
                        frame=frame.clear(),
                        air=1,
                        **fields(frame),
                    )
    base = Frame(dst=LEAF, src=ROOT, private_part=bytes(range(20)))
    for mode in range(4):
        source = bytes(range(1, 9))[: {0: 0, 1: 0, 2: 4, 3: 8}[mode]]
        for counter in (0x01020304, None):
            ash = Ash(5, mode, counter, counter is None, source, 0x42)
            frame = base.with_ash(ash)
            secured = secure(frame, KEY, "asn" if counter is None else "counter", ASN)
            out.add(
                "mhr",
                f"KeyIdMode {mode}, counter {'elided' if counter is None else 'carried'}",
                frame=secured,
                air=1,
                **fields(frame),
            )
    for flags in ({"pending": True}, {"ack_request": True}, {"seq": None}):
        frame = replace(base, **flags)  # type: ignore[arg-type]
        out.add("mhr", f"{next(iter(flags))} in the FCF", frame=frame.clear(), air=1, **fields(frame))
    parts = [
        (
            "beacon without GTS and pending addresses",
            Frame(BEACON, 1, src=SHORT_A, open_part=BEACON_OPEN, private_part=b"QRST"),
        ),
        (
            "beacon with two GTS, two short and one extended pending address",
            Frame(BEACON, 0, src=ROOT, open_part=BEACON_OPEN_FULL, private_part=b"Q"),
        ),
        (
            "command of version 1: identifier is open",
            Frame(COMMAND, 1, dst=SHORT_B, src=ROOT, compression=True, open_part=b"\x01", private_part=b"\xce"),
        ),
        (
            "command of version 2: identifier is private",
            Frame(COMMAND, 2, dst=SHORT_B, src=ROOT, compression=True, private_part=b"\x01\xce"),
        ),
        ("Imm-Ack", Frame(ACK, 0, 9)),
        (
            "Enh-Ack with Time Correction IE that ends the frame",
            Frame(ACK, 2, 9, LEAF, ROOT, header_ies=time_correction(-5)),
        ),
        ("header IEs with termination 2, then payload", replace(base, header_ies=time_correction(7) + HT2)),
        (
            "header IEs with termination 1, then a payload IE",
            replace(base, header_ies=header_ie(0x00, b"vendor") + HT1, private_part=payload_ie(1, b"") + b""),
        ),
    ]
    for comment, frame in parts:
        out.add("mhr", comment, frame=frame.clear(), air=1, **fields(frame))
    ack = Frame(ACK, 2, 9, LEAF, ROOT, ash=Ash(5, 1, None, True, key_index=2), header_ies=time_correction(-5))
    out.add("mhr", "secured Enh-Ack: its MIC is no header IE", frame=secure(ack, K2, "asn", ASN), air=1, **fields(ack))
    out.add("mhr", "the same in clear", frame=ack.clear(), air=0, **fields(ack))
    refused_headers(out, base)
    return out


def patched(octets: bytes, at: int, value: int) -> bytes:
    """One octet replaced."""
    return octets[:at] + bytes([value]) + octets[at + 1 :]


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


ANNEX_C_FRAMES = [
    (
        "C.2.1 beacon, level 2",
        Frame(
            BEACON,
            1,
            0x84,
            src=h("acde480000000001"),
            src_pan=0x4321,
            dst_pan=0,
            ash=Ash(2, 0, 5),
            open_part=h("55cf0000"),
            private_part=h("51525354"),
        ),
        "08d0842143010000000048deac020500000055cf000051525354223bc1ec841ab553",
    ),
    (
        "C.2.2 data, level 4",
        Frame(
            DATA,
            1,
            0x84,
            h("acde480000000002"),
            h("acde480000000001"),
            0x4321,
            0x4321,
            True,
            False,
            True,
            Ash(4, 0, 5),
            private_part=h("61626364"),
        ),
        "69dc842143020000000048deac010000000048deac0405000000d43e022b",
    ),
    (
        "C.2.3 association request, level 6",
        Frame(
            COMMAND,
            1,
            0x84,
            h("acde480000000002"),
            h("acde480000000001"),
            0x4321,
            0xFFFF,
            False,
            False,
            True,
            Ash(6, 0, 5),
            open_part=h("01"),
            private_part=h("ce"),
        ),
        "2bdc842143020000000048deacffff010000000048deac060500000001d84fde529061f9c6f1",
    ),
]


def case(
    out: File,
    comment: str,
    frame: Frame,
    key: bytes,
    form: NonceForm,
    asn: int = 0,
    src_ext: bytes = b"",
    profile: int = 1,
) -> None:
    """A frame that secures and unsecures."""
    out.add(
        "frame-security",
        comment,
        key=key,
        profile=profile,
        nonceForm=int(form == "asn"),
        asn=asn.to_bytes(5, "big"),
        srcExt=src_ext,
        clear=frame.clear(),
        secured=secure(frame, key, form, asn, src_ext or None),
    )


def annex_c() -> File:
    """The three frames of Annex C."""
    out = File("link_security/annex_c.json", "IEEE 802.15.4 frame security", ANNEX_C)
    for comment, frame, printed in ANNEX_C_FRAMES:
        assert secure(frame, KEY).hex() == printed, comment
        case(out, comment, frame, KEY, "counter", profile=0)
    return out


def levels() -> File:
    """Every level over the frame of Annex C.2.2 and over TSCH data frames, every KeyIdMode, every nonce."""
    out = File("link_security/levels.json", "IEEE 802.15.4 frame security", MODEL)
    annex = ANNEX_C_FRAMES[1][1]
    for level in range(1, 8):
        case(out, f"Annex C.2.2 at level {level}", annex.with_ash(Ash(level, 0, 5)), KEY, "counter", profile=0)
    data = Frame(seq=7, dst=LEAF, src=ROOT, ack_request=True, private_part=bytes(range(16, 36)))
    for mode in range(4):
        source = bytes(range(0xA0, 0xA8))[: {0: 0, 1: 0, 2: 4, 3: 8}[mode]]
        for level in range(1, 8):
            for form in ("counter", "asn"):
                counter = 0xFFFFFFFE if form == "counter" else None
                ash = Ash(level, mode, counter, form == "asn", source, 2)
                case(
                    out,
                    f"level {level}, KeyIdMode {mode}, {form} nonce",
                    data.with_ash(ash),
                    K2,
                    form,
                    ASN,
                    profile=int(level != 4),
                )  # type: ignore[arg-type]
    empty = replace(data, private_part=b"")
    for level in (1, 4, 5, 7):
        case(
            out,
            f"level {level} without payload",
            empty.with_ash(Ash(level, 1, 3)),
            K2,
            "counter",
            profile=int(level != 4),
        )
    short = Frame(dst=SHORT_B, src=SHORT_A, compression=True, private_part=b"short", ash=Ash(6, 1, 8))
    case(out, "counter nonce of a short source, extended address known otherwise", short, K2, "counter", 0, ROOT)
    command = Frame(COMMAND, 2, dst=LEAF, src=ROOT, private_part=b"\x01\xce", ash=Ash(6, 1, 8))
    case(out, "command of version 2: identifier is encrypted", command, K2, "counter")
    ies = replace(data, header_ies=time_correction(9) + HT2, ash=Ash(5, 1, None, True, key_index=2))
    case(out, "header IEs stay readable, payload behind them is encrypted", ies, K2, "asn", ASN)
    refused_security(out, data)
    return out


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
    for direction, frame in (("secure", good.clear()), ("unsecure", whole)):
        unsupported = "WM_ERR_UNSUPPORTED_SECURITY"
        bad(f"{direction} level 0", direction, patched(frame, at, frame[at] & ~7), unsupported)
        bad(f"{direction} level 4 by the rules of 2015", direction, patched(frame, at, frame[at] & ~7 | 4), unsupported)
        bad(f"{direction} with carried counter where the ASN is used", direction, frame, unsupported, 1)
        bad(
            f"{direction} counter all ones",
            direction,
            frame[: at + 1] + b"\xff" * 4 + frame[at + 5 :],
            "WM_ERR_COUNTER",
        )
    for direction, frame in (("secure", elided.clear()), ("unsecure", secure(elided, K2, "asn", ASN))):
        bad(
            f"{direction} with elided counter where the counter is used",
            direction,
            frame,
            "WM_ERR_UNSUPPORTED_SECURITY",
            0,
        )
        bad(f"{direction} under an ASN of all ones", direction, frame, "WM_ERR_COUNTER", 1, (1 << 40) - 1)
        for clear, name in ((0x20, "suppression"), (0x40, "ASN")):
            length = 4 if clear == 0x20 else 0
            other = frame[:at] + bytes([frame[at] & ~clear]) + bytes(length) + frame[at + 1 :]
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


def tsch_frames() -> File:
    """EB, data, Enh-Ack and short source as TSCH secures them."""
    out = File("tsch/frames.json", "TSCH frame security", MODEL)
    beacon = Frame(
        BEACON,
        2,
        0,
        h("ffff"),
        ROOT,
        compression=True,
        ash=Ash(1, 1, None, True, key_index=1),
        header_ies=HT1,
        private_part=Beacon(ASN, links=((0, 0, 0x0F),)).payload(),
    )
    case(out, "Enhanced Beacon, MIC-32", beacon, K1, "asn", ASN)
    data = Frame(DATA, 2, 7, LEAF, ROOT, ack_request=True, private_part=bytes(range(16, 36)))
    for level in (1, 2, 3, 5, 6, 7):
        case(out, f"data, level {level}", data.with_ash(Ash(level, 1, None, True, key_index=2)), K2, "asn", ASN)
    ack = Frame(ACK, 2, 7, ROOT, LEAF, ash=Ash(5, 1, None, True, key_index=2), header_ies=time_correction(-5))
    case(out, "Enh-Ack, level 5, correction -5 us", ack, K2, "asn", ASN)
    short = Frame(
        DATA,
        2,
        7,
        h("0002"),
        h("0001"),
        compression=True,
        ack_request=True,
        ash=Ash(5, 1, None, True, key_index=2),
        private_part=bytes(range(16, 36)),
    )
    case(out, "data from a short address", short, K2, "asn", ASN)
    for level in (1, 5):
        whole = secure(data.with_ash(Ash(level, 1, None, True, key_index=2)), K2, "asn", ASN)
        for at in (0, 2, 12, 21, 22, 30, len(whole) - 1):
            out.add(
                "frame-refusal",
                f"data, level {level}, octet {at} changed",
                "WM_ERR_MALFORMED" if at == 0 else "WM_ERR_UNSUPPORTED_SECURITY" if at == 21 else "WM_ERR_SECURITY",
                direction="unsecure",
                key=K2,
                profile=1,
                nonceForm=1,
                asn=ASN.to_bytes(5, "big"),
                srcExt=b"",
                frame=patched(whole, at, 4 if at == 0 else whole[at] ^ (0x20 if at == 21 else 0x01)),
            )
    return out


def tsch_values() -> File:
    """Hopping, Time Correction IE and the IEs of an EB."""
    out = File("tsch/values.json", "TSCH", MODEL)
    for asn in (*range(17), 0xFF, 0x100, 0xFFFF, 0x10000, ASN, (1 << 40) - 2):
        out.add("hopping", f"ASN {asn}", asn=asn.to_bytes(5, "big"), channel=channel(asn))
    for us in (0, 1, -1, 5, -5, 2047, -2048):
        out.add("time-correction", f"{us} us", list=time_correction(us), us=us & 0xFFF, nack=0)
    out.add("time-correction", "NACK", list=time_correction(-7, nack=True), us=-7 & 0xFFF, nack=1)
    out.add("time-correction", "behind another IE", list=header_ie(0x1A, b"\1\2\3") + time_correction(3), us=3, nack=0)
    for comment, octets in (
        ("none", b""),
        ("other IEs only", header_ie(0x1A, b"\1\2\3")),
        ("one octet", h("02")),
        ("three octets", h("020f01")),
        ("of 1 octet", header_ie(0x1E, b"\1")),
        ("of 3 octets", header_ie(0x1E, b"\1\2\3")),
        ("behind header termination", HT1 + time_correction(1)),
        ("behind a payload IE", payload_ie(1, b"")),
    ):
        out.add("time-correction", comment, "WM_ERR_MALFORMED", list=octets)
    template = Timeslot(1800, 128, 5215, 3000, 800, 5521, 2622, 1400, 192, 2400, 4256, 20000)
    for comment, timeslot in (
        ("default template", b"\0"),
        ("whole template", template.octets(1)),
        ("27-octet template", replace(template, length=88000).octets(1)),
    ):
        beacon = Beacon(ASN, 3, 101, timeslot)
        out.add("eb", comment, payload=beacon.payload(), asn=ASN.to_bytes(5, "big"), joinMetric=3, slotframe=101)
    refused_beacons(out)
    return out


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


def files() -> list[File]:
    """Everything this generator writes."""
    return [headers(), annex_c(), levels(), tsch_frames(), tsch_values()]


if __name__ == "__main__":
    for file in files():
        file.write()
