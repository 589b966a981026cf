# SPDX-License-Identifier: BSD-3-Clause
"""How long a request and its answer take over a chain of motes, in clear, under link security, under
IPsec and under both; and where the time goes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any

from wardmote.boards import BOARDS, Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.experiments.ipsec.network import (
    FRAME_OPEN,
    FRAME_SEAL,
    SECURE,
    UNSECURE,
    Chain,
    Exchange,
    ran,
)

RUNS = 10
"""The paper's, of each experiment."""
MANY = 40
"""Of those whose times over hops are compared to a fraction of a millisecond."""
LENGTHS, HOPS, ENDS = (16, 32, 64, 128, 256, 512), (1, 2, 3, 4), (16, 512)
LINK_LEVEL = 7
"""ENC-MIC-128, which is the paper's AES-CCM-128."""
PROTECTIONS = (
    ("", 0),
    ("", LINK_LEVEL),
    *((suite, level) for suite in ("AH XCBC", "ESP CTR+XCBC") for level in (0, LINK_LEVEL)),
)
"""Suite of IPsec, and level of link security."""
OTHERS = ("AH SHA1", "ESP CBC+SHA1", "ESP CCM-8", "AH XCBC, ESP CTR+XCBC")
"""Suites that are run with the longest datagram over one hop."""
ENGINE = ("AH XCBC", "ESP CTR+XCBC", "ESP CCM-8")
"""Suites that are run over one hop with AES in the radio too."""
AHEAD = ("AH XCBC", "ESP CTR+XCBC")
"""Suites that are run over one hop with IPsec at work while fragments come in and go out too."""
SAME = ("board", "data_octets", "hops", "border_baud")
"""What a row has in common with that in clear."""
BAUD = 115_200
"""Of the serial line of a border mote."""
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ResponseRow(Chain):
    """A request and its answer: means of some runs, each less the time by which its back-offs, which
    are random, were longer in all than their mean. What a border mote's line hides is not random, so
    there nothing is taken off."""

    clock_hz: int
    runs: int
    frames: int
    """Of data in all, on all hops, in the run with the fewest."""
    response_ms: float
    error_ms: float
    """Standard error of that mean."""
    spread_ms: float
    """Between the shortest and the longest, back-offs as they were drawn."""
    air_ms: float
    """Of that, somebody sends."""
    mac_ms: float
    """What radio and MAC take beside, as the standard has it: back-offs of mean length, assessments,
    turnarounds, spaces."""
    cpu_ms: float
    """The last mote's CPU works for the exchange."""
    ipsec_ms: float
    """Of that, IPsec."""
    link_ms: float
    """Of that, link security of frames."""
    plain_ms: float
    """The same without any security."""
    added_ms: float
    interval_ms: float
    """That is the mean's distance from the limits of its interval of 95 %; of what follows too."""
    added_air_ms: float
    beyond_air_ms: float
    """Added, less what is added on the air: it has back-offs, spaces and turnarounds of more frames
    in it."""
    added_mac_ms: float
    beyond_mac_ms: float
    """Less these, too."""
    added_cpu_ms: float
    """Of the last mote: the same in every run."""
    added_part: float
    """Of the response time in clear."""
    wardmote: str
    commit: str


def cases(board: Board, seed: int) -> list[Chain]:
    """Fig. 9: all lengths over one hop and four. Fig. 10: two lengths over each number of hops. By a
    border mote: all lengths over one hop."""
    places = [(n, hops) for hops in (1, HOPS[-1]) for n in LENGTHS]
    places += [(n, hops) for hops in HOPS[1:-1] for n in ENDS]
    asked = [(suite, level, *place) for place in places for suite, level in PROTECTIONS]
    asked += [(suite, 0, LENGTHS[-1], 1) for suite in OTHERS]
    by_engine = [(suite, 0, n, 1) for suite in ENGINE for n in LENGTHS]
    by_pieces = [(suite, 0, n, 1) for suite in AHEAD for n in LENGTHS]
    near = [(suite, level, n, 1) for n in LENGTHS for suite, level in PROTECTIONS]
    kinds = (
        (asked, False, False, 0),
        (by_engine, True, False, 0),
        (by_pieces, False, True, 0),
        (by_pieces, True, True, 0),
        (near, False, False, BAUD),
        ([one for one in near if one[0] and not one[1]], False, True, BAUD),
    )
    return [
        Chain(board.name, *one, engine=engine, ahead=ahead, seed=seed, border_baud=baud)
        for them, engine, ahead, baud in kinds
        for one in them
    ]


def measure(case: Chain, artefacts: Artefacts) -> Figures:
    """Means over the runs."""
    runs = MANY if compared(case) else RUNS
    found = ran(case, artefacts, runs)
    clock_hz = BOARDS[case.board].clock_hz
    drawn = [one.ms for one in found]
    times = [one.ms - (0 if case.border_baud else one.chance_ms) for one in found]
    return {
        **{"clock_hz": clock_hz, "runs": runs},
        "frames": min(one.frames for one in found),
        "response_ms": fmean(times),
        "error_ms": stdev(times) / sqrt(runs),
        "spread_ms": max(drawn) - min(drawn),
        "air_ms": fmean(one.air_ms for one in found),
        "mac_ms": fmean(one.mac_ms for one in found),
        "cpu_ms": cpu_ms(found, clock_hz),
        "ipsec_ms": cpu_ms(found, clock_hz, UNSECURE, SECURE),
        "link_ms": cpu_ms(found, clock_hz, FRAME_OPEN, FRAME_SEAL),
    }


def compared(case: Chain) -> bool:
    """Whether its times over each number of hops are set side by side."""
    odd = case.level or case.engine or case.ahead or case.border_baud
    return not odd and case.data_octets in ENDS


def sure(error_ms: float, runs: int) -> float:
    """Half of the interval of 95 % around a mean with this standard error: Student's distribution, by
    the first terms of its expansion around the normal one."""
    z, free = NormalDist().inv_cdf(0.975), runs - 1
    more = (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    return error_ms * (z + more)


def cpu_ms(found: Sequence[Exchange], clock_hz: int, *phases: int) -> float:
    """Mean time of some phases, or of all."""
    cycles = fmean(
        sum(one.phases[n] for n in phases) if phases else sum(one.phases) for one in found
    )
    return 1000 * cycles / clock_hz


def gathered(values: Sequence[Values]) -> Iterator[Values]:
    """Each beside the same in clear."""
    plain = {
        tuple(one[name] for name in SAME): one
        for one in values
        if not one["suite"] and not one["level"]
    }
    for one in values:
        bare = plain[tuple(one[name] for name in SAME)]
        added, air, mac, cpu = (
            one[name] - bare[name] for name in ("response_ms", "air_ms", "mac_ms", "cpu_ms")
        )
        error = 0.0 if one is bare else hypot(one["error_ms"], bare["error_ms"])
        numbers = {
            **{name: one[name] for name in one if name.endswith("_ms")},
            **{"plain_ms": bare["response_ms"], "added_ms": added, "added_air_ms": air},
            **{"interval_ms": sure(error, min(one["runs"], bare["runs"]))},
            **{"beyond_air_ms": added - air, "added_mac_ms": mac, "added_cpu_ms": cpu},
            "beyond_mac_ms": added - air - mac,
        }
        rounded = {name: round(value, 3) for name, value in numbers.items()}
        yield {**one, **rounded, "added_part": round(added / bare["response_ms"], 4)}
