# SPDX-License-Identifier: BSD-3-Clause
"""The counter store and its driver for files, as a library built from the sources."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FLAGS = (
    "-std=c11",
    "-O1",
    "-fPIC",
    "-pedantic",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wshadow",
    "-Werror",
)
ON_DISK = ("-Dpwrite=disk_pwrite", "-Dfdatasync=disk_fdatasync")


@pytest.fixture(scope="session")
def build(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Builds the library, with `driver` in place of counter_file.c's text; `on_disk`: on the disk
    that fails."""

    def make(driver: str | None = None, *, on_disk: bool = False) -> Path:
        folder = tmp_path_factory.mktemp("library")
        text = driver or (root / "host/counter_file.c").read_text(encoding="utf-8")
        (folder / "driver.c").write_text(text, encoding="utf-8")
        sources = [folder / "driver.c", *(root / "stack/src/store").glob("counter_[gps]*.c")]
        include = (f"-I{root / 'stack/include'}", f"-I{root / 'host'}")
        objects = []
        for source in (*sources, *([root / "tests/host/disk.c"] if on_disk else [])):
            renamed = ON_DISK if on_disk and source.name == "driver.c" else ()
            objects.append(str(folder / f"{source.stem}.o"))
            subprocess.run(
                ["gcc", *FLAGS, *renamed, *include, "-c", source, "-o", objects[-1]], check=True
            )
        subprocess.run(["gcc", "-shared", *objects, "-o", str(folder / "library.so")], check=True)
        return folder / "library.so"

    return make
