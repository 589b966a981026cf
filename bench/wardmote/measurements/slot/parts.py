# SPDX-License-Identifier: BSD-3-Clause
"""Takes sec1 apart: key lookup, header, payload, and the rest, which is security and loading.

The engine calls one function for each part, and none of them is inlined. The leaf runs a few cycles
at a time through the beginning of one slot, and it is seen when each function begins.
"""

from typing import TYPE_CHECKING

from wardmote.errors import ImageError
from wardmote.measurements.slot.block import LEAF_MOTE, SLOTFRAME_LENGTH
from wardmote.units import PS_PER_S

if TYPE_CHECKING:
    from wardmote.measurements.slot.network import Network

LOOKUP, HEADER, PAYLOAD = "lookup", "header", "payload"
BEGIN = {LOOKUP: "look_up", HEADER: "build_data_header", PAYLOAD: "take_payload"}
"""The function of each part, in order of time."""
AFTER = "wm_tsch_secure"
EARLY_PS = PS_PER_S // 10_000
"""The slot is watched from so long before its beginning."""
STEP_CYCLES = 2


def sec1_parts(network: "Network") -> dict[str, int] | None:
    """Cycles of each part in one data slot; None if the image has no such functions."""
    leaf = network.index(LEAF_MOTE.name)
    step_ps = STEP_CYCLES * PS_PER_S // network.clock_hz(LEAF_MOTE.name)
    end_ps = _go_to_slot(network)
    begun: dict[str, int] = {}
    while AFTER not in begun:
        network.simulation.run_for(step_ps)
        state = network.simulation.cpu(leaf)
        function = state["symbol"].partition("+")[0].partition(".")[0]
        if function in (*BEGIN.values(), AFTER):
            begun.setdefault(function, state["cycles"])
        if network.simulation.now_ps > end_ps:
            return None
    moments = [begun.get(name) for name in (*BEGIN.values(), AFTER)]
    found: dict[str, int] = {}
    after = begun[AFTER]
    for part, moment in zip(reversed(BEGIN), reversed(moments[:-1]), strict=True):
        found[part] = 0 if moment is None else after - moment
        after = after if moment is None else moment
    return {part: found[part] for part in BEGIN}


def _go_to_slot(network: "Network") -> int:
    """Runs to a little before a data slot of the leaf; the end of that slot."""
    while True:
        network.marks(LEAF_MOTE.name)
        if not network.run_to_exchange(network.stats(LEAF_MOTE.name)["data_sent"] + 1):
            raise ImageError("the leaf stops sending")
        if network.asn(LEAF_MOTE.name) % SLOTFRAME_LENGTH < SLOTFRAME_LENGTH - 1:
            break
    edges = network.marks(LEAF_MOTE.name)
    begin = max(ps for name, rises, ps in edges if name == "slot" and rises)
    slot_ps = network.timing.ps(network.timing.slot_duration)
    network.simulation.run_until(begin + slot_ps - EARLY_PS)
    return begin + 2 * slot_ps
