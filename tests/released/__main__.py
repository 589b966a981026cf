# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.released [FOLDER]`: boots the images of the manifest; a line for each, expected
and seen. Exit code 1 if one shows something else."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.released.images import Image, at_hand, fetched, images, run
from wardmote.paths import BUILD

KEPT = BUILD / "released"


def _line(image: Image, word: str, seen: str) -> str:
    return (
        f"{word:<8} {image.name} on {image.board}: {image.what}\n"
        f"         expected {image.expected}; {seen}\n"
    )


def main() -> int:
    """Looks for each image in the folder, then among those kept, then at its source."""
    parser = argparse.ArgumentParser(prog="python -m tests.released", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where images are; any layout")
    folder = parser.parse_args().folder
    here = at_hand(folder) | at_hand(KEPT if KEPT.is_dir() else None)
    counts = {"right": 0, "WRONG": 0, "left out": 0}
    for image in images():
        path = here.get(image.sha256) or fetched(image, KEPT)
        if isinstance(path, str):
            word, seen = "left out", path
        else:
            outcome = run(image, path)
            word = "right" if outcome.right else "WRONG"
            seen = f"seen within {outcome.seconds:.1f} s: {outcome.text}"
        counts[word] += 1
        sys.stdout.write(_line(image, word, seen))
        sys.stdout.flush()
    sys.stdout.write(", ".join(f"{count} {word}" for word, count in counts.items()) + "\n")
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
