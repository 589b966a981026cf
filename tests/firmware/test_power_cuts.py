# SPDX-License-Identifier: BSD-3-Clause
"""Power cuts of a mote that keeps its frame counters in flash: no nonce twice, no frame twice, and
flash that lasts."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.firmware import power_cuts
from tests.firmware.power_cuts import Report, run
from tests.stack.link.linklib import link_target
from tests.stack.store.counterlib import Counters
from tests.stack.store.test_counter_mutants import FOLDER, MUTANTS
from wardmote import _motes

# One worker, so built once.
pytestmark = [pytest.mark.xdist_group("power-cuts"), pytest.mark.turns(3)]

CUTS = 300
MUTANT_CUTS = 100
MAIN = "firmware/image/counters/main.c"
PROCEDURES = "stack/src/link/security_procedures.c"
DEFECTS = {
    name: [(FOLDER, right, wrong) for right, wrong in pairs] for name, pairs in MUTANTS.items()
}
DEFECTS["limits are not taken over"] = [(MAIN, "    wm_pib_restore(&pib);\n", "")]
DEFECTS["and nobody notices"] = [
    *DEFECTS["limits are not taken over"],
    (PROCEDURES, "wm_counter_store_continues(pib->store, number, now) &&", "((void)now, true) &&"),
]
BREAKS = {
    "stored after use": "nonces_reused",
    "not stored ahead": "nonces_reused",
    "the header is written first": "nonces_reused",
    "interrupted records are taken": "stopped",
    "compacts at every record": "worn_too_much",
    "skips more than a block": "skipped_too_many",
    "limits are not taken over": "stopped",
    "and nobody notices": "replays_accepted",
}
"""Defects that cuts alone bring to light, and what they show as, among other things."""


@pytest.fixture(scope="session")
def image() -> bytes:
    """Image `counters` of the TelosB."""
    if not power_cuts.IMAGE.is_file():
        pytest.fail(f"{power_cuts.IMAGE} is missing: run `make firmware`")
    return power_cuts.IMAGE.read_bytes()


def check_reach(report: Report) -> None:
    """The cuts were where they hurt, and the node did what is to be protected."""
    assert report.cuts_in_flash * 2 >= report.cuts, (
        "at least half of the cuts hit the flash at work"
    )
    assert report.compactions_cut > 0
    assert report.frames_sent > report.cuts
    assert report.accepted > report.cuts
    assert report.replayed > report.cuts


def test_no_nonce_and_no_frame_comes_twice(image: bytes) -> None:
    """Cuts at random moments: of the frames that left no counter comes twice under its key, of
    those that were accepted none is accepted again, no more is skipped or refused than a block, and
    the flash wears as counter_store.h says."""
    report = run(image, CUTS)
    assert report.faults() == []
    assert report.cuts == CUTS
    check_reach(report)


def test_the_same_seed_gives_the_same_lives(image: bytes) -> None:
    """A finding can be repeated; another seed is another node."""
    first = run(image, 12, seed=5)
    assert first == run(image, 12, seed=5)
    assert first != run(image, 12, seed=6)


@pytest.fixture(scope="module")
def workshop(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the image is made of, with what is compiled already."""
    folder = tmp_path_factory.mktemp("workshop")
    for part in ("boards", "stack", "firmware", "build/firmware/telosb/object"):
        shutil.copytree(root / part, folder / part, symlinks=True)
    return folder


@pytest.mark.parametrize("name", BREAKS)
def test_a_defect_shows(root: Path, workshop: Path, name: str) -> None:
    """An image with this defect fails, so the harness detects it."""
    store = sorted(path.relative_to(root).as_posix() for path in (root / FOLDER).glob("*.c"))
    missing = set(DEFECTS[name])
    for source in (*store, MAIN, PROCEDURES):
        text = (root / source).read_text(encoding="utf-8")
        for defect in DEFECTS[name]:
            changed, right, wrong = defect
            if source.startswith(changed) and right in text:
                text = text.replace(right, wrong)
                missing.discard(defect)
        (workshop / source).write_text(text, encoding="utf-8")
    assert not missing, "a defect no longer fits its source"
    elf = workshop / "build/firmware/telosb/counters.elf"
    command = [
        "make",
        "-s",
        "-C",
        str(workshop / "firmware"),
        "BOARD=telosb",
        "../build/firmware/telosb/counters.elf",
    ]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=clean)
    assert done.returncode == 0, done.stderr
    report = run(elf.read_bytes(), MUTANT_CUTS)
    assert getattr(report, BREAKS[name]) > 0, report


