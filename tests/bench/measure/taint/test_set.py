# SPDX-License-Identifier: BSD-3-Clause
"""Sixty functions, half of them by somebody who has not seen the engine: each that leaks is found,
and none that does not.

A file begins with lines `// NAME: VALUE`: first `leaky` or `clean` with the reason, then `call` (the
prototype), `secret` (parameters), `arg` (a value, any number of lines), and `on`: the CPUs on which it
leaks, where it does not leak on all of them."""

from collections import defaultdict
from pathlib import Path

import pytest

from wardmote.cpus import MEASURED
from wardmote.measurements.function.api import measure
from wardmote.measurements.function.rows import MeasureRow

HERE = Path(__file__).parent
CPUS = tuple(MEASURED)
FILES = sorted((*HERE.glob("blind/*.c"), *HERE.glob("own/*.c")))
RUNS = 2
LEAKY = {
    # What sampling cannot see, and where following must.
    ("rare_pin", "branch"), ("sign_skip", "branch"), ("late_use", "branch"),
    ("pointer_chain", "address"), ("write_index", "address"), ("divide_software", "branch"),
}  # fmt: skip


def head(file: Path) -> dict[str, list[str]]:
    """The lines at the begin of a file by name."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").split("#include")[0].splitlines():
        name, colon, value = line.removeprefix("// ").partition(": ")
        if line.startswith("// ") and colon:
            found[name].append(value.strip())
    return found


def rows(file: Path) -> list[MeasureRow]:
    """What the function shows on every CPU."""
    lines = head(file)
    secrets = [name.strip() for name in lines["secret"][0].split(",")]
    args = [*(f"{name}=random:secret" for name in secrets), *lines["arg"]]
    return measure(file, lines["call"][0], args=args, cpus=CPUS, runs=RUNS)


def test_half_of_sixty_leak() -> None:
    """One clean one of them leaks on the MSP430, by its compiler."""
    labels = ["leaky" in head(file) for file in FILES]
    assert len(FILES) == 60
    assert sum(labels) == 31
    assert all(("leaky" in lines) != ("clean" in lines) for lines in map(head, FILES))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_leaks_is_found_and_nothing_else(file: Path) -> None:
    """On each CPU."""
    lines = head(file)
    leaky = set(" ".join(lines["on"]).split() or CPUS) if "leaky" in lines else set()
    found = {row.cpu: row for row in rows(file)}
    assert {cpu: row.failure for cpu, row in found.items()} == dict.fromkeys(CPUS)
    assert {cpu for cpu, row in found.items() if row.no_dependence is False} == leaky
    for row in found.values():
        # What the samples prove, following has seen too.
        assert row.constant_time or not row.no_dependence
        for one in row.dependences:
            assert set(one.secrets) <= set(row.secrets)
            assert one.secrets


@pytest.mark.parametrize(("stem", "kind"), sorted(LEAKY))
def test_the_place_has_kind_and_line(stem: str, kind: str) -> None:
    """Of the functions of which sampling sees nothing."""
    file = next(file for file in FILES if file.stem == stem)
    for row in rows(file):
        shown = [one for one in row.dependences if one.kind == kind]
        if stem == "divide_software":
            expected = "time" if row.cpu in ("armv7m", "cortex-m4") else "branch"
            assert expected in {one.kind for one in row.dependences}
        else:
            assert any(one.source.startswith(f"{file.name}:") for one in shown), row.cpu
