# SPDX-License-Identifier: BSD-3-Clause
"""Runs both ways to secure the frames of a slot on the board's CPU, and adds the difference to the
slot that the motes were measured with.

The engine of image `slot` builds a header and secures the frame under a key that it holds; it reads
a header, admits the frame by its own rules, and unsecures it. The procedures find key, device and
level in tables. Both run the same cipher over the same octets, so that the difference is policy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from wardmote.boards import BOARDS
from wardmote.call import EmulatedTarget, Timing
from wardmote.campaign.cases import IMAGE, Artefacts, Figures
from wardmote.cpus import CPUS
from wardmote.errors import ImageError
from wardmote.experiments.policy.cases import STRATEGY, Case, Tables
from wardmote.experiments.policy.tables import (
    ACK,
    DATA,
    KEY_ID_MODE,
    OWN,
    PEER,
    SOURCE,
    key_of,
    pib_of,
)
from wardmote.linked import linked
from wardmote.measurements.slot.block import DATA_KEY_INDEX, PAN
from wardmote.measurements.slot.definition import DEFINITIONS, DEPLOYABLE, Needs
from wardmote.measurements.slot.experiment import SettingRuns, tuned_by
from wardmote.measurements.slot.setting import ASH_FORMS, FRAME_OCTETS, all_settings
from wardmote.measurements.slot.timing import Value
from wardmote.paths import ROOT
from wardmote.prototypes import read_public
from wardmote.units import TICKS_PER_S, ticks_to_us

LEVEL, MIC_OCTETS, FCS_OCTETS = 5, 4, 2
EXCHANGES = 100
EXTENDED = 3
CORRECTION = bytes.fromhex("020f0000")
"""The header IE of an Enh-Ack: Time Correction 0."""
ROOM = 125
FUNCTIONS = (
    *("wm_aes128_tab_init", "wm_mhr_build", "wm_frame_parse", "wm_frame_parse_clear"),
    *("wm_frame_secure_as", "wm_frame_unsecure_as"),
    *("wm_outgoing_secure", "wm_incoming_unsecure", "wm_incoming_ack"),
)
NEEDS = {
    Value.TX_OFFSET: ("sec1",),
    Value.TX_ACK_DELAY: ("sec2", "sec3"),
    Value.SLOT_DURATION: ("sec4",),
}
"""The operations that a value of the template leaves time for."""


@dataclass(frozen=True, slots=True)
class PolicyRow(Tables):
    """Cycles that the procedures take more than the engine in each operation, and the shortest
    deployable slot at ENC-MIC-32 with each."""

    clock_hz: int
    sec1_added_cycles: int
    sec2_added_cycles: int
    sec3_added_cycles: int
    sec4_added_cycles: int
    added_us: float
    """The sum of the four, at the clock."""
    slot_us: float
    """The slot of the engine."""
    slot_with_us: float
    """The slot with the procedures in its place."""
    wardmote: str
    commit: str


def measure(case: Case, artefacts: Artefacts) -> Figures:
    """Both ways on the CPU, and the slot of each."""
    clock_hz = BOARDS[case.board].clock_hz
    added = added_cycles(case.board, case.devices, case.keys)
    needs = needs_of(case.board, artefacts[IMAGE], case.seed)
    definition = DEFINITIONS[DEPLOYABLE]
    more = {
        value: needs.ticks(value) + ticks_of(sum(added[name] for name in names), clock_hz)
        for value, names in NEEDS.items()
    }
    slots = [definition.timing(one) for one in (needs, needs.replaced(more))]
    slot_us, slot_with_us = (ticks_to_us(timing.slot_duration) for timing in slots)
    return {
        "clock_hz": clock_hz,
        **{f"{name}_added_cycles": cycles for name, cycles in added.items()},
        "added_us": round(sum(added.values()) * 1e6 / clock_hz, 1),
        "slot_us": slot_us,
        "slot_with_us": slot_with_us,
    }


def ticks_of(cycles: int, clock_hz: int) -> int:
    """Whole ticks that hold these cycles."""
    return -(-cycles * TICKS_PER_S // clock_hz)


@cache
def needs_of(board: str, image: bytes, seed: int) -> Needs:
    """What the slot of the engine needs, tuned and proven."""
    [setting] = all_settings(board, [STRATEGY], [LEVEL], ASH_FORMS["paper"], BOARDS[board].clock_hz)
    runs = SettingRuns(setting, image, seed, EXCHANGES)
    return tuned_by(DEFINITIONS[DEPLOYABLE], runs, runs.survey()).needs


def added_cycles(board: str, devices: int, keys: int) -> dict[str, int]:
    """Cycles of the procedures less those of the engine's way, by operation."""
    bench = Bench(BOARDS[board].cpu, devices, keys)
    data, ack = bench.both(DATA), bench.both(ACK)
    return {"sec1": data[0], "sec2": data[1], "sec3": ack[0], "sec4": ack[1]}


