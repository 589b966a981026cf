# SPDX-License-Identifier: BSD-3-Clause
"""Where things lie in the repository this package was installed from."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from wardmote.errors import UsageError

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build"
PUBLISHED = ROOT / "published"


def slot_image(board: str, strategy: str) -> Path:
    """ELF file of image `slot`; raises UsageError naming the command that builds it if it is not
    there."""
    path = BUILD / "firmware" / board / f"slot-{strategy}.elf"
    if not path.is_file():
        raise UsageError(f"no image {path.relative_to(ROOT)}: build it with `make firmware`")
    return path


@contextmanager
def atomically(path: Path) -> Iterator[IO[bytes]]:
    """A file that comes to be `path` when all went well, and else is gone; its folder is made if
    need be."""
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, data: bytes) -> None:
    """Writes `path` as a whole or not at all; its folder is made if need be. Raises UsageError
    where it cannot be."""
    try:
        with atomically(path) as file:
            file.write(data)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error


def require_folder(text: str) -> Path:
    """A folder that is or may be made; raises UsageError before anything is measured for it."""
    if not text:
        raise UsageError("no folder '': give its name, or . for this one")
    folder = Path(text)
    present = folder
    while not present.exists() and present != present.parent:
        present = present.parent
    if not present.is_dir():
        raise UsageError(f"{text}: {present} is no folder")
    if not os.access(present, os.W_OK | os.X_OK):
        raise UsageError(f"{text}: nothing can be written into {present}")
    return folder
