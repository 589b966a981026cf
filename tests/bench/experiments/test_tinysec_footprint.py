# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote tinysec footprint`: differences of images add up, and lie within bounds."""

import subprocess
from pathlib import Path

import pytest

from tests.bench.experiments.tinysec_rows import is_in_the_document, of_everything, rows_of
from wardmote.errors import ImageError
from wardmote.experiments.tinysec.footprint import TinysecFootprintRow, untouched
from wardmote.paths import firmware_image

pytestmark = pytest.mark.xdist_group("tinysec footprint")
KEY_OCTETS = {"skipjack": 10, "rc5": 104}
"""Of an expanded key."""


def rows(cipher: str, part: str) -> list[TinysecFootprintRow]:
    """Rows of a cipher."""
    return [row for row in rows_of("footprint") if (row.cipher, row.part) == (cipher, part)]


def sizes(image: str) -> tuple[int, int]:
    """Flash and RAM by the toolchain's own program: text and data; data and bss."""
    words = ["avr-size", str(firmware_image("mica2", image))]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    code, data, zeros = map(int, said.splitlines()[1].split()[:3])
    return code + data, data + zeros


@pytest.mark.parametrize("cipher", KEY_OCTETS)
def test_the_whole_is_what_the_toolchain_says(cipher: str) -> None:
    """Of both images, and their difference."""
    [row] = rows(cipher, "whole")
    full, bare = sizes(f"tinysec-{cipher}"), sizes("tinysec-none")
    assert (row.image_flash_octets, row.image_ram_octets) == full
    assert (row.flash_octets, row.ram_octets) == (full[0] - bare[0], full[1] - bare[1])
    assert row.name == ""


@pytest.mark.parametrize("part", ["section", "module"])
@pytest.mark.parametrize("cipher", KEY_OCTETS)
def test_parts_add_up(cipher: str, part: str) -> None:
    """Sections, and modules, each to the whole difference."""
    [whole] = rows(cipher, "whole")
    own = rows(cipher, part)
    assert sum(row.flash_octets for row in own) == whole.flash_octets
    assert sum(row.ram_octets for row in own) == whole.ram_octets
    flash = [row.flash_octets for row in own]
    assert flash == sorted(flash, reverse=True)


def test_modules_are_those_that_tinysec_needs() -> None:
    """Its packets, the store and a cipher; little has no name."""
    octets = {row.name: row.flash_octets for row in rows("skipjack", "module")}
    for name, least, most in (
        ("tinysec", 2000, 6000),
        ("stored counters", 500, 1500),
        ("cipher", 600, 2200),
    ):
        assert least < octets[name] < most, name
    assert abs(octets.get("not named", 0)) < 600


def test_bounds() -> None:
    """Flash within the paper's 7146 octets, RAM within the 256 of its later version. Keys of RC5 take
    more by their schedules: two of 104 octets in place of two of 10."""
    [skipjack], [rc5] = rows("skipjack", "whole"), rows("rc5", "whole")
    assert 2 * (10 + 4) < skipjack.ram_octets <= 256
    assert 3000 < skipjack.flash_octets <= 7146
    more = rc5.ram_octets - skipjack.ram_octets
    assert more == pytest.approx(2 * (KEY_OCTETS["rc5"] - KEY_OCTETS["skipjack"]), abs=8)
    for row in (skipjack, rc5):
        assert row.stack_octets is not None
        assert 20 < row.stack_octets < 300


def test_the_papers_figures() -> None:
    """Typed a second time; beside the whole alone."""
    fields = ("paper_flash_octets", "paper_ram_octets", "later_flash_octets", "later_ram_octets")
    printed = (7146, 728, 8152, 256)
    for row in rows_of("footprint"):
        found = tuple(getattr(row, field) for field in fields)
        assert found == (printed if row.part == "whole" else (None, None, None, None))
    [row] = rows("skipjack", "whole")
    assert row.paper_flash_octets == 7146
    assert (row.paper_ram_octets, row.later_flash_octets, row.later_ram_octets) == printed[1:]


def test_a_stack_is_what_was_written_above_the_variables() -> None:
    """Octets from the lowest one that changed; a stack that reaches the variables is refused."""
    assert untouched(b"abcXefgh", b"abcdefgh") == 3
    assert untouched(b"abcd", b"abcd") == 4
    with pytest.raises(ImageError):
        untouched(b"Xbcd", b"abcd")


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = of_everything("footprint", "board", "seed", "wardmote", "commit")
    assert found == {("mica2", 1, "1.0", "c0ffee")}


def test_the_document_has_these_figures(root: Path) -> None:
    """As measured now, but for the last digit."""
    assert is_in_the_document(root, "footprint", 32)
