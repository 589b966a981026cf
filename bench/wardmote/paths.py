# SPDX-License-Identifier: BSD-3-Clause
"""Where things lie: in the repository, or, where there is none, in the package as its wheel holds
them. Both have the same layout."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from wardmote import root
from wardmote.errors import MissingError, OutputError, UsageError

IS_CHECKOUT = root.IS_CHECKOUT
PACKAGE = Path(root.PACKAGE)
ROOT = Path(root.ROOT)
BUILD = ROOT / "build"
PUBLISHED = ROOT / "published"
DOCUMENTS = ROOT / "docs"
BOARD_RECORDS = ROOT / "boards"
CPU_RECORDS = ROOT / "cpus"
BATTERY_RECORDS = ROOT / "batteries"
DATA = (
    *("stack/include/**/*.h", "firmware/image/slot/*.h", "firmware/image/events/*.h"),
    *("published/*.toml", "boards/*.toml", "cpus/*.toml", "batteries/*.toml"),
    "stack/cpu/*.mk",
)
"""Files below the root that measurements read, besides artefacts."""
BUILT = (
    *(f"build/firmware/*/*.{kind}" for kind in ("elf", "flags", "map")),
    *("build/stack/host/libwardmote.so", "build/native/*.so"),
)
"""What `make` builds below the root, and verbs need that run without a compiler."""


def data_files() -> dict[str, Path]:
    """All of them, by their place below the root."""
    return {str(path.relative_to(ROOT)): path for pattern in DATA for path in ROOT.glob(pattern)}


def cache_folder() -> Path:
    """Where results are kept: $WARDMOTE_CACHE, else build/ of a checkout, else the user's cache."""
    if given := os.environ.get("WARDMOTE_CACHE"):
        return Path(given)
    if IS_CHECKOUT:
        return BUILD
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wardmote"


def require_checkout(what: str) -> None:
    """Raises UsageError where only the wheel is installed."""
    if not IS_CHECKOUT:
        raise MissingError(
            f"{what} needs compilers and a checkout of wardmote: this is only its wheel"
        )


def image_name(strategy: str) -> str:
    """File name of the image `slot` of a strategy."""
    return f"slot-{strategy}.elf"


def slot_image(board: str, strategy: str) -> Path:
    """ELF file of image `slot` of a strategy; see `firmware_image`."""
    return firmware_image(board, f"slot-{strategy}")


def firmware_image(board: str, image: str) -> Path:
    """ELF file of an image for a board; raises UsageError naming the command that builds it if it
    is not there."""
    path = BUILD / "firmware" / board / f"{image}.elf"
    if not path.is_file():
        raise MissingError(f"no image {path.relative_to(ROOT)}: build it with `make firmware`")
    return path


@contextmanager
def as_file(octets: bytes, name: str = "program.elf") -> Iterator[Path]:
    """A file with these octets, which may be executed, for as long as it is needed."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="wardmote-") as folder:
        path = Path(folder) / name
        path.write_bytes(octets)
        path.chmod(0o700)
        yield path


@contextmanager
def atomically(path: Path) -> Iterator[IO[bytes]]:
    """A file that becomes `path` on success and is removed otherwise. Makes its folder if
    necessary. A path such as /dev/null, which is no regular file, is written directly."""
    import tempfile

    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as file:
            yield file
        return

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
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error


def require_file(path: Path | None) -> None:
    """Raises UsageError now if nothing can be written to `path` later."""
    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"{path} is a folder: give the name of a file")
    require_folder(str(path.parent))


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
