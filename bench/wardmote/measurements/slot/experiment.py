# SPDX-License-Identifier: BSD-3-Clause
"""Runs of one setting: survey in a long slot, tuning, proof, energy."""

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wardmote.errors import ImageError, TemplateRefusedError
from wardmote.measurements.slot.block import LEAF_MOTE, ROOT_MOTE, SLOTFRAME_LENGTH
from wardmote.measurements.slot.definition import (
    Definition,
    Needs,
    guard_needed,
)
from wardmote.measurements.slot.network import Network, Span
from wardmote.measurements.slot.parts import sec1_parts
from wardmote.measurements.slot.setting import Setting
from wardmote.measurements.slot.timing import Timing, Value, long_timing
from wardmote.measurements.slot.tuning import Outcome, Tuned, tune
from wardmote.measurements.slot.ways import DENSE, LENGTH_EXCHANGES, Way, ways, ways_of_lengths
from wardmote.rows import StateEnergy

if TYPE_CHECKING:
    from wardmote._motes import MeterRow

SURVEY_HALF = 60
"""Exchanges in the long slot, with a slow leaf and with a fast one."""
SURVEY_LONGEST_TICKS = 1 << 15
"""The alarm of the TSCH engine reaches less than 2^15 ticks ahead."""
CHUNK_EXCHANGES = 50
"""The deadline counters are read after so many exchanges."""
LATE_COUNTERS = {
    Value.TX_OFFSET: "late_tx_offset",
    Value.TX_ACK_DELAY: "late_tx_ack_delay",
    Value.SLOT_DURATION: "late_slot",
    Value.RX_OFFSET: "late_rx_offset",
    Value.RX_ACK_DELAY: "late_rx_ack_delay",
}


@dataclass(frozen=True, slots=True)
class Survey:
    """What the nodes measured in the long slot."""

    exchanges: int
    spans: dict[str, list[Span]]
    needs: dict[str, int]
    clock_hz: int
    parts: dict[str, int] | None
    """Cycles of the parts of sec1."""

    @property
    def first_needs(self) -> Needs:
        """What the nodes noted."""
        return needs_of(self.needs)


@dataclass(frozen=True, slots=True)
class Energy:
    """Mean energy of a slot with an exchange, at the tuned template."""

    slots: int
    states: tuple[StateEnergy, ...]

    def total_uj(self, node: str, device: str | None = None) -> float:
        """Energy of a node, or of one of its devices."""
        return sum(
            s.energy_uj for s in self.states if s.node == node and device in (None, s.device)
        )


