# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the claims of the paper on TinySec are judged by: what follows from the format of
its packets, and what the sub-verbs of `wardmote tinysec` have measured.

A function that @figure registers can be called in an expression of published/tinysec_claims.toml.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from wardmote.experiments.tinysec.intervals import paired_sums
from wardmote.published import load
from wardmote.study.claims.judge import ClaimRow, judged
from wardmote.study.claims.register import Figures, first, there
from wardmote.study.claims.rows import Judge, Rows, the

PAPER = "tinysec"
WORDS: dict[str, Any] = {
    **{word: word for word in ("none", "auth", "ae")},
    **{word: word for word in ("network", "link", "group", "skipjack", "shipped")},
    "as_paper": "paper",
    "skipjack_c": "Skipjack, C",
    "skipjack_assembly": "Skipjack, assembly",
    "rc5_c": "RC5, C",
    "rc5_assembly": "RC5, assembly",
}
HEADER, TAG, IV, BLOCK, GROUP_AND_CRC = 4, 4, 4, 8, 3
"""Octets."""
SECONDS_A_MONTH = 86_400 * 365.25 / 12
COUNTING = ("throughput", "turns")
"""The verbs that count packets at a base. The first has all numbers of senders."""

figure = Figures()


def tinysec_claims(rows: Rows) -> list[ClaimRow]:
    """Every claim of the paper with our verdict."""
    return judged(PAPER, figure.of(rows), WORDS)


JUDGE = Judge(
    PAPER,
    "TinySec",
    tinysec_claims,
    "Throughput and latency take hours: without rows of theirs those beside the documents are taken.",
)


@figure
def octets(_: Rows, mode: str, data: int) -> int:
    """Octets of a packet, without start symbol and synchronisation."""
    return {
        "none": HEADER + GROUP_AND_CRC + data,
        "auth": HEADER + data + TAG,
        "ae": HEADER + IV + max(BLOCK, data) + TAG,
    }[mode]


@figure
def more(rows: Rows, mode: str) -> int:
    """Octets that a mode adds to a packet of 24 octets of data."""
    return octets(rows, mode, 24) - octets(rows, "none", 24)


@figure
def increase(rows: Rows, mode: str) -> float:
    """The same as a part of all that the paper counts on the air."""
    return more(rows, mode) / float(load(PAPER)["packet"]["none"]["total"])


@figure
def air_ms(_: Rows, count: float) -> float:
    """Time of octets at the paper's bandwidth."""
    return 8 * count / float(load(PAPER)["platform"]["bandwidth_kbps"])


@figure
def captured(rows: Rows, mode: str, data: int) -> int:
    """Octets of a packet that was on the air."""
    return int(the(rows, "packet", stack=mode, data_octets=data).packet_octets)


@figure
def longer_on_air(rows: Rows, mode: str, data: int) -> float:
    """Part by which the carrier is on longer than without TinySec."""
    return float(the(rows, "packet", stack=mode, data_octets=data).increase)


@figure
def tries_a_second(rows: Rows, data: int) -> float:
    """Auth packets that the air holds in a second, one after the other."""
    return 1000 / float(the(rows, "packet", stack="auth", data_octets=data).air_ms)


@figure
def forgery_months(rows: Rows, data: int) -> float:
    """How long so many tries last that one is expected to be right."""
    return float(2 ** (8 * TAG - 1) / tries_a_second(rows, data) / SECONDS_A_MONTH)


@figure
def block_ms(rows: Rows, scheme: str) -> float:
    """Milliseconds of a block."""
    return float(the(rows, "cipher", what="block", scheme=scheme).ms)


@figure
def block_times(rows: Rows, scheme: str) -> float:
    """The same in times of an octet on the air."""
    return float(the(rows, "cipher", what="block", scheme=scheme).octet_times)


