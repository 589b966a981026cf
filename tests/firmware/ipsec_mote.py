# SPDX-License-Identifier: BSD-3-Clause
"""Motes with image `ipsec-node`, and a host that talks to them in frames made by the models of the
tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from tests.model import fragments_model, ipsec_model, lowpan_ipsec_model
from tests.model.ipsec_model import Sa
from tests.model.lowpan_model import Context, Net, expand
from wardmote import prototypes
from wardmote._motes import Simulation
from wardmote.boards import BOARDS
from wardmote.experiments.ipsec.store import STORES, Store
from wardmote.paths import BUILD, ROOT
from wardmote.units import PS_PER_S

MS = PS_PER_S // 1000
BOOT_MS = 2000
"""The crystals of a board start in less."""
PAN, CHANNEL = 0xBEEF, 26
ROUTER = 1
"""Short address of the host, in the place of the border router."""
MOTES = bytes.fromhex("fd000000000000000000000000000000")
HOST = bytes.fromhex("fd000000000000010000000000000001")
ECHO = 0xF0B7


class Kind(NamedTuple):
    """A board: its image of most suites, its clock, and where its counters lie."""

    image: str
    clock_hz: int
    store: Store


KINDS = {
    "telosb": Kind("ipsec-node-aes", 8_000_000, STORES["telosb"]),
    "openmote-cc2538": Kind("ipsec-node-all", 32_000_000, STORES["openmote-cc2538"]),
}
CONTEXTS = (
    Context(int.from_bytes(MOTES, "big"), 64),
    Context(int.from_bytes(HOST[:8] + bytes(8), "big"), 64),
)
ENCRYPTIONS = ["", "null", "aes_cbc", "aes_ctr", "aes_ccm_8", "aes_ccm_16", "aes_ccm_8_iiv"]
INTEGRITIES = ["", "hmac_sha1_96", "hmac_sha256_128", "aes_xcbc_96", "aes_cmac_96"]
IN, OUT = 1, 2
PROTECT, BYPASS = 2, 1


@cache
def headers() -> prototypes.Prototypes:
    """Declarations of the image's header."""
    return prototypes.read_public(ROOT, ROOT / "firmware/image/ipsec-node/ipsec_node_block.h")


def short(number: int) -> int:
    """Short address of mote `number`, from 1 on."""
    return 0xA0 + number


def address(number: int) -> bytes:
    """IPv6 address of that mote."""
    return MOTES[:8] + bytes.fromhex("000000fffe00") + short(number).to_bytes(2, "big")


def sa_of(direction: int, sa: Sa, group: int = 1) -> dict[str, Any]:
    """A SA as the block has it."""
    return {
        "spi": sa.spi,
        "direction": direction,
        "protocol": 51 if sa.suite.is_ah else 50,
        "encryption": ENCRYPTIONS.index(sa.suite.encryption),
        "integrity": INTEGRITIES.index(sa.suite.integrity),
        "group": group,
        "salt": sa.salt,
        "key": sa.key.ljust(16, b"\0"),
        "integrity_key": sa.integrity_key.ljust(32, b"\0"),
    }


def setup(number: int, sas: Sequence[dict[str, Any]] = (), **values: Any) -> dict[str, Any]:
    """Members of the block of mote `number`, beside the host: with SAs, the host's packets are
    protected; else everything goes in clear."""
    if sas:
        groups = {"ah": 0, "esp": 0}
        for sa in sas:
            groups["ah" if sa["protocol"] == 51 else "esp"] = sa["group"]
        policy = [{"remote": HOST, "prefix": 128, "action": PROTECT} | groups]
    else:
        policy = [{"action": BYPASS}]
    made = {
        "magic": headers().constants["IPSEC_NODE_MAGIC"],
        "pan": PAN,
        "address": short(number),
        "seed": 0x1234 + number,
        "channel": CHANNEL,
        "layout": 1,
        "ipv6": address(number),
        "context": [{"prefix": context.prefix.to_bytes(16, "big"), "prefix_len": context.bits}
                    for context in CONTEXTS],
        "routes": 1,
        "route": [{"prefix": 0, "next": ROUTER}],
        "policies": len(policy),
        "policy": policy,
        "sas": len(sas),
        "sa": list(sas),
        "ext_prefix": bytes(6),
    } | values  # fmt: skip
    return made


