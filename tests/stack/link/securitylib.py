# SPDX-License-Identifier: BSD-3-Clause
"""The security procedures with Python's values: a PIB as frozen data, placed in a target's memory
as a Node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA, EXT, NONE, SHORT, Ash, Frame
from tests.stack.calls import expand
from tests.stack.link.linklib import name_of
from wardmote.call import Buffer, Target

E2006, E2011, E2012E, E2015 = range(4)
EDITIONS = (E2006, E2011, E2012E, E2015)
NO_INDEX, NO_SLOT, ANY_COMMAND, NO_SHORT = 0xFFFF, 0xFF, 0xFF, 0xFFFF
USED_UP = 0xFFFFFFFF

KEY = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
OTHER_KEY = bytes.fromhex("c0c1c2c3c4c5c6c7c8c9cacbcccdcecf")
OWN, PEER, THIRD = (bytes.fromhex(f"00124b000000000{n}") for n in (1, 2, 3))
OWN_SHORT, PEER_SHORT = bytes.fromhex("0001"), bytes.fromhex("0002")
PAN = 0xABCD
DEFAULT_SOURCE = bytes.fromhex("1122334455667788")


@dataclass(frozen=True, slots=True)
class Lookup:
    """wm_key_id_lookup; `source` is the Key Source, or with mode 0 the address of the other
    device."""

    mode: int = 1
    index: int = 1
    source: bytes = DEFAULT_SOURCE
    pan: int = PAN


@dataclass(frozen=True, slots=True)
class KeyDevice:
    """wm_key_device."""

    device: int = 0
    counter: int = 0
    slot: int = NO_SLOT
    unique: bool = False
    blacklisted: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """wm_key_descriptor; `counter` is its own outgoing one."""

    octets: bytes = KEY
    lookups: tuple[Lookup, ...] = (Lookup(),)
    usage: tuple[tuple[int, int], ...] = ((BEACON, 0), (DATA, 0), (ACK, 0), (COMMAND, ANY_COMMAND))
    devices: tuple[KeyDevice, ...] = (KeyDevice(),)
    counter: int | None = None
    slot: int = NO_SLOT
    any_device: bool = False


@dataclass(frozen=True, slots=True)
class Device:
    """wm_device_descriptor, and its counter before 2015."""

    ext: bytes = PEER
    short: bytes = PEER_SHORT
    pan: int = PAN
    exempt: bool = False
    counter: int = 0
    slot: int = NO_SLOT


@dataclass(frozen=True, slots=True)
class Level:
    """wm_level_descriptor; `allowed` are levels, not bits."""

    type: int = DATA
    allowed: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    minimum: int = 1
    override: bool = False
    command: int = ANY_COMMAND


@dataclass(frozen=True, slots=True)
class IeUse:
    """wm_ie_usage; `allowed` are levels, not bits."""

    kind: int
    id: int
    allowed: tuple[int, ...]


ALL_TYPES = tuple(Level(type) for type in (BEACON, DATA, ACK, COMMAND))


@dataclass(frozen=True, slots=True)
class Pib:
    """wm_security_pib."""

    edition: int = E2015
    asn_form: bool = False
    enabled: bool = True
    keys: tuple[Key, ...] = (Key(),)
    devices: tuple[Device, ...] = (Device(),)
    levels: tuple[Level, ...] = ALL_TYPES
    ie_usage: tuple[IeUse, ...] = ()
    counter: int = 0
    slot: int = NO_SLOT
    pan: int = PAN
    coordinator_short: int = NO_SHORT
    coordinator: bytes = PEER
    own: bytes = OWN
    default_source: bytes = DEFAULT_SOURCE
    asn: int = 0x0102030405
    asn_used: bool = False
    asn_slot: int = NO_SLOT
    store: int = 0
    """Address of a wm_counter_store."""


@dataclass(frozen=True, slots=True)
class Params:
    """wm_security_params."""

    level: int = 5
    mode: int = 1
    index: int = 1
    source: bytes = b""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Status by name, all octets of the frame's buffer that are the frame's, and what the procedure
    found out."""

    status: str
    octets: bytes
    result: dict[str, Any] = field(default_factory=dict)


def level_set(levels: Sequence[int]) -> int:
    """WM_LEVEL_SET of several."""
    return sum(1 << level for level in levels)


