# SPDX-License-Identifier: BSD-3-Clause
"""`make mutants`: draws mutants of the stack's link, mode and store by a seed, of its net or zigbee, or of
what figures come from, and says which of them the tests notice.

What was found out about a mutant is kept in build/mutants, under a digest of the stack and of the
tests that judge it: a run that was stopped goes on where it was. Exit code 1 if the tests notice
fewer than 95 in 100 of those that are not equivalent; 2 if the unchanged sources do not pass.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from threading import Lock

from tests.mutants import figures
from tests.mutants.language import Mutant
from tests.mutants.operators import mutants
from tests.mutants.trial import (
    NETWORK,
    ROOT,
    ROUNDS,
    ZIGBEE,
    Round,
    Tree,
    TrialError,
    Verdict,
    sources,
)

HERE = Path(__file__).parent
FOLDER = ROOT / "build/mutants"
LEAST_PERCENT = 95.0
MOST_EQUIVALENT_PERCENT = 10.0


class Kept:
    """What was found out, in a file of one line each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = Lock()
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self.found: dict[str, dict[str, object]] = {
            row.pop("key"): row for row in map(json.loads, lines)
        }

    def put(self, key: str, row: dict[str, object]) -> None:
        """Keeps a finding."""
        with self.lock:
            self.found[key] = row
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"key": key, **row}) + "\n")


@dataclass(frozen=True, slots=True)
class MutantSet:
    """Mutants that are drawn together."""

    seed: int
    count: int
    parts: Callable[[], Iterable[list[Mutant]]]
    """Every mutant there is; as many are drawn of each part."""
    tree: Callable[[Path], Tree]
    rounds: tuple[Round, ...]
    equivalent: Path
    """Arguments about mutants that do what the source does."""
    kind: Callable[[Mutant], str]
    """What the lines of the report are about."""


STACK = MutantSet(
    seed=12,
    count=100,
    parts=lambda: [population(sources())],
    tree=Tree,
    rounds=ROUNDS,
    equivalent=HERE / "equivalent.toml",
    kind=lambda mutant: mutant.operator,
)
SETS = {
    "stack": STACK,
    "net": replace(
        STACK,
        seed=15,
        parts=lambda: [population(sources(NETWORK))],
        equivalent=HERE / "equivalent_net.toml",
    ),
    "zigbee": replace(
        STACK,
        seed=16,
        count=60,
        parts=lambda: [population(sources(ZIGBEE))],
        equivalent=HERE / "equivalent_zigbee.toml",
    ),
    "figures": MutantSet(
        seed=13,
        count=60,
        parts=figures.parts,
        tree=figures.FigureTree,
        rounds=figures.ROUNDS,
        equivalent=HERE / "equivalent_figures.toml",
        kind=lambda mutant: figures.part_of(mutant.path),
    ),
}


@cache
def of_room(digest: Callable[[str], str], room: str) -> str:
    """`digest`, once."""
    return digest(room)


def key_of(what: str, mutant: Mutant, more: str) -> str:
    """Under which a finding about a mutant is kept."""
    return sha256(f"{what} {mutant.identity} {more}".encode()).hexdigest()[:32]


def population(paths: Iterable[str]) -> list[Mutant]:
    """Every mutant of the stack there is."""
    return [mutant for path in paths for mutant in mutants(path, (ROOT / path).read_bytes())]


def drawn(tree: Tree, kept: Kept, all_: Sequence[Mutant], seed: int, wanted: int) -> list[Mutant]:
    """The first mutants of a seed whose object code is neither that of the source nor that of one
    drawn before."""
    chosen: list[Mutant] = []
    seen: dict[str, set[str]] = {}
    for mutant in sorted(all_, key=lambda mutant: mutant.place(seed)):
        if len(chosen) == wanted:
            break
        marks = seen.setdefault(mutant.path, {mark(tree, kept, mutant, unchanged=True)})
        code = mark(tree, kept, mutant)
        if code and code not in marks:
            chosen.append(mutant)
        marks.add(code)
    return chosen


