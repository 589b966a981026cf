# SPDX-License-Identifier: BSD-3-Clause
"""The trace of one slot: states and current of each node over time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A phase of the slot on one node, in microseconds from the start of the sender's slot."""

    node: str
    name: str
    begin_us: float
    end_us: float


@dataclass(frozen=True, slots=True)
class Step:
    """Every device of the node stays in its state until the next step of the node."""

    node: str
    us: float
    phase: str
    states: tuple[tuple[str, str, float], ...]
    """Device, state, mA."""
    total_ma: float


@dataclass(frozen=True, slots=True)
class Trace:
    """One slot with an exchange."""

    slot_us: float
    steps: tuple[Step, ...]
    spans: tuple[Span, ...]

    def of(self, node: str) -> list[Step]:
        """Steps of one node, in order of time."""
        return [step for step in self.steps if step.node == node]

    def charge_uc(self, node: str) -> float:
        """Charge of a node in the slot."""
        steps = self.of(node)
        ends = [*(step.us for step in steps[1:]), self.slot_us]
        return sum(
            step.total_ma * (end - step.us) / 1000 for step, end in zip(steps, ends, strict=True)
        )
