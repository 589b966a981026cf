# SPDX-License-Identifier: BSD-3-Clause
"""Calls of one function on this machine's own CPU. They are followed step by step if that takes
seconds at most."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.call import CallError, Host, Outcome, StepError, Timing, TraceMode
from wardmote.measurements.function.calls import call_all
from wardmote.measurements.function.inputs import Assignment, Inputs
from wardmote.measurements.function.lines import place_of
from wardmote.measurements.function.run import Measured, answer_of

MOST_IN_ALL = 2_000_000
"""Most steps of all calls together; a step takes about ten microseconds."""
MOST_OF_ONE = 200_000
FAULT = re.compile(r"PC 0x([0-9a-f]+)")
NO_RETURN = "no return within"


@dataclass
class Stepped:
    """One library on the host. `unstepped` says why its calls are not followed, if they are not."""

    host: Host
    elf: Path
    assignment: Assignment
    cycle_limit: int
    """Counted in instructions."""
    most: int
    """Most instructions of a call that is followed."""
    unstepped: str | None = None
    cpu: str = "host"

    def call(
        self, inputs: Inputs, trace: TraceMode = "off", timing: Timing | None = None
    ) -> Outcome:
        """Makes one call and follows it; variables are as at program start. A fault names its
        source line. Raises StepError if the call cannot be followed."""
        try:
            self.host.instruction_limit = min(self.cycle_limit, self.most)
            return self._call(inputs, "full" if trace == "full" else "hash")
        except CallError as error:
            if NO_RETURN in str(error) and self.most < self.cycle_limit:
                raise StepError(
                    f"more than {self.most} instructions a call are not followed (fewer --runs "
                    "allow more)"
                ) from error
            raise self._placed(error) from error

    def measure(self, inputs: Sequence[Inputs]) -> Measured:
        """Makes the calls with all inputs; follows them if all of them can be followed."""
        try:
            return self._measured([self.call(one) for one in inputs])
        except StepError as error:
            self.unstepped = str(error)
        return self._measured([self._call(one, "off") for one in inputs])

    def _call(self, inputs: Inputs, trace: TraceMode) -> Outcome:
        return call_all(self.host, self.assignment, inputs, trace)

    def _measured(self, outcomes: Sequence[Outcome]) -> Measured:
        answers = tuple(
            answer_of(self.assignment, outcome.value, outcome.buffers) for outcome in outcomes
        )
        depths = [outcome.stack_octets for outcome in outcomes if outcome.stack_octets is not None]
        counted = tuple(
            outcome.instructions for outcome in outcomes if outcome.instructions is not None
        )
        return Measured(answers, stack_octets=max(depths, default=None), instructions=counted)

    def _placed(self, error: CallError) -> CallError:
        """Adds the source line if the instruction is in the library."""
        found = FAULT.search(str(error))
        source = place_of(self.elf, int(found[1], 16)).source if found else ""
        return type(error)(f"{error}{f', at {source}' if source else ''}")


def followed(calls: int) -> int:
    """Returns how many instructions of each call are followed, for that many calls."""
    return min(MOST_OF_ONE, MOST_IN_ALL // max(1, calls))
