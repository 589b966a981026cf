# SPDX-License-Identifier: BSD-3-Clause
"""A run in a file: what it was made of, what came from outside, and how far it has come. A run that
goes on from there does first what it did before: the same images with the same seed and the same
inputs are in the same state at the same moment."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wardmote._motes import SOURCES, Simulation
from wardmote.boot.links import Link
from wardmote.boot.motes import Identities, Mote, Order, boot
from wardmote.boot.places import Distance
from wardmote.errors import MissingError, UsageError

FORM = "wardmote run 1"
Change = Link | Distance


@dataclass(frozen=True, slots=True)
class Input:
    """What the other end of a serial line began to send at a moment."""

    at_ps: int
    place: int
    line: int
    baud: int
    octets: bytes


@dataclass(frozen=True, slots=True)
class Setup:
    """All that decides what motes do, but for what comes from outside."""

    seed: int
    orders: tuple[Order, ...]
    identities: Identities
    numbers: Mapping[str, float]
    changes: tuple[Change, ...] = ()

    def make(self) -> tuple[Simulation, list[Mote]]:
        """The motes at power-on. Raises MissingError, UsageError or ImageError."""
        simulation = Simulation(self.seed)
        return simulation, boot(simulation, self.orders, self.identities, self.numbers)


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that can go on."""

    setup: Setup
    inputs: tuple[Input, ...]
    now_ps: int
    state: str
    """Digest of where each mote is and what its memory holds, as far as it has any."""

    def text(self) -> str:
        """As JSON."""
        setup = self.setup
        orders = [
            {**asdict(order), "image": str(order.image.resolve()), "sha256": _digest(order.image)}
            for order in setup.orders
        ]
        return json.dumps(
            {
                "form": FORM,
                "emulator": SOURCES,
                "seed": setup.seed,
                "orders": orders,
                "identities": asdict(setup.identities),
                "numbers": dict(setup.numbers),
                "links": [asdict(one) for one in setup.changes if isinstance(one, Link)],
                "distances": [asdict(one) for one in setup.changes if isinstance(one, Distance)],
                "inputs": [{**asdict(one), "octets": one.octets.hex()} for one in self.inputs],
                "now_ps": self.now_ps,
                "state": self.state,
            },
            indent=1,
        )


def _digest(image: Path) -> str:
    try:
        return hashlib.sha256(image.read_bytes()).hexdigest()
    except OSError as error:
        raise MissingError(f"{image}: {error.strerror}") from error


def state_of(simulation: Simulation, motes: Sequence[Mote]) -> str:
    """Digest of where each CPU is, and of the charge that each device has taken."""
    told = [
        (simulation.cpu(mote.place), [row["charge_uc"] for row in simulation.meter(mote.place)])
        for mote in motes
    ]
    return hashlib.sha256(repr((simulation.now_ps, told)).encode()).hexdigest()


def read_kept(path: Path) -> Kept:
    """Reads what `Kept.text` wrote; raises MissingError or UsageError, also where the emulator or an
    image is another one now."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MissingError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path}: is no run that was saved") from error
    if not isinstance(told, dict) or told.get("form") != FORM:
        raise UsageError(f"{path}: is no run that was saved in the form {FORM!r}")
    if told.get("emulator") != SOURCES:
        raise UsageError(f"{path}: was saved by another version of the emulated motes")
    try:
        kept = _kept(told)
        digests = [str(order["sha256"]) for order in told["orders"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{path}: is damaged: {error}") from error
    for order, digest in zip(kept.setup.orders, digests, strict=True):
        if _digest(order.image) != digest:
            raise UsageError(f"{order.image}: is another image now than {path} was saved with")
    return kept


def _kept(told: dict[str, Any]) -> Kept:
    orders = tuple(
        Order(one["board"], Path(one["image"]), one["motes"], one["octets_at"])
        for one in told["orders"]
    )
    changes: list[Change] = [
        *(Link(**one) for one in told["links"]),
        *(Distance(**one) for one in told["distances"]),
    ]
    inputs = [Input(**{**one, "octets": bytes.fromhex(one["octets"])}) for one in told["inputs"]]
    setup = Setup(
        int(told["seed"]),
        orders,
        Identities(**told["identities"]),
        told["numbers"],
        in_order(changes),
    )
    return Kept(setup, tuple(inputs), int(told["now_ps"]), str(told["state"]))


def in_order(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Changes of the medium by their time; what was given first comes first."""
    return tuple(sorted(changes, key=lambda change: change.at_ps))
