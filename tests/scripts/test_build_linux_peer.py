# SPDX-License-Identifier: BSD-3-Clause
"""The recipe of the Linux peer against a pretended package tool: when it has nothing to do, and
that it leaves nothing half made. That it builds a kernel is what tests/interop shows."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGE, VERSION = "linux-source-6.1", "6.1.999-1"
TOOLS = ("flex", "bison", "bc", "xz", "strip", "linux.uml", "ip", "iwpan")
"""What `scripts/setup_debian.sh peers` looks for."""


class Machine:
    """Programs of this machine, with some of a folder's own before them."""

    def __init__(self, folder: Path, root: Path) -> None:
        """Knows the package in one version, and cannot fetch it."""
        self.recipe = root / "tests/interop/linux"
        self.programs, self.log = folder / "programs", folder / "log"
        self.made = folder / "made"
        self.programs.mkdir()
        self.made.mkdir()
        for name in TOOLS:
            self.program(name, "exit 0")
        self.program("id", "echo 0")
        self.program("apt-get", f'echo "$*" >>{self.log}; exit 1')
        self.knows(VERSION)

    def program(self, name: str, body: str) -> None:
        """A shell script in place of a program."""
        path = self.programs / name
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def knows(self, version: str) -> None:
        """What the package lists say."""
        self.program(
            "apt-cache", f"printf '{PACKAGE}:\\n  Installed: (none)\\n  Candidate: {version}\\n'"
        )

    def has_built(self) -> dict[str, bytes]:
        """A guest as the recipe of today leaves it, by file."""
        gcc = subprocess.run(
            ["gcc", "--version"], check=True, capture_output=True, text=True
        ).stdout.splitlines()[0]
        recipe = b"".join(
            (self.recipe / name).read_bytes() for name in ("kernel.config", "build.sh")
        )
        inputs = f"{PACKAGE} {VERSION}\n{gcc}\n{hashlib.sha256(recipe).hexdigest()}  -\n"
        (self.made / "inputs").write_text(inputs)
        (self.made / "linux").write_text("a kernel")
        (self.made / "linux").chmod(0o755)
        return self.files()

    def files(self) -> dict[str, bytes]:
        """What is in the folder, its log and lock aside."""
        kept = (
            path
            for path in self.made.rglob("*")
            if path.is_file() and path.name not in ("build.log", "lock")
        )
        return {path.name: path.read_bytes() for path in kept}

    def run(self, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Runs the recipe without a terminal."""
        return subprocess.run(
            ["bash", self.recipe / "build.sh", folder or self.made],
            env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path, root: Path) -> Machine:
    """A machine that has built nothing yet."""
    return Machine(tmp_path, root)


def test_what_is_up_to_date_is_left_alone(machine: Machine) -> None:
    """Same source, compiler, configuration and recipe: nothing is said, fetched or written."""
    before = machine.has_built()
    done = machine.run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.files() == before
    assert not machine.log.exists()


@pytest.mark.parametrize("why", ["another source", "another compiler"])
def test_a_build_that_fails_leaves_the_last_one(machine: Machine, why: str) -> None:
    """What changed is built anew; when the source cannot be fetched, all is as it was and one line
    says so."""
    before = machine.has_built()
    if why == "another source":
        machine.knows("6.1.999-2")
    else:
        machine.program("gcc", "echo gcc 99")
    done = machine.run()
    assert done.returncode == 1
    assert machine.files() == before
    assert not (machine.made / "work").exists()
    assert "download" in machine.log.read_text()


def test_missing_lists_are_fetched_and_a_missing_package_is_named(machine: Machine) -> None:
    """Without a candidate the lists are fetched; on another Debian there is none even then."""
    machine.knows("(none)")
    machine.program("apt-get", f'echo "$*" >>{machine.log}')
    done = machine.run()
    assert done.returncode == 1
    assert done.stderr == f"peers: no package {PACKAGE} here; it belongs to Debian 12 (bookworm)\n"
    assert machine.log.read_text() == "update\n"


def test_where_it_cannot_be_built_one_line_says_why(machine: Machine, tmp_path: Path) -> None:
    """A path that a kernel's makefiles cannot take, and another kind of machine."""
    done = machine.run(tmp_path / "a b")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "peers: a kernel cannot be built where the path has a space or a colon: "
    )
    machine.program("uname", '[ "$1" = -s ] && echo Linux || echo aarch64')
    done = machine.run()
    assert done.returncode == 1
    assert (
        done.stderr
        == "peers: user-mode-linux runs on Linux on x86-64 only; this is Linux on aarch64\n"
    )
