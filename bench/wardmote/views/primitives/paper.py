# SPDX-License-Identifier: BSD-3-Clause
"""Formats the comparison with the paper's tables, and its recommendations."""

from collections.abc import Sequence

from wardmote.measurements.primitives.printed import BOARD
from wardmote.study.primitives.choice_paper import RecommendationRow
from wardmote.study.primitives.paper import PaperRow, datasheet_currents_ma, printed_currents_ma
from wardmote.views.columns import Fields
from wardmote.views.table import Column, to_markdown
from wardmote.views.text import bullets, by, label

REGIME_WORDS = {
    "operation": "the operation alone",
    "message": "a message under a key that is set up",
    "key": "a message with a new key",
}
SET_WORDS = {
    "paper": "what the paper measured",
    "all": "all of ours",
    "without Ascon": "all of ours but Ascon",
    "constant time": "what shows no secret",
}


KEPT_OCTETS = {"blake2s": 64, "keccak": 136}
"""Octets of a block, up to which update only copies."""
BOARD_NAMES = {"telosb": "TelosB", "edison": "Edison"}
_of, _judged = Fields(PaperRow), Fields(RecommendationRow)


def verdict(row: PaperRow) -> str:
    """Whether the limit is met."""
    return {True: "met", False: "not met", None: ""}[row.met]


def _what(row: PaperRow) -> str:
    return f"{row.operation}{' with a' if row.a_octets else ''}"


def _printed(row: PaperRow) -> str:
    return f"{row.printed:g} ± {row.printed_error:g}"


COMMON: tuple[Column[PaperRow], ...] = (
    _of.number("table", rank=0),
    _of.word("name", rank=0),
    Column("ours", label, text=True),
    Column("operation", _what, text=True, rank=0),
    Column("octets", lambda row: str(row.octets or ""), rank=0),
)
TELOSB: tuple[Column[PaperRow], ...] = (
    *COMMON,
    Column("unit", lambda row: {"uj": "µJ"}.get(row.unit, row.unit), text=True, rank=0),
    Column("printed", _printed, rank=0),
    _of.number("8 MHz", "ours_8mhz", 3, rank=0),
    _of.number("x", "ratio_8mhz", 2, rank=0),
    _of.number("4.19 MHz", "ours_4_19mhz", 3, rank=3),
    _of.number("x ", "ratio_4_19mhz", 2, rank=3),
    Column("limit", verdict, text=True, rank=2),
)
EXACT: tuple[Column[PaperRow], ...] = (
    *COMMON,
    Column(
        "unit",
        lambda row: {"us": "µs", "j": f"J of {row.printed_repeats}"}[row.unit],
        text=True,
        rank=0,
    ),
    Column("printed", _printed, rank=0),
    _of.number("µJ of one", "printed_uj", 2, rank=3),
    _of.number("instructions", rank=0),
    _of.number("to the first: printed", "printed_relative", 2, rank=3),
    _of.number("instructions ", "instructions_relative", 2, rank=3),
)
"""Columns that are the same on every machine."""
EDISON: tuple[Column[PaperRow], ...] = (
    *EXACT,
    _of.number("time", "time_relative", 2, rank=4),
    _of.number("ours µs", "ours_us", 3, rank=2),
    Column(
        "quartiles",
        lambda row: "" if row.ours_us is None else f"{row.ours_us_low:.3f}–{row.ours_us_high:.3f}",
        rank=5,
    ),
)


def of(rows: Sequence[PaperRow], board: str) -> list[PaperRow]:
    """Rows of one of the paper's boards."""
    return [row for row in rows if row.board == board]


def reasons(rows: Sequence[PaperRow]) -> list[str]:
    """Each reason once, with its tables and names."""
    places = {
        why: dict.fromkeys(f"Table {row.table} {row.name}" for row in own)
        for why, own in by(rows, lambda row: row.why).items()
        if why
    }
    return [f"{'; '.join(names)}: {why}" for why, names in places.items()]


def keeps_all(row: PaperRow) -> bool:
    """Whether this is an update of ours that processes no block: it keeps a whole last block for
    final, so that it does less than the printed one."""
    return row.operation == "update" and row.octets <= KEPT_OCTETS.get(row.name, 0)


