# SPDX-License-Identifier: BSD-3-Clause
"""The PIB of a node in the memory of a target. The peer stands last in every table, so that every
entry before it is compared."""

from collections.abc import Iterable
from typing import Any

from wardmote.call import Buffer, Target
from wardmote.levels import LEVEL_NAMES
from wardmote.measurements.slot.block import DATA_KEY, DATA_KEY_INDEX, PAN

OWN, PEER = (bytes.fromhex(f"00124b000000000{number}") for number in (1, 2))
SOURCE = bytes.fromhex("00124b00000000ff")
"""Key Source of the peer's key; those of other keys differ in their last octet, like addresses."""
NO_SHORT, VOLATILE = 0xFFFF, 0xFF
KEY_ID_MODE = 3
BEACON, DATA, ACK = range(3)


def key_of(target: Target) -> Buffer:
    """The key, expanded."""
    made = target.buffer(target.layout("wm_aes128_tab_key").size)
    target.call("wm_aes128_tab_init", made, DATA_KEY)
    return made


def pib_of(target: Target, key: Buffer, own: bytes, peer: bytes, devices: int, keys: int) -> Buffer:
    """A PIB of the 2015 edition. All keys have the same octets: no procedure looks at them before
    it has found the one."""

    def table(record: str, entries: Iterable[dict[str, Any]]) -> Buffer:
        return target.buffer(b"".join(bytes(target.pack(record, **one)) for one in entries))

    counter = {"next": 0, "slot": VOLATILE}
    others = [bytes.fromhex(f"00124b00000001{number:02x}") for number in range(devices - 1)]
    addresses = [*others, peer]
    usage = table("wm_key_usage", ({"frame_type": kind} for kind in (BEACON, ACK, DATA)))
    sources = [SOURCE[:7] + bytes([number]) for number in range(keys - 1)] + [SOURCE]
    under = [range(devices)] if keys == 1 else [range(at, at + 1) for at in range(keys)]
    descriptors = []
    for source, own_devices in zip(sources, under, strict=True):
        lookup = {"key_id_mode": KEY_ID_MODE, "key_index": DATA_KEY_INDEX, "key_source": source}
        entries = ({"counter": counter, "device": device} for device in own_devices)
        descriptors.append(
            {
                "id_lookup": table("wm_key_id_lookup", [lookup]).address,
                "usage": usage.address,
                "devices": table("wm_key_device", entries).address,
                "cipher": key.address,
                "id_lookup_count": 1,
                "usage_count": 3,
                "device_count": len(own_devices),
            }
        )
    neighbours = (
        {"pan": PAN, "short_addr": NO_SHORT, "ext_addr": address} for address in addresses
    )
    allowed = sum(1 << level for level in range(1, len(LEVEL_NAMES)) if level != 4)
    levels = ({"frame_type": kind, "allowed_levels": allowed} for kind in (BEACON, ACK, DATA))
    return target.buffer(
        target.pack(
            "wm_security_pib",
            keys=table("wm_key_descriptor", descriptors).address,
            devices=table("wm_device_descriptor", neighbours).address,
            levels=table("wm_level_descriptor", levels).address,
            counter=counter,
            key_count=keys,
            device_count=devices,
            level_count=3,
            pan=PAN,
            pan_coord_short=NO_SHORT,
            pan_coord_ext=peer,
            ext_addr=own,
        )
    )
