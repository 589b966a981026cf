# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{ieee802154,link_security,tsch}/*.json: IEEE 802.15.4 frames, secured frames,
TSCH.

Values that a standard prints are written out below and compared with
tests/model/ieee802154_model.py; everything else is computed by that model. Run from the root of the
repository: `python -m vectors.generate_link`.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from tests.model.ieee802154_model import (
    ACK,
    BEACON,
    COMMAND,
    DATA,
    HT1,
    HT2,
    Ash,
    Beacon,
    Frame,
    Timeslot,
    channel,
    header_ie,
    payload_ie,
    secure,
    time_correction,
)
from vectors.link_common import (
    ANNEX_C,
    ASN,
    BEACON_OPEN,
    BEACON_OPEN_FULL,
    K1,
    K2,
    KEY,
    LEAF,
    MODEL,
    ROOT,
    SHORT_A,
    SHORT_B,
    File,
    case,
    fields,
    h,
    patched,
)
from vectors.link_refused import (
    FORGED,
    MALFORMED,
    UNSUPPORTED,
    Refused,
    refused_beacons,
    refused_headers,
    refused_security,
)
from vectors.making import write

SLOTTED = Ash(5, 1, None, True, key_index=2)
"""An ASH as TSCH has it: the counter is the ASN."""


def addresses(out: File) -> None:
    """Every version with every combination of addresses."""
    choices = itertools.product(
        (0, 1, 2), (b"", SHORT_B, LEAF), (b"", SHORT_A, ROOT), (False, True)
    )
    for version, dst, src, compression in choices:
        frame = Frame(version=version, dst=dst, src=src, dst_pan=0xABCD, src_pan=0x1234)
        frame = replace(frame, compression=compression, private_part=b"payload")
        name = f"version {version}, {len(dst)}/{len(src)} octets"
        if version < 2 and compression and not (dst and src):
            refused = f"{name}: compression takes two addresses"
            out.add("mhr", refused, MALFORMED, frame=frame.clear(), air=1)
        else:
            header(out, f"{name} of address, compression {int(compression)}", frame)


def header(out: File, comment: str, frame: Frame, sent: bytes | None = None, air: int = 1) -> None:
    """A frame and what a parser finds in it; `sent` is what comes, if not the frame in clear."""
    octets = frame.clear() if sent is None else sent
    out.add("mhr", comment, frame=octets, air=air, **fields(frame))


def auxiliary_headers(out: File, base: Frame) -> None:
    """Every KeyIdMode, with a counter and without."""
    for mode in range(4):
        source = bytes(range(1, 9))[: {0: 0, 1: 0, 2: 4, 3: 8}[mode]]
        for counter in (0x01020304, None):
            frame = base.with_ash(Ash(5, mode, counter, counter is None, source, 0x42))
            secured = secure(frame, KEY, "asn" if counter is None else "counter", ASN)
            name = f"KeyIdMode {mode}, counter {'elided' if counter is None else 'carried'}"
            header(out, name, frame, secured)


def kinds(base: Frame) -> tuple[tuple[str, Frame], ...]:
    """Frames of each type, and IEs."""
    command = Frame(COMMAND, 2, dst=SHORT_B, src=ROOT, compression=True, private_part=b"\x01\xce")
    vendor = header_ie(0x00, b"vendor") + HT1
    return (
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
            replace(command, version=1, open_part=b"\x01", private_part=b"\xce"),
        ),
        ("command of version 2: identifier is private", command),
        ("Imm-Ack", Frame(ACK, 0, 9)),
        (
            "Enh-Ack with Time Correction IE that ends the frame",
            Frame(ACK, 2, 9, LEAF, ROOT, header_ies=time_correction(-5)),
        ),
        (
            "header IEs with termination 2, then payload",
            replace(base, header_ies=time_correction(7) + HT2),
        ),
        (
            "header IEs with termination 1, then a payload IE",
            replace(base, header_ies=vendor, private_part=payload_ie(1, b"")),
        ),
    )


def headers() -> File:
    """Every version, addressing combination and kind of ASH."""
    out = File("ieee802154/headers.json", "IEEE 802.15.4 MHR", MODEL)
    base = Frame(dst=LEAF, src=ROOT, private_part=bytes(range(20)))
    addresses(out)
    auxiliary_headers(out, base)
    for flags in ({"pending": True}, {"ack_request": True}, {"seq": None}):
        header(out, f"{next(iter(flags))} in the FCF", replace(base, **flags))
    for comment, frame in kinds(base):
        header(out, comment, frame)
    ack = Frame(ACK, 2, 9, LEAF, ROOT, ash=SLOTTED, header_ies=time_correction(-5))
    header(out, "secured Enh-Ack: its MIC is no header IE", ack, secure(ack, K2, "asn", ASN))
    header(out, "the same in clear", ack, air=0)
    refused_headers(out, base)
    return out


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


def annex_c() -> File:
    """The three frames of Annex C."""
    out = File("link_security/annex_c.json", "IEEE 802.15.4 frame security", ANNEX_C)
    for comment, frame, printed in ANNEX_C_FRAMES:
        assert secure(frame, KEY).hex() == printed, comment
        case(out, comment, frame, KEY, "counter", profile=1)
    return out


