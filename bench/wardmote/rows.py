# SPDX-License-Identifier: BSD-3-Clause
"""Rows of the slot campaign: measured figures with their units and conditions. Nothing here
formats."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Provenance:
    """Origin of a row: all that is needed to measure it again."""

    wardmote: str
    commit: str
    compiler: str
    flags: str
    image: str
    image_sha256: str
    seed: int
    timing_model: str


@dataclass(frozen=True, slots=True)
class StateEnergy:
    """Energy of one device state in a mean slot, with the current that it is computed from."""

    node: str
    device: str
    state: str
    us_per_slot: float
    energy_uj: float
    current_ma: float
    source: str
    kind: str


@dataclass(frozen=True, slots=True)
class SlotKind:
    """The charge of one kind of slot on one node, including the charge before the slot that
    prepares it."""

    node: str
    """sender or receiver"""
    kind: str
    """`beacon`, `no beacon` (listening for one), `data`, `keep-alive`, `no data` (a cell without a
    frame, in which the receiver listens), `empty` (asleep)."""
    charge_uc: float
    """Mean charge of such a slot."""
    measured: int
    """How often it was measured; empty slots of a slotframe count as one."""
    per_slotframe: float
    """How many there are in a slotframe, on average."""


@dataclass(frozen=True, slots=True)
class LowEnd:
    """Figures of a case at the fast end of a timing band; the row itself is at the slow end."""

    sec1_cycles: int
    sec2_cycles: int
    sec3_cycles: int
    sec4_cycles: int
    ts_tx_offset_us: float
    ts_tx_ack_delay_us: float
    ts_slot_duration_us: float
    energy_uj: float
    energy_receiver_uj: float
    exchanges: int
    """Exchanges at the fast end with the template of the row; `lost` and `late` likewise."""
    lost: int
    late: int

    @property
    def holds(self) -> bool:
        """Whether the template of the slow end keeps every deadline at the fast end."""
        return self.lost == 0 and self.late == 0


BANDED = tuple(
    field.name
    for field in dataclasses.fields(LowEnd)
    if field.name not in ("exchanges", "lost", "late")
)
"""Fields of a row that are printed for both ends, as *_low and *_high."""


@dataclass(frozen=True, slots=True)
class SlotRow:
    """The shortest timeslot of one case: board, strategy, level and ASH form at one clock."""

    board: str
    strategy: str
    level: int
    level_name: str
    definition: str
    """What the shortest slot means: `deployable`, `needed` or `paper`."""
    ash_octets: int
    mic_octets: int
    key_id_mode: int
    counter: str
    nonce: str
    profile: str
    frame_octets: int
    turnaround_us: int
    """From the strobe that sends to the first symbol: 192 us, or less where the radio can."""
    tick_hz: int
    """Ticks in a second of the clock that tells the slots."""
    clock_hz: int
    """Requested clock frequency. Time is computed from cycles with `clock_measured_hz`."""
    clock_measured_hz: int
    supply_v: float
    """Supply voltage, at which all energies of the row are computed."""
    clock_allowed: bool
    """The data sheets allow the clock at this supply."""
    sec1_cycles: int
    """Longest operation that was measured; sec2, sec3 and sec4 likewise."""
    sec2_cycles: int
    sec3_cycles: int
    sec4_cycles: int
    sec1_lookup_cycles: int | None
    """Of one sec1, to a few cycles: the key is looked up, the header is built, the payload is copied.
    The rest is security and loading. None: the image does not show its parts."""
    sec1_header_cycles: int | None
    sec1_payload_cycles: int | None
    sec1_cycles_median: int
    sec2_cycles_median: int
    sec3_cycles_median: int
    sec4_cycles_median: int
    sec1_ticks: int
    sec2_ticks: int
    sec3_ticks: int
    sec4_ticks: int
    ts_tx_offset_ticks: int
    ts_tx_ack_delay_ticks: int
    ts_slot_duration_ticks: int
    ts_max_tx_ticks: int
    ts_max_ack_ticks: int
    tail_ticks: int
    """Ticks between TsMaxAck and the end of the slot, in which sec4 runs."""
    ts_tx_offset_us: float
    ts_tx_ack_delay_us: float
    ts_slot_duration_us: float
    ts_rx_guard_ticks: int
    """Half of TsRxWait: the receiver is on so long before TsTxOffset, and after it."""
    ts_ack_guard_ticks: int
    """Half of TsAckWait."""
    ts_rx_guard_us: float
    ts_ack_guard_us: float
    ts_rx_offset_us: float
    """TsRxOffset: when the receiver is on."""
    sec1_offset_us: float
    """TsTxOffset that sec1 alone would need: Eq. 1."""
    rx_ready_us: float
    """TsRxOffset that a receiver would need to be ready."""
    guard_needed_us: float
    """Guard time that two crystals of 30 ppm need from one beacon to the next."""
    sync_limit_s: float
    """How long a leaf keeps its schedule without a correction; follows from the guard time."""
    offset_set_by: str
    """`sec1` or `guard time`: what sets TsTxOffset. The next field says it of TsTxAckDelay."""
    ack_delay_set_by: str
    survey_exchanges: int
    """Exchanges in the long slot. The cycles and the first template come from them."""
    exchanges: int
    """Exchanges at the tuned template."""
    lost: int
    late: int
    """Deadlines that both nodes missed in those exchanges, by the check of the firmware."""
    tx_offset_minus_1_fails: bool
    """With this value one tick shorter the firmware missed the deadline, or refused the template
    because it left no time for the radio's turnaround. The next two fields say it of the other
    values."""
    tx_ack_delay_minus_1_fails: bool
    slot_duration_minus_1_fails: bool
    raised_ticks: int
    """Ticks added to the first template because a later exchange needed more."""
    lowered_ticks: int
    """Ticks taken from the first template because a shorter value still kept every deadline."""
    energy_uj: float
    """Energy of the sender in a slot with an exchange."""
    energy_radio_uj: float
    energy_cpu_uj: float
    energy_receiver_uj: float
    energy_receiver_radio_uj: float
    energy_receiver_cpu_uj: float
    energy_slots: int
    """Number of slots in the mean of the energies."""
    published_ms: float | None
    published_ratio: float | None
    """Published duration over ours; above 1, ours is shorter."""
    published_source: str | None
    states: tuple[StateEnergy, ...]
    provenance: Provenance
    low: LowEnd | None = None
    """None where timing is exact."""

    @property
    def ts_slot_duration_ms(self) -> float:
        """TsSlotDuration in milliseconds."""
        return self.ts_slot_duration_us / 1000

    @property
    def verified(self) -> bool:
        """Nothing was lost or late, and none of the three values can be one tick shorter."""
        tight = (
            self.tx_offset_minus_1_fails
            and self.tx_ack_delay_minus_1_fails
            and self.slot_duration_minus_1_fails
        )
        holds = self.low is None or self.low.holds
        return tight and holds and self.lost == 0 and self.late == 0

    @classmethod
    def of(cls, figures: Mapping[str, Any], provenance: Provenance) -> Self:
        """Makes a row from the figures of a case; `low` is missing where timing is exact."""
        low = figures.get("low")
        nested = {
            "states": tuple(StateEnergy(**state) for state in figures["states"]),
            "low": None if low is None else LowEnd(**low),
        }
        return cls(**{**figures, **nested, "provenance": provenance})

    def as_dict(self) -> dict[str, Any]:
        """The row as plain values; both ends of a timing band are *_low and *_high."""
        values = dataclasses.asdict(self)
        del values["low"]
        for name in BANDED:
            values[f"{name}_low"] = None if self.low is None else getattr(self.low, name)
            values[f"{name}_high"] = None if self.low is None else getattr(self, name)
        for name in ("exchanges", "lost", "late"):
            values[f"{name}_low"] = None if self.low is None else getattr(self.low, name)
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """Makes a row from the values of `as_dict`."""
        nested = {
            "states": tuple(StateEnergy(**state) for state in values["states"]),
            "provenance": Provenance(**values["provenance"]),
        }
        low = {field.name: values[f"{field.name}_low"] for field in dataclasses.fields(LowEnd)}
        ends = {f"{name}_{end}" for name in low for end in ("low", "high")}
        plain = {name: value for name, value in values.items() if name not in ends}
        fast = None if low["lost"] is None else LowEnd(**low)
        return cls(**{**plain, **nested, "low": fast})
