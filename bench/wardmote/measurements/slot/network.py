# SPDX-License-Identifier: BSD-3-Clause
"""The root and the leaf of one run.

The network boots them, waits until the leaf joins, lets them exchange frames and reads their
counters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wardmote._motes import MoteError, Simulation
from wardmote.boards import changes_of
from wardmote.errors import ImageError, TemplateRefusedError
from wardmote.measurements.slot import block
from wardmote.measurements.slot.block import (
    EVERY_SLOT,
    LEAF_MOTE,
    ROOT_MOTE,
    SLOTFRAME_LENGTH,
    Plan,
)
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing
from wardmote.measurements.slot.ways import SLOW_LEAF
from wardmote.units import PS_PER_S

if TYPE_CHECKING:
    from wardmote._motes import MeterRow

BOOT_PS = 2 * PS_PER_S
"""No image takes longer to start up and to calibrate its clock."""
JOIN_SLOTFRAMES = 3
BLOCK = "slot_block_address"
BAD_BLOCK = "SLOT_BAD_BLOCK"
MARKED_BY = {
    "sec1": LEAF_MOTE.name,
    "sec2": ROOT_MOTE.name,
    "sec3": ROOT_MOTE.name,
    "sec4": LEAF_MOTE.name,
}
"""The mote that does each operation in a data slot. The same operation on the other mote belongs to
a beacon and is left out."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time between the two marks of a security operation."""

    cycles: int
    ps: int


