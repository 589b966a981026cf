# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/{ieee802154,link_security,tsch}/*.json: IEEE 802.15.4 frames, secured frames,
TSCH.

Values that a standard prints are written out below and compared with
tests/model/ieee802154_model.py; everything else is computed by that model. Run from the root of the
repository: `python -m vectors.generate_link`.
"""

from __future__ import annotations

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
from vectors.link_refused import refused_beacons, refused_headers, refused_security
from vectors.making import write


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
        frame = replace(base, **flags)
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
        case(out, comment, frame, KEY, "counter", profile=0)
    return out


def levels() -> File:
    """Every level over the frame of Annex C.2.2 and over TSCH data frames, every KeyIdMode, every
    nonce."""
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
                )
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


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    made = (headers(), annex_c(), levels(), tsch_frames(), tsch_values())
    return {file.path: file.text() for file in made}


if __name__ == "__main__":
    write(files())
