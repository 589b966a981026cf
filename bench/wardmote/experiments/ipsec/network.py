# SPDX-License-Identifier: BSD-3-Clause
"""A chain of motes with image `ipsec-node`, and a host at its end that asks the last one.

The host's packets and frames are made by the stack's C functions before time passes, so that it takes
no time of its own. It compares what it hears with the answer that it expects, octet by octet. It is a
station in the emulated air, in the place of an ideal border router, or behind the serial line of one
mote more, with image `ipsec-border`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wardmote import prototypes
from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.border.air import END, slip, unslip
from wardmote.errors import ImageError
from wardmote.experiments.ipsec.access import ACK_OCTETS, Accesses, air_us
from wardmote.experiments.ipsec.frames import FCS_OCTETS, PAPER, Link, Radio
from wardmote.experiments.ipsec.node import (
    ANSWER,
    GROUP,
    HOPS,
    KEY,
    PAN,
    PROTECT,
    REQUEST,
    SPI,
    Node,
    datagram,
    secrets_of,
    target_of,
)
from wardmote.experiments.ipsec.store import STORES
from wardmote.experiments.ipsec.suites import SUITES, Suite
from wardmote.paths import ROOT, firmware_image
from wardmote.units import PS_PER_S

MS = PS_PER_S // 1000
HEADER = ROOT / "firmware/image/ipsec-node/ipsec_node_block.h"
BLOCK, REPORT, CSMA = "ipsec_node_setup_block", "ipsec_node_report_block", "wm_csma"
CHANNEL, HOST_SHORT, FIRST_SHORT, BYPASS = 26, 1, 0xA0, 1
MOTES = bytes.fromhex("fd000000000000000000000000000000")
HOST = bytes.fromhex("fd000000000000010000000000000001")
CONTEXTS = (MOTES, HOST[:8] + bytes(8))
PORTS = (0xF0B0, 0xF0B7)
"""Of the host, and of the echo server; 4 bits of each stay in a compressed header."""
BORDER_IMAGE, LINE = "ipsec-border", 1
ENCRYPTIONS = ("", "null", "aes_cbc", "aes_ctr", "aes_ccm_8", "aes_ccm_16", "aes_ccm_8_iiv")
INTEGRITIES = ("", "hmac_sha1_96", "hmac_sha256_128", "aes_xcbc_96", "aes_cmac_96")
AH, ESP, IN, OUT = 51, 50, 1, 2
KEY_ID = {"key_id_mode": 1, "key_index": 1}
MHR_OCTETS, HOPS_AT = 9, 7
FRAGMENTS = 0b11000, 0b11100
BOOT_MS, LIMIT_MS, QUIET_MS = 200, 3000, 20
RUNNING, TICK_CYCLES = 1, 8
FRAME_OPEN, UNSECURE, SECURE, FRAME_SEAL = 1, 3, 5, 7
"""Phases of the report."""
SHA256_AH = 6
"""Payload Length of an AH with an ICV of 16 octets."""


@cache
def headers() -> prototypes.Prototypes:
    """The stack's declarations and the image's."""
    return prototypes.read_public(ROOT, HEADER)


def image_of(suite: Suite | None, *, ahead: bool = False) -> str:
    """The image of a TelosB that has a suite: there is no room for all in one. `ahead`: the one that
    works by pieces."""
    if suite is None:
        return "ipsec-node-none"
    if ahead:
        return "ipsec-node-ctr"
    if suite.encryption == "aes_cbc":
        return "ipsec-node-cbc-sha1" if "sha1" in suite.integrity else "ipsec-node-cbc"
    codes = {"hmac_sha1_96": "sha1", "hmac_sha256_128": "sha256"}
    return f"ipsec-node-{codes.get(suite.integrity or suite.ah, 'aes')}"


def short(number: int) -> int:
    """Short address of a mote, from 1 on; 0: of the host."""
    return FIRST_SHORT + number if number else HOST_SHORT


def address(number: int) -> bytes:
    """IPv6 address of a mote."""
    return MOTES[:8] + bytes.fromhex("000000fffe00") + short(number).to_bytes(2, "big")


@dataclass(frozen=True, slots=True)
class Chain:
    """What motes are run with."""

    board: str
    suite: str
    """Empty: without IPsec."""
    level: int
    """Of link security; 0: without."""
    data_octets: int
    hops: int
    engine: bool
    """AES through the radio's engine."""
    ahead: bool
    """The last mote does IPsec while fragments come in and go out."""
    seed: int
    border_baud: int
    """Of the serial line of a border mote; 0: an ideal border."""

    @property
    def suite_of_it(self) -> Suite | None:
        """Algorithms."""
        return SUITES[self.suite] if self.suite else None

    @property
    def protection(self) -> str:
        """IPsec and link security, by name."""
        how = [", engine"] * self.engine + [", overlapped"] * self.ahead
        suite = "".join((self.suite, *how))
        parts = [part for part in (suite, "link" if self.level else "") if part]
        return " + ".join(parts) or "none"

    @property
    def label(self) -> str:
        """How messages name it."""
        border = f", border mote at {self.border_baud} baud" if self.border_baud else ""
        return f"{self.protection}, {self.data_octets} octets, {self.hops} hops{border}"