def test_a_damaged_store_is_not_used(image: bytes) -> None:
    """A node whose store has lost a record stops and sends nothing, instead of beginning at an
    earlier counter."""
    simulation = _motes.Simulation(1)
    simulation.add_mote("telosb", image, "node")
    simulation.write(0, power_cuts.INFORMATION, power_cuts.EMPTY_STORE)
    simulation.run_until(power_cuts.HORIZON)
    store = bytearray(simulation.read(0, power_cuts.INFORMATION, 256))
    store[2 * power_cuts.PLACE + 2] ^= 0x01
    damaged = _motes.Simulation(1)
    damaged.add_mote("telosb", image, "node")
    damaged.write(0, power_cuts.INFORMATION, bytes(store))
    damaged.capture(0, "counters_state", 0)
    damaged.run_until(power_cuts.HORIZON)
    state = damaged.symbol(0, "counters_state")[0]
    assert damaged.read(0, state + power_cuts.STATE_FAULT, 1) == bytes([2])
    assert damaged.frames() == []


def test_a_node_makes_no_store(image: bytes) -> None:
    """Without a store the node stops and sends nothing: a store that is lost is no first boot."""
    simulation = _motes.Simulation(1)
    simulation.add_mote("telosb", image, "node")
    simulation.capture(0, "counters_state", 0)
    simulation.run_until(power_cuts.HORIZON)
    state = simulation.symbol(0, "counters_state")[0]
    assert simulation.read(0, state + power_cuts.STATE_FAULT, 1) == bytes([2])
    assert simulation.frames() == []
    assert simulation.read(0, power_cuts.INFORMATION, 256) == b"\xff" * 256


@pytest.mark.document
def test_the_document_has_the_empty_store(root: Path) -> None:
    """The octets that are written with the image are those that the store itself would write."""
    store = Counters(link_target("host"))
    assert store.create() == "WM_OK"
    at, written = power_cuts.SEGMENT, power_cuts.EMPTY_STORE
    parts = [store.place(0, 0), store.place(1, 0) + store.place(1, 1)]
    for base, part in zip((0, at), parts, strict=True):
        assert written[base : base + at] == part.ljust(at, b"\xff")
    text = (root / "docs/how-do-counters-survive-a-power-cut.md").read_text(encoding="utf-8")
    for address, part in zip((0x1000, 0x1000 + at), parts, strict=True):
        assert f"    {address:x}  {part.hex(' ')}\n" in text


def wear_table() -> list[str]:
    """How long the information memory of an F1611 lasts at one frame a second."""
    year_s = 365.25 * 24 * 3600
    rows = []
    for block in (16, 64, 256, 1024, 4096):
        frames = block * (power_cuts.PLACES - power_cuts.SLOTS)
        years = [2 * frames * erasures / year_s for erasures in (10_000, 100_000)]
        rows.append(f"| {block} | {frames} | {years[0]:.1f} | {years[1]:.1f} |")
    return rows


@pytest.mark.document
def test_the_document_says_how_long_flash_lasts(root: Path) -> None:
    """The table of docs/how-do-counters-survive-a-power-cut.md is what the bound of counter_store.h
    gives."""
    text = (root / "docs/how-do-counters-survive-a-power-cut.md").read_text(encoding="utf-8")
    block = text.split("<!-- wear:")[1].split("<!-- wear: end")[0]
    assert [line for line in block.splitlines() if line.startswith("| ") and "---" not in line][
        1:
    ] == wear_table()
