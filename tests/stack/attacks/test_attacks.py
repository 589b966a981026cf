# SPDX-License-Identifier: BSD-3-Clause
"""The attacks of this folder fail, on this machine under the sanitizers and on a big-endian one; with
the old defect put back each of them works."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.fuzz.test_targets import DEFECTS, Defect

HERE = Path(__file__).parent
INCLUDES = ("stack/include", "stack/src/link", "tests/stack/link", "tests/stack/store")
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
HOLDS, WORKED = 0, 1
"""Exit codes of an attack; attack.h has a third one, of an attack that means nothing."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where attacks run: with which objects of `make stack`, and how."""

    objects: str
    compiler: tuple[str, ...]
    run: tuple[str, ...] = ()


MACHINES = {
    "host": Machine("sanitized", ("gcc", "-O1", "-g", "-fsanitize=address,undefined")),
    "powerpc": Machine("powerpc", ("powerpc-linux-gnu-gcc", "-O1", "-static"), ("qemu-ppc",)),
}
FUZZED = {defect.what: defect for defect in DEFECTS}
defect_of = partial(Defect, "attack")
WORKS_WITH: tuple[tuple[str, *tuple[Defect, ...]], ...] = (
    # Two checks stand in the way; each is enough.
    (
        "ack_of_another_pan",
        FUZZED["a neighbour in another PAN answers"],
        FUZZED["a link key answers for any device"],
    ),
    ("counter_without_mic", FUZZED["a counter without MIC is believed"]),
    (
        "far_beacon",
        defect_of(
            "a beacon of any ASN is believed",
            "link/tsch_admit.c",
            "|| wm_asn_less(tsch->config.join_asn_max, job->asn)",
            "",
        ),
    ),
    ("not_restored", FUZZED["what was not restored goes on"]),
    ("not_restored", FUZZED["an ASN need not be restored"]),
    *(
        (
            "order_of_octets",
            defect_of(
                "halves as a little-endian CPU loads them",
                f"cipher/{source}.c",
                '#include "aes128_halves.h"',
                '#undef __BYTE_ORDER__\n#include "aes128_halves.h"',
            ),
        )
        for source in ("aes128_small", "aes128_small_decrypt")
    ),
    ("second_start", FUZZED["a node starts twice"]),
    (
        "slots_left_zero",
        defect_of(
            "a slot that nobody gave is the store's first",
            "link/security_procedures.c",
            "(uint8_t)(slot - 1u);",
            "(uint8_t)(slot - (slot != 0));",
        ),
        defect_of(
            "a counter without a slot counts",
            "link/security_procedures.c",
            "pib->store != NULL && slot != 0 &&",
            "pib->store != NULL &&",
        ),
    ),
    (
        "slots_left_zero",
        defect_of(
            "a table whose counters have no slots is accepted",
            "link/security_slots.c",
            "if (slot == WM_SLOT_VOLATILE) {",
            "if (slot == WM_SLOT_VOLATILE || slot == 0) {",
        ),
    ),
)
"""An attack, and the defects of one source with which it works."""
CASES = [
    pytest.param(
        attack, defects, id=f"{attack}: {defects[0].what} ({Path(defects[0].source).stem})"
    )
    for attack, *defects in WORKS_WITH
]


def with_defects(root: Path, folder: Path, defects: Sequence[Defect]) -> Path:
    """A source with these defects."""
    (source,) = {root / "stack/src" / defect.source for defect in defects}
    text = source.read_text(encoding="utf-8")
    for defect in defects:
        assert text.count(defect.old) == 1, f"{source} has not one `{defect.old}`"
        text = text.replace(defect.old, defect.new)
    changed = folder / source.name
    changed.write_text(text, encoding="utf-8")
    return changed


def run(
    root: Path, folder: Path, machine: Machine, attack: str, defects: Sequence[Defect] = ()
) -> int:
    """The attack's exit code on the stack, or on one with defects."""
    built = root / "build/stack/obj" / machine.objects
    parts = [path.relative_to(root / "stack") for path in root.glob("stack/src/*/*.c")]
    parts += [path.relative_to(root) for path in root.glob("tests/stack/*/*_double.c")]
    objects = [(built / path).with_suffix(".o") for path in parts]
    includes = [f"-I{root / name}" for name in INCLUDES]
    sources = [HERE / f"{attack}.c"]
    if defects:
        sources.append(with_defects(root, folder, defects))
        source = Path("src") / defects[0].source
        includes.append(f"-I{(root / 'stack' / source).parent}")
        objects.remove((built / source).with_suffix(".o"))
    if missing := [path for path in objects if not path.is_file()]:
        pytest.fail(f"{missing[0]} is missing: run `make stack`")
    flags = ("-std=c11", "-w") if defects else WARNINGS
    program = folder / attack
    command = (*machine.compiler, *flags, *includes, *sources, *objects, "-o", program)
    subprocess.run(command, check=True)
    return subprocess.run((*machine.run, program), check=False).returncode


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("attack", sorted(path.stem for path in HERE.glob("*.c")))
def test_an_attack_fails(root: Path, tmp_path: Path, attack: str, machine: str) -> None:
    """The stack refuses what the attack needs."""
    assert run(root, tmp_path, MACHINES[machine], attack) == HOLDS


@pytest.mark.parametrize(("attack", "defects"), CASES)
def test_an_attack_works_with_the_defect(
    root: Path, tmp_path: Path, attack: str, defects: Sequence[Defect]
) -> None:
    """The same program tells the stack from one with the defect."""
    assert run(root, tmp_path, MACHINES["powerpc"], attack, defects) == WORKED


def test_every_attack_has_its_defect() -> None:
    """An attack that no defect helps would prove nothing."""
    assert {attack for attack, *_ in WORKS_WITH} == {path.stem for path in HERE.glob("*.c")}
