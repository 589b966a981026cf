# SPDX-License-Identifier: BSD-3-Clause
"""ZigBee captures through the stack: opened with given keys and with those that the capture
carries."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from wardmote.errors import UsageError
from wardmote.frame import native, zigbee_native
from wardmote.frame.keys import hex_octets
from wardmote.frame.source import Frames
from wardmote.frame.words import status_name
from wardmote.frame.zigbee_native import KEY_OCTETS, LINK, NETWORK, Result
from wardmote.frame.zigbee_rows import ZigbeeFrameRow, ZigbeeKeyRow
from wardmote.frame.zigbee_words import (
    APS_TYPES,
    KEY_KINDS,
    LAYERS,
    MAC_SECURED,
    NOT_ZIGBEE,
    NWK_TYPES,
    OTHER,
    command_name,
    why,
)

WELL_KNOWN = b"ZigBeeAlliance09"
CODE_OCTETS = 18
NS_PER_S = 1_000_000_000
NANOSECONDS = 0xA1B23C4D
SNAP_LENGTH = 65535
NO_ZIGBEE = frozenset({OTHER, NOT_ZIGBEE, MAC_SECURED})
"""Reasons of frames in which there is nothing to open: neither refused nor opened."""
NWK, APS = 1, 2


class GivenKey(NamedTuple):
    """A key that the user gave."""

    octets: bytes
    kind: int
    number: int | None
    name: str


class Options(NamedTuple):
    """How frames are to be opened."""

    level: int = 5
    replays: bool = False
    level_bits: bool = False
    any_fcs: bool = False
    psdu: int = native.PSDU_MOST


class Outcome(NamedTuple):
    """What became of all frames."""

    frames: tuple[ZigbeeFrameRow, ...]
    keys: tuple[ZigbeeKeyRow, ...]
    without: int
    """Frames in which there is no NWK frame of ZigBee PRO; they are among `frames`."""
    refused: int
    opened: int
    """Frames of which a layer was opened and none refused."""


def network_key(text: str, place: int) -> GivenKey:
    """Reads `KEY` or `NUMBER:KEY`."""
    number, colon, rest = text.partition(":")
    octets, told = hex_octets(rest), number.isascii() and number.isdigit()
    if colon and told and octets is not None and len(octets) == KEY_OCTETS and int(number) < 256:
        return GivenKey(octets, NETWORK, int(number), f"network key {int(number)}")
    octets = hex_octets(text)
    if octets is None or len(octets) != KEY_OCTETS:
        raise UsageError(
            "--network-key: 32 hex digits are wanted, or NUMBER:KEY with a number up to 255"
        )
    return GivenKey(octets, NETWORK, None, f"--network-key {place}")


def link_key(text: str, place: int) -> GivenKey:
    """Reads a link key."""
    octets = hex_octets(text)
    if octets is None or len(octets) != KEY_OCTETS:
        raise UsageError("--link-key: 32 hex digits are wanted")
    return GivenKey(octets, LINK, None, f"--link-key {place}")


def install_code(text: str, place: int) -> GivenKey:
    """Reads an installation code, and makes its link key."""
    octets, key = hex_octets(text), (ctypes.c_uint8 * KEY_OCTETS)()
    if octets is None or len(octets) != CODE_OCTETS:
        raise UsageError("--install-code: 36 hex digits are wanted, the CRC's 4 among them")
    if not zigbee_native.library().frames_zigbee_install(octets, len(octets), key):
        raise UsageError("--install-code: its CRC is wrong, so a digit is")
    return GivenKey(bytes(key), LINK, None, f"--install-code {place}")


def well_known() -> GivenKey:
    """The link key that everybody has."""
    return GivenKey(WELL_KNOWN, LINK, None, "well-known link key")


def open_all(
    frames: Frames,
    keys: Sequence[GivenKey],
    options: Options,
    write: Callable[[bytes], object] | None,
) -> Outcome:
    """Opens all frames in their order. `write` is given a pcap of those that were not refused."""
    library = zigbee_native.library()
    state = native.memory(library.frames_zigbee_octets())
    reader = _Reader(library, state)
    try:
        library.frames_zigbee_begin(state, ctypes.byref(_job(frames, options)))
        for key in keys:
            reader.add(key)
        if write is not None:
            header = (NANOSECONDS, 2, 4, 0, 0, SNAP_LENGTH, native.LINK_NO_FCS)
            write(struct.pack("<IHHiIII", *header))
        rows = tuple(reader.rows(frames, write))
        return Outcome(
            frames=rows,
            keys=reader.keys(),
            without=reader.without,
            refused=reader.refused,
            opened=reader.opened,
        )
    finally:
        library.frames_zigbee_wipe(state)


def _job(frames: Frames, options: Options) -> zigbee_native.Job:
    phy = frames.link_type == native.LINK_PHY
    job = native.Job(
        link_type=frames.link_type,
        out_link_type=native.LINK_NO_FCS,
        fcs=frames.fcs,
        psdu_max=native.PSDU_LEAST if phy else options.psdu,
        any_fcs=options.any_fcs,
    )
    return zigbee_native.Job(job, options.level, options.replays, options.level_bits)


class _Reader:
    """Reads frames one after the other, and names keys."""

    def __init__(self, library: ctypes.CDLL, state: Any) -> None:
        self.library, self.state = library, state
        self.names: list[str] = []
        self.used: dict[int, int] = {}
        self.without = self.refused = self.opened = 0

    def add(self, key: GivenKey) -> None:
        """Takes a key. One that was given before keeps its name."""
        made = zigbee_native.Key(
            kind=key.kind, sequence=key.number or 0, any_sequence=key.number is None
        )
        made.octets[:] = key.octets
        place = self.library.frames_zigbee_add(self.state, ctypes.byref(made))
        if place == 0:
            raise UsageError(f"more than {zigbee_native.KEYS} keys")
        if place > len(self.names):
            self.names.append(key.name)

    def rows(
        self, frames: Frames, write: Callable[[bytes], object] | None
    ) -> Iterator[ZigbeeFrameRow]:
        """A row for each frame."""
        result, out = Result(), (ctypes.c_uint8 * zigbee_native.ROOM)()
        for number in range(1, frames.number + 1):
            record = frames.records[number - 1]
            self.library.frames_zigbee_open(
                *(self.state, frames.address, ctypes.byref(record), number),
                *(ctypes.byref(result), out),
            )
            clear = bytes(out[: result.len])
            refused = result.status < 0 and result.reason not in NO_ZIGBEE
            self.count(result, refused)
            if write is not None and not refused and clear:
                seconds, rest = divmod(record.time_ns, NS_PER_S)
                write(struct.pack("<IIII", seconds, rest, len(clear), len(clear)) + clear)
            yield self.row(number, result, clear, refused)

    def count(self, result: Result, refused: bool) -> None:
        """Counts a frame, and the keys that opened it."""
        if result.found:
            key = self.key(result.found - 1)
            kind = "network key" if key.kind == NETWORK else "link key"
            self.names.append(f"{kind} of frame {key.found_in}")
        for place in (result.nwk_key, result.aps_key):
            if place and not refused:
                self.used[place - 1] = self.used.get(place - 1, 0) + 1
        self.without += result.reason in NO_ZIGBEE
        self.refused += refused
        self.opened += not refused and bool(result.nwk_key or result.aps_key)

    def key(self, place: int) -> zigbee_native.Key:
        """A key of the state."""
        key = zigbee_native.Key()
        self.library.frames_zigbee_key_at(self.state, place, ctypes.byref(key))
        return key

    def name(self, place: int) -> str | None:
        """Its name; `place` counts from 1, and 0 is none."""
        return self.names[place - 1] if place else None

    def keys(self) -> tuple[ZigbeeKeyRow, ...]:
        """All keys, given and found."""
        rows: list[ZigbeeKeyRow] = []
        for place, name in enumerate(self.names):
            key = self.key(place)
            numbered = key.kind == NETWORK and not key.any_sequence
            rows.append(
                ZigbeeKeyRow(
                    name=name,
                    kind="network key" if key.kind == NETWORK else "link key",
                    number=key.sequence if numbered else None,
                    key=bytes(key.octets).hex(),
                    found_in_frame=key.found_in or None,
                    carried_under=self.name(key.carrier),
                    frames=self.used.get(place, 0),
                )
            )
        return tuple(rows)

    def row(self, number: int, result: Result, clear: bytes, refused: bool) -> ZigbeeFrameRow:
        """What a frame was."""
        nwk, aps = result.layer >= NWK, result.layer >= APS
        secured, hidden = nwk and result.nwk_secured, aps and result.aps_secured
        said = refused or result.reason in NO_ZIGBEE
        reason = why(result.status, result.reason, result.record, result.sequence)
        return ZigbeeFrameRow(
            frame=number,
            status=status_name(result.status),
            reason=reason if said else None,
            layer=LAYERS[result.layer],
            pan=f"{result.pan:04x}" if nwk else None,
            source_address=f"{result.src:04x}" if nwk else None,
            destination_address=f"{result.dst:04x}" if nwk else None,
            nwk_type=NWK_TYPES[result.nwk_type] if nwk else None,
            nwk_key=self.name(result.nwk_key),
            nwk_key_number=result.sequence if secured else None,
            nwk_counter=result.nwk_counter if secured else None,
            nwk_secured_by=bytes(result.source).hex() if secured and result.has_source else None,
            aps_type=APS_TYPES[result.aps_type] if aps and result.aps_type < 3 else None,
            aps_key=self.name(result.aps_key),
            aps_key_kind=KEY_KINDS[result.key_id] if hidden else None,
            aps_counter=result.aps_counter if hidden else None,
            aps_secured_by=bytes(result.aps_source).hex() if result.aps_key else None,
            command=command_name(result.command) if result.command else None,
            inner_command=command_name(result.inner) if result.inner else None,
            found_key=self.name(result.found),
            clear=clear.hex() or None,
        )
