# SPDX-License-Identifier: BSD-3-Clause
"""The table of `make packages`: what stands in the document, and what it is made of."""

import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from bench.targets.packages import CPUS, LACKING, PACKAGES, cycles, lines, printed
from wardmote.measurements.function.rows import MeasureRow
from wardmote.published import load


def row(cpu: str, **said: Any) -> MeasureRow:
    """A row that says this and nothing else."""
    nothing: dict[str, Any] = dict.fromkeys(field.name for field in fields(MeasureRow))
    return MeasureRow(**nothing | {"cpu": cpu, "operation": "f", **said})


@pytest.fixture(scope="module")
def table(root: Path) -> list[list[str]]:
    """The cells of the table in the document."""
    page = (root / "docs" / "i-come-from-pqm4.md").read_text()
    text = page.partition("<!-- wardmote: packages -->")[2].partition("<!-- wardmote: end -->")[0]
    found = [line for line in text.splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found]


def test_document_has_every_cpu(table: list[list[str]]) -> None:
    """Each package has a row for each CPU, in their order, with the pinned version."""
    for package in PACKAGES:
        origin = package.sources[0]
        what = f"{package.name}, {origin.registry} {origin.package} {origin.package_version}"
        assert tuple(cells[2] for cells in table if cells[0].startswith(what)) == CPUS


def test_document_has_what_others_print(table: list[list[str]]) -> None:
    """Each published figure stands in the row of its CPU."""
    for figure in load("packages")["figure"]:
        assert figure["source"] in load("packages")["source"]
        said = printed(figure["package"], figure["cpu"], without=figure.get("without", False))
        assert said in {cells[-1] for cells in table if cells[2] == figure["cpu"]}


def test_without_the_hash_the_cortex_m4_agrees_with_a_chip(table: list[list[str]]) -> None:
    """Key generation of ML-KEM-512 outside its hash: pqm4's board and the slow end of the estimate
    differ by less than 5 %."""
    [(ours, said)] = [(cells[3], cells[-1]) for cells in table if cells[0].startswith("… without")]
    [theirs] = re.findall(r"^(\d+):", said)
    assert abs(int(ours) / int(theirs) - 1) < 0.05


def test_failures_and_wrong_outputs_are_said() -> None:
    """A CPU that fails has the reason in place of cycles; wrong outputs are called so."""
    package = replace(PACKAGES[0], hashing=False)
    failed = row("msp430", failure="f: PC 0x0192 (f+0x36), cycle 64: the stack is full")
    wrong = row("cortex-m0plus", cycles_median=7, disagreement="p is 1 on host, 2 on avr")
    band = row("cortex-m4", cycles_median=7, cycles_median_low=5)
    first, second, third = lines(package, [failed, wrong, band])
    assert first.endswith("| – |  |  | fails: the stack is full |")
    assert "| 7 |" in second
    assert second.endswith("outputs are wrong: not those of this machine |")
    assert "| 5–7 |" in third
    assert cycles(band) == "5–7"


def test_packages_are_pinned() -> None:
    """Every source has a hash; what is linked beside it is here."""
    for package in PACKAGES:
        for source in package.sources:
            assert re.fullmatch(r"[0-9a-f]{64}", source.sha256)
        assert all((LACKING / name).is_file() for name in package.beside)
