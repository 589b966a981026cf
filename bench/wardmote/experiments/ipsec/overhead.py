# SPDX-License-Identifier: BSD-3-Clause
"""Octets that IPsec adds, cut out of packets and frames that the stack's C functions made, beside
those of link-layer security, of the paper's Table II, and of DTLS and OSCORE."""

from collections.abc import Iterator
from dataclasses import dataclass

from wardmote.boards import BOARDS
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.errors import ImageError
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.ipsec.cuts import (
    DATAGRAM,
    Cut,
    added,
    carried,
    octets_of,
    plain,
)
from wardmote.experiments.ipsec.frames import DRAFT, NONE, PAPER, Radio
from wardmote.experiments.ipsec.node import HEADER, Node, datagram, target_of
from wardmote.experiments.ipsec.records import RECORDS
from wardmote.experiments.ipsec.suites import AUTHENTICATION, BOTH, ENCRYPTION, SUITES, Suite
from wardmote.levels import LEVEL_NAMES
from wardmote.published import load

CLEAR, LINK, IPSEC, RECORD = "clear", "link", "IPsec", "record"
ALIGNED = 22
"""Octets of data behind which no suite pads: with UDP's header and the trailer a multiple of 16."""
LENGTHS = (16, ALIGNED, 32, 64, 128, 256, 512)
LINK_LEVEL = 7
"""ENC-MIC-128: the paper compares with AES-CCM-128."""
SERVICE_OF_LEVEL = {1: AUTHENTICATION, 2: AUTHENTICATION, 3: AUTHENTICATION, 4: ENCRYPTION}
PRINTED = {
    "AH SHA1": "authentication",
    "ESP CBC": "encryption",
    "ESP CBC+SHA1": "encryption_authentication",
}
"""Rows of Table II by suite."""
PRINTED_LEVEL = {4: "encryption", 7: "encryption_authentication"}
"""The same by link security."""
AH_LENGTH_AT, ICV = HEADER + 1, "ICV"


@dataclass(frozen=True, slots=True)
class OverheadRow:
    """What one way to protect a datagram adds to it. Octets that it cannot add are None."""

    board: str
    kind: str
    """clear, link, IPsec or record"""
    protection: str
    service: str
    data_octets: int
    computed: bool
    """From formats, not cut out of what code made."""
    uncompressed_octets: int | None
    """In the IPv6 packet; of a record, in the UDP datagram."""
    padding_octets: int | None
    compressed_octets: int | None
    """In the layout of the paper."""
    draft_octets: int | None
    """In that of the draft."""
    inline_octets: int | None
    """In 6LoWPAN without either: next header in line, what is behind it as it is."""
    udp_octets: int | None
    """The UDP header is so much longer because its compression ends at AH or ESP (paper's layout)."""
    frame_octets: int | None
    """Of link security, in each frame."""
    frames: int | None
    psdu_octets: int | None
    """Of all frames, with each FCS."""
    more_octets: int | None
    """More than those in clear."""
    linked_frames: int | None
    """Under link security of level 7 too."""
    linked_psdu_octets: int | None
    paper_uncompressed_octets: int | None
    paper_compressed_octets: int | None
    paper_link_octets: int | None
    packet_fields: tuple[Cut, ...]
    """Of the IPv6 packet, or of the record."""
    frame_fields: tuple[Cut, ...]
    """Of what the frame carries, in the layout of the paper."""
    seed: int
    wardmote: str
    commit: str


NOTHING: Figures = {
    "computed": False,
    "packet_fields": (),
    "frame_fields": (),
    **dict.fromkeys(
        (
            *("uncompressed_octets", "padding_octets", "compressed_octets", "draft_octets"),
            *("inline_octets", "udp_octets", "frame_octets", "frames", "psdu_octets"),
            *("more_octets", "linked_frames", "linked_psdu_octets", "paper_link_octets"),
            *("paper_uncompressed_octets", "paper_compressed_octets"),
        )
    ),
}
"""What a row does not have."""


def measure(case: BoardCase, _: Artefacts) -> Figures:
    """Every suite and level with every length."""
    cpu = BOARDS[case.board].cpu
    rows = []
    for data in LENGTHS:
        bare = _clear(cpu, data)
        rows.append(bare)
        rows += [_link(cpu, level, data, bare) for level in range(1, len(LEVEL_NAMES))]
        rows += [_ipsec(cpu, name, data, bare) for name in SUITES]
    return {"rows": [*rows, *_records()]}


