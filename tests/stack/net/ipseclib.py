# SPDX-License-Identifier: BSD-3-Clause
"""A node with IPsec in a target's memory, in terms of packets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.model.ipsec_model import ICMPV6, Sa, Suite
from tests.stack.link.linklib import name_of
from tests.vectors import Vector
from vectors.generate_ipsec import PEER
from wardmote.call import Buffer, Target

HEADERS = (
    *("ipsec", "aes128", "hmac", "xcbc_mac", "cmac", "ccm_l4", "ct"),
    *("counter_store", "counter_slot", "counter_double", "!fix", "!curupira"),
)
BLOCK, SLOTS = 16, 5
PORT = "counter_double_two"
DISCARD, BYPASS, PROTECT = range(3)
GROUP = 7
UNTOUCHED = 0xA5
IN, OUT = range(2)
AES_KEYS = {
    "tab": ("wm_aes128_tab_key", "wm_aes128_tab_init"),
    "tab_both": ("wm_aes128_tab_both_key", "wm_aes128_tab_init_both"),
    "small": ("wm_aes128_small_key", "wm_aes128_small_init"),
    "small_both": ("wm_aes128_small_key", "wm_aes128_small_init_both"),
    "fix": ("wm_aes128_fix_key", "wm_aes128_fix_init"),
    "engine": ("wm_aes128_small_key", "engine_double_aes128"),
}
"""Types and functions. `tab`, `small` and `fix` only encrypt; `engine` may fail."""


@dataclass
class Node:
    """A node that receives under some SAs and sends under others; policies protect what the peer
    sends and gets, and let neighbour discovery go in clear."""

    target: Target
    sas: Sequence[tuple[int, Sa]]
    """Direction and SA."""
    config: dict[str, Any] = field(default_factory=dict)
    policies: Sequence[dict[str, Any]] | None = None
    cipher: str = "tab_both"
    code_cipher: str = "tab"
    """Under XCBC and CMAC; `small` takes less RAM."""
    slots: int = SLOTS

    def __post_init__(self) -> None:
        """Makes keys, store and tables, and starts."""
        self.target.reset()
        pack, buffer = self.target.pack, self.target.buffer
        self.medium = buffer(pack("counter_double", segment_octets=64, octet=b"\xff" * 288, unit=2))
        self.store, self.limits = buffer(pack("wm_counter_store")), buffer(bytes(4 * self.slots))
        port = self.target.address_of(PORT)
        assert self.target.call("wm_counter_store_create", port, self.medium).value == 0
        if "engine" in (self.cipher, self.code_cipher):
            self.target.call("engine_double_fail_at", 0)  # one library serves every test
        self.open_store()
        self.counters: dict[int, Buffer] = {}
        tables = [
            [self.packed(sa, slot) for slot, (way, sa) in enumerate(self.sas) if way == direction]
            for direction in (IN, OUT)
        ]
        self.tables = [buffer(b"".join(table) or bytes(4)) for table in tables]
        wanted = self.usual() if self.policies is None else self.policies
        table = b"".join(bytes(pack("wm_ipsec_policy", **policy)) for policy in wanted)
        members = {
            "in": self.tables[IN].address,
            "out": self.tables[OUT].address,
            "policies": buffer(table or bytes(4)).address,
            "ins": len(tables[IN]),
            "outs": len(tables[OUT]),
            "count": len(wanted),
        }
        self.ipsec = buffer(pack("wm_ipsec", **(members | self.config)))
        self.started = self.start()

    def start(self) -> str:
        """`wm_ipsec_start`."""
        return name_of(self.target.call("wm_ipsec_start", self.ipsec).value)

    def usual(self) -> list[dict[str, Any]]:
        """Neighbour discovery in clear, everything else of the peer under the SAs."""
        whole = {"remote": PEER, "prefix": 128}
        protect: dict[str, Any] = {"action": PROTECT}
        for _, sa in self.sas:
            protect["ah" if sa.suite.is_ah else "esp"] = GROUP
        discovery = {"protocol": ICMPV6, "icmp_first": 133, "icmp_last": 136, "action": BYPASS}
        return [discovery, whole | protect]

    def key(self, octets: bytes, of: str = "") -> Buffer:
        """An AES key, as `cipher` says if nothing else does."""
        kind, init = AES_KEYS[of or self.cipher]
        made = self.target.buffer(self.target.pack(kind))
        self.target.call(init, made, octets)
        return made

    def integrity_key(self, sa: Sa) -> int:
        """Where it is."""
        code = sa.suite.integrity.split("_")[1]
        if sa.suite.integrity.startswith("hmac"):
            return self.target.buffer(sa.integrity_key).address
        form = "wm_cmac" if code == "cmac" else "wm_xcbc_mac"
        made = self.target.buffer(self.target.pack(f"{form}_key"))
        under = self.key(sa.integrity_key, self.code_cipher)
        assert self.target.call(f"{form}_derive", made, under).value == 0
        return made.address

    def packed(self, sa: Sa, slot: int, **members: Any) -> bytes:
        """A SA as the stack has it."""
        address, suite = self.target.address_of, sa.suite
        values: dict[str, Any] = {
            "protocol": address("wm_ipsec_ah" if suite.is_ah else "wm_ipsec_esp"),
            "spi": sa.spi,
            "salt": sa.salt,
            "group": GROUP,
            "counter": self.counter(slot).address,
        }
        if suite.encryption:
            values["encryption"] = address(f"wm_ipsec_{suite.encryption}")
            values["cipher"] = self.key(sa.key).address if sa.key else 0
        if suite.integrity:
            values["integrity"] = address(f"wm_ipsec_{suite.integrity}")
            values["integrity_key"] = {"octets": self.integrity_key(sa)}
        return bytes(self.target.pack("wm_ipsec_sa", **(values | members)))

    def counter(self, slot: int) -> Buffer:
        """A slot of the store, made once."""
        if slot not in self.counters:
            self.counters[slot] = self.target.buffer(self.target.pack("wm_counter_slot"))
            self.target.call("wm_counter_slot_init", self.counters[slot], self.store, slot)
        return self.counters[slot]

    def open_store(self) -> None:
        """Reads the store, as after a reset."""
        port, args = self.target.address_of(PORT), (self.medium, self.limits, self.slots, BLOCK)
        assert self.target.call("wm_counter_store_open", self.store, port, *args).value == 0

    def reset(self) -> None:
        """Power was away."""
        self.open_store()
        assert self.start() == "WM_OK"

    def sa(self, direction: int, at: int = 0) -> dict[str, Any]:
        """A SA's members."""
        octets = self.tables[direction].read()
        size = len(self.target.pack("wm_ipsec_sa"))
        return self.target.unpack("wm_ipsec_sa", bytearray(octets[at * size :][:size]))

    def change(self, direction: int, at: int, **members: Any) -> None:
        """Changes members of a SA."""
        octets = bytearray(self.tables[direction].read())
        new = bytes(self.target.pack("wm_ipsec_sa", **(self.sa(direction, at) | members)))
        octets[at * len(new) : (at + 1) * len(new)] = new
        self.tables[direction].write(bytes(octets))

    def go_on_from(self, direction: int, at: int, sequence: int) -> None:
        """As if that many sequence numbers were used."""
        own = self.sa(direction, at)["counter"]
        if sequence:
            [slot] = [slot for slot, made in self.counters.items() if made.address == own]
            done = self.target.call("wm_counter_store_advance", self.store, slot, sequence)
            assert done.value == 0
        self.change(direction, at, sequence=sequence)

    def secure(self, packet: bytes, room: int | None = None) -> tuple[str, bytes]:
        """Status, and the packet, or all the room there was."""
        room = len(packet) + 80 if room is None else room
        octets = bytearray(packet.ljust(room, bytes([UNTOUCHED])))
        length = bytearray(self.number(len(packet)))
        args = (octets, room, length)
        status = self.target.call("wm_ipsec_secure", self.ipsec, *args).value
        after = self.number_of(length)
        if status < 0:
            assert after == len(packet) or not any(octets[: after + len(packet)])
            return name_of(status), bytes(octets[: len(packet)])
        assert set(octets[after:]) <= {UNTOUCHED}, "nothing behind the packet is written"
        return name_of(status), bytes(octets[:after])

    def unsecure(self, packet: bytes) -> tuple[str, bytes]:
        """Status and packet."""
        octets, length = bytearray(packet), bytearray(self.number(len(packet)))
        status = self.target.call("wm_ipsec_unsecure", self.ipsec, octets, length).value
        after = self.number_of(length)
        if status < 0:
            assert (after, any(octets)) == (0, False), "nothing is left of a refused packet"
        return name_of(status), bytes(octets[:after])

    def number(self, value: int) -> bytes:
        """A uint16_t in memory."""
        return value.to_bytes(2, self.target.model.order)

    def number_of(self, octets: bytes | bytearray) -> int:
        """The reverse."""
        return int.from_bytes(octets, self.target.model.order)


def sas_of(vector: Vector) -> tuple[Sa, ...]:
    """The SAs of a vector, from the inmost on."""
    names, found = vector.parameters, []
    if names["encryption"]:
        suite = Suite(names["encryption"], names["integrity"])
        key, salt = vector.octets("espKey"), vector.octets("espSalt")
        found.append(
            Sa(suite, vector.number("espSpi"), key, salt, vector.octets("espIntegrityKey"))
        )
    if names["ah"]:
        suite = Suite("", names["ah"])
        found.append(
            Sa(suite, vector.number("ahSpi"), integrity_key=vector.octets("ahIntegrityKey"))
        )
    return tuple(found)


def node(target: Target, direction: int, sas: Sequence[Sa], **config: Any) -> Node:
    """A node that receives, or one that sends, under these SAs."""
    study = {"profile": int(not all(sa.suite.is_ah or sa.suite.secure for sa in sas))}
    made = Node(target, [(direction, sa) for sa in sas], study | config)
    assert made.started == "WM_OK"
    return made


def some(target: Target, vectors: list[Vector]) -> list[Vector]:
    """All on the host; elsewhere one in five, so that each suite has some."""
    return vectors if target.name.startswith("host") else vectors[::5]