class Node:
    """A PIB in the memory of a target. Every table is a buffer with guards, so a write outside
    shows."""

    def __init__(self, target: Target, pib: Pib) -> None:
        self.target = target
        self.pib_value = pib
        self.key_devices: list[Buffer | None] = []
        self.key_counters: list[Buffer | None] = []
        self.tables: dict[str, Buffer] = {}
        keys = [self._key(key) for key in pib.keys]
        levels = [
            self._pack(
                "wm_level_descriptor",
                frame_type=level.type,
                command_id=level.command,
                allowed_levels=level_set(level.allowed),
                minimum=level.minimum,
                device_override=level.override,
            )
            for level in pib.levels
        ]
        usage = [
            self._pack(
                "wm_ie_usage", kind=use.kind, id=use.id, allowed_levels=level_set(use.allowed)
            )
            for use in pib.ie_usage
        ]
        devices = [
            self._pack(
                "wm_device_descriptor",
                pan=device.pan,
                short_addr=int.from_bytes(device.short, "big") if device.short else NO_SHORT,
                ext_addr=device.ext,
                exempt=device.exempt,
            )
            for device in pib.devices
        ]
        counters = [self._counter(device.counter, device.slot) for device in pib.devices]
        octets = self._pack(
            "wm_security_pib",
            cipher=target.address_of("wm_aes128_tab"),
            keys=self._table("keys", keys),
            devices=self._table("devices", devices),
            device_counters=self._table("device_counters", counters),
            levels=self._table("levels", levels),
            ie_usage=self._table("ie_usage", usage),
            store=pib.store,
            counter=self._counter(pib.counter, pib.slot),
            key_count=len(keys),
            device_count=len(devices),
            level_count=len(levels),
            ie_usage_count=len(usage),
            pan=pib.pan,
            pan_coord_short=pib.coordinator_short,
            pan_coord_ext=pib.coordinator,
            ext_addr=pib.own,
            default_key_source=pib.default_source,
            asn=pib.asn.to_bytes(5, "big"),
            edition=pib.edition,
            nonce_form=int(pib.asn_form),
            enabled=pib.enabled,
            asn_used=pib.asn_used,
            asn_slot=pib.asn_slot,
        )
        self.pib = target.buffer(octets)

    def _pack(self, record: str, **values: Any) -> bytes:
        return bytes(self.target.pack(record, **values))

    def _counter(self, value: int, slot: int) -> bytes:
        return self._pack("wm_frame_counter", next=value, slot=slot)

    def _place(self, parts: Sequence[bytes]) -> Buffer | None:
        return self.target.buffer(b"".join(parts)) if parts else None

    def _table(self, name: str, parts: Sequence[bytes]) -> int:
        placed = self._place(parts)
        if placed is None:
            return 0
        self.tables[name] = placed
        return placed.address

    def _lookup(self, lookup: Lookup) -> bytes:
        mode = {2: SHORT, 8: EXT}.get(len(lookup.source), NONE) if lookup.mode == 0 else NONE
        return self._pack(
            "wm_key_id_lookup",
            key_id_mode=lookup.mode,
            key_index=lookup.index,
            addr_mode=mode,
            key_source=lookup.source,
            pan=lookup.pan,
        )

    def _key(self, key: Key) -> bytes:
        lookups = self._place([self._lookup(lookup) for lookup in key.lookups])
        usage = self._place(
            [self._pack("wm_key_usage", frame_type=t, command_id=c) for t, c in key.usage]
        )
        devices = self._place(
            [
                self._pack(
                    "wm_key_device",
                    counter={"next": entry.counter, "slot": entry.slot},
                    device=entry.device,
                    unique=entry.unique,
                    blacklisted=entry.blacklisted,
                )
                for entry in key.devices
            ]
        )
        counter = (
            None
            if key.counter is None
            else self.target.buffer(self._counter(key.counter, key.slot))
        )
        self.key_devices.append(devices)
        self.key_counters.append(counter)
        return self._pack(
            "wm_key_descriptor",
            id_lookup=lookups.address if lookups else 0,
            usage=usage.address if usage else 0,
            devices=devices.address if devices else 0,
            counter=counter.address if counter else 0,
            key=self.target.buffer(expand(self.target, key.octets)).address,
            id_lookup_count=len(key.lookups),
            usage_count=len(key.usage),
            device_count=len(key.devices),
            any_device=key.any_device,
        )

    def state(self) -> dict[str, Any]:
        """The PIB's own members as they are now."""
        return self.target.unpack("wm_security_pib", self.pib.read())

    def memory(self) -> tuple[bytes, ...]:
        """Everything a procedure could write: the PIB and every table."""
        kept = [self.pib, *self.tables.values(), *self.key_devices, *self.key_counters]
        return tuple(buffer.read() for buffer in kept if buffer is not None)

    def counter(self) -> int:
        """secFrameCounter."""
        return int(self.state()["counter"]["next"])

    def device_counter(self, device: int = 0) -> int:
        """Incoming counter of a device, before 2015."""
        size = self.target.layout("wm_frame_counter").size
        octets = self.tables["device_counters"].read()[device * size : (device + 1) * size]
        return int(self.target.unpack("wm_frame_counter", octets)["next"])

    def key_device(self, key: int = 0, entry: int = 0) -> dict[str, Any]:
        """An entry of a key's device list."""
        size = self.target.layout("wm_key_device").size
        table = self.key_devices[key]
        assert table is not None
        return self.target.unpack("wm_key_device", table.read()[entry * size : (entry + 1) * size])

    def incoming_counter(self, key: int = 0, entry: int = 0) -> int:
        """The incoming counter that the edition keeps for an entry of a key's device list."""
        found = self.key_device(key, entry)
        if self.pib_value.edition == E2015:
            return int(found["counter"]["next"])
        return self.device_counter(found["device"])

    def key_counter(self, key: int = 0) -> int:
        """secKeyFrameCounter."""
        buffer = self.key_counters[key]
        assert buffer is not None
        return int(self.target.unpack("wm_frame_counter", buffer.read())["next"])

    def _params(self, params: Params) -> bytes:
        return self._pack(
            "wm_security_params",
            level=params.level,
            key_id_mode=params.mode,
            key_index=params.index,
            key_source=params.source,
        )

    def secure(self, frame: bytes, params: Params | None = None, size: int = 125) -> Outcome:
        """wm_outgoing_secure: the frame it made, or when refused all octets of the buffer."""
        octets, length = bytearray(frame.ljust(size, b"\0")), bytearray([len(frame)])
        packed = self._params(params or Params())
        status = self.target.call(
            "wm_outgoing_secure", self.pib, packed, octets, size, length
        ).value
        return Outcome(name_of(status), bytes(octets[: length[0]]))

    def build(
        self, mhr: dict[str, Any], body: bytes, params: Params | None = None, size: int = 125
    ) -> Outcome:
        """wm_outgoing_build."""
        octets, length = bytearray(size), bytearray(1)
        header = self._pack("wm_mhr", **mhr)
        packed = self._params(params or Params())
        args = (self.pib, packed, header, body, len(body), octets, size, length)
        status = self.target.call("wm_outgoing_build", *args).value
        return Outcome(name_of(status), bytes(octets[: length[0]]))

    def _incoming(self, function: str, frame: bytes, *before: bytes) -> Outcome:
        octets, length, result = (
            bytearray(frame),
            bytearray([len(frame)]),
            self.target.pack("wm_incoming"),
        )
        status = self.target.call(function, self.pib, *before, octets, length, result).value
        if status != 0:
            assert length[0] == len(frame), "a refused frame keeps its length"
        return Outcome(
            name_of(status), bytes(octets[: length[0]]), self.target.unpack("wm_incoming", result)
        )

    def unsecure(self, frame: bytes) -> Outcome:
        """wm_incoming_unsecure."""
        return self._incoming("wm_incoming_unsecure", frame)

    def join(self, frame: bytes) -> Outcome:
        """wm_incoming_join."""
        return self._incoming("wm_incoming_join", frame)

    def ack(self, sent: bytes, frame: bytes) -> Outcome:
        """wm_incoming_ack for a frame on the air that this node sent."""
        mhr, places = self.target.pack("wm_mhr"), self.target.pack("wm_frame_map")
        assert self.target.call("wm_frame_parse", sent, len(sent), mhr, places).value == 0
        return self._incoming("wm_incoming_ack", frame, bytes(mhr))

    def check(self) -> str:
        """wm_pib_check."""
        return name_of(self.target.call("wm_pib_check", self.pib).value)

    def set_asn(self, asn: int) -> str:
        """wm_pib_set_asn."""
        return name_of(self.target.call("wm_pib_set_asn", self.pib, asn.to_bytes(5, "big")).value)


def data(body: bytes = b"payload", **members: Any) -> Frame:
    """A data frame in clear from PEER to OWN; version 1 unless said otherwise."""
    usual: dict[str, Any] = {
        "version": 1,
        "compression": True,
        "dst": OWN,
        "src": PEER,
        "private_part": body,
    }
    return Frame(**(usual | members))


def ash(
    level: int = 5, counter: int | None = 7, mode: int = 1, index: int = 1, source: bytes = b""
) -> Ash:
    """An ASH; without counter it is that of TSCH."""
    return Ash(level, mode, counter, counter is None, source, index)


def behind_ash(frame: Frame) -> int:
    """Offset of what follows the ASH."""
    return len(frame.mhr()) - len(frame.header_ies)
