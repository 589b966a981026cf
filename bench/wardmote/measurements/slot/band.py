# SPDX-License-Identifier: BSD-3-Clause
"""A case on a board whose timing model is a band: measured at both ends. The row is that of the
slow end, whose template must hold at the fast end too; what the fast end alone would need stands
beside it."""

import dataclasses
from collections.abc import Callable

from wardmote.measurements.slot.cases import Case
from wardmote.measurements.slot.experiment import CaseRuns, measure
from wardmote.measurements.slot.timing import Timing
from wardmote.rows import LowEnd, Provenance, SlotRow


def measure_case(
    case: Case, image: bytes, provenance: Provenance, exchanges: int, step: Callable[[str], None]
) -> tuple[SlotRow, bytes]:
    """The row of a case, and the capture of its proof; where there is a band, both of its ends are
    run."""
    row, pcap = measure(case, image, provenance, exchanges, step)
    if not case.record.bands:
        return row, pcap
    fast = dataclasses.replace(case, band=case.record.bands[0])
    step(f"{fast.band} end")
    alone, _ = measure(fast, image, provenance, exchanges, step)
    step(f"{fast.band} end at {row.ts_slot_duration_ticks} ticks")
    timing = Timing(row.ts_tx_offset_ticks, row.ts_tx_ack_delay_ticks, row.tail_ticks)
    outcome = CaseRuns(fast, image, provenance.seed, exchanges).prove(timing)
    values = {
        field.name: getattr(alone, field.name)
        for field in dataclasses.fields(LowEnd)
        if hasattr(alone, field.name)
    }
    values |= {"exchanges": outcome.exchanges, "lost": outcome.lost, "late": outcome.late_total}
    return dataclasses.replace(row, low=LowEnd(**values)), pcap
