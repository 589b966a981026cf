# SPDX-License-Identifier: BSD-3-Clause
"""The package script against a pretended machine: a PATH of its own with a pretended apt-get, id
and sudo."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = (
    "make",
    "git",
    "clang-22",
    "ld.lld-22",
    "llvm-objcopy-22",
    "clang-format-22",
    "tshark",
    "mspdebug",
    "simavr",
    "gdb-multiarch",
    "avr-gdb",
    "lldb-22",
    "arm-none-eabi-gcc",
    "avr-gcc",
    "powerpc-linux-gnu-gcc",
    "s390x-linux-gnu-gcc",
    "qemu-ppc",
    "riscv64-unknown-elf-gcc",
    "g++",
    "cmake",
    "pkg-config",
    "doxygen",
    "chromium",
    "valgrind",
    "ghdl-gcc",
    "yosys",
)
REAL = ("bash", "env", "sort", "head", "cut", "printf", "cat", "sh")
INSTALL = "noninteractive apt-get install -y --no-install-recommends"


class Machine:
    """A folder that is all of PATH."""

    def __init__(self, folder: Path) -> None:
        """Has every program that the script wants."""
        self.folder = folder
        self.log = folder / "log"
        for name in REAL:
            path = shutil.which(name)
            assert path is not None
            (folder / name).symlink_to(path)
        for name in TOOLS:
            self.program(name, "exit 0")
        self.program("gcc", "cat >/dev/null")
        self.program("python3", 'case "$2" in *platform*) echo 3.11.2;; esac')
        self.program("cargo", "exit 0")
        self.program("rustc", "echo rustc 1.90.0")
        self.program("id", "echo 0")
        self.program("apt-get", f'echo "$DEBIAN_FRONTEND apt-get $*" >>{self.log}')

    def program(self, name: str, body: str) -> None:
        """A shell script in place of a program."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
        path.chmod(0o755)

    def without(self, name: str) -> None:
        """A program that is not installed."""
        (self.folder / name).unlink()

    def run(self, root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs the script without a terminal."""
        script = root / "scripts/setup_debian.sh"
        return subprocess.run(
            ["bash", str(script), *arguments],
            env={"PATH": str(self.folder), "HOME": os.environ.get("HOME", "/")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def logged(self) -> list[str]:
        """What apt-get was asked for."""
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine where nothing is missing."""
    return Machine(tmp_path)


def test_nothing_missing_does_nothing(machine: Machine, root: Path) -> None:
    """With all programs there, no package tool runs and nothing is said."""
    done = machine.run(root)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.logged() == []


def test_root_installs_what_is_missing_without_questions(machine: Machine, root: Path) -> None:
    """As root the missing packages are installed, and only they, with no package list fetched
    before."""
    machine.without("clang-22")
    machine.without("tshark")
    assert machine.run(root).returncode == 0
    assert machine.logged() == [f"{INSTALL} clang-22 libclang-rt-22-dev tshark"]


def test_only_the_peers_ask_for_a_kernel(machine: Machine, root: Path) -> None:
    """`make peers` says so and gets it; everybody else is left in peace."""
    assert machine.run(root, "peers").returncode == 0
    wanted = "flex bison bc xz-utils binutils user-mode-linux iproute2 wpan-tools"
    assert machine.logged() == [f"{INSTALL} {wanted}"]


def test_only_make_hdl_asks_for_what_places_and_routes(machine: Machine, root: Path) -> None:
    """`make hdl` says so and gets it."""
    assert machine.run(root, "hdl").returncode == 0
    assert machine.logged() == [f"{INSTALL} nextpnr-ice40"]


@pytest.mark.parametrize(
    ("compiler", "fails", "package"),
    [
        ("gcc", 'read -r line; case "$line" in *simavr*) exit 1;; esac', "libsimavr-dev"),
        ("clang-22", "exit 1", "libclang-rt-22-dev"),
    ],
)
def test_what_a_compiler_does_not_find_is_installed(
    machine: Machine, root: Path, compiler: str, fails: str, package: str
) -> None:
    """The library that the lock-step tests compile against is looked for with the compiler, not on
    PATH; clang without its run-time libraries cannot link a fuzz target, which is tried, not
    guessed."""
    machine.program(compiler, fails)
    assert machine.run(root).returncode == 0
    assert machine.logged() == [f"{INSTALL} {package}"]


def test_lists_are_fetched_only_if_the_install_fails(machine: Machine, root: Path) -> None:
    """A failed install is tried once more with new package lists."""
    machine.without("mspdebug")
    machine.program("apt-get", f'echo "$1" >>{machine.log}; [ "$(wc -l <{machine.log})" -gt 1 ]')
    wc = shutil.which("wc")
    assert wc is not None
    (machine.folder / "wc").symlink_to(wc)
    assert machine.run(root).returncode == 0
    assert machine.logged() == ["install", "update", "install"]


def test_without_rights_the_line_to_run_is_printed(machine: Machine, root: Path) -> None:
    """Without root and without sudo the script prints one line to run, and stops."""
    machine.program("id", "echo 1000")
    machine.without("clang-22")
    done = machine.run(root)
    assert done.returncode == 1
    line = (
        "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends "
        "clang-22 "
        "libclang-rt-22-dev'"
    )
    assert line in done.stderr
    assert machine.logged() == []


def test_sudo_is_used_where_it_asks_nothing(machine: Machine, root: Path) -> None:
    """An ordinary user with a password-less sudo installs through it."""
    machine.program("id", "echo 1000")
    machine.program("sudo", f'[ "$1" = -n ] && exit 0; echo sudo >>{machine.log}; "$@"')
    machine.without("ld.lld-22")
    assert machine.run(root).returncode == 0
    assert machine.logged() == ["sudo", f"{INSTALL} lld-22"]


@pytest.mark.parametrize(
    ("name", "body", "says"),
    [
        ("rustc", "echo rustc 1.63.0", "rustc on PATH is 1.63.0; wardmote needs 1.85 or newer"),
        ("python3", 'case "$2" in *platform*) echo 3.9.2;; esac', "python3 on PATH is 3.9.2"),
    ],
)
def test_an_old_compiler_or_interpreter_is_named(
    machine: Machine, root: Path, name: str, body: str, says: str
) -> None:
    """Too old a Rust or Python is said with the version that is needed."""
    machine.program(name, body)
    done = machine.run(root)
    assert done.returncode == 1
    assert says in done.stderr


def test_missing_rust_is_named(machine: Machine, root: Path) -> None:
    """No Rust at all: where to get it is said."""
    machine.without("cargo")
    done = machine.run(root)
    assert done.returncode == 1
    assert "no Rust on PATH" in done.stderr
