# SPDX-License-Identifier: BSD-3-Clause
"""Executables that are built once: they are kept under a digest of everything they are made from."""

import hashlib
import tempfile
from collections.abc import Collection
from pathlib import Path

from wardmote.linked import digest_of
from wardmote.measurements.function.build import SHIMS, Order, build, identity_of, toolchain
from wardmote.measurements.function.prototype import STACK_INCLUDE
from wardmote.paths import BUILD, ROOT, write_atomically

KEPT = BUILD / "measure" / "kept"


def executable(cpu: str, order: Order, pinned: Path, *headers: Path) -> Path:
    """The executable of an order; raises BuildError where there is none. It depends on the files of
    the order and on the folders of `headers`; files below `pinned` are of a version that their path
    names."""
    tools = toolchain(cpu)
    digest = hashlib.sha256(
        repr((order, tools, identity_of(tools.compiler[0]))).replace(str(ROOT), "").encode()
    )
    folders = [*headers, STACK_INCLUDE, SHIMS, *([tools.runtime.parent] if tools.runtime else [])]
    around = [path for folder in folders for path in sorted(folder.rglob("*"))]
    for path in (*around, *_outside(pinned, order.files.given)):
        if path.is_file():
            digest.update(digest_of(path).encode())
    path = KEPT / cpu / f"{digest.hexdigest()[:32]}.elf"
    if not path.is_file():
        with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
            write_atomically(path, build(cpu, order, Path(folder)).path.read_bytes())
    return path


def _outside(folder: Path, files: Collection[Path]) -> list[Path]:
    return [path for path in files if folder not in path.parents]
