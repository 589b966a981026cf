# SPDX-License-Identifier: BSD-3-Clause
"""Many cases on several cores. Each case has its own simulations: order and number of workers do
not show in a row."""

from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from wardmote.errors import ImageError, WardmoteError
from wardmote.measurements.slot.band import measure_case
from wardmote.measurements.slot.cases import Case
from wardmote.measurements.slot.provenance import provenance_of
from wardmote.paths import slot_image
from wardmote.rows import SlotRow


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be measured, and how."""

    cases: Sequence[Case]
    exchanges: int
    seed: int
    jobs: int
    image: Path | None = None
    """An image of the user's own, instead of the one built for the strategy."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A row and the capture of the exchanges that prove it."""

    row: SlotRow
    pcap: bytes


class Progress:
    """Told how far a campaign is; the default says nothing to anybody."""

    def step(self, case: Case, what: str) -> None:
        """A case has come to its next part."""

    def done(self, case: Case) -> None:
        """A case has become a row."""


def run(plan: Plan, progress: Progress) -> list[Measured]:
    """Measures all cases of a plan, in its order; the first failure ends the campaign."""
    images = {
        case: _read(plan.image or slot_image(case.board, case.strategy)) for case in plan.cases
    }
    with ThreadPoolExecutor(max_workers=plan.jobs) as pool:
        futures = [pool.submit(_one, plan, case, *images[case], progress) for case in plan.cases]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            for future in futures:
                future.cancel()
        # The failure itself, not the cancellation it brought to others.
        for future in futures:
            if not future.cancelled() and (error := future.exception()):
                raise error
    return [future.result() for future in futures]


def _read(path: Path) -> tuple[Path, bytes]:
    try:
        return path, path.read_bytes()
    except OSError as error:
        raise ImageError(f"{path}: {error.strerror}") from error


def _one(plan: Plan, case: Case, path: Path, image: bytes, progress: Progress) -> Measured:
    source = provenance_of(path, image, plan.seed, case.board)
    try:
        row, pcap = measure_case(case, image, source, plan.exchanges, partial(progress.step, case))
    except WardmoteError as error:
        raise type(error)(f"{path.name} at {case.label}: {error}") from error
    progress.done(case)
    return Measured(row, pcap)