def levels() -> File:
    """Every level over the frame of Annex C.2.2 and over TSCH data frames, every KeyIdMode, every
    nonce."""
    out = File("link_security/levels.json", "IEEE 802.15.4 frame security", MODEL)
    annex = ANNEX_C_FRAMES[1][1]
    for level in range(1, 8):
        frame = annex.with_ash(Ash(level, 0, 5))
        case(out, f"Annex C.2.2 at level {level}", frame, KEY, "counter", profile=1)
    data = Frame(seq=7, dst=LEAF, src=ROOT, ack_request=True, private_part=bytes(range(16, 36)))
    for mode in range(4):
        source = bytes(range(0xA0, 0xA8))[: {0: 0, 1: 0, 2: 4, 3: 8}[mode]]
        for level in range(1, 8):
            for form in ("counter", "asn"):
                counter = 0xFFFFFFFE if form == "counter" else None
                frame = data.with_ash(Ash(level, mode, counter, form == "asn", source, 2))
                name = f"level {level}, KeyIdMode {mode}, {form} nonce"
                case(out, name, frame, K2, form, ASN, profile=int(level == 4))
    empty = replace(data, private_part=b"")
    for level in (1, 4, 5, 7):
        frame = empty.with_ash(Ash(level, 1, 3))
        case(out, f"level {level} without payload", frame, K2, "counter", profile=int(level == 4))
    counted = Ash(6, 1, 8)
    short = Frame(dst=SHORT_B, src=SHORT_A, compression=True, private_part=b"short", ash=counted)
    name = "counter nonce of a short source, extended address known otherwise"
    case(out, name, short, K2, "counter", 0, ROOT)
    command = Frame(COMMAND, 2, dst=LEAF, src=ROOT, private_part=b"\x01\xce", ash=counted)
    case(out, "command of version 2: identifier is encrypted", command, K2, "counter")
    ies = replace(data, header_ies=time_correction(9) + HT2, ash=SLOTTED)
    case(out, "header IEs stay readable, payload behind them is encrypted", ies, K2, "asn", ASN)
    refused_security(out, data)
    return out


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
        case(
            out,
            f"data, level {level}",
            data.with_ash(replace(SLOTTED, level=level)),
            K2,
            "asn",
            ASN,
        )
    ack = Frame(ACK, 2, 7, ROOT, LEAF, ash=SLOTTED, header_ies=time_correction(-5))
    case(out, "Enh-Ack, level 5, correction -5 us", ack, K2, "asn", ASN)
    short = Frame(
        DATA,
        2,
        7,
        h("0002"),
        h("0001"),
        compression=True,
        ack_request=True,
        ash=SLOTTED,
        private_part=bytes(range(16, 36)),
    )
    case(out, "data from a short address", short, K2, "asn", ASN)
    for level in (1, 5):
        whole = secure(data.with_ash(replace(SLOTTED, level=level)), K2, "asn", ASN)
        for at in (0, 2, 12, 21, 22, 30, len(whole) - 1):
            value, status = {0: (4, MALFORMED), 21: (whole[21] ^ 0x20, UNSUPPORTED)}.get(
                at, (whole[at] ^ 0x01, FORGED)
            )
            changed, name = patched(whole, at, value), f"data, level {level}, octet {at} changed"
            Refused(out).add(name, "unsecure", changed, status, form=1)
    return out


def tsch_values() -> File:
    """Hopping, Time Correction IE and the IEs of an EB."""
    out = File("tsch/values.json", "TSCH", MODEL)
    for asn in (*range(17), 0xFF, 0x100, 0xFFFF, 0x10000, ASN, (1 << 40) - 2):
        out.add("hopping", f"ASN {asn}", asn=asn.to_bytes(5, "big"), channel=channel(asn))
    for us in (0, 1, -1, 5, -5, 2047, -2048):
        out.add("time-correction", f"{us} us", list=time_correction(us), us=us & 0xFFF, nack=0)
    out.add("time-correction", "NACK", list=time_correction(-7, nack=True), us=-7 & 0xFFF, nack=1)
    other = header_ie(0x1A, b"\1\2\3")
    behind = other + time_correction(3)
    out.add("time-correction", "behind another IE", list=behind, us=3, nack=0)
    for comment, octets in (
        ("none", b""),
        ("other IEs only", other),
        ("one octet", h("02")),
        ("three octets", h("020f01")),
        ("of 1 octet", header_ie(0x1E, b"\1")),
        ("of 3 octets", header_ie(0x1E, b"\1\2\3")),
        ("behind header termination", HT1 + time_correction(1)),
        ("behind a payload IE", payload_ie(1, b"")),
    ):
        out.add("time-correction", comment, MALFORMED, list=octets)
    template = Timeslot(1800, 128, 5215, 3000, 800, 5521, 2622, 1400, 192, 2400, 4256, 20000)
    for comment, timeslot in (
        ("default template", b"\0"),
        ("whole template", template.octets(1)),
        ("27-octet template", replace(template, length=88000).octets(1)),
    ):
        payload = Beacon(ASN, 3, 101, timeslot).payload()
        asn = ASN.to_bytes(5, "big")
        out.add("eb", comment, payload=payload, asn=asn, joinMetric=3, slotframe=101)
    refused_beacons(out)
    return out


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = (headers(), annex_c(), levels(), tsch_frames(), tsch_values())
    return {file.path: file.text() for file in made}


if __name__ == "__main__":
    write(files())