def mark(tree: Tree, kept: Kept, mutant: Mutant, *, unchanged: bool = False) -> str:
    """A digest of the object code of a mutant, or of its source unchanged; empty if there is
    none."""
    key = key_of(
        "source" if unchanged else "code", mutant, of_room(tree.digest, tree.room_of(mutant.path))
    )
    if key not in kept.found:
        if unchanged:
            code = tree.code(mutant.path)
        else:
            with tree.changed(mutant):
                code = tree.code(mutant.path)
        kept.put(key, {"mark": "" if code is None else sha256(code).hexdigest()})
    return str(kept.found[key]["mark"])


def usual(
    tree: Tree, kept: Kept, rooms: Iterable[str], turn: Round
) -> dict[tuple[str, str], float]:
    """How long a round of the rooms takes without a defect."""
    found: dict[tuple[str, str], float] = {}
    for room in rooms:
        key = sha256(f"usual {turn} {of_room(tree.digest, room)}".encode()).hexdigest()[:32]
        if key not in kept.found:
            kept.put(key, {"seconds": tree.unchanged(turn, room)})
        found[turn.name, room] = float(str(kept.found[key]["seconds"]))
    return found


def judged(
    trees: Sequence[Tree], kept: Kept, chosen: Sequence[Mutant], rounds: Sequence[Round]
) -> list[Verdict]:
    """What comes of each, several at a time, round by round; a line of progress for each."""
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(mutant: Mutant, turn: Round) -> Verdict:
        digest = of_room(trees[0].digest, trees[0].room_of(mutant.path))
        key = key_of(f"verdict {turn}", mutant, digest)
        if key not in kept.found:
            tree = free.get()
            try:
                kept.put(key, asdict(tree.judge(mutant, turn)))
            finally:
                free.put(tree)
            found = kept.found[key]
            sys.stderr.write(
                f"{mutant.name} {turn.name}: {found['what']}, {found['seconds']} s: {found['by']}\n"
            )
        found = kept.found[key]
        return Verdict(found["what"], str(found["by"]), float(str(found["seconds"])))  # type: ignore[arg-type]

    verdicts: dict[str, Verdict] = {}
    with ThreadPoolExecutor(len(trees)) as pool:
        for turn in rounds:
            left = [
                mutant
                for mutant in chosen
                if mutant.name not in verdicts or verdicts[mutant.name].what == "survived"
            ]
            seconds = usual(
                trees[0], kept, sorted({trees[0].room_of(mutant.path) for mutant in left}), turn
            )
            for tree in trees:
                tree.seconds |= seconds
            found = pool.map(partial(one, turn=turn), left)
            verdicts |= zip((mutant.name for mutant in left), found, strict=True)
    return [verdicts[mutant.name] for mutant in chosen]


