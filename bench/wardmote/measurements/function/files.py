# SPDX-License-Identifier: BSD-3-Clause
"""The files of a measurement: sources, headers, archives and objects of one CPU each, or an
executable."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.cpus import CPUS, ELF, HEAD_OCTETS, MEASURED, machine_of
from wardmote.errors import UsageError

HOSTS = ("host", "host32")
"""This machine, which counts no cycles: as it is, and as a 32-bit x86 without AES instructions."""
PLACES = (*MEASURED, *HOSTS)
"""Where a function can be measured."""
ALL = PLACES[:-1]
"""What `all` means. It leaves host32 out, which tells little beyond host and armv7m."""
MACHINES = {cpu.elf_machine: cpu.name for cpu in CPUS.values()} | {62: "host", 3: "host32"}
"""e_machine of the ELF format -> CPU."""
ARCHIVE, THIN_ARCHIVE = b"!<arch>\n", b"!<thin>\n"
MEMBER_OCTETS = 60
KINDS = ".c, .cpp, .S, .h, .a, .o or .elf"
SOURCES = (".c", ".cpp", ".S")


@dataclass(frozen=True, slots=True)
class Files:
    """What was given, by its kind."""

    given: tuple[Path, ...]
    sources: tuple[Path, ...]
    headers: tuple[Path, ...]
    linked: tuple[tuple[str, Path], ...]
    """Every archive and object, with its CPU."""
    executable: tuple[str, Path] | None = None

    @property
    def types(self) -> tuple[Path, ...]:
        """The files that declare a prototype's types: the headers, else the first source if it is
        C."""
        return self.headers or tuple(path for path in self.sources[:1] if path.suffix == ".c")

    def linked_for(self, cpu: str) -> tuple[Path, ...]:
        """Archives and objects for a CPU, those of its family among them."""
        return tuple(path for own, path in self.linked if own in (cpu, family(cpu)))

    def possible(self) -> tuple[str, ...]:
        """The CPUs that the files can run on. A compiled file has one, and others of its family."""
        named = self.compiled_for()
        return tuple(cpu for cpu in PLACES if not named or {cpu, family(cpu)} & named)

    def compiled_for(self) -> set[str]:
        """The CPUs that compiled files name; empty if there are only sources."""
        linked = (*self.linked, *((self.executable,) if self.executable else ()))
        return {cpu for cpu, _ in linked}


def family(cpu: str) -> str:
    """The CPU whose code this one may be able to run."""
    return MEASURED[cpu].family if cpu in MEASURED else cpu


def sort_files(paths: Sequence[Path]) -> Files:
    """Sorts files by their kind; raises UsageError for a file of another kind."""
    if not paths:
        raise UsageError(f"no file to measure: give a {KINDS} file")
    if gone := next((path for path in paths if not path.is_file()), None):
        raise UsageError(f"{gone}: no such file")
    if elf := next((path for path in paths if path.suffix == ".elf"), None):
        if len(paths) > 1:
            raise UsageError(f"{elf} is linked already: give it alone")
        cpu = cpu_of(elf)
        if cpu in HOSTS:
            raise UsageError(
                f"{elf} is an executable of this machine: give its sources, or an archive"
            )
        return Files(tuple(paths), (), (), (), (cpu, elf))
    if odd := next(
        (path for path in paths if path.suffix not in (*SOURCES, ".h", ".a", ".o")), None
    ):
        raise UsageError(f"{odd}: no {KINDS} file")
    of = {
        suffix: tuple(path for path in paths if path.suffix == suffix)
        for suffix in (".a", ".o", ".h")
    }
    linked = tuple((archive_cpu(path), path) for path in of[".a"]) + tuple(
        (cpu_of(path), path) for path in of[".o"]
    )
    sources = tuple(path for path in paths if path.suffix in SOURCES)
    if not sources and not linked:
        raise UsageError(f"{paths[0]}: a header alone is nothing to measure")
    return Files(tuple(paths), sources, of[".h"], linked)


def cpu_of(elf: Path) -> str:
    """The CPU an ELF file is for."""
    head = _read(elf, HEAD_OCTETS)
    if head[:4] != ELF or len(head) < HEAD_OCTETS:
        raise UsageError(f"{elf}: no ELF file")
    return _cpu(head, elf)


def archive_cpu(archive: Path) -> str:
    """The CPU that all members of an archive are for."""
    cpus = {_cpu(head, archive) for head in _members(archive) if head[:4] == ELF}
    if len(cpus) != 1:
        what = (
            f"members for {' and '.join(sorted(cpus))}: give an archive for each"
            if cpus
            else "no ELF member"
        )
        raise UsageError(f"{archive} has {what}")
    return cpus.pop()


def _members(archive: Path) -> Iterator[bytes]:
    """The first octets of each member of an archive."""
    data = _read(archive)
    if data.startswith(THIN_ARCHIVE):
        raise UsageError(f"{archive} is a thin archive, which holds names alone: make it without T")
    if not data.startswith(ARCHIVE):
        raise UsageError(f"{archive}: no archive")
    at = len(ARCHIVE)
    while at + MEMBER_OCTETS <= len(data):
        size = data[at + 48 : at + 58].strip()
        if not size.isdigit():
            raise UsageError(f"{archive} is damaged at octet {at}")
        at += MEMBER_OCTETS
        yield data[at : at + HEAD_OCTETS]
        at += int(size) + int(size) % 2


def _cpu(head: bytes, path: Path) -> str:
    machine = machine_of(head)
    cpu = MACHINES.get(machine) if machine else None
    if cpu is None or head[4] != (2 if cpu == "host" else 1):
        raise UsageError(
            f"{path} is for CPU number {machine} of the ELF format: possible are {', '.join(PLACES)}"
        )
    return cpu


def _read(path: Path, octets: int = -1) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(octets)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