def answer(rows: Sequence[PaperRow]) -> str:
    """Counts the figures and the met limits, and names the others."""
    limited = [row for row in rows if row.met is not None]
    late = [row for row in limited if not row.met]
    compared = [row for row in rows if row.primitive]
    lines = [f"{len(rows)} printed figures, {len(compared)} of them with ours beside."]
    if limited:
        names = "; ".join(
            dict.fromkeys(f"{label(row)} {row.operation} (Table {row.table})" for row in late)
        )
        lines.append(
            f"Of {len(limited)} times of a TelosB, {len(limited) - len(late)} are at most half the "
            "printed one at 8 MHz and at most the printed one at 4.19 MHz"
            f"{'; not: ' if late else ''}{names}."
        )
        if idle := sum(map(keeps_all, limited)):
            lines.append(
                f"{idle} of them prove nothing: in these updates of hashes ours keeps every octet for "
                "final, and theirs does not."
            )
    return "\n".join(lines)


def currents() -> str:
    """What the printed energy and the CPU's current at each clock have to do with each other."""
    printed = ", ".join(f"{name} {ma:.2f} mA" for name, ma in printed_currents_ma().items())
    ours = " and ".join(
        f"{current:.2f} mA at {clock:g} MHz and {volts:g} V"
        for (clock, volts), current in datasheet_currents_ma().items()
    )
    return (
        f"Table 6 over Table 5 and 3 V: {printed}. The datasheet's current of the CPU alone is "
        f"{ours}: the printed ones are nearer to the lower clock. The paper names 8 MHz for the "
        "microcontroller, and no clock where it measures."
    )


def telosb_block(rows: Sequence[PaperRow]) -> str:
    """Tables 3 to 13, with the reasons for missed limits."""
    own = of(rows, BOARD)
    why = bullets([*reasons(own), currents()])
    return f"{to_markdown(own, TELOSB)}\n{answer(own)}\n\n{why}"


def edison_block(rows: Sequence[PaperRow]) -> str:
    """Tables 14 to 25, in figures that are the same on every machine."""
    own = of(rows, "edison")
    return f"{to_markdown(own, EXACT)}\n{bullets(reasons(own))}"


def edison_time_block(rows: Sequence[PaperRow]) -> str:
    """Tables 14 to 25, in times of this machine."""
    return to_markdown([row for row in of(rows, "edison") if row.ours_us is not None], EDISON)


RECOMMENDATIONS: tuple[Column[RecommendationRow], ...] = (
    Column("board", lambda row: BOARD_NAMES[row.board], text=True),
    _judged.word("the paper recommends", "text"),
    Column("against", lambda row: SET_WORDS[row.allowed], text=True),
    Column("counted", lambda row: REGIME_WORDS[row.regime], text=True),
    Column("holds", lambda row: "yes" if row.holds else "no", text=True),
    Column("at sizes", lambda row: row.held or "none", text=True),
    Column("of", lambda row: f"{row.from_octets} to {row.to_octets}"),
    _judged.number("at", "at_octets"),
    _judged.number("its cost", "recommended_cost"),
    _judged.word("other"),
    _judged.number("cost", "other_cost"),
    _judged.number("x", "ratio", 2),
)


def recommendations_answer(rows: Sequence[RecommendationRow]) -> str:
    """One sentence for each recommendation: whether it holds in each set."""
    lines = []
    for (board, text), own in by(rows, lambda row: (row.board, row.text)).items():
        judged = by(own, lambda row: row.allowed)
        # A primitive that is not in a set has no rows for it.
        said = [
            f"against {SET_WORDS[allowed]} it {_judgement(judged[allowed])}"
            if allowed in judged
            else f"it is not among {SET_WORDS[allowed]}"
            for allowed in ("paper", "all", "constant time")
        ]
        lines.append(f"{BOARD_NAMES[board]}, {text}: {'; '.join(said)}.")
    return bullets(lines)


def _judgement(judged: Sequence[RecommendationRow]) -> str:
    """Whether it holds as the paper counts, with the costs at the length with the largest ratio, and
    then as others count."""
    own, *rest = judged
    text = (
        f"{_verdict(own)} for {REGIME_WORDS[own.regime]} ({own.at_octets} octets: "
        f"{own.recommended} {own.recommended_cost}, {own.other} {own.other_cost} {own.unit})"
    )
    said = [f"{_verdict(row)} for {REGIME_WORDS[row.regime]}" for row in rest]
    return " and ".join([text, *said])


def _verdict(row: RecommendationRow) -> str:
    return "holds" if row.holds else "does not hold"