class Network:
    """A root and a leaf."""

    def __init__(
        self,
        setting: Setting,
        image: bytes,
        timing: Timing,
        seed: int,
        ppm: Mapping[str, float] = SLOW_LEAF,
        plan: Plan = EVERY_SLOT,
    ) -> None:
        """Boots both motes; raises ImageError if the image cannot be loaded. `ppm` has the
        deviation of each mote's crystal."""
        self.setting = setting
        self.timing = timing
        self._slots_per_exchange = SLOTFRAME_LENGTH / min(plan.data_cells, SLOTFRAME_LENGTH)
        self._slots_per_exchange *= plan.data_every
        self._slot_ps = timing.ps(timing.slot_duration)
        self._motes: dict[str, int] = {}
        self._nodes: dict[str, int] = {}
        layout = block.node_layout(setting.record.model)
        self._layout = block.stats_layout(setting.record.model)
        self._stats_offset = layout.offset("stats")
        try:
            self.simulation = Simulation(seed)
            for mote in (ROOT_MOTE, LEAF_MOTE):
                index = self._add(image, mote.name, ppm[mote.name])
                octets = block.slot_block(setting, mote, timing, plan)
                self.simulation.write(index, self._block_address(index), octets)
                self._motes[mote.name] = index
                self._nodes[mote.name] = self._symbol(index, "slot_node", layout.size)
                # RAM starts with arbitrary contents. Clear the watched variables, so that they have
                # no value before the image runs.
                self.simulation.write(index, self._nodes[mote.name], bytes(layout.size))
                self.simulation.write(index, self._symbol(index, "slot_fault", 1), bytes(1))
                self.simulation.capture(index, "slot_node", layout.offset("asn"))
        except MoteError as error:
            raise ImageError(str(error)) from error

    def _add(self, image: bytes, name: str, ppm: float) -> int:
        """Adds a mote of the setting's board."""
        return self.simulation.add_mote(
            self.setting.board,
            image,
            name,
            ppm=ppm,
            clock_hz=self.setting.clock_hz,
            supply_v=self.setting.supply_v,
            band=self.setting.band,
            changes=dict(changes_of(self.setting.board)),
        )

    def _block_address(self, index: int) -> int:
        """Address of the block in flash, which the linker script of the image defines."""
        try:
            return self.simulation.symbol(index, BLOCK)[0]
        except MoteError as error:
            raise ImageError(f"no image `slot`: it has no symbol {BLOCK}") from error

    def _symbol(self, index: int, name: str, size: int) -> int:
        """Address of a symbol of image `slot`; raises ImageError if it is missing or has another
        size."""
        try:
            address, have = self.simulation.symbol(index, name)
        except MoteError as error:
            raise ImageError(f"no image `slot`: it has no symbol {name}") from error
        if have != size:
            raise ImageError(
                f"no image `slot` of this version: {name} has {have} octets, {size} expected"
            )
        return address

    def stats(self, mote: str) -> dict[str, Any]:
        """The counters of a node, by the names of `wm_tsch_stats`."""
        address = self._nodes[mote] + self._stats_offset
        return self._layout.unpack(
            bytes(self.simulation.read(self._motes[mote], address, self._layout.size))
        )

    def number(self, mote: str, member: str) -> int:
        """A number of a node's `wm_tsch`."""
        layout = block.node_layout(self.setting.record.model)
        address = self._nodes[mote] + layout.offset(member)
        octets = self.simulation.read(self._motes[mote], address, layout.sizeof(member))
        return int.from_bytes(octets, "little")

    def asn(self, mote: str) -> int:
        """The Absolute Slot Number of a node now."""
        address = self._nodes[mote] + block.node_layout(self.setting.record.model).offset("asn")
        return int.from_bytes(bytes(self.simulation.read(self._motes[mote], address, 5)), "big")

    def join(self) -> bool:
        """Runs until the leaf is synchronised; False if three slotframes were not enough."""
        return self.join_within(BOOT_PS + JOIN_SLOTFRAMES * SLOTFRAME_LENGTH * self._slot_ps)

    def join_within(self, limit_ps: int) -> bool:
        """Runs until the leaf is synchronised; False if that takes longer."""
        joined = self._run_while(LEAF_MOTE.name, "joined", 1, limit_ps)
        self._check_faults()
        return joined

    def run_to_exchange(self, number: int) -> bool:
        """Runs until the leaf begins its `number`-th data slot; False if it never does.

        The limit is twice the number of slots that the exchanges and their beacons need.
        """
        still = max(1, number - int(self.stats(LEAF_MOTE.name)["data_sent"]))
        slots = still * self._slots_per_exchange
        limit = 2 * (int(slots) + SLOTFRAME_LENGTH) * self._slot_ps
        return self._run_while(LEAF_MOTE.name, "data_sent", number, limit)

    def why_not_joined(self) -> str:
        """One line that tells the user why the leaf never joined."""
        leaf, root = self.stats(LEAF_MOTE.name), self.stats(ROOT_MOTE.name)
        seconds = self.simulation.now_ps / PS_PER_S
        return (
            f"image never joins: after {seconds:.1f} simulated seconds the root has sent "
            f"{root['beacons_sent']} beacons, the leaf has received {leaf['beacons_received']} "
            f"and refused {leaf['refused']} frames (last status -{leaf['last_error']})"
        )

    def spans(self) -> dict[str, list[Span]]:
        """Security operations of the data slots since the last call, by name."""
        found: dict[str, list[Span]] = {name: [] for name in MARKED_BY}
        for mote, index in self._motes.items():
            begun: dict[str, tuple[int, int]] = {}
            for port, bit, level, cycle, ps in self.simulation.marks(index):
                name = self.setting.record.marks.get((port, bit))
                if name is None or MARKED_BY.get(name) != mote:
                    continue
                if level:
                    begun[name] = (cycle, ps)
                elif name in begun:
                    first_cycle, first_ps = begun.pop(name)
                    found[name].append(Span(cycle - first_cycle, ps - first_ps))
        return found

    def marks(self, mote: str) -> list[tuple[str, bool, int]]:
        """Edges of a mote's marks since the last call of `marks` or `spans`: name, whether it
        begins, picoseconds."""
        names = self.setting.record.marks
        edges = self.simulation.marks(self._motes[mote])
        return [
            (names[port, bit], level, ps)
            for port, bit, level, _, ps in edges
            if (port, bit) in names
        ]

    def states(self, mote: str) -> list[tuple[int, str, str, int, float]]:
        """Changes of state of a mote's devices since the last call. The first call starts the
        recording."""
        return self.simulation.states(self._motes[mote])

    def index(self, mote: str) -> int:
        """Number of a mote in the simulation."""
        return self._motes[mote]

    def meter(self, mote: str) -> "list[MeterRow]":
        """Time, charge and energy of each device state of a mote since reset."""
        return self.simulation.meter(self._motes[mote])

    def clock_hz(self, mote: str) -> int:
        """Clock frequency of a mote's CPU."""
        return int(self.simulation.cpu(self._motes[mote])["clock_hz"])

    def _run_while(self, mote: str, field: str, less_than: int, limit_ps: int) -> bool:
        address = self._nodes[mote] + self._stats_offset + self._layout.offset(field)
        try:
            return self.simulation.run_while(
                self._motes[mote],
                address,
                self._layout.sizeof(field),
                less_than,
                self.simulation.now_ps + limit_ps,
            )
        except MoteError as error:
            raise ImageError(str(error)) from error

    def _check_faults(self) -> None:
        """Raises ImageError, with the reason that the image gives, if the image has stopped itself."""
        for mote, index in self._motes.items():
            address, _ = self.simulation.symbol(index, "slot_fault")
            code = self.simulation.read(index, address, 1)[0]
            if code:
                name = block.fault_name(code)
                refused = TemplateRefusedError if name == BAD_BLOCK else ImageError
                raise refused(f"image stops on the {mote}: {name}")
