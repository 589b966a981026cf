# SPDX-License-Identifier: BSD-3-Clause
"""Builds the wheel: the package with its extension. Its folder `resources` holds images, libraries,
data and answers of the toolchain, so that it measures without checkout or compiler.

Everything is put together in a temporary folder, so that a checkout never holds resources.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from wardmote.answers import keep_in
from wardmote.boards import BOARDS
from wardmote.elf import read
from wardmote.measurements.footprint.modules import split
from wardmote.measurements.slot.block import headers
from wardmote.measurements.slot.provenance import COMMIT, commit
from wardmote.measurements.system.node import headers as events_headers
from wardmote.paths import BUILT, DATA, PACKAGE, ROOT
from wardmote.prototypes import read_public

MANIFEST = "motes/crates/python/Cargo.toml"


def put_together(folder: Path) -> None:
    """Writes all parts of the wheel into a folder."""
    package = folder / "bench/wardmote"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for pattern in (*DATA, *BUILT):
        found = sorted(ROOT.glob(pattern))
        if not found:
            raise SystemExit(f"no {pattern}: build it with `make stack firmware`")
        for path in found:
            place = package / "resources" / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    (package / "resources" / COMMIT).write_text(f"{commit()}\n", encoding="utf-8")
    keep_in(package / "resources/answers")
    ask_everything()
    for name in ("README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(text.replace(f'"{MANIFEST}"', f'"{ROOT / MANIFEST}"'))


def ask_everything() -> None:
    """Asks the toolchain all questions that the verbs of a wheel will ask."""
    read_public(ROOT)
    headers()
    events_headers()
    for path in sorted(ROOT.glob("build/firmware/*/slot-*.elf")):
        if path.parent.name in BOARDS:
            split(path, read(path.read_bytes(), path.name))


def main() -> int:
    """Builds the wheel. Removes every other wheel from its folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the wheel goes")
    out = parser.parse_args().folder.resolve()
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        put_together(Path(folder))
        maturin = Path(sys.executable).parent / "maturin"
        options = ["build", "--release", "--locked", "--quiet", "--auditwheel", "skip"]
        command = [str(maturin), *options, "--out", str(out)]
        target = {"CARGO_TARGET_DIR": str(ROOT / "build/cargo")}
        subprocess.run(command, cwd=folder, env=os.environ | target, check=True)
    [wheel] = out.glob("*.whl")
    sys.stdout.write(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