def equivalent(path: Path, all_: Sequence[Mutant]) -> dict[str, str]:
    """The arguments by the names of the mutants; raises TrialError for one about no mutant."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", [])
    there = {(mutant.name, mutant.path) for mutant in all_}
    for row in rows:
        if (row["mutant"], row["path"]) not in there:
            raise TrialError(f"{path.name}: {row['path']} has no mutant {row['mutant']} any more")
    return {row["mutant"]: row["why"] for row in rows}


def shown(mutant: Mutant) -> str:
    """A mutant in one line."""
    old, new = (" ".join(words.split()) for words in (mutant.old, mutant.new))
    where = f"{mutant.path}:{mutant.line} {mutant.function}"
    return f"{mutant.name} {where}: {mutant.operator}: `{old}` -> `{new}` in `{mutant.before}`"


def report(
    rows: Sequence[tuple[Mutant, Verdict]],
    argued: dict[str, str],
    seed: int,
    kind: Callable[[Mutant], str] = lambda mutant: mutant.operator,
) -> Iterator[str]:
    """A table by operator or another kind, those that survived, and the sum."""
    yield f"{'':<14}{'drawn':>7}{'noticed':>9}{'equivalent':>12}{'survived':>10}"
    what: Counter[tuple[str, str]] = Counter()
    for mutant, verdict in rows:
        same = verdict.what == "survived" and mutant.name in argued
        what[kind(mutant), "equivalent" if same else verdict.what] += 1
    columns = ("noticed", "equivalent", "survived")
    kinds = sorted({name for name, _ in what})
    for name in kinds:
        counts = [what[name, column] for column in columns]
        yield f"{name:<14}{sum(counts):>7}{counts[0]:>9}{counts[1]:>12}{counts[2]:>10}"
    for mutant, verdict in rows:
        if verdict.what == "survived":
            yield f"{'equivalent' if mutant.name in argued else 'survived'}: {shown(mutant)}"
    noticed, ours, survived = (sum(what[name, column] for name in kinds) for column in columns)
    counted = noticed + survived
    yield (
        f"seed {seed}: {counted + ours} drawn, {ours} equivalent, {noticed} of {counted} noticed: "
        f"{100 * noticed / max(1, counted):.1f} %"
    )


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line's words."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--set", choices=tuple(SETS), default="stack", help="what is changed")
    parser.add_argument("--count", type=int, help="mutants that are drawn")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=1, help="mutants tested at a time")
    parser.add_argument("--operators", default="", help="names, with commas: these alone")
    parser.add_argument("--files", default="", help="a part of the paths that are changed")
    parser.add_argument("--rounds", type=int, help="rounds of tests")
    parser.add_argument("--only", default="", help="names of mutants, with commas: these alone")
    parser.add_argument("--list", action="store_true", help="print what is drawn, and end")
    given = parser.parse_args(arguments)
    chosen = SETS[given.set]
    given.count = chosen.count if given.count is None else given.count
    given.seed = chosen.seed if given.seed is None else given.seed
    return given


def choose(
    given: argparse.Namespace, tree: Tree, kept: Kept, parts: Sequence[Sequence[Mutant]]
) -> list[Mutant]:
    """Those that are named, or as many of each part as the command line says together."""
    only, operators = (
        set(filter(None, words.split(","))) for words in (given.only, given.operators)
    )
    if only:
        return [mutant for part in parts for mutant in part if mutant.name in only]
    some = [
        [
            one
            for one in part
            if given.files in one.path and (not operators or one.operator in operators)
        ]
        for part in parts
    ]
    some = [part for part in some if part]
    found: list[Mutant] = []
    for number, part in enumerate(some):
        sys.stderr.write(f"{len(part)} mutants there are\n")
        wanted = given.count * (number + 1) // len(some) - given.count * number // len(some)
        found += drawn(tree, kept, part, given.seed, wanted)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    given = parsed(arguments)
    what = SETS[given.set]
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = Kept(FOLDER / "kept.jsonl")
    parts = list(what.parts())
    try:
        argued = equivalent(what.equivalent, [mutant for part in parts for mutant in part])
        trees = [what.tree(FOLDER / f"{given.set}-{number}") for number in range(given.jobs)]
        for tree in trees:
            tree.prepare()
        chosen = choose(given, trees[0], kept, parts)
        if given.list:
            sys.stdout.write("".join(f"{shown(mutant)}\n" for mutant in chosen))
            return 0
        verdicts = judged(trees, kept, chosen, what.rounds[: given.rounds])
        both = zip(chosen, verdicts, strict=True)
        found = [(mutant, verdict) for mutant, verdict in both if verdict.what != "no code"]
    except TrialError as error:
        sys.stderr.write(f"mutants: {error}\n")
        return 2
    sys.stdout.write("\n".join(report(found, argued, given.seed, what.kind)) + "\n")
    survived = [mutant for mutant, verdict in found if verdict.what == "survived"]
    ours = sum(mutant.name in argued for mutant in survived)
    counted = len(found) - ours
    enough = 100 * (len(found) - len(survived)) >= LEAST_PERCENT * counted
    return int(not enough or 100 * ours > MOST_EQUIVALENT_PERCENT * len(found))


if __name__ == "__main__":
    sys.exit(main())
