# SPDX-License-Identifier: BSD-3-Clause
"""What link security takes: less the more hardware does, within what the paper prints, and stack as
measured."""

from pathlib import Path

import pytest

from tests.bench.footprints import measured
from wardmote.boards import SLOT_BOARDS
from wardmote.elf import read
from wardmote.measurements.footprint import stack
from wardmote.measurements.footprint.measure import taken
from wardmote.measurements.footprint.rows import FootprintRow
from wardmote.measurements.slot.setting import ASH_FORMS, all_settings
from wardmote.views.footprint_figure import footprint_figure

# One worker, so measured once.
pytestmark = pytest.mark.xdist_group("footprint")


@pytest.fixture(scope="module", params=list(SLOT_BOARDS))
def rows(request: pytest.FixtureRequest) -> list[FootprintRow]:
    """All strategies of a board."""
    return list(measured(request.param))


def test_hardware_takes_least(rows: list[FootprintRow]) -> None:
    """Flash falls from software over hybrid to hardware; so does RAM, stack included."""
    software, hybrid, hardware = rows
    assert software.flash_octets > hybrid.flash_octets > hardware.flash_octets > 500
    needs = [row.ram_octets + row.stack_octets for row in rows]
    assert needs[0] > needs[1] > needs[2] >= 0


def test_differences_are_of_the_images(rows: list[FootprintRow]) -> None:
    """A row is the image with security less the image without; its modules add up to it."""
    for row in rows:
        assert row.flash_octets == row.image_flash_octets - row.without_flash_octets
        assert row.ram_octets == row.image_ram_octets - row.without_ram_octets
        assert row.stack_octets == row.image_stack_octets - row.without_stack_octets
        assert sum(module.flash_octets for module in row.modules) == row.flash_octets
        assert sum(module.ram_octets for module in row.modules) == row.ram_octets


def test_within_what_the_paper_prints(rows: list[FootprintRow]) -> None:
    """No strategy takes a larger share of flash or RAM than the printed upper end, up to a tenth of
    it."""
    board = SLOT_BOARDS[rows[0].board]
    most = rows[0].published_flash_percent
    assert most is not None
    for row in rows:
        assert row.flash_percent == pytest.approx(
            100 * row.flash_octets / board.flash_octets, abs=0.001
        )
        assert row.flash_percent < 1.1 * most
        assert row.ram_percent < 10


def test_the_figure_has_every_share(rows: list[FootprintRow]) -> None:
    """The paper's Figs. 3 and 4 from our rows: a board's flash and RAM by strategy; the same rows
    draw the same octets."""
    text = footprint_figure(rows)
    assert footprint_figure(rows) == text
    number = {"telosb": 3, "openmote-cc2538": 4}[rows[0].board]
    for memory in ("flash", "RAM"):
        assert text.count(f"Fig. {number}: {memory} of ") == 1
    for row in rows:
        assert f" {row.flash_percent:.2f} %" in text
        assert f" {row.ram_percent:.2f} %" in text


def test_stack_is_deep_enough_for_ccm(rows: list[FootprintRow]) -> None:
    """CCM* on the CPU keeps at least block, counter and nonce on the stack; another seed moves the
    depth by little."""
    software = rows[0]
    assert software.stack_octets > 16 + 16 + 13
    board = software.board
    again = taken(board, "software", SLOT_BOARDS[board].clock_hz, seed=2)
    assert abs(again.stack - software.image_stack_octets) <= 64
    assert software.image_stack_octets < 1024


@pytest.mark.parametrize("board", list(SLOT_BOARDS))
def test_what_is_not_secured_needs_no_more_stack(root: Path, board: str) -> None:
    """The same exchanges at level 0 go as deep in the software image as in the one without
    security: what is measured beyond that is security's."""
    depths = []
    for strategy in ("none", "software"):
        path = root / f"build/firmware/{board}/slot-{strategy}.elf"
        image = path.read_bytes()
        [case] = all_settings(
            board, [strategy], [0], ASH_FORMS["paper"], SLOT_BOARDS[board].clock_hz
        )
        depths.append(stack.depth(case, image, read(image, path.name), path.name, seed=1))
    assert depths[0] == depths[1]
