# SPDX-License-Identifier: BSD-3-Clause
"""A function of a shared library on this machine's CPU, one instruction at a time: path, addresses,
stack.

`steps.c` is compiled at its first use and kept in build/. It writes the registers down before each
instruction; `trace.py` makes of them what the emulated CPUs record by themselves.
"""

import ctypes
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wardmote.errors import UsageError, WardmoteError
from wardmote.paths import BUILD, write_atomically

FOLDER = Path(__file__).resolve().parent
COMPILER = "clang-22"
WARNINGS = ("-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
FLAGS = ("-std=c11", "-O2", "-fPIC", "-shared", *WARNINGS)
MOST_STEPS = 1_000_000
"""Of one call: 144 MB of registers, which are taken only as far as they are written."""
STACK_OCTETS = 1 << 20
GUARD_OCTETS = 1 << 18
"""Below the stack, as in `steps.c`."""
ACCESSES = {0: "reads", 1: "writes to"}
FIELDS = ("count", "value", "stack", "signal", "address", "pc", "access", "exhausted")


class StepError(WardmoteError):
    """This machine cannot go through a function step by step; the text is one line."""


class Answer(ctypes.Structure):
    """`wm_steps_result` of `steps.h`."""

    _fields_ = tuple((name, ctypes.c_uint64) for name in FIELDS)


@dataclass(frozen=True, slots=True)
class Region:
    """Memory, and the number under which its first octet is reported: the same in every process."""

    start: int
    end: int
    number: int


class Stepper:
    """Calls in this process. Opened before a fork, it lets the parent read the steps of the
    child."""

    def __init__(self) -> None:
        """Maps a stack and the memory for steps."""
        library = ctypes.PyDLL(str(_library()))
        library.wm_steps_open.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
        library.wm_steps_answer.restype = ctypes.POINTER(Answer)
        library.wm_steps_list.restype = ctypes.c_void_p
        library.wm_steps_stack.restype = ctypes.c_size_t
        library.wm_steps_symbol.argtypes = [ctypes.c_size_t]
        library.wm_steps_symbol.restype = ctypes.c_char_p
        library.wm_steps_object.argtypes = [ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t)]
        library.wm_steps_object.restype = ctypes.c_size_t
        library.wm_steps_call.argtypes = [
            ctypes.c_size_t,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_size_t,
        ]
        library.wm_steps_call.restype = None
        if error := library.wm_steps_open(MOST_STEPS, STACK_OCTETS):
            raise StepError(f"no memory for steps: {os.strerror(error)}")
        self._library = library
        self.answer: Answer = library.wm_steps_answer().contents
        self.list_address: int = library.wm_steps_list()
        stack: int = library.wm_steps_stack()
        self.stack = Region(stack, stack + STACK_OCTETS, 0x7000_0000 - STACK_OCTETS)

    def call(self, entry: int, words: Sequence[int], limit: int) -> int:
        """Calls the function at `entry`; returns RAX. Raises StepError if this machine delivers no
        steps."""
        given = (ctypes.c_uint64 * max(1, len(words)))(
            *(word & 0xFFFF_FFFF_FFFF_FFFF for word in words)
        )
        self._library.wm_steps_call(entry, given, len(words), limit)
        if self.answer.count == 0 and not self.answer.exhausted and not self.answer.signal:
            raise StepError("this machine does not stop after single instructions")
        return int(self.answer.value)

    def object_of(self, address: int) -> Region:
        """The library that an address belongs to; addresses in it are reported as its ELF file has
        them."""
        end = ctypes.c_size_t()
        start: int = self._library.wm_steps_object(address, ctypes.byref(end))
        return Region(start, end.value, 0)

    def fault(self, numbered: Sequence[Region]) -> str | None:
        """Why the call that was made did not return: instruction, function, what happened; None if
        it did."""
        answer = self.answer
        if not answer.signal and not answer.exhausted:
            return None
        name = self._library.wm_steps_symbol(answer.pc)
        where = f"PC {number_of(answer.pc, numbered):#x}{f' ({name.decode()})' if name else ''}"
        if answer.exhausted:
            return f"no return within {answer.count} instructions, {where}"
        where += f", instruction {answer.count}"
        if self.stack.start - GUARD_OCTETS <= answer.address < self.stack.start:
            return f"{where}: the stack has grown beyond its {STACK_OCTETS} octets"
        return f"{where}: {_reason(answer)}"


def _reason(answer: Answer) -> str:
    import signal

    name = signal.Signals(answer.signal).name
    if answer.signal not in (signal.SIGSEGV, signal.SIGBUS):
        return f"stopped by {name}"
    if answer.access not in ACCESSES:
        return f"{name}: it uses an address that no memory has, or one that is not aligned"
    return f"{name}: it {ACCESSES[answer.access]} {answer.address:#x}, which is not its own"


def number_of(address: int, numbered: Sequence[Region]) -> int:
    """The number under which an address is reported."""
    found = next((region for region in numbered if region.start <= address < region.end), None)
    return address if found is None else address - found.start + found.number


@functools.cache
def open_stepper() -> Stepper:
    """One a process; raises StepError with one line where it cannot work."""
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        raise StepError(
            f"single steps are for Linux on x86-64, this is {platform.system()} on "
            f"{platform.machine()}"
        )
    return Stepper()


def _library() -> Path:
    """`steps.c`, compiled; of another compiler or another state of the sources it is another
    file."""
    compiler = shutil.which(COMPILER)
    if compiler is None:
        raise UsageError(f"no program {COMPILER}: `make setup` installs it")
    status = Path(compiler).resolve().stat()
    digest = hashlib.sha256(repr((FLAGS, status.st_size, status.st_mtime_ns)).encode())
    for name in ("steps.c", "steps.h"):
        digest.update((FOLDER / name).read_bytes())
    kept = BUILD / "measure" / f"steps-{digest.hexdigest()[:16]}.so"
    if kept.is_file():
        return kept
    folder = Path(tempfile.mkdtemp(prefix="wardmote-"))
    made = folder / "steps.so"
    words = [compiler, *FLAGS, "-o", str(made), str(FOLDER / "steps.c")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        first = (done.stderr.strip().splitlines() or ["no reason"])[0]
        raise StepError(f"{FOLDER.name}/steps.c failed: {first}")
    try:
        write_atomically(kept, made.read_bytes())
    except UsageError:  # It may belong to someone else: then it is compiled each time.
        return made
    shutil.rmtree(folder)
    return kept