class Host:
    """The host, in the place of a border router: a station that talks to the motes."""

    def __init__(self, simulation: Simulation, ah_len: int) -> None:
        """`ah_len` is the Payload Length of AH that is left out."""
        self.simulation, self.ah_len = simulation, ah_len
        self.station = simulation.add_station("host", channel=CHANNEL, pan=PAN, short=ROUTER)
        self.sequence = self.tag = 0
        self.seen: dict[bytes, int] = {}  # the sequence number last heard, by sender
        self.pieces = fragments_model.Reassembly(4, 2, 10**9)
        self.sizes: list[int] = []
        """Octets of the payloads of frames to the host, repeated ones apart."""

    def net(self, src: int, dst: int) -> Net:
        """What both sides of a frame know."""
        ipsec = partial(lowpan_ipsec_model.read, lowpan_ipsec_model.PAPER, length=self.ah_len)
        return Net(CONTEXTS, src.to_bytes(2, "big"), dst.to_bytes(2, "big"), ipsec)

    def frame(self, to: int, payload: bytes) -> None:
        """Sends a frame of data behind those that wait."""
        self.sequence += 1
        head = (0x8861 if to != 0xFFFF else 0x8841).to_bytes(2, "little")
        head += bytes([self.sequence & 0xFF])
        head += b"".join(n.to_bytes(2, "little") for n in (PAN, to, ROUTER))
        self.simulation.send(self.station, head + payload)

    def send(self, to: int, packet: bytes) -> None:
        """Sends a packet with its headers as they are, in fragments where it must be."""
        for payload in self.fragments(packet):
            self.frame(to, payload)

    def fragments(self, packet: bytes) -> Iterator[bytes]:
        """The payloads of its frames."""
        if len(packet) < 114:
            yield b"\x41" + packet
            return
        self.tag += 1
        yield fragments_model.frag1(len(packet), self.tag, b"\x41" + packet[:96])
        for at in range(96, len(packet), 104):
            yield fragments_model.fragn(len(packet), self.tag, at, packet[at : at + 104])

    def packets(self) -> list[bytes]:
        """What the motes have sent to the host since the last call."""
        found = []
        for _, _, _, octets, right in self.simulation.heard(self.station):
            src = octets[7:9]
            ours = octets[0] & 7 == 1 and octets[5:7] == ROUTER.to_bytes(2, "little")
            if right and ours and self.seen.get(src) != octets[2]:
                self.seen[src] = octets[2]
                payload = octets[9:-2]
                self.sizes.append(len(payload))
                found += self.take(payload, int.from_bytes(src, "little"))
        return found

    def take(self, payload: bytes, src: int) -> list[bytes]:
        """The packet that a frame completes."""
        net = self.net(src, ROUTER)
        if payload[0] >> 3 in (0b11000, 0b11100):
            status, packet = self.pieces.take(payload, net, 0)
            assert status == "WM_OK"
            return [packet] if packet else []
        return [expand(payload, net)]

    def ask(self, to: int, packet: bytes, ms: int = 400) -> list[bytes]:
        """Sends a packet and returns what is sent to the host afterwards."""
        self.packets()
        self.send(to, packet)
        self.simulation.run_until(self.simulation.now_ps + ms * MS)
        return self.packets()


def program(
    simulation: Simulation,
    image: str,
    values: Mapping[str, Any],
    board: str = "telosb",
    store: bytes = b"",
) -> int:
    """Adds a mote with this block, and an empty store of counters if none is given; its index. No
    image: the board's usual one."""
    kind = KINDS[board]
    elf = (BUILD / f"firmware/{board}/{image or kind.image}.elf").read_bytes()
    name = f"mote {values['address']:04x}"
    index = simulation.add_mote(board, elf, name, clock_hz=kind.clock_hz)
    simulation.write(index, kind.store.at, store or kind.store.empty())
    place, _ = simulation.symbol(index, "ipsec_node_setup_block")
    block = headers().layout("ipsec_node_setup", BOARDS[board].model)
    simulation.write(index, place, block.pack(**{"clock_hz": kind.clock_hz, **values}))
    return index


def report(simulation: Simulation, index: int, board: str = "telosb") -> dict[str, Any]:
    """`ipsec_node_report` of a mote."""
    layout = headers().layout("ipsec_node_report", BOARDS[board].model)
    place, _ = simulation.symbol(index, "ipsec_node_report_block")
    return layout.unpack(bytes(simulation.read(index, place, layout.size)))


class Motes:
    """Motes with the image; the host's frames reach all of them."""

    def __init__(
        self,
        *setups: Mapping[str, Any],
        board: str = "telosb",
        image: str = "",
        store: bytes = b"",
        seed: int = 1,
    ) -> None:
        """Boots them, each with an empty store of counters if none is given."""
        self.board = board
        self.simulation = Simulation(seed)
        for values in setups:
            program(self.simulation, image, values, board, store)
        self.host = Host(self.simulation, setups[0].get("ah_len") or 4)
        for number in range(len(setups)):
            place, _ = self.simulation.symbol(number, "ipsec_node_report_block")
            self.simulation.write(number, place, b"\0")
            self.simulation.run_while(number, place, 1, 1, BOOT_MS * MS)
        self.simulation.run_until(self.simulation.now_ps + 20 * MS)

    def report(self, mote: int = 0) -> dict[str, Any]:
        """`ipsec_node_report`."""
        return report(self.simulation, mote, self.board)


def echo_request(number: int, data: bytes, port: int = ECHO) -> bytes:
    """A UDP datagram from the host to a mote's echo server."""
    to = address(number)
    udp = ipsec_model.udp(HOST, to, (0xF0B0, port), data)
    return ipsec_model.ipv6(HOST, to, 17, udp)
