# SPDX-License-Identifier: BSD-3-Clause
"""The manifest is whole, and what looks at images tells right from wrong: with a program made here,
because no image of others is in this repository."""

from __future__ import annotations

import dataclasses
import hashlib
import subprocess
from pathlib import Path

import pytest

from tests.released import images
from wardmote.boards import BOARDS


@pytest.fixture(scope="module")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It says its node ID."""
    made = tmp_path_factory.mktemp("released") / "some folder/hello.elf"
    made.parent.mkdir()
    source = Path(__file__).parents[1] / "bench/boot/hello.c"
    subprocess.run(["avr-gcc", "-mmcu=atmega128", "-Os", source, "-o", made], check=True)
    return made


def of(path: Path, **expected: object) -> images.Image:
    """An entry for that file."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    entry = images.Image("", "", "a/hello.elf", digest, "mica2", 0.5, "")
    return dataclasses.replace(entry, **expected)  # type: ignore[arg-type]


def test_the_manifest() -> None:
    """Every image has a source, a commit, a digest, a board, and something to be seen."""
    all_images = images.images()
    assert len({image.sha256 for image in all_images}) == len(all_images) >= 27
    for image in all_images:
        assert image.source.startswith("https://"), image.name
        assert (len(image.commit), len(image.sha256)) == (40, 64), image.name
        assert set(image.commit + image.sha256) <= set("0123456789abcdef"), image.name
        assert image.board in BOARDS, image.name
        assert image.text or image.octets or image.frames or image.edges, image.name
        assert bool(image.pin) == bool(image.edges), image.name


@pytest.mark.parametrize(
    ("expected", "right"),
    [
        ({"text": "node 1"}, True),
        ({"octets": "6e6f646520310d0a01"}, True),
        ({"text": "node 1", "never": "node 2"}, True),
        ({"text": "node 2"}, False),
        ({"octets": "00"}, False),
        ({"text": "node", "never": "de 1"}, False),
        ({"text": "node", "frames": 1}, False),
        ({"text": "node", "pin": "0.2", "edges": 1}, False),
    ],
)
def test_right_and_wrong(hello: Path, expected: dict[str, object], right: bool) -> None:
    """Each expectation alone decides."""
    seen = images.run(of(hello, **expected), hello)
    assert seen.right == right
    assert seen.seconds == 0.5
    assert seen.text.startswith("9 octets")


def test_files_are_found_by_their_contents(hello: Path, tmp_path: Path) -> None:
    """Whatever they are called; and a source that has another file, or none, is left out."""
    image = of(hello, text="node")
    assert images.at_hand(hello.parents[1])[image.sha256] == hello
    assert images.at_hand(None) == {}
    (tmp_path / "raw/1").mkdir(parents=True)
    (tmp_path / "raw/1/x.elf").write_bytes(hello.read_bytes())
    there = dataclasses.replace(image, source=tmp_path.as_uri(), commit="1", path="x.elf")
    kept = images.fetched(there, tmp_path / "kept")
    assert isinstance(kept, Path)
    assert kept.read_bytes() == hello.read_bytes()
    other = dataclasses.replace(there, sha256="0" * 64)
    assert images.fetched(other, tmp_path / "none") == (
        "another file is there: its SHA-256 differs"
    )
    assert isinstance(images.fetched(dataclasses.replace(there, path="y"), tmp_path), str)
    assert not (tmp_path / "none").exists()
