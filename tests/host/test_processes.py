# SPDX-License-Identifier: BSD-3-Clause
"""Several processes and one counter file: no counter is granted twice, whoever forks and whatever
an earlier process left behind."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.host.test_counter_file import OK, STATE, STORAGE, FileStore

RUNS = {"own numbers": 1000, "one number": 100}
GRANTED_EACH = 6


NUMBER = "(long)getpid()"


@pytest.fixture(params=["own numbers", "one number"])
def store(
    request: pytest.FixtureRequest, root: Path, build: Callable[..., Path], tmp_path: Path
) -> FileStore:
    """A store in a new file, on a disk that is quick. *one number*: all processes have the same
    one, as a child has in another namespace, or after its parent's end."""
    text = (root / "host/counter_file.c").read_text(encoding="utf-8")
    assert text.count(NUMBER) == 2
    same = text.replace(NUMBER, "1L") if request.param == "one number" else None
    store = FileStore(build(same, on_disk=True), tmp_path / "counters")
    store.c.disk_power(0, 0)
    assert store.create() == OK
    return store


def grant(store: FileStore, counter: int, count: int, pipe: int) -> int:
    """Asks for counters one by one and reports those granted; the next one."""
    for _ in range(count):
        if store.advance(0, counter + 1) == OK:
            os.write(pipe, counter.to_bytes(4, "little"))
        counter += 1
    return counter


def life(store: FileStore, draw: random.Random, pipe: int) -> None:
    """Opens the file, uses counters, forks in between; parent and child go on, and the child tries
    to open the file anew."""
    if store.open() != OK:
        return
    counter = grant(store, store.limit(0), draw.randrange(GRANTED_EACH), pipe)
    child = os.fork()
    counter = grant(store, counter, draw.randrange(1, GRANTED_EACH), pipe)
    if child == 0:
        again = FileStore(Path(store.c._name), store.path)
        if again.open() == OK:
            grant(again, again.limit(0), 2, pipe)
        os._exit(0)
    if draw.random() < 0.5:
        os.waitpid(child, 0)
        grant(store, counter, 2, pipe)
        store.close()
    else:
        store.close()
        if store.open() == OK:
            grant(store, store.limit(0), 2, pipe)
            store.close()
        os.waitpid(child, 0)


def test_no_counter_comes_twice(store: FileStore, request: pytest.FixtureRequest) -> None:
    """Two processes at a time that open, count, fork, close and open again, on one file."""
    runs = RUNS[request.node.callspec.params["store"]]
    read, write = os.pipe()
    granted: list[int] = []
    for run in range(runs):
        children = []
        for which in range(2):
            child = os.fork()
            if child == 0:
                os.close(read)
                life(store, random.Random(2 * run + which), write)
                os._exit(0)
            children.append(child)
        for child in children:
            os.waitpid(child, 0)
        os.set_blocking(read, False)
        try:
            while octets := os.read(read, 4096):
                granted += [
                    int.from_bytes(octets[at : at + 4], "little") for at in range(0, len(octets), 4)
                ]
        except BlockingIOError:
            pass
    assert len(granted) == len(set(granted))
    assert len(granted) > runs


def test_a_child_uses_nothing_of_its_parent(store: FileStore) -> None:
    """After a fork the parent goes on. The child gets no counter, not even one that the parent's limit
    covers."""
    assert (store.open(), store.advance(0, 1)) == (OK, OK)
    child = os.fork()
    if child == 0:
        os._exit(0 if [store.advance(0, n) for n in (2, 5)] == [STORAGE] * 2 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert [store.advance(0, counter) for counter in (2, 3, 4, 5)] == [OK] * 4
    store.close()


def test_a_child_reads_nothing_through_its_parent(store: FileStore) -> None:
    """Nor can the child open a store on the file that its parent has open."""
    assert (store.open(), store.advance(0, 1)) == (OK, OK)
    child = os.fork()
    if child == 0:
        os._exit(-store.open_store())
    assert -os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == STORAGE
    assert store.advance(0, 2) == OK
    store.close()


def test_a_closed_file_grants_nothing(store: FileStore) -> None:
    """Neither to the process that closed it, nor to a child of it: both would grant what is below the
    limit, where all have one number."""
    assert (store.open(), store.advance(0, 1)) == (OK, OK)
    store.close()
    child = os.fork()
    if child == 0:
        os._exit(-store.advance(0, 2))
    assert -os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == STORAGE
    assert store.advance(0, 2) == STORAGE
    assert (store.open(), store.limit(0), store.advance(0, 5)) == (OK, 4, OK)
    store.close()
    store.close()


def test_what_an_earlier_process_left(store: FileStore) -> None:
    """A file under a name made of this process's number does not keep a counter file from being
    made, nor is it touched."""
    store.path.unlink()
    left = store.path.with_name(f"{store.path.name}.{os.getpid()}")
    left.write_bytes(b"left")
    assert (store.create(), store.open()) == (OK, OK)
    store.close()
    assert left.read_bytes() == b"left"
    assert sorted(path.name for path in store.path.parent.iterdir()) == sorted(
        (left.name, store.path.name)
    )


def test_one_of_many_creates(store: FileStore) -> None:
    """Of several processes that make the file at the same time one does, and nothing is left."""
    for _ in range(20):
        store.path.unlink()
        children = []
        for _ in range(4):
            child = os.fork()
            if child == 0:
                os._exit(-store.create())
            children.append(child)
        answers = sorted(-os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)
        assert answers == [STATE, STATE, STATE, OK]
        assert (list(store.path.parent.iterdir()), store.open()) == ([store.path], OK)
        store.close()
