# SPDX-License-Identifier: BSD-3-Clause
"""A measurement that only sums octets and writes down each case. The tests check the code that runs
it."""

import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.campaign.cases import Artefacts, Campaign, Figures
from wardmote.campaign.local import Local
from wardmote.campaign.runner import Runner
from wardmote.campaign.store import Store
from wardmote.errors import ImageError

HOLD, HELD = "hold", 40
"""While a file of this name is beside the log, cases from this one on do not end: whoever stops the
measurement is not too late, however busy the machine is."""


@dataclass(frozen=True, slots=True)
class SumCase:
    """Sums an artefact some times over, and takes a while for it."""

    times: int
    log: str
    seconds: float = 0.0
    ends: str = ""
    """How it ends, if not well: `failed` or `killed`."""

    @property
    def label(self) -> str:
        """Names the case."""
        return f"sum {self.times}"


def sum_of(case: SumCase, artefacts: Artefacts) -> Figures:
    """Measures one case."""
    time.sleep(case.seconds)
    while case.times >= HELD and Path(case.log).with_name(HOLD).exists():
        time.sleep(0.02)
    with Path(case.log).open("a", encoding="utf-8") as file:
        file.write(f"{case.times} {os.getpid()}\n")
    if case.ends == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if case.ends == "failed":
        raise ImageError("cannot be summed")
    return {"times": case.times, "sum": case.times * sum(artefacts["octets"])}


def campaign(folder: Path, cases: Sequence[SumCase]) -> Campaign[SumCase]:
    """Cases over the file `octets` of a folder."""
    return Campaign(sum_of, cases, lambda _: {"octets": folder / "octets"})


def slow_cases(folder: Path) -> list[SumCase]:
    """48 cases. The first ones take longest, and the very first as long as a busy machine may keep
    one of the others waiting."""
    seconds = (0.4, *7 * (0.04,), *40 * (0.02,))
    return [SumCase(n, str(folder / "log"), each) for n, each in enumerate(seconds)]


def measured(folder: Path) -> list[int]:
    """The cases that were measured so far."""
    log = folder / "log"
    return [int(line.split()[0]) for line in log.read_text().splitlines()] if log.is_file() else []


def main(folder: Path) -> int:
    """Runs the 48 cases on two processes, with what is kept in the folder."""
    runner = Runner(Local(2), Store(folder / "store"))
    answers = runner.run(campaign(folder, slow_cases(folder)))
    sys.stdout.write(f"{[one['sum'] for one in answers.figures]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
