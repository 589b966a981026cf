# SPDX-License-Identifier: BSD-3-Clause
"""An environment that holds only the wheel, and commands in it: no checkout on its path, no
compiler, an empty folder."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

COLUMNS = "200"
"""How wide tables are, here and there."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A virtual environment with the wheel, and an empty folder."""

    python: Path
    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """Of a command: nothing but the folder to keep figures in and a PATH without programs."""
        kept = {"WARDMOTE_CACHE": str(self.folder / "cache")}
        return {"PATH": str(self.folder / "nothing"), "COLUMNS": COLUMNS} | kept

    def command(self, *words: str) -> list[str]:
        """A module of the environment with its arguments."""
        return [str(self.python), "-m", *words]

    def wardmote(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs the command line in the empty folder."""
        return subprocess.run(
            self.command("wardmote", *words),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )


def install(root: Path, folder: Path) -> Installed:
    """Installs the wheel of `make wheel`. Other packages are those of this environment, by a path
    file, which does not reach the checkout: path files are not followed any further."""
    [wheel] = (root / "build/wheel").glob("*.whl")
    venv, empty = folder / "venv", folder / "empty"
    empty.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = venv / "bin/python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(python)]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True)
    [packages] = venv.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + os.linesep)
    installed = Installed(python, empty)
    asked = "import sys, wardmote; print(wardmote.__file__, *sys.path, sep=chr(10))"
    done = subprocess.run(
        [str(python), "-c", asked], cwd=empty, capture_output=True, text=True, check=True
    )
    file, *path = done.stdout.splitlines()
    assert Path(file).is_relative_to(packages)
    assert str(root / "bench") not in path
    return installed