class SettingRuns:
    """Runs of one setting. It implements tuning.Trials and keeps the energy of the latest proof.

    Exchanges are made in all `ways`, a part in each. The same template gives the same runs,
    so that two definitions with one template share them.
    """

    def __init__(self, setting: Setting, image: bytes, seed: int, exchanges: int) -> None:
        """A proof runs `exchanges` exchanges."""
        self.setting = setting
        self._image = image
        self._seed = seed
        self._exchanges = exchanges
        self.energy = Energy(0, ())
        self._proofs: dict[Timing, tuple[Outcome, Energy]] = {}
        self._probes: dict[tuple[Timing, Value], bool] = {}

    def survey(self) -> Survey:
        """Collects durations and needs in a long slot; doubles the slot while a deadline is
        missed."""
        timing = long_timing(self.setting.tick_hz)
        while late := late_of(networks := [self._surveyed(timing, way) for way in DENSE]):
            timing = twice(timing)
            if timing.slot_duration >= SURVEY_LONGEST_TICKS:
                raise ImageError(f"image misses deadlines even in a slot of half a second: {late}")
        spans: dict[str, list[Span]] = defaultdict(list)
        needs: dict[str, int] = defaultdict(int)
        for network in networks:
            for name, found in network.spans().items():
                spans[name] += found
            for name, ticks in noted(network).items():
                needs[name] = max(needs[name], ticks)
        if missing := [name for name, found in spans.items() if not found]:
            raise ImageError(
                f"image never marks {', '.join(missing)}: sec1 to sec4 cannot be measured"
            )
        last = networks[-1]
        exchanges = sum(outcome_of(network).exchanges for network in networks)
        return Survey(exchanges, spans, needs, last.clock_hz(LEAF_MOTE.name), sec1_parts(last))

    def _surveyed(self, timing: Timing, way: Way) -> Network:
        """A network that has made its part of the survey's exchanges, or missed a deadline."""
        network = self.network(timing, way)
        if not network.join():
            raise ImageError(network.why_not_joined())
        network.spans()
        network.run_to_exchange(SURVEY_HALF + 1)
        return network

    def prove(self, timing: Timing) -> Outcome:
        """See tuning.Trials. Also keeps the energy of one slotframe's data slots."""
        if timing not in self._proofs:
            outcome = Outcome(0, 0, dict.fromkeys(Value, 0))
            for way, own in ways(timing, self._exchanges):
                outcome = outcome.and_then(self.proved(timing, way, own))
                if outcome.late_total:
                    break
            self._proofs[timing] = outcome, self.energy
        outcome, self.energy = self._proofs[timing]
        return outcome

    def proved(self, timing: Timing, way: Way, exchanges: int) -> Outcome:
        """Its exchanges in one way, or those until a deadline is missed."""
        network = self.network(timing, way)
        if not network.join() or not network.run_to_exchange(1):
            return self._not_running(network)
        first = last = 0
        if way is DENSE[0]:
            first = 1 + SLOTFRAME_LENGTH - network.asn(LEAF_MOTE.name) % SLOTFRAME_LENGTH
            last = first + SLOTFRAME_LENGTH - 2
        before: dict[str, list[MeterRow]] = {}
        for number in stops(max(exchanges + 1, last), {first, last} - {0}):
            if not network.run_to_exchange(number) or outcome_of(network).late_total:
                break
            if number == first:
                before = {mote.name: network.meter(mote.name) for mote in (ROOT_MOTE, LEAF_MOTE)}
            elif number == last:
                self.energy = energy_between(before, network, last - first)
        return self._whole(network, exchanges)

    def capture(self, timing: Timing) -> bytes:
        """The frames of all exchanges in a row, as a pcap."""
        network = self.network(timing, DENSE[0])
        if not network.join():
            raise ImageError(network.why_not_joined())
        network.run_to_exchange(self._exchanges + 1)
        self._whole(network, self._exchanges)
        return bytes(network.simulation.pcap())

    @staticmethod
    def _whole(network: Network, exchanges: int) -> Outcome:
        """The outcome of a run; raises ImageError if the leaf stopped and no deadline was missed."""
        outcome = outcome_of(network)
        if outcome.exchanges < exchanges and not outcome.late_total:
            raise ImageError(
                f"the leaf stops sending after {outcome.exchanges} of {exchanges} exchanges"
            )
        return outcome

    def is_late(self, timing: Timing, value: Value) -> bool:
        """See tuning.Trials. The firmware refuses a template whose delay does not exceed the
        turnaround of its radio and the guard time; such a template counts as late."""
        if (timing, value) not in self._probes:
            dense = ways(timing, self._exchanges)[: len(DENSE)]
            self._probes[timing, value] = any(
                self._late_in(timing, value, way, own) for way, own in dense
            )
        return self._probes[timing, value]

    def _late_in(self, timing: Timing, value: Value, way: Way, exchanges: int) -> bool:
        """See is_late; in one way."""
        network = self.network(timing, way)
        try:
            running = network.join() and network.run_to_exchange(1)
        except TemplateRefusedError:
            return True
        if not running:
            return self._not_running(network).misses(value)
        for number in stops(exchanges + 1, {2, 5, 20}):
            if not network.run_to_exchange(number) or outcome_of(network).misses(value):
                break
        return outcome_of(network).misses(value)

    def network(self, timing: Timing, way: Way) -> Network:
        """Two motes that run in this way."""
        octets = way.frame_octets or self.setting.frame_octets
        setting = dataclasses.replace(self.setting, frame_octets=octets)
        return Network(setting, self._image, timing, self._seed, way.ppm, way.plan)

    @staticmethod
    def _not_running(network: Network) -> Outcome:
        """The outcome of a run in which the leaf never joined; raises ImageError if no deadline was
        missed."""
        outcome = outcome_of(network)
        if not outcome.late_total:
            raise ImageError(network.why_not_joined())
        return outcome


class AllLengths:
    """Runs of one setting with frames of all lengths. It implements tuning.Trials. Those with other
    lengths than the setting's are not counted as exchanges."""

    def __init__(self, runs: SettingRuns) -> None:
        """`runs` has those with the setting's frames."""
        self._runs = runs
        self._ways = ways_of_lengths(runs.setting)
        self._proofs: dict[Timing, Outcome] = {}

    def first_needs(self, needs: Needs) -> Needs:
        """`needs`, or what nodes note in the long slot with frames of other lengths, if that is
        more."""
        long = long_timing(self._runs.setting.tick_hz)
        for way in self._ways:
            network = self._runs.network(long, way)
            if (
                network.join()
                and network.run_to_exchange(LENGTH_EXCHANGES)
                and not outcome_of(network).late_total
            ):
                needs = needs.at_least(needs_of(noted(network)))
        return needs

    def prove(self, timing: Timing) -> Outcome:
        """See tuning.Trials."""
        if timing not in self._proofs:
            outcome = self._runs.prove(timing)
            for way in self._ways:
                if outcome.late_total:
                    break
                found = self._runs.proved(timing, way, LENGTH_EXCHANGES)
                outcome = outcome.and_then(dataclasses.replace(found, exchanges=0))
            self._proofs[timing] = outcome
        return self._proofs[timing]

    def is_late(self, timing: Timing, value: Value) -> bool:
        """See tuning.Trials."""
        return self._runs.is_late(timing, value)


