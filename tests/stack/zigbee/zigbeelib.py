# SPDX-License-Identifier: BSD-3-Clause
"""A ZigBee node in the memory of a target: keys, counters in a store, NWK security."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.stack.link.linklib import name_of
from wardmote.call import Target

HEADERS = (
    *("zigbee", "zigbee_frame", "zigbee_nwk", "zigbee_nwk_parts"),
    *("aes128", "!fix", "!both", "!decrypt", "!inverse", "ccm", "ct"),
    *("counter_slot", "counter_store", "counter_double"),
)
PORT, BLOCK, SLOTS = "counter_double_two", 16, 4
UNTOUCHED = 0xA5
ROOM = 160


@dataclass(frozen=True)
class Sender:
    """A place in the table of senders."""

    address: bytes = bytes(8)
    slot: int = 0
    """Of the counter store; 0: none."""


@dataclass
class Node:
    """A node, alone in the target's memory."""

    target: Target
    key: bytes
    sequence: int = 0
    address: bytes = bytes(range(8))
    config: dict[str, Any] = field(default_factory=dict)
    known: Sequence[Sender] = ()
    capacity: int = 3
    started: str = ""
    second: Any = None
    """The key that comes next."""

    def __post_init__(self) -> None:
        """Makes key, store and node, and starts."""
        self.target.reset()
        pack, buffer = self.target.pack, self.target.buffer
        self.medium = buffer(pack("counter_double", segment_octets=64, octet=b"\xff" * 288, unit=2))
        self.store, self.limits = buffer(pack("wm_counter_store")), buffer(bytes(4 * SLOTS))
        port = self.target.address_of(PORT)
        assert self.target.call("wm_counter_store_create", port, self.medium).value == 0
        self.slots = [buffer(pack("wm_counter_slot")) for _ in range(SLOTS)]
        for number, slot in enumerate(self.slots):
            self.target.call("wm_counter_slot_init", slot, self.store, number)
        self.made = self.cipher(self.key)
        size = len(pack("wm_zigbee_sender"))
        table = b"".join(
            bytes(pack("wm_zigbee_sender", address=one.address, counter=self.counter(one.slot)))
            for one in self.known
        )
        self.table = buffer(table.ljust(size * max(1, self.capacity), b"\0"))
        self.node = buffer(
            pack(
                "wm_zigbee_nwk",
                **{
                    "address": self.address,
                    "counter": self.slots[0].address,
                    "senders": self.table.address,
                    "known": len(self.known),
                    "capacity": self.capacity,
                }
                | self.config,
            )
        )
        self.start()

    def counter(self, slot: int) -> int:
        """Where a counter lies; 0 has none."""
        return self.slots[slot].address if slot else 0

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

    def start(self, sequence: int | None = None, key: Any = None) -> str:
        """Opens the store and starts, as after a reset."""
        self.open_store()
        number = self.sequence if sequence is None else sequence
        at = (key or self.made).address
        status = self.target.call("wm_zigbee_nwk_start", self.node, at, number).value
        self.started = name_of(status)
        return self.started

    def look(self) -> dict[str, Any]:
        """The node's members."""
        return self.target.unpack("wm_zigbee_nwk", bytearray(self.node.read()))

    def set(self, **changed: Any) -> None:
        """Changes members of the node."""
        self.node.write(bytes(self.target.pack("wm_zigbee_nwk", **(self.look() | changed))))

    def advance(self, counter: int) -> None:
        """The node's next frame has this counter."""
        if counter:
            self.set(next=counter)
            advanced = self.target.call("wm_counter_store_advance", self.store, 0, counter)
            assert advanced.value == 0

    def secure(self, clear: bytes, room: int = ROOM) -> tuple[str, bytes]:
        """Status and frame; of an error all the room there was."""
        return self._in_place("wm_zigbee_nwk_secure", clear, room)

    def _in_place(self, function: str, frame: bytes, room: int) -> tuple[str, bytes]:
        octets = bytearray(frame.ljust(room, bytes([UNTOUCHED])))
        length = bytearray([len(frame)])
        status = self.target.call(function, self.node, octets, room, length).value
        if status < 0:
            assert length[0] == len(frame)
            return name_of(status), bytes(octets)
        assert all(octet == UNTOUCHED for octet in octets[length[0] :])
        return name_of(status), bytes(octets[: length[0]])

    def unsecure(self, frame: bytes) -> tuple[str, bytes, dict[str, Any]]:
        """Status, frame and what it tells; of an error all octets of the frame."""
        target = self.target
        octets, length = bytearray(frame), bytearray([len(frame)])
        told = bytearray(len(target.pack("wm_zigbee_nwk_incoming")))
        status = target.call("wm_zigbee_nwk_unsecure", self.node, octets, length, told).value
        if status < 0:
            assert length[0] == len(frame)
            return name_of(status), bytes(octets), {}
        told_of = target.unpack("wm_zigbee_nwk_incoming", told)
        return name_of(status), bytes(octets[: length[0]]), told_of