@figure
def operations(rows: Rows, mode: str, profile: str, data: int) -> int:
    """Block operations of a packet that is made."""
    scheme = {"auth": "Auth, Skipjack", "ae": "AE, Skipjack"}[mode]
    wanted = {"scheme": scheme, "profile": profile, "data_octets": data}
    return int(the(rows, "cipher", **wanted).operations)


@figure
def sending_uah(rows: Rows, mode: str) -> float:
    """Charge of a packet at the power that is nearest to the paper's current."""
    return 1000 * float(the(rows, "energy", stack=mode, calibrated=True).mah)


@figure
def charge(rows: Rows, mode: str, part: str) -> float:
    """Part by which that is more than without TinySec: `increase`, of it what the octets take,
    `by_octets`, and the rest, `by_computation`; with Skipjack in C `by_computation_in_c`."""
    return float(getattr(the(rows, "energy", stack=mode, calibrated=True), part))


@figure
def longer(rows: Rows, mode: str) -> float:
    """Octet times by which a packet is on its way longer than without TinySec."""
    ends = [the(rows, "trace", stack=stack, phase="to listen").end_ms for stack in (mode, "none")]
    return float(ends[0] - ends[1]) / air_ms(rows, 1)


@figure
def computing_ms(rows: Rows, mode: str) -> float:
    """How long the CPU computes while the start symbol is sent."""
    return float(the(rows, "trace", stack=mode, phase="computation").active_ms)


@figure
def takes(rows: Rows, cipher: str, memory: str) -> int:
    """Octets that TinySec takes: `flash_octets`, `ram_octets`."""
    return int(getattr(the(rows, "footprint", cipher=cipher, part="whole"), memory))


@figure
def reached(rows: Rows, keying: str) -> int:
    """Motes of three that take a packet made with the keys of a captured one."""
    return int(the(rows, "keying", keying=keying, mode="ae").reached)


@figure
def heard(rows: Rows, keying: str) -> int:
    """Neighbours of three that take a broadcast, and of two that overhear a packet."""
    row = the(rows, "keying", keying=keying, mode="ae")
    return int(row.broadcast + row.overheard)


@figure
def received(rows: Rows, stack: str, least: int, most: int) -> float:
    """What a base receives from so many senders, as a part of what it receives with the stack that
    is compared: the mean over seeds, by the verb with most of them. Raises NotMeasuredError if there
    are none."""
    found = [beside_reference(rows.get(verb, ()), stack, least, most) for verb in COUNTING]
    pairs = there(max(found, key=_seeds))
    return paired_sums(
        [own.received_each for own, _ in pairs], [other.received_each for _, other in pairs]
    ).mean


def beside_reference(
    rows: Sequence[Any], stack: str, least: int, most: int
) -> list[tuple[Any, Any]]:
    """The rows of a stack from so many to so many senders, each with that of its reference."""
    known = {(row.stack, row.senders): row for row in rows}
    return [
        (row, known[row.reference, row.senders])
        for row in rows
        if row.stack == stack and least <= row.senders <= most
        if (row.reference, row.senders) in known
    ]


def _seeds(pairs: Sequence[tuple[Any, Any]]) -> int:
    """How many there are."""
    return len(pairs[0][0].received_each) if pairs else 0


@figure
def later_ms(rows: Rows, mode: str, hops: int) -> float:
    """How much later a message arrives than without TinySec."""
    row = the(rows, "latency", stack=mode, hops=hops)
    return float(first(one for one in (row.more_ms,) if one is not None))


@figure
def slower(rows: Rows, mode: str, hops: int) -> float:
    """The same as a part of the time without TinySec."""
    return later_ms(rows, mode, hops) / float(the(rows, "latency", stack="none", hops=hops).ms)


@figure
def more_a_hop(rows: Rows, mode: str) -> float:
    """Octet times that a hop takes more, on the mean of all routes."""
    measured = [row.more_byte_times for row in rows.get("latency", ()) if row.stack == mode]
    return fmean(there([one for one in measured if one is not None]))