def tuned_by(definition: Definition, runs: SettingRuns, survey: Survey) -> Tuned:
    """The shortest template by a definition."""
    definition = definition.at(runs.setting.tick_hz)
    if not definition.all_lengths:
        return tune(survey.first_needs, definition, runs)
    lengths = AllLengths(runs)
    return tune(lengths.first_needs(survey.first_needs), definition, lengths)


def twice(timing: Timing) -> Timing:
    """A long slot of twice the length, with the guard time that its drift needs."""
    return with_guard_needed(
        dataclasses.replace(
            timing,
            tx_offset=2 * timing.tx_offset,
            tx_ack_delay=2 * timing.tx_ack_delay,
            tail=2 * timing.tail,
        )
    )


def with_guard_needed(timing: Timing) -> Timing:
    """The template with a guard time that is long enough for its slotframe."""
    least = max(timing.rx_guard, guard_needed(timing.slot_duration))
    return dataclasses.replace(timing, rx_guard=least)


def stops(last: int, extra: set[int]) -> list[int]:
    """Numbers of the exchanges before which a run stops, up to `last`."""
    return sorted(
        {*range(CHUNK_EXCHANGES, last, CHUNK_EXCHANGES), *(n for n in extra if n <= last), last}
    )


def outcome_of(network: Network) -> Outcome:
    """Exchanges and missed deadlines so far. The leaf has begun a data slot, which does not count."""
    leaf, root = network.stats(LEAF_MOTE.name), network.stats(ROOT_MOTE.name)
    exchanges = max(0, leaf["data_sent"] - 1)
    lost = max(0, exchanges - leaf["data_acked"])
    return Outcome(
        exchanges, lost, {v: leaf[name] + root[name] for v, name in LATE_COUNTERS.items()}
    )


def noted(network: Network) -> dict[str, int]:
    """The needs that the nodes noted, the larger one of each."""
    leaf, root = (network.stats(mote.name)["needs"] for mote in (LEAF_MOTE, ROOT_MOTE))
    return {name: max(ticks, root[name]) for name, ticks in leaf.items()}


def needs_of(ticks: Mapping[str, int]) -> Needs:
    """Those that a template follows from."""
    return Needs(**{field.name: ticks[field.name] for field in dataclasses.fields(Needs)})


def late_of(networks: Sequence[Network]) -> str:
    """The deadlines that one of them missed, or that its leaf sends nothing; empty if none did."""
    outcomes = [outcome_of(network) for network in networks]
    failed = (one for one in outcomes if one.late_total or one.exchanges < SURVEY_HALF)
    return next((describe(one) for one in failed), "")


def describe(outcome: Outcome) -> str:
    """Names the missed deadlines of an outcome."""
    return (
        ", ".join(f"{v.value} {n} times" for v, n in outcome.late.items() if n)
        or "the leaf sends nothing"
    )


def energy_between(before: "dict[str, list[MeterRow]]", network: Network, slots: int) -> Energy:
    """Mean energy of a slot: the difference of the meters, divided by `slots`."""
    states: list[StateEnergy] = []
    for node, earlier in before.items():
        base = {_state(s): (s["seconds"], s["energy_uj"]) for s in earlier}
        for state in network.meter(node):
            seconds, energy_uj = base.get(_state(state), (0.0, 0.0))
            spent_s, spent_uj = state["seconds"] - seconds, state["energy_uj"] - energy_uj
            if spent_s > 0:
                states.append(
                    StateEnergy(
                        node=node,
                        device=state["device"],
                        state=_state_name(state)[1],
                        us_per_slot=round(spent_s * 1e6 / slots, 3),
                        energy_uj=round(spent_uj / slots, 6),
                        current_ma=state["current_ma"],
                        source=state["source"],
                        kind=state["kind"],
                    )
                )
    return Energy(slots, tuple(states))


def _state(state: "MeterRow") -> tuple[str, str, float]:
    """What a row of the meter is about. Two clocks may have one name: an oscillator's and a crystal's."""
    return state["device"], state["state"], state["clock_hz"]


def _state_name(state: "MeterRow") -> tuple[str, str]:
    """Device and state; the clock is part of the name if the current depends on it."""
    clock = f" at {state['clock_hz'] / 1e6:.3g} MHz" if state["clock_hz"] else ""
    return state["device"], state["state"] + clock