class Exchange(NamedTuple):
    """A request and its answer: `ms` from handing the request to the host's radio to the end of the
    answer's last frame; `air_ms` of that, in which data and acknowledgements are sent; `mac_ms` that
    radio and MAC take beside, with back-offs of mean length, and `chance_ms` by which these were longer
    in all; `frames` of data, those that were sent again too; `phases`, cycles of the last mote by
    phase of its report."""

    ms: float
    air_ms: float
    mac_ms: float
    chance_ms: float
    frames: int
    phases: tuple[int, ...]


class Way(NamedTuple):
    """A direction, and its addresses and ports."""

    direction: int
    ends: tuple[bytes, bytes]
    ports: tuple[int, int]


class Motes:
    """A chain that is running."""

    def __init__(self, chain: Chain, images: Mapping[str, bytes], most: int) -> None:
        """Boots it, for so many exchanges; raises ImageError if a mote stops."""
        self.chain, model = chain, BOARDS[chain.board].model
        self._block, self._report = (
            headers().layout(name, model) for name in ("ipsec_node_setup", "ipsec_node_report")
        )
        self.simulation = Simulation(chain.seed)
        for number in range(1, chain.hops + 1):
            suite = chain.suite_of_it if number == chain.hops else None
            image = image_of(suite, ahead=chain.ahead)
            self._add(images[image], number, self._setup(number, suite))
        self.host: AirHost | LineHost
        if chain.border_baud:
            setup = self._setup(0, None) | {"baud": chain.border_baud, "routes": 0}
            mote = self._add(images[BORDER_IMAGE], 0, setup)
            self.host = LineHost(self.simulation, mote, chain.border_baud)
        else:
            self.host = AirHost(self.simulation)
        self.simulation.capture()
        self.simulation.run_until((BOOT_MS - 1) * MS)
        self.host.begin()
        self.simulation.run_until(BOOT_MS * MS)
        for mote in range(chain.hops + bool(chain.border_baud)):
            report = self.report(mote)
            if report["state"] != RUNNING:
                raise ImageError(f"mote {mote + 1} of {chain}: {report}")
        layout = headers().layout(CSMA, model)
        self.accesses = Accesses(self.simulation, layout, chain.hops + bool(chain.border_baud))
        self.requests, self.answers = wire(chain, most)

    def _add(self, elf: bytes, number: int, setup: Mapping[str, Any]) -> int:
        mote = self.simulation.add_mote(self.chain.board, elf, f"mote {number}")
        store = STORES[self.chain.board]
        self.simulation.write(mote, store.at, store.empty())
        place, _ = self.simulation.symbol(mote, BLOCK)
        self.simulation.write(mote, place, self._block.pack(**setup))
        return mote

    def _setup(self, number: int, suite: Suite | None) -> dict[str, Any]:
        chain = self.chain
        down = [
            {"to": address(further), "prefix": 128, "next": short(number + 1)}
            for further in range(number + 1, chain.hops + 1)
        ]
        routes = [{"prefix": 0, "next": short(max(number - 1, 0))}, *down]
        sas = list(_sas(suite)) if suite else []
        policy: dict[str, Any] = {"action": BYPASS}
        if suite:
            policy = {"remote": HOST, "prefix": 128, "action": PROTECT}
            policy |= {"ah": GROUP * bool(suite.ah), "esp": GROUP * bool(suite.encryption)}
        beside = (number - 1, number + 1)
        near = [short(one) for one in beside if 0 <= one <= chain.hops]
        return {
            "magic": headers().constants["IPSEC_NODE_MAGIC"],
            **{"pan": PAN, "address": short(number), "channel": CHANNEL, "layout": PAPER},
            **{"seed": 1000 * chain.seed + number, "clock_hz": BOARDS[chain.board].clock_hz},
            **{"ipv6": address(number), "link_level": chain.level, "link_key": KEY[:16]},
            **{"neighbours": len(near), "neighbour": near, "ext_prefix": bytes(6)},
            "context": [{"prefix": one, "prefix_len": 64} for one in CONTEXTS],
            **{"routes": len(routes), "route": routes, "policies": 1, "policy": [policy]},
            **{"sas": len(sas), "sa": sas, "engine": int(chain.engine)},
            "ahead": int(chain.ahead),
            **{"study": int(bool(suite and suite.study)), "ah_len": _ah_len(suite)},
        }

    def report(self, mote: int) -> dict[str, Any]:
        """`ipsec_node_report`."""
        place, _ = self.simulation.symbol(mote, REPORT)
        octets = self.simulation.read(mote, place, self._report.size)
        return dict(self._report.unpack(bytes(octets)))

    def exchange(self) -> Exchange:
        """One; raises ImageError if the answer is not the one that is expected."""
        simulation, last = self.simulation, self.chain.hops - 1
        request, answer = next(self.requests), next(self.answers)
        before, sent = self.report(last)["ticks"], len(simulation.frames())
        self.host.heard()
        begin = simulation.now_ps
        self.host.send(request)
        end = self._hear(answer, begin)
        simulation.run_until(simulation.now_ps + QUIET_MS * MS)
        after = self.report(last)["ticks"]
        frames = simulation.frames()[sent:]
        on_air = [octets for _, at, _, octets, _ in frames if begin <= at < end]
        return Exchange(
            (end - begin) / MS,
            sum(map(air_us, on_air)) / 1000,
            *self.accesses.of(begin, frames),
            sum(len(octets) > ACK_OCTETS for octets in on_air),
            tuple(TICK_CYCLES * (b - a) for a, b in zip(before, after, strict=True)),
        )

    def _hear(self, answer: Sequence[bytes], begin: int) -> int:
        """When the last frame of an answer has come."""
        found: dict[int, bytes] = {}
        end, limit = begin, begin + LIMIT_MS * MS
        while len(found) < len(answer):
            if not self.host.wait(limit):
                raise ImageError(f"no answer: {self.chain}, {self.report(self.chain.hops - 1)}")
            for ended, mpdu in self.host.heard():
                if mpdu[2] not in found:
                    end = ended
                found[mpdu[2]] = mpdu
        heard = list(found.values())
        pairs = zip(answer, heard, strict=True)
        sealed = 0 if self.chain.border_baud else self.chain.level
        if not all(_same(*pair, sealed) for pair in pairs):
            raise ImageError(f"another answer than expected: {self.chain}")
        return end


