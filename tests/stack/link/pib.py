# SPDX-License-Identifier: BSD-3-Clause
"""A PIB as frozen data: its tables, and what a caller of the outgoing procedure names."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.model.ieee802154_model import ACK, BEACON, COMMAND, DATA
from tests.stack.link.editions import ANY_COMMAND, E2015, NO_SHORT, VOLATILE
from tests.stack.link.peers import DEFAULT_SOURCE, KEY, OWN, PAN, PEER, PEER_SHORT


@dataclass(frozen=True, slots=True)
class Lookup:
    """wm_key_id_lookup: one way in which a frame may name a key."""

    mode: int = 1
    """KeyIdMode, 0 to 3."""
    index: int = 1
    """KeyIndex, 1 to 255; of no meaning in mode 0."""
    source: bytes = DEFAULT_SOURCE
    """Key Source of 8 or 4 octets; in mode 0 the address of the other device."""
    pan: int = PAN
    """Mode 0: PAN identifier of the other device."""


@dataclass(frozen=True, slots=True)
class KeyDevice:
    """wm_key_device: a device that may use a key."""

    device: int = 0
    """Index into the device table."""
    counter: int = 0
    """Incoming frame counter, from 2015 on."""
    slot: int = VOLATILE
    """Where the store keeps that counter."""
    unique: bool = False
    """A link key: the source address need not name the device."""
    blacklisted: bool = False
    """Its counter is used up."""


@dataclass(frozen=True, slots=True)
class Key:
    """wm_key_descriptor."""

    octets: bytes = KEY
    """The key, 16 octets."""
    lookups: tuple[Lookup, ...] = (Lookup(),)
    usage: tuple[tuple[int, int], ...] = ((BEACON, 0), (DATA, 0), (ACK, 0), (COMMAND, ANY_COMMAND))
    """Frame type and command identifier of the frames that it may secure."""
    devices: tuple[KeyDevice, ...] = (KeyDevice(),)
    counter: int | None = None
    """An outgoing counter of its own."""
    slot: int = VOLATILE
    """Where the store keeps that counter."""
    any_device: bool = False
    """TSCH: admits senders that no table knows."""


@dataclass(frozen=True, slots=True)
class Device:
    """wm_device_descriptor, and its counter before 2015."""

    ext: bytes = PEER
    """Extended address, 8 octets."""
    short: bytes = PEER_SHORT
    """Short address, 2 octets or none."""
    pan: int = PAN
    exempt: bool = False
    """May send in clear where a level says `override`."""
    counter: int = 0
    """Incoming frame counter before 2015."""
    slot: int = VOLATILE
    """Where the store keeps that counter."""


@dataclass(frozen=True, slots=True)
class Level:
    """wm_level_descriptor: the levels that a kind of frame must have."""

    type: int = DATA
    """Frame type."""
    allowed: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    """Levels, not bits."""
    minimum: int = 1
    """Least level before 2015."""
    unproven: bool = True
    """Frames without a MIC may reach that minimum."""
    override: bool = False
    """Exempt devices may send at level 0."""
    command: int = ANY_COMMAND
    """Command frames: the identifier."""


@dataclass(frozen=True, slots=True)
class IeUse:
    """wm_ie_usage: levels of the frames in which an IE may come."""

    kind: int
    id: int
    """Element, Group or Sub-ID."""
    allowed: tuple[int, ...]
    """Levels, not bits."""


ALL_TYPES = tuple(Level(type) for type in (BEACON, DATA, ACK, COMMAND))


@dataclass(frozen=True, slots=True)
class Pib:
    """wm_security_pib."""

    edition: int = E2015
    asn_form: bool = False
    """TSCH: the ASN is in the nonce."""
    enabled: bool = True
    keys: tuple[Key, ...] = (Key(),)
    devices: tuple[Device, ...] = (Device(),)
    levels: tuple[Level, ...] = ALL_TYPES
    ie_usage: tuple[IeUse, ...] = ()
    counter: int = 0
    """Outgoing frame counter."""
    slot: int = VOLATILE
    """Where the store keeps that counter."""
    pan: int = PAN
    coordinator_short: int = NO_SHORT
    coordinator: bytes = PEER
    """Extended address of the PAN coordinator."""
    own: bytes = OWN
    """Own extended address."""
    default_source: bytes = DEFAULT_SOURCE
    asn: int = 0x0102030405
    """The slot now, 0 to 2^40 - 1."""
    join_asn_max: int = (1 << 40) - 1
    """Latest ASN that a beacon may bring."""
    asn_used: bool = False
    """A frame was secured in this slot."""
    asn_slot: int = VOLATILE
    """Where the store keeps the ASN."""
    store: int = 0
    """Address of a wm_counter_store."""


@dataclass(frozen=True, slots=True)
class Params:
    """wm_security_params: what the caller wants of an outgoing frame."""

    level: int = 5
    mode: int = 1
    """KeyIdMode."""
    index: int = 1
    """KeyIndex."""
    source: bytes = b""
    """Key Source, as long as the mode says."""


def level_set(levels: Sequence[int]) -> int:
    """WM_LEVEL_SET of several."""
    return sum(1 << level for level in levels)
