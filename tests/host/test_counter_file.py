# SPDX-License-Identifier: BSD-3-Clause
"""Counters in a file: kept over a crash of the process and of the machine, one process at a time,
and refusals."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

# One worker, so built once.
pytestmark = pytest.mark.xdist_group("counter-file")

OK, STATE, STORAGE, NO_STORE = 0, -11, -20, -21
BLOCK, SLOTS = 4, 2
SEGMENT = 4096
# In a process of its own: counters as they are granted, for ever.
GRANTING = """
import sys
from pathlib import Path
from tests.host.test_counter_file import FileStore
store = FileStore(Path(sys.argv[1]), Path(sys.argv[2]))
assert store.open() == 0
counter = store.limit(0)
while True:
    counter += 1
    assert store.advance(0, counter) == 0
    sys.stdout.write(f"{counter}\\n")
    sys.stdout.flush()
"""


class Port(ctypes.Structure):
    """counter_file."""

    _fields_ = (("descriptor", ctypes.c_int), ("owner", ctypes.c_long), ("mark", ctypes.c_void_p))


class FileStore:
    """A store in a file, by a library built from the sources."""

    def __init__(self, library: Path, path: Path) -> None:
        """Nothing is open yet."""
        self.c = ctypes.CDLL(str(library))
        self.c.wm_counter_store_limit.restype = ctypes.c_uint32
        self.path, self.file = path, Port(-1, 0, None)
        self.port = ctypes.byref(ctypes.c_char.in_dll(self.c, "counter_file_port"))
        self.store, self.limits = ctypes.create_string_buffer(128), (ctypes.c_uint32 * SLOTS)()

    def create(self) -> int:
        """counter_file_create."""
        return int(self.c.counter_file_create(os.fsencode(self.path)))

    def open(self) -> int:
        """Opens the file and the store in it."""
        return self.open_file() or self.open_store()

    def open_file(self) -> int:
        """counter_file_open."""
        return int(self.c.counter_file_open(ctypes.byref(self.file), os.fsencode(self.path)))

    def open_store(self) -> int:
        """wm_counter_store_open."""
        args = (self.port, ctypes.byref(self.file), self.limits, SLOTS, ctypes.c_uint32(BLOCK))
        return int(self.c.wm_counter_store_open(self.store, *args))

    def advance(self, slot: int, counter: int) -> int:
        """wm_counter_store_advance."""
        return int(self.c.wm_counter_store_advance(self.store, slot, ctypes.c_uint32(counter)))

    def limit(self, slot: int) -> int:
        """wm_counter_store_limit."""
        return int(self.c.wm_counter_store_limit(self.store, slot))

    def close(self) -> None:
        """counter_file_close."""
        self.c.counter_file_close(ctypes.byref(self.file))


@pytest.fixture(scope="session")
def library(build: Callable[..., Path]) -> Path:
    """The driver as it is."""
    return build()


def test_a_file_is_made_and_read_again(library: Path, tmp_path: Path) -> None:
    """A new file is whole, for its owner alone; what is stored in it is there after it was closed.
    Opening makes none, and none is made where there is one."""
    store = FileStore(library, tmp_path / "counters")
    assert (store.open_file(), store.file.descriptor) == (NO_STORE, -1)
    assert not list(tmp_path.iterdir())
    assert (store.create(), store.open_file(), store.open_store()) == (OK, OK, OK)
    assert store.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["counters"]
    store.close()
    assert store.open() == OK
    assert [store.advance(0, 1), store.advance(1, 6)] == [OK, OK]
    store.close()
    assert store.create() == STATE
    assert (store.open(), store.limit(0), store.limit(1)) == (OK, 4, 8)
    store.close()
    store.path.unlink()
    assert store.open() == NO_STORE, "a file that is lost is no first start"


def test_what_was_never_opened_is_not_open(library: Path, tmp_path: Path) -> None:
    """A counter_file of zeros, and one whose opening failed: nothing can be stored in it, and closing
    it closes no file of another, descriptor 0 least of all."""
    store = FileStore(library, tmp_path / "counters")
    for unopened in (Port(0, 0, None), Port(0, os.getpid(), 1)):
        store.file = unopened
        if unopened.owner:
            assert store.open_file() == NO_STORE
        assert store.open_store() == STORAGE
        store.close()
        os.fstat(0)


def test_many_records_go_through_both_segments(build: Callable[..., Path], tmp_path: Path) -> None:
    """More than a thousand records, on a disk that is quick as it synchronises nothing."""
    store = FileStore(build(on_disk=True), tmp_path / "counters")
    store.c.disk_power(0, 0)
    assert (store.create(), store.open()) == (OK, OK)
    for counter in range(1, 1200 * BLOCK, BLOCK):
        assert store.advance(0, counter) == OK
    store.close()
    assert (store.open(), store.limit(0)) == (OK, 1200 * BLOCK)
    store.close()


def test_a_sector_that_is_lost(build: Callable[..., Path], tmp_path: Path) -> None:
    """Whatever it reads as, ones too, if anything was written behind it: no counter is granted
    again."""
    store = FileStore(build(on_disk=True), tmp_path / "counters")
    store.c.disk_power(0, 0)
    assert (store.create(), store.open()) == (OK, OK)
    assert store.advance(1, 1) == OK
    for counter in range(1, 400 * BLOCK, BLOCK):
        assert store.advance(0, counter) == OK
    store.close()
    right = store.path.read_bytes()
    for lost, contents in product(range(401 * 8 // 512), (b"\xff", b"\0", b"\xa5")):
        at = lost * 512
        store.path.write_bytes(right[:at] + contents * 512 + right[at + 512 :])
        assert store.open() == STORAGE, (lost, contents)
        store.close()
    store.path.write_bytes(right)
    assert (store.open(), store.limit(0), store.limit(1)) == (OK, 400 * BLOCK, BLOCK)
    store.close()


def test_one_process_at_a_time(library: Path, tmp_path: Path) -> None:
    """The second process is refused, since both would use the same counters."""
    first, second = (FileStore(library, tmp_path / "counters") for _ in range(2))
    assert (first.create(), first.open(), second.open_file()) == (OK, OK, STATE)
    first.close()
    assert second.open() == OK
    second.close()


def test_what_is_no_store_is_refused(library: Path, tmp_path: Path) -> None:
    """A folder, a file that was cut short, a file in a folder that is not there, a path beyond
    every length."""
    (tmp_path / "short").write_bytes(b"\xff" * SEGMENT)
    for path in (tmp_path, tmp_path / "short", tmp_path / "none/counters", tmp_path / ("x" * 3000)):
        store = FileStore(library, path)
        assert store.open_file() == (NO_STORE if path.parent.name == "none" else STORAGE)
        assert store.file.descriptor == -1
        assert store.create() == (STATE if path in (tmp_path, tmp_path / "short") else STORAGE)
    other = tmp_path / "other"
    other.write_bytes(bytes(2 * SEGMENT))
    store = FileStore(library, other)
    assert (store.open_file(), store.open_store()) == (OK, STORAGE)
    store.close()


def test_a_file_that_cannot_be_written_grants_nothing(library: Path, tmp_path: Path) -> None:
    """When the system refuses a write the counter is refused, and what was granted before stays."""
    store = FileStore(library, tmp_path / "counters")
    assert (store.create(), store.open(), store.advance(0, 1)) == (OK, OK, OK)
    descriptor, store.file.descriptor = store.file.descriptor, os.open(store.path, os.O_RDONLY)
    assert (store.advance(0, 5), store.limit(0)) == (STORAGE, 4)
    os.close(descriptor)
    store.close()
    assert (store.open(), store.limit(0), store.advance(0, 5)) == (OK, 4, OK)
    store.close()


def test_a_killed_process_loses_nothing(root: Path, library: Path, tmp_path: Path) -> None:
    """A process that is killed at any moment leaves a store that begins at or above everything it
    was granted."""
    path, reached = tmp_path / "counters", 0
    assert FileStore(library, path).create() == OK
    for lines in (1, 7, 60, 200):
        command = [sys.executable, "-c", GRANTING, str(library), str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
            assert process.stdout is not None
            first = int(process.stdout.readline())
            for _ in range(lines):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read().splitlines()
        assert first > reached, "a counter came twice"
        reached = max([first + lines, *(int(line) for line in rest[:-1])])
        store = FileStore(library, path)
        assert store.open() == OK
        assert store.limit(0) >= reached
        store.close()


def crash_again_and_again(store: FileStore, crashes: int) -> None:
    """Cuts the power of the disk within a write or a synchronisation and checks every promise after
    it."""
    draw, granted, asked = random.Random(2), [0, 0], [0, 0]
    store.c.disk_power(0, 0)
    assert (store.create(), store.open()) == (OK, OK)
    for _ in range(crashes):
        store.c.disk_power(draw.randint(1, 60), draw.getrandbits(32))
        while not store.c.disk_off():
            slot = draw.randrange(SLOTS)
            asked[slot] = granted[slot] + draw.choice((1, 3, 1000))
            if store.advance(slot, asked[slot]) == OK:
                granted[slot] = asked[slot]
        store.c.disk_power(0, 0)
        store.close()
        assert store.open() == OK
        for slot in range(SLOTS):
            assert granted[slot] <= store.limit(slot) <= -(-asked[slot] // BLOCK) * BLOCK
            granted[slot] = asked[slot] = store.limit(slot)
    store.close()


def test_a_crash_of_the_machine_loses_nothing(build: Callable[..., Path], tmp_path: Path) -> None:
    """Any of the sectors that were not synchronised may have reached the disk. What was granted is
    kept in each case."""
    crash_again_and_again(FileStore(build(on_disk=True), tmp_path / "counters"), 400)


def test_without_synchronisation_the_crash_shows(
    root: Path, build: Callable[..., Path], tmp_path: Path
) -> None:
    """The test before this one can fail: a driver that leaves its writes in the cache does not
    pass."""
    text = (root / "host/counter_file.c").read_text(encoding="utf-8")
    right = "write_all(descriptor, from, len, at) && fdatasync(descriptor) == 0"
    assert text.count(right) == 1
    lazy = text.replace(right, "write_all(descriptor, from, len, at)")
    with pytest.raises(AssertionError):
        crash_again_and_again(FileStore(build(lazy, on_disk=True), tmp_path / "counters"), 400)
