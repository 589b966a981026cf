# SPDX-License-Identifier: BSD-3-Clause
"""What the coprocessor costs: the document's figures are those of the sources as they are, and not
worse than those of a core of others with the same functions."""

import re
from pathlib import Path

import pytest

from scripts.hdl_costs import CORES, DESIGNS, completed, least_product, peers, synthesized, written
from tests.hdl.test_aes128_coprocessor import CLOCKS
from tests.hdl.test_aes128_core import LATENCY

pytestmark = pytest.mark.turns(4)

MARGIN = 0.02
"""Of LUTs: yosys numbers its wires by the sources' lines, and counts differ a little with them."""


@pytest.mark.early
@pytest.mark.document
@pytest.mark.parametrize("name", ["small core", "masked core", "fast core", "small coprocessor"])
def test_the_document_has_the_cells_of_the_sources(name: str, tmp_path: Path) -> None:
    """LUTs within a margin, flip-flops and blocks of RAM likewise."""
    lut, ff, ram = (int(cell) for cell in written()[name][:3])
    cells = synthesized(DESIGNS[name], tmp_path)
    assert cells.lut == pytest.approx(lut, rel=MARGIN)
    assert cells.ff == pytest.approx(ff, rel=MARGIN)
    assert cells.ram == ram


def test_the_clocks_are_those_that_the_benches_assert() -> None:
    """In the table of designs, in the document, and in the tests of the cores and the modes."""
    assert CORES == LATENCY == CLOCKS
    for name, design in DESIGNS.items():
        assert int(written()[name][3]) == design.clocks


def test_the_headers_state_the_clocks(root: Path) -> None:
    """What the header of each core says."""
    fast = (root / "hdl/rtl/aes128_fast.vhd").read_text(encoding="utf-8")
    assert f"valid {CORES['fast']} clocks after" in fast
    bytewise = (root / "hdl/rtl/aes128_bytewise.vhd").read_text(encoding="utf-8")
    assert f"was taken: {CORES['small']} and {CORES['masked']}." in bytewise


def test_fast_keeps_the_clocks_of_the_study() -> None:
    """Fifteen clocks a block."""
    assert CORES["fast"] <= 15


def test_ours_is_not_worse_than_the_core_of_others() -> None:
    """LUT times clocks by MHz, of the core and of all the coprocessor, against a lower bound of
    theirs."""
    theirs = min(least_product(peer) for peer in peers())
    for name in ("fast core", "fast coprocessor"):
        lut, _, _, clocks, mhz = (float(cell) for cell in written()[name][:5])
        assert lut * clocks / mhz < theirs
    assert all(re.fullmatch("[0-9a-f]{40}", peer["commit"]) for peer in peers())


def test_in_a_larger_part_ours_is_not_worse_either(root: Path) -> None:
    """What was measured there follows by hand, and so does the clock that the other core would need:
    more than any that a core of either has."""
    text = (root / "docs/what-does-the-coprocessor-cost.md").read_text(encoding="utf-8")
    block = text[text.index("<!-- hdl: ecp5 -->") : text.index("<!-- hdl: ecp5 end -->")]
    rows = [line.strip("| ").split(" | ") for line in block.splitlines() if " core |" in line]
    assert [row[0] for row in rows] == [f"{core} core" for core in CORES]
    for name, *cells in rows:
        lut, _, _, clocks, mhz, us, product = map(float, cells)
        assert clocks == CORES[name.split()[0]]
        assert us == pytest.approx(clocks / mhz, abs=0.006)
        assert product == pytest.approx(lut * clocks / mhz, rel=0.002)
    need = 18_432 * 46 / float(rows[0][-1])
    assert f"would need {need:.0f} MHz to come to the {rows[0][-1]} of `fast`" in " ".join(
        text.split()
    )
    assert need > 5 * max(float(row[5]) for row in rows)


def test_cases_of_verilog_get_a_default() -> None:
    """Without one yosys would make a latch of it."""
    case = "  always @*\n    case (a)\n      1'b1: b <= c;\n    endcase\n"
    assert "      1'b1: b <= c;\n      default: b <= 'bx;\n    endcase\n" in completed(case)
