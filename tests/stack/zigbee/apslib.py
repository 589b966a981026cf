# SPDX-License-Identifier: BSD-3-Clause
"""A ZigBee node that shares link keys with others, in the memory of a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.model import zigbee_model as model
from tests.stack.link.linklib import name_of
from tests.stack.zigbee.zigbeelib import BLOCK, PORT, ROOM, SLOTS, UNTOUCHED
from wardmote.call import Target

HEADERS = (
    *("zigbee", "zigbee_frame", "zigbee_aps", "zigbee_aps_parts", "zigbee_keys", "zigbee_command"),
    *("aes128", "!fix", "!both", "!decrypt", "!inverse", "ccm", "ct"),
    *("counter_slot", "counter_store", "counter_double"),
)
KINDS = ("data", "transport", "load")
ANYBODY = b"\xff" * 8


@dataclass(frozen=True)
class Link:
    """A node that shares a link key with this one."""

    address: bytes
    key: bytes
    slot: int = 0
    """Of the counter store; 0: none."""
    lacks: tuple[str, ...] = ()
    """Kinds of keys that are missing."""


@dataclass
class ApsNode:
    """A node, alone in the target's memory."""

    target: Target
    links: Sequence[Link]
    address: bytes = bytes(range(8))
    config: dict[str, Any] = field(default_factory=dict)
    started: str = ""

    def __post_init__(self) -> None:
        """Makes keys, store and node, and starts."""
        self.target.reset()
        pack, buffer = self.target.pack, self.target.buffer
        self.medium = buffer(pack("counter_double", segment_octets=64, octet=b"\xff" * 288, unit=2))
        self.store, self.limits = buffer(pack("wm_counter_store")), buffer(bytes(4 * SLOTS))
        port = self.target.address_of(PORT)
        assert self.target.call("wm_counter_store_create", port, self.medium).value == 0
        self.slots = [buffer(pack("wm_counter_slot")) for _ in range(SLOTS)]
        for number, slot in enumerate(self.slots):
            self.target.call("wm_counter_slot_init", slot, self.store, number)
        self.made: list[dict[str, Any]] = []
        self.size = len(pack("wm_zigbee_link"))
        self.table = buffer(
            b"".join(self.packed(one) for one in self.links).ljust(self.size, b"\0")
        )
        members = {
            "address": self.address,
            "counter": self.slots[0].address,
            "links": self.table.address,
            "count": len(self.links),
        }
        self.node = buffer(pack("wm_zigbee_aps", **(members | self.config)))
        self.start()

    def packed(self, link: Link) -> bytes:
        """A link and its keys, as they lie in memory."""
        octets = (link.key, model.transport_key(link.key), model.load_key(link.key))
        made = {
            name: self.cipher(key)
            for name, key in zip(KINDS, octets, strict=True)
            if name not in link.lacks
        }
        self.made.append(made)
        slot = {"counter": self.slots[link.slot].address} if link.slot else {}
        keys = {name: key.address for name, key in made.items()}
        return bytes(self.target.pack("wm_zigbee_link", address=link.address, **keys, **slot))

    def cipher(self, octets: bytes) -> Any:
        """A key of AES-128."""
        key = self.target.buffer(self.target.pack("wm_aes128_tab_key"))
        self.target.call("wm_aes128_tab_init", key, octets)
        return key

    def open_store(self) -> None:
        """Reads the store, as after a reset."""
        port = self.target.address_of(PORT)
        opened = self.target.call(
            "wm_counter_store_open", self.store, port, self.medium, self.limits, SLOTS, BLOCK
        )
        assert opened.value == 0

    def start(self) -> str:
        """Opens the store and starts, as after a reset."""
        self.open_store()
        self.started = name_of(self.target.call("wm_zigbee_aps_start", self.node).value)
        return self.started

    def look(self) -> dict[str, Any]:
        """The node's members."""
        return self.target.unpack("wm_zigbee_aps", bytearray(self.node.read()))

    def link(self, place: int = 0) -> dict[str, Any]:
        """The members of a link."""
        octets = self.table.read()[place * self.size : (place + 1) * self.size]
        return self.target.unpack("wm_zigbee_link", bytearray(octets))

    def set(self, **changed: Any) -> None:
        """Changes members of the node."""
        self.node.write(bytes(self.target.pack("wm_zigbee_aps", **(self.look() | changed))))

    def advance(self, counter: int) -> None:
        """The node's next frame has this counter."""
        if counter:
            self.set(next=counter)
            advanced = self.target.call("wm_counter_store_advance", self.store, 0, counter)
            assert advanced.value == 0

    def secure(
        self, clear: bytes, to: bytes, said: bool = False, room: int = ROOM
    ) -> tuple[str, bytes]:
        """Status and frame; of an error all the room there was."""
        octets = bytearray(clear.ljust(room, bytes([UNTOUCHED])))
        length = bytearray([len(clear)])
        status = self.target.call(
            "wm_zigbee_aps_secure", self.node, to, int(said), octets, room, length
        ).value
        if status < 0:
            assert length[0] == len(clear)
            return name_of(status), bytes(octets)
        assert all(octet == UNTOUCHED for octet in octets[length[0] :])
        return name_of(status), bytes(octets[: length[0]])

    def unsecure(
        self, frame: bytes, source: bytes | None = None
    ) -> tuple[str, bytes, dict[str, Any]]:
        """Status, frame and what it tells; of an error all octets of the frame."""
        target = self.target
        octets, length = bytearray(frame), bytearray([len(frame)])
        told = bytearray(len(target.pack("wm_zigbee_aps_incoming")))
        status = target.call(
            "wm_zigbee_aps_unsecure", self.node, source, octets, length, told
        ).value
        if status < 0:
            assert length[0] == len(frame)
            return name_of(status), bytes(octets), {}
        told_of = target.unpack("wm_zigbee_aps_incoming", told)
        return name_of(status), bytes(octets[: length[0]]), told_of
