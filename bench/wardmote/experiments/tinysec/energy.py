# SPDX-License-Identifier: BSD-3-Clause
"""The charge of sending a packet, split into octets and computation.

What more octets cost is measured by packets without TinySec that are as long on the air. What is
left of the increase is computation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wardmote.boards import BOARDS, Board, current_of
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.tinysec.costs import FORMS, SCHEMES, block_cycles
from wardmote.experiments.tinysec.sending import Sender, send
from wardmote.experiments.tinysec.stacks import PAPERS
from wardmote.published import load

POWERS = (0x0F, 0x80, 0xC0, 0xFF)
"""PA_POW of the CC1000: TinyOS's at 433 MHz, its at 915 MHz, and more."""
PACKETS, SETTLED = 6, 2
"""Packets that are sent, and those before the mean begins."""
UC_PER_MAH = 3_600_000
DATA = 24
SCHEME = {"auth": "Auth, Skipjack", "ae": "AE, Skipjack"}
IN_C, IN_ASSEMBLY = "Skipjack, C", "Skipjack, assembly"
AS_LONG = {"none": DATA, "auth": 25, "ae": 29}
"""Data of packets without TinySec that are as long as those of each stack with the paper's data."""


@dataclass(frozen=True, slots=True)
class TinysecEnergyRow(Sender):
    """Sending one packet, from leaving the receiver to coming back."""

    calibrated: bool
    """The paper does not say its power. At this one the mean current is nearest to the paper's."""
    sending_ms: float
    active_ms: float
    """Of that, the CPU does not sleep."""
    mean_ma: float
    paper_mean_ma: float
    """The paper's charge without TinySec over its time on the air."""
    charge_uc: float
    mah: float
    paper_mah: float
    increase: float
    """Part by which the charge is more than without TinySec."""
    by_octets: float
    """Of that, what packets without TinySec as long take more."""
    by_computation: float
    """The rest."""
    by_computation_in_c: float
    """What the rest would be with Skipjack in C, as the paper's, instead of assembly: computed from
    cycles of a block of each and from the blocks of the packet."""
    computing_ms: float
    """The CPU is active for so much longer than for a packet as long without TinySec."""
    paper_increase: float | None
    paper_by_octets: float | None
    paper_by_computation: float | None
    wardmote: str
    commit: str


def cases(board: Board, seed: int) -> list[Sender]:
    """Each stack, and packets that are as long without TinySec, at each power."""
    asked = [*((stack, DATA) for stack in PAPERS), *(("none", n) for n in AS_LONG.values())]
    return [
        Sender(board.name, stack, octets, power, seed)
        for power in POWERS
        for stack, octets in dict.fromkeys(asked)
    ]


def measure(case: Sender, artefacts: Artefacts) -> Figures:
    """Means over packets; where the counter goes into the EEPROM differs from packet to packet."""
    sent = send(case, artefacts, PACKETS)[SETTLED:]

    def mean(of: str) -> float:
        return float(sum(getattr(one, of) for one in sent) / len(sent))

    return {
        "packet_octets": len(sent[0].octets),
        "sending_ms": mean("ms"),
        "active_ms": mean("active_ms"),
        "charge_uc": mean("charge_uc"),
        "longer_in_c_ms": longer_in_c_ms(case),
    }


def longer_in_c_ms(case: Sender) -> float:
    """For how much longer the CPU would make the packet with Skipjack in C."""
    scheme = SCHEME.get(case.stack)
    if scheme is None:
        return 0.0
    board = BOARDS[case.board]
    slow, fast = (block_cycles(board.cpu, *FORMS[name]) for name in (IN_C, IN_ASSEMBLY))
    operations = SCHEMES[scheme, "paper"](board.cpu, case.data_octets).operations or 0
    return 1000 * operations * (slow - fast) / board.clock_hz


Values = Mapping[str, Any]


def gathered(values: Sequence[Values]) -> Iterator[Values]:
    """A row for each stack and power, beside packets that are as long."""
    by_power = {
        power: {(one["stack"], one["data_octets"]): one for one in values if one["power"] == power}
        for power in dict.fromkeys(one["power"] for one in values)
    }
    nearest = min(
        by_power, key=lambda power: abs(mean_ma(by_power[power]["none", DATA]) - printed_ma())
    )
    for power, own in by_power.items():
        for stack in PAPERS:
            yield {**_row(own, stack), "calibrated": power == nearest}


def mean_ma(one: Values) -> float:
    """Mean current while a packet is sent."""
    return float(one["charge_uc"] / one["sending_ms"])


def printed_ma() -> float:
    """The paper's: charge of a packet without TinySec over its time on the air."""
    printed = load("tinysec")
    mah = float(printed["energy_mah_24_bytes"]["none"])
    return mah * UC_PER_MAH / float(printed["packet"]["none"]["transmit_ms"])


def _row(own: Mapping[tuple[str, int], Values], stack: str) -> dict[str, Any]:
    one, bare, as_long = own[stack, DATA], own["none", DATA], own["none", AS_LONG[stack]]
    if one["packet_octets"] != as_long["packet_octets"]:
        raise ValueError(f"{stack} has packets of {one['packet_octets']} octets")
    printed = load("tinysec")["energy_mah_24_bytes"][stack]
    split = printed if isinstance(printed, Mapping) else {"mah": printed}
    increase, by_octets = (it["charge_uc"] / bare["charge_uc"] - 1 for it in (one, as_long))
    return {
        **{name: one[name] for name in ("board", "stack", "data_octets", "power", "seed")},
        "sending_ms": round(one["sending_ms"], 3),
        "active_ms": round(one["active_ms"], 3),
        "mean_ma": round(mean_ma(one), 3),
        "paper_mean_ma": round(printed_ma(), 2),
        "charge_uc": round(one["charge_uc"], 3),
        "mah": round(one["charge_uc"] / UC_PER_MAH, 9),
        "paper_mah": split["mah"],
        "increase": round(increase, 5),
        "by_octets": round(by_octets, 5),
        "by_computation": round(increase - by_octets, 5),
        "by_computation_in_c": round(
            increase
            - by_octets
            + uc_of_computing(one["board"], one["longer_in_c_ms"]) / bare["charge_uc"],
            5,
        ),
        "computing_ms": round(one["active_ms"] - as_long["active_ms"], 3),
        "paper_increase": split.get("increase"),
        "paper_by_octets": split.get("by_length"),
        "paper_by_computation": split.get("by_computation"),
    }


def at_paper_speed(row: TinysecEnergyRow) -> float:
    """What computation would be of the charge without TinySec if it were the block operations of
    the paper's AE, each as long as the paper prints, and nothing else."""
    printed = load("tinysec")
    operations = int(printed["bounds"]["block_operations_max_per_packet"])
    ms = operations * float(printed["cipher_block_ms"]["skipjack_c"]["ms"])
    return uc_of_computing(row.board, ms) * (1 + row.increase) / row.charge_uc


def uc_of_computing(board: str, ms: float) -> float:
    """Charge that a CPU takes more when it is active for so long instead of asleep."""
    active, idle = (current_of(board, "cpu", state).ma for state in ("active", "idle"))
    return float(ms * (active - idle))