class Bench:
    """One node's code and memory. Sender and receiver have the same tables."""

    def __init__(self, cpu: str, devices: int, keys: int) -> None:
        timing: Timing | None = "flash" if CPUS[cpu].bands else None
        self.target = EmulatedTarget(linked(cpu, FUNCTIONS), read_public(ROOT), timing)
        self.sizes = devices, keys

    def both(self, kind: int) -> tuple[int, int]:
        """What the procedures take more for an outgoing and for an incoming frame of a kind."""
        sealed, engine_out = self._out(kind, self._engine_secure)
        again, procedure_out = self._out(kind, self._procedure_secure)
        if again != sealed:
            raise ImageError("the procedures and the engine make different frames")
        engine_in, clear = self._engine_unsecure(sealed)
        procedure_in, same = self._procedure_unsecure(kind, sealed)
        if same != clear:
            raise ImageError("the procedures and the engine read different frames")
        return procedure_out - engine_out, procedure_in - engine_in

    def _call(self, name: str, *arguments: Any) -> int:
        outcome = self.target.call(name, *arguments)
        if outcome.value != 0:
            raise ImageError(f"{name} answers {outcome.value}")
        return outcome.cycles or 0

    def _mhr(self, kind: int, *, secured: bool) -> bytearray:
        key = {"key_id_mode": KEY_ID_MODE, "key_source": SOURCE, "key_index": DATA_KEY_INDEX}
        source, destination = (OWN, PEER) if kind == DATA else (PEER, OWN)
        return self.target.pack(
            "wm_mhr",
            type=kind,
            version=2,
            security_enabled=secured,
            ack_request=kind == DATA,
            ie_present=kind == ACK,
            seq=7,
            dst_pan=PAN,
            src_pan=PAN,
            pan_id_compression=False,
            dst={"mode": EXTENDED, "octet": destination},
            src={"mode": EXTENDED, "octet": source},
            ash={"level": LEVEL, "frame_counter": 0, **key} if secured else {"level": 0},
        )

    def _out(
        self, kind: int, secure: Callable[[int, bytearray, bytearray], int]
    ) -> tuple[bytes, int]:
        """The frame that one way makes, and its cycles from the header on. Where the payload comes
        from is not counted."""
        frame, length = bytearray(ROOM), bytearray(1)
        cycles = secure(kind, frame, length)
        return bytes(frame[: length[0]]), cycles

    def _content(self, kind: int, header: int, ash: int) -> bytes:
        if kind == ACK:
            return CORRECTION
        most = FRAME_OCTETS - FCS_OCTETS - MIC_OCTETS - header - ash
        return bytes(range(most))

    def _engine_secure(self, kind: int, frame: bytearray, length: bytearray) -> int:
        mhr = self._mhr(kind, secured=True)
        cycles = self._call("wm_mhr_build", mhr, frame, ROOM, length)
        header = length[0]
        content = self._content(kind, header, 0)
        frame[header : header + len(content)] = content
        length[0] = header + len(content)
        places = self.target.pack("wm_frame_map")
        self._call("wm_frame_parse_clear", bytes(frame[: length[0]]), length[0], mhr, places)
        key = key_of(self.target)
        sec = self.target.pack("wm_security", cipher=key.address)
        return cycles + self._call("wm_frame_secure_as", sec, mhr, places, frame, ROOM, length)

    def _procedure_secure(self, kind: int, frame: bytearray, length: bytearray) -> int:
        own, peer = (OWN, PEER) if kind == DATA else (PEER, OWN)
        pib = pib_of(self.target, key_of(self.target), own, peer, *self.sizes)
        cycles = self._call("wm_mhr_build", self._mhr(kind, secured=False), frame, ROOM, length)
        header, ash = length[0], ASH_FORMS["paper"].octets(LEVEL)
        content = self._content(kind, header, ash)
        frame[header : header + len(content)] = content
        length[0] = header + len(content)
        params = self.target.pack(
            "wm_security_params",
            level=LEVEL,
            key_id_mode=KEY_ID_MODE,
            key_index=DATA_KEY_INDEX,
            key_source=SOURCE,
        )
        return cycles + self._call("wm_outgoing_secure", pib, params, frame, ROOM, length)

    def _engine_unsecure(self, sealed: bytes) -> tuple[int, bytes]:
        frame, length = bytearray(sealed), bytearray([len(sealed)])
        mhr, places = self.target.pack("wm_mhr"), self.target.pack("wm_frame_map")
        cycles = self._call("wm_frame_parse", frame, length[0], mhr, places)
        sec = self.target.pack("wm_security", cipher=key_of(self.target).address)
        cycles += self._call("wm_frame_unsecure_as", sec, mhr, places, frame, length)
        self.target.reset()
        return cycles, bytes(frame[: length[0]])

    def _procedure_unsecure(self, kind: int, sealed: bytes) -> tuple[int, bytes]:
        own, peer = (PEER, OWN) if kind == DATA else (OWN, PEER)
        pib = pib_of(self.target, key_of(self.target), own, peer, *self.sizes)
        frame, length = bytearray(sealed), bytearray([len(sealed)])
        result = self.target.pack("wm_incoming")
        if kind == ACK:
            sent = self._mhr(DATA, secured=True)
            cycles = self._call("wm_incoming_ack", pib, sent, frame, length, result)
        else:
            cycles = self._call("wm_incoming_unsecure", pib, frame, length, result)
        self.target.reset()
        return cycles, bytes(frame[: length[0]])
