# SPDX-License-Identifier: BSD-3-Clause
"""The block that configures image `slot` before boot, and the node object in its RAM.

Both layouts come from the C headers.
"""

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from wardmote import prototypes
from wardmote.measurements.slot.setting import SYMBOL_US, Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.paths import ROOT

HEADER = ROOT / "firmware/image/slot/slot_block.h"
PAN = 0xABCD
ROOT_EUI64 = bytes.fromhex("00124b0000000001")
LEAF_EUI64 = bytes.fromhex("00124b0000000002")
KEY_SOURCE = ROOT_EUI64
BEACON_KEY = bytes.fromhex("365469534348206d696e696d616c3135")
"""K1 of RFC 8180, "6TiSCH minimal15". It secures beacons only."""
BEACON_KEY_INDEX = 1
DATA_KEY = bytes.fromhex("deadbeeffacecafedeadbeeffacecafe")
DATA_KEY_INDEX = 2
SLOTFRAME_LENGTH = 101
EVERY_CELL = 0xFFFF
"""Data in every slot but the beacon's."""
JOIN_ASN_MAX = b"\xff" * 5
"""Any ASN: the air of the instrument has no attacker."""
JOIN_CHANNEL = 15
"""Channel of the second beacon, at ASN 101: entry 101 mod 16 of the hopping sequence."""


@dataclass(frozen=True, slots=True)
class Mote:
    """One end of the link."""

    name: str
    role: str
    eui64: bytes


ROOT_MOTE = Mote("root", "WM_TSCH_ROOT", ROOT_EUI64)
LEAF_MOTE = Mote("leaf", "WM_TSCH_LEAF", LEAF_EUI64)


@cache
def headers(root: Path = ROOT) -> prototypes.Prototypes:
    """Declarations of the public headers and of the image's header."""
    return prototypes.read_public(root, HEADER)


@cache
def node_layout(model: prototypes.DataModel) -> prototypes.Layout:
    """Layout of `wm_tsch` on a CPU."""
    return headers().layout("wm_tsch", model)


@cache
def stats_layout(model: prototypes.DataModel) -> prototypes.Layout:
    """Layout of `wm_tsch_stats` on a CPU."""
    return headers().layout("wm_tsch_stats", model)


@dataclass(frozen=True, slots=True)
class Plan:
    """How the two nodes use their slots, by the names of `wm_tsch_config`."""

    data_cells: int = EVERY_CELL
    data_every: int = 1
    beacon_every: int = 1
    keep_alive: int = 0


EVERY_SLOT = Plan()


def slot_block(setting: Setting, mote: Mote, timing: Timing, plan: Plan = EVERY_SLOT) -> bytes:
    """Octets of `slot_block` for one mote of a setting."""
    constants = headers().constants
    peer = LEAF_EUI64 if mote is ROOT_MOTE else ROOT_EUI64
    config = {
        "role": constants[mote.role],
        "level": setting.level,
        "unsecured": setting.level == 0,
        "key_id_mode": setting.ash.key_id_mode,
        "counter_carried": setting.ash.counter_carried,
        "profile": constants[f"WM_PROFILE_{setting.profile}"],
        "join_channel": JOIN_CHANNEL,
        "pan": PAN,
        "eui64": mote.eui64,
        "peer": peer,
        "beacon_key_index": BEACON_KEY_INDEX,
        "data_key_index": DATA_KEY_INDEX,
        "key_source": KEY_SOURCE,
        "slotframe_length": SLOTFRAME_LENGTH,
        **asdict(plan),
        "frame_len": setting.frame_octets,
        "join_asn_max": JOIN_ASN_MAX,
        "timing": _template(timing),
    }
    return (
        headers()
        .layout("slot_block", setting.record.model)
        .pack(
            magic=constants["SLOT_BLOCK_MAGIC"],
            version=constants["SLOT_BLOCK_VERSION"],
            clock_hz=setting.clock_hz,
            turnaround_symbols=setting.turnaround_us // SYMBOL_US,
            key=[BEACON_KEY, DATA_KEY],
            tsch=config,
        )
    )


def _template(timing: Timing) -> dict[str, Any]:
    return {
        "ts_tx_offset": timing.tx_offset,
        "ts_max_tx": timing.max_tx,
        "ts_tx_ack_delay": timing.tx_ack_delay,
        "ts_max_ack": timing.max_ack,
        "ts_slot_duration": timing.slot_duration,
        "ts_rx_guard": timing.rx_guard,
        "ts_ack_guard": timing.ack_guard,
    }


def fault_name(code: int) -> str:
    """Name of a `slot_fault_code`."""
    names = [
        name
        for name, value in headers().constants.items()
        if name.startswith("SLOT_") and value == code
    ]
    known = ("SLOT_NO_BLOCK", "SLOT_BAD_BLOCK", "SLOT_NO_CLOCK", "SLOT_NO_RADIO")
    return next((name for name in names if name in known), f"fault {code}")


def decryption_line() -> str:
    """Options that let tshark or Wireshark decrypt the frames of a capture."""
    keys = ((BEACON_KEY, BEACON_KEY_INDEX), (DATA_KEY, DATA_KEY_INDEX))
    return " ".join(
        f"""-o 'uat:ieee802154_keys:"{key.hex()}","{index}","No hash"'""" for key, index in keys
    )
