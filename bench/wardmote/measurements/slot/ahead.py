# SPDX-License-Identifier: BSD-3-Clause
"""What a node that works ahead of the slot counts: blocks of AES that it has made, and those of them
that were wiped unused."""

from dataclasses import dataclass

from wardmote._motes import MoteError
from wardmote.errors import ImageError
from wardmote.measurements.slot.block import headers
from wardmote.measurements.slot.network import Network

SYMBOL, RECORD = "slot_ahead", "wm_ahead"


@dataclass(frozen=True, slots=True)
class Blocks:
    """Since reset, by the names of `wm_ahead`."""

    made: int
    """Keystream and CBC-MAC."""
    wasted: int
    """Keystream."""


def blocks(network: Network, mote: str) -> Blocks | None:
    """The counts of a node; None if its image has none: it works at once, or its engine makes the
    whole frame."""
    index = network.index(mote)
    try:
        address, size = network.simulation.symbol(index, SYMBOL)
    except MoteError:
        return None
    layout = headers().layout(RECORD, network.setting.record.model)
    if size != layout.size:
        raise ImageError(f"{SYMBOL} has {size} octets, {layout.size} expected")
    values = layout.unpack(bytes(network.simulation.read(index, address, size)))
    return Blocks(values["made"], values["wasted"])