class AirHost:
    """The host as a station."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.station = simulation.add_station("host", channel=CHANNEL, pan=PAN, short=HOST_SHORT)

    def begin(self) -> None:
        """The motes have booted: whatever has to be sent before the first frame."""

    def send(self, frames: Sequence[bytes]) -> None:
        """Frames without FCS, one behind the other."""
        for frame in frames:
            self.simulation.send(self.station, frame)

    def wait(self, limit: int) -> bool:
        """Until something has come; false if nothing has."""
        return self.simulation.run_until_news([self.station], limit)

    def heard(self) -> Iterator[tuple[int, bytes]]:
        """When frames to it have ended, and the frames without FCS."""
        self.simulation.sent(self.station)
        own = HOST_SHORT.to_bytes(2, "little")
        for _, ended, _, octets, right in self.simulation.heard(self.station):
            if right and len(octets) > ACK_OCTETS and octets[5:7] == own:
                yield ended, octets[:-FCS_OCTETS]


class LineHost:
    """The host behind the serial line of a border mote."""

    def __init__(self, simulation: Simulation, mote: int, baud: int) -> None:
        self.simulation, self.mote, self.baud = simulation, mote, baud
        self._came = b""
        self._frames: list[tuple[int, bytes]] = []

    def begin(self) -> None:
        """An END, in front of which nothing is a frame."""
        self.simulation.send_serial(self.mote, END, baud=self.baud, line=LINE)

    def send(self, frames: Sequence[bytes]) -> None:
        """As AirHost does."""
        self.simulation.send_serial(
            self.mote, b"".join(map(slip, frames)), baud=self.baud, line=LINE
        )

    def wait(self, limit: int) -> bool:
        """As AirHost does."""
        while not self._frames and self.simulation.now_ps < limit:
            self.simulation.run_for(MS)
            for at, _, octet in self.simulation.serial(self.mote):
                self._came += bytes([octet])
                if octet == END[0]:
                    self._frames += [(at, unslip(self._came[:-1]))] if len(self._came) > 1 else []
                    self._came = b""
        return bool(self._frames)

    def heard(self) -> Iterator[tuple[int, bytes]]:
        """As AirHost does."""
        while self._frames:
            yield self._frames.pop(0)


def _same(ours: bytes, theirs: bytes, level: int) -> bool:
    """Whether two frames carry the same. Secured ones have other counters: their lengths are."""
    return len(ours) == len(theirs) if level else _carried(ours) == _carried(theirs)


def _carried(frame: bytes) -> bytes:
    """The payload of a frame in clear; of a fragment without its tag, which the sender chooses."""
    payload = frame[MHR_OCTETS:]
    return payload[:2] + payload[4:] if payload[0] >> 3 in FRAGMENTS else payload


def _ah_len(suite: Suite | None) -> int:
    return SHA256_AH if suite and suite.ah == "hmac_sha256_128" else 0


def _sas(suite: Suite) -> Iterator[dict[str, Any]]:
    """SAs as the block has them."""
    for direction, way in ((REQUEST, IN), (ANSWER, OUT)):
        for slot, (protocol, encryption, integrity) in enumerate(
            ((ESP, suite.encryption, suite.integrity), (AH, "", suite.ah))
        ):
            if encryption or integrity:
                secrets = secrets_of(direction, slot)
                yield {
                    **{"spi": SPI, "direction": way, "protocol": protocol, "group": GROUP},
                    "encryption": ENCRYPTIONS.index(encryption),
                    "integrity": INTEGRITIES.index(integrity),
                    **{"salt": secrets.salt, "key": secrets.key, "integrity_key": secrets.code},
                }


def wire(chain: Chain, most: int) -> tuple[Iterator[list[bytes]], Iterator[list[bytes]]]:
    """Frames of requests that the host sends, and those of the answers that it wants."""
    ends = (HOST, address(chain.hops))
    near, far = (short(number).to_bytes(2, "big") for number in (0, 1))
    made = []
    for way, (src, dst) in (
        (Way(REQUEST, ends, PORTS), (near, far)),
        (Way(ANSWER, ends[::-1], PORTS[::-1]), (far, near)),
    ):
        packets = _packets(chain, way, most)
        target = target_of(BOARDS[chain.board].cpu)
        target.reset()
        link = Link(src, dst, CONTEXTS, KEY_ID, bytes(6) + src)
        radio = Radio(target, PAPER, chain.level, _ah_len(chain.suite_of_it), link)
        outer = Radio(target, link=link) if chain.border_baud else radio
        made.append([[outer.frame(one) for one in radio.payloads(packet)] for packet in packets])
    return iter(made[0]), iter(made[1])


def _packets(chain: Chain, way: Way, most: int) -> list[bytes]:
    """Packets as they are between the host and its neighbour."""
    cpu = BOARDS[chain.board].cpu
    left = HOPS if way.direction == REQUEST else HOPS - chain.hops + 1
    if not chain.suite:
        target = target_of(cpu)
        target.reset()
        return [datagram(target, chain.data_octets, way.ends, way.ports, left)] * most
    node = Node(cpu, chain.suite, sends=True, remote=way.ends[1], direction=way.direction)
    clear = datagram(node.target, chain.data_octets, way.ends, way.ports)
    secured = (node.secure(clear)[0] for _ in range(most))
    return [packet[:HOPS_AT] + bytes([left]) + packet[HOPS_AT + 1 :] for packet in secured]


def files(chain: Chain) -> dict[str, Path]:
    """The images of its motes, by their names."""
    names = {image_of(None), image_of(chain.suite_of_it, ahead=chain.ahead)}
    names |= {BORDER_IMAGE} if chain.border_baud else set()
    return {name: firmware_image(chain.board, name) for name in sorted(names)}


def ran(chain: Chain, images: Mapping[str, bytes], runs: int) -> list[Exchange]:
    """So many exchanges, behind one that is not counted: it writes counters."""
    motes = Motes(chain, images, runs + 1)
    return [motes.exchange() for _ in range(runs + 1)][1:]