def _clear(cpu: str, data: int) -> Figures:
    target = target_of(cpu)
    target.reset()
    packet = datagram(target, data)
    frames, octets = Radio(target).octets(packet)
    target.reset()
    linked_frames, linked = Radio(target, level=LINK_LEVEL).octets(packet)
    return NOTHING | {
        **{"kind": CLEAR, "protection": "none", "service": "", "data_octets": data},
        **{"frames": frames, "psdu_octets": octets, "more_octets": 0},
        **{"linked_frames": linked_frames, "linked_psdu_octets": linked},
    }


def _link(cpu: str, level: int, data: int, bare: Figures) -> Figures:
    target = target_of(cpu)
    target.reset()
    packet = datagram(target, data)
    without = len(Radio(target).frame(b""))
    secured = Radio(target, level=level)
    frames, octets = secured.octets(packet)
    printed = load("ipsec")["overhead_bytes"]
    name = PRINTED_LEVEL.get(level)
    return NOTHING | {
        **{"kind": LINK, "protection": LEVEL_NAMES[level], "data_octets": data},
        "service": SERVICE_OF_LEVEL.get(level, BOTH),
        "frame_octets": len(secured.frame(b"")) - without,
        **{"frames": frames, "psdu_octets": octets},
        "more_octets": octets - bare["psdu_octets"],
        "paper_link_octets": printed[name]["link"] if name else None,
    }


def _ipsec(cpu: str, name: str, data: int, bare: Figures) -> Figures:
    suite, node = SUITES[name], Node(cpu, name, sends=True)
    target = node.target
    clear = datagram(target, data)
    packet, _ = node.secure(clear)
    known = (packet[AH_LENGTH_AT] if suite.ah else 0,)
    inline, paper, draft = (Radio(target, layout, 0, *known) for layout in (NONE, PAPER, DRAFT))
    linked = Radio(target, PAPER, LINK_LEVEL, *known)
    whole = plain(target, suite, packet, data)
    inside = _checked(paper, suite, packet, data, PAPER)
    frames, octets = paper.octets(packet)
    linked_frames, linked_octets = linked.octets(packet)
    printed = load("ipsec")["overhead_bytes"].get(PRINTED.get(name, ""), {})
    before = _udp(paper, clear)
    return NOTHING | {
        **{"kind": IPSEC, "protection": name, "service": suite.service, "data_octets": data},
        "uncompressed_octets": len(packet) - len(clear),
        "padding_octets": octets_of(whole, "padding"),
        "compressed_octets": added(inside, "IPHC", DATAGRAM),
        "draft_octets": added(_checked(draft, suite, packet, data, DRAFT), "IPHC", DATAGRAM),
        "inline_octets": len(inline.compressed(packet)) - len(inline.compressed(clear)),
        "udp_octets": octets_of(inside, DATAGRAM) - before,
        **{"frames": frames, "psdu_octets": octets},
        "more_octets": octets - bare["psdu_octets"],
        **{"linked_frames": linked_frames, "linked_psdu_octets": linked_octets},
        "paper_uncompressed_octets": printed.get("uncompressed"),
        "paper_compressed_octets": printed.get("compressed"),
        "paper_link_octets": printed.get("link"),
        **{"packet_fields": whole, "frame_fields": inside},
    }


def _udp(radio: Radio, clear: bytes) -> int:
    """Octets behind IPHC of a datagram in clear."""
    return len(radio.compressed(clear)) - 2


def _checked(radio: Radio, suite: Suite, packet: bytes, data: int, layout: int) -> list[Cut]:
    """The fields of what a frame carries; raises ImageError if a field of the packet that has to be
    in it is not."""
    inside = carried(radio.target, suite, radio.compressed(packet), data, layout)
    whole = plain(radio.target, suite, packet, data)
    wanted, found = ([one for one in cuts if one["name"] == ICV] for cuts in (whole, inside))
    if wanted != found:
        raise ImageError("a frame has another ICV than its packet")
    return inside


def _records() -> Iterator[Figures]:
    for name, fields in RECORDS.items():
        yield NOTHING | {
            **{"kind": RECORD, "protection": name, "service": BOTH, "data_octets": ALIGNED},
            **{"computed": True, "uncompressed_octets": sum(fields.values())},
            "packet_fields": [
                {"name": field, "octets": octets, "hexadecimal": ""}
                for field, octets in fields.items()
            ],
        }
