# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote zigbee footprint`: sizes are the toolchain's, and who only encrypts cannot decrypt."""

import subprocess
from pathlib import Path

import pytest

from tests.bench.experiments.group_rows import COMMIT, VERSION
from tests.bench.experiments.zigbee_rows import ZIGBEE
from wardmote.experiments.zigbee.footprint import ZigbeeFootprintRow
from wardmote.experiments.zigbee.wiring import IMAGES, LINES, PERIPHERAL
from wardmote.paths import firmware_image

pytestmark = pytest.mark.xdist_group("zigbee energy")
BOARD = "atmega1281-cc2420"
FLASH, RAM = 128 * 1024, 8 * 1024


def rows() -> list[ZigbeeFootprintRow]:
    """All of them."""
    return ZIGBEE.rows_of("footprint")


def said(program: str, image: str) -> str:
    """What a program of the toolchain says of an image."""
    words = [program, str(firmware_image(BOARD, image))]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def test_sizes_are_what_the_toolchain_says() -> None:
    """Text and data; data and bss."""
    for row in rows():
        code, data, zeros = map(int, said("avr-size", row.image).splitlines()[1].split()[:3])
        assert (row.flash_octets, row.ram_octets) == (code + data, data + zeros)
        assert row.flash_part == pytest.approx((code + data) / FLASH, abs=1e-4)
        assert row.ram_part == pytest.approx((data + zeros + row.stack_octets) / RAM, abs=1e-4)


def test_more_is_the_difference_to_the_image_in_clear() -> None:
    """Of the same role."""
    for row in rows():
        [bare] = [one for one in rows() if (one.role, one.way) == (row.role, "in clear")]
        assert row.more_flash_octets == row.flash_octets - bare.flash_octets
        assert row.more_ram_octets == row.ram_octets - bare.ram_octets
        assert row.more_stack_octets == row.stack_octets - bare.stack_octets
        if row.way != LINES:
            assert (row.more_flash_octets > 0) == (row.way != "in clear")
        assert 80 < row.stack_octets < 400


def test_one_direction_only() -> None:
    """No image that encrypts holds a cipher that decrypts, and the other way round; whoever decrypts
    by itself needs more for it."""
    found = {(row.role, row.way): row for row in rows()}
    assert {role for role, _ in found} == {"encrypts", "decrypts"}
    for (role, way), row in found.items():
        symbols = said("avr-nm", row.image)
        elsewhere = way in ("in clear", LINES)
        assert ("wm_cbc_encrypt" in symbols) == (role == "encrypts" and not elsewhere)
        assert ("wm_cbc_decrypt" in symbols) == (role == "decrypts" and not elsewhere)
        assert ("wm_aes128" in symbols) == way.startswith("AES")
    for way in ("AES small", "AES tab"):
        assert found["decrypts", way].more_flash_octets > found["encrypts", way].more_flash_octets
    engine = found["encrypts", "CC2420's engine"]
    assert engine.more_flash_octets == min(
        row.more_flash_octets for row in rows() if row.way not in ("in clear", *IMAGES)
    )
    assert engine.more_ram_octets < 32


def test_a_coprocessor_leaves_its_mote_the_memory() -> None:
    """On the line a sender keeps no counter, and a receiver hands one block more on; as a peripheral it
    takes less than AES."""
    found = {(row.role, row.way): row.more_flash_octets for row in rows()}
    assert found["encrypts", LINES] < -1000
    assert 0 < found["decrypts", LINES] < 100
    for role in ("encrypts", "decrypts"):
        assert 0 < found[role, PERIPHERAL] < found[role, "AES small"]


def test_what_was_measured() -> None:
    """The same in all rows."""
    found = ZIGBEE.of_everything("footprint", "board", "seed", "wardmote", "commit")
    assert found == {(BOARD, 1, VERSION, COMMIT)}


def test_the_document_has_it(root: Path) -> None:
    """What is measured now."""
    assert ZIGBEE.is_in_the_document(root, "footprint", 0.02)
