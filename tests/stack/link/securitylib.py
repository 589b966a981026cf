# SPDX-License-Identifier: BSD-3-Clause
"""The security procedures with Python's values: a PIB placed in a target's memory as a Node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.model.ieee802154_model import EXT, NONE, SHORT
from tests.stack.calls import bound
from tests.stack.link.editions import E2015, NO_SHORT
from tests.stack.link.linklib import length_of, name_of
from tests.stack.link.pib import (
    Device,
    IeUse,
    Key,
    KeyDevice,
    Level,
    Lookup,
    Params,
    Pib,
    level_set,
)
from wardmote.call import Buffer, Target


@dataclass(frozen=True, slots=True)
class Outcome:
    """Status by name, all octets of the frame's buffer that are the frame's, and what the procedure
    found out."""

    status: str
    octets: bytes
    result: dict[str, Any] = field(default_factory=dict)


class Node:
    """A PIB in the memory of a target. Every table is a buffer with guards, so a write outside
    shows."""

    def __init__(self, target: Target, pib: Pib) -> None:
        self.target = target
        self.pib_value = pib
        self.key_devices: list[Buffer | None] = []
        self.key_counters: list[Buffer | None] = []
        self.tables: dict[str, Buffer] = {}
        octets = self._pack(
            "wm_security_pib",
            **self._tables(pib),
            store=pib.store,
            counter=self._counter(pib.counter, pib.slot),
            pan=pib.pan,
            pan_coord_short=pib.coordinator_short,
            pan_coord_ext=pib.coordinator,
            ext_addr=pib.own,
            default_key_source=pib.default_source,
            asn=pib.asn.to_bytes(5, "big"),
            join_asn_max=pib.join_asn_max.to_bytes(5, "big"),
            edition=pib.edition,
            nonce_form=int(pib.asn_form),
            security_disabled=not pib.enabled,
            asn_used=pib.asn_used,
            asn_slot=pib.asn_slot + 1,
        )
        self.pib = target.buffer(octets)

    def _tables(self, pib: Pib) -> dict[str, int]:
        """The PIB's members that point at tables or say how many entries one has."""
        packed = {
            "keys": [self._key(key) for key in pib.keys],
            "devices": [self._device(device) for device in pib.devices],
            "device_counters": [self._counter(each.counter, each.slot) for each in pib.devices],
            "levels": [self._level(level) for level in pib.levels],
            "ie_usage": [self._ie_use(use) for use in pib.ie_usage],
        }
        return {name: self._table(name, parts) for name, parts in packed.items()} | {
            "key_count": len(pib.keys),
            "device_count": len(pib.devices),
            "level_count": len(pib.levels),
            "ie_usage_count": len(pib.ie_usage),
        }

    def _pack(self, record: str, **values: Any) -> bytes:
        return bytes(self.target.pack(record, **values))

    def _counter(self, value: int, slot: int) -> bytes:
        return self._pack("wm_frame_counter", next=value, slot=slot + 1)

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

    def _level(self, level: Level) -> bytes:
        return self._pack(
            "wm_level_descriptor",
            frame_type=level.type,
            command_id=level.command,
            allowed_levels=level_set(level.allowed),
            minimum=level.minimum,
            minimum_admits_unauthenticated=level.unproven,
            device_override=level.override,
        )

    def _ie_use(self, use: IeUse) -> bytes:
        allowed = level_set(use.allowed)
        return self._pack("wm_ie_usage", kind=use.kind, id=use.id, allowed_levels=allowed)

    def _device(self, device: Device) -> bytes:
        return self._pack(
            "wm_device_descriptor",
            pan=device.pan,
            short_addr=int.from_bytes(device.short, "big") if device.short else NO_SHORT,
            ext_addr=device.ext,
            exempt=device.exempt,
        )

    def _key_device(self, entry: KeyDevice) -> bytes:
        return self._pack(
            "wm_key_device",
            counter={"next": entry.counter, "slot": entry.slot + 1},
            device=entry.device,
            unique=entry.unique,
            blacklisted=entry.blacklisted,
        )

    def _key(self, key: Key) -> bytes:
        lookups = self._place([self._lookup(lookup) for lookup in key.lookups])
        usage = self._place(
            [self._pack("wm_key_usage", frame_type=t, command_id=c) for t, c in key.usage]
        )
        devices = self._place([self._key_device(entry) for entry in key.devices])
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
            cipher=bound(self.target, "aes128_tab", key.octets).address,
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
        octets, length = bytearray(frame.ljust(size, b"\0")), length_of(self.target, len(frame))
        packed = self._params(params or Params())
        status = self.target.call(
            "wm_outgoing_secure", self.pib, packed, octets, size, length
        ).value
        return Outcome(name_of(status), bytes(octets[: int.from_bytes(length, "little")]))

    def build(
        self,
        mhr: dict[str, Any],
        body: bytes,
        params: Params | None = None,
        size: int = 125,
        said: int | None = None,
    ) -> Outcome:
        """wm_outgoing_build; `said`: what it is told of the body's length."""
        octets, length = bytearray(size), length_of(self.target)
        header = self._pack("wm_mhr", **mhr)
        packed = self._params(params or Params())
        body_len = len(body) if said is None else said
        args = (self.pib, packed, header, body, body_len, octets, size, length)
        status = self.target.call("wm_outgoing_build", *args).value
        return Outcome(name_of(status), bytes(octets[: int.from_bytes(length, "little")]))

    def _incoming(self, function: str, frame: bytes, *before: bytes) -> Outcome:
        octets, length, result = (
            bytearray(frame),
            length_of(self.target, len(frame)),
            self.target.pack("wm_incoming"),
        )
        status = self.target.call(function, self.pib, *before, octets, length, result).value
        if status < 0:
            assert int.from_bytes(length, "little") == len(frame), (
                "a refused frame keeps its length"
            )
        return Outcome(
            name_of(status),
            bytes(octets[: int.from_bytes(length, "little")]),
            self.target.unpack("wm_incoming", result),
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
