# SPDX-License-Identifier: BSD-3-Clause
"""The tests of the counter store can fail: each of these defects, put into its source, is noticed
by at least one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.stack.store import test_counter_store as checks
from tests.stack.store.counterlib import Counters, library, play

# One worker, so built once.
pytestmark = [pytest.mark.xdist_group("counter-mutants"), pytest.mark.turns(3)]

FOLDER = "stack/src/store"
ADVANCE = "return next <= store->limit[slot] ? WM_OK : put(store, slot, raised(store, slot, next));"
HEADER = """wm_counter_write(on, to, WM_COUNTER_HEADER_PLACE, WM_COUNTER_HEADER,
                                  store->generation + 1)"""
AT_ONCE = """uint32_t block = (store->limit[slot] + store->block - 1) & ~(store->block - 1);
    return next <= block ? WM_OK : put(store, slot, next == 0 ? raised(store, slot, 1) : next);"""
LATE = """static uint32_t owed[WM_COUNTER_SLOTS_MAX];
    uint32_t late = owed[slot];
    owed[slot] = next;
    return late <= store->limit[slot] ? WM_OK : put(store, slot, raised(store, slot, late));"""
ERASE = """uint16_t next = 0;
    wm_status status = wm_counter_erase(on, to);"""
RETIRE = "wm_counter_retire(on, store->active, WM_COUNTER_RETIRED_PLACE)"
RECORD = "program(on, segment, offset, octets, first)"
LAST = "program(on, segment, (uint16_t)(offset + first), last, unit)"
MUTANTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "stored after use": ((ADVANCE, LATE),),
    "not stored ahead": ((ADVANCE, AT_ONCE),),
    "not read back": (("!same(back, from, len)", "false"),),
    "interrupted records are taken": (("octets[1] == zeros_of(octets)", "true"),),
    "lost records are passed over": (
        ("return mark == 0xFFFFu ? WM_COUNTER_TORN : WM_COUNTER_DAMAGED;", "return WM_COUNTER_TORN;"),
    ),
    "marks are not looked at": (
        ("return (mark & right) == right ? WM_COUNTER_VALID : WM_COUNTER_DAMAGED;", "return WM_COUNTER_VALID;"),
    ),
    "the header is written first": (
        (ERASE, f"{ERASE}\n    status = {HEADER};"),
        (f"status = {HEADER};\n    }}\n    if (status == WM_OK) {{\n        status = {RETIRE}", f"status = {RETIRE}"),
    ),
    "not erased before it is written": ((ERASE, ERASE.replace("wm_counter_erase(on, to)", "WM_OK")),),
    "a limit is left behind": (("slot < store->slots && status == WM_OK; slot++", "slot + 1 < store->slots; slot++"),),
    "the old segment is believed": (("(value > found->number ||", "(found->active == WM_COUNTER_NONE ||"),),
    "generations are not retired": ((f"status = {RETIRE};", "status = WM_OK;"),),
    "falling limits are taken": (("from->value != 0 && from->value < store->limit[from->kind]", "false"),),
    "compacts at every record": (("store->next < store->places ? WM_OK", "store->next == 0 ? WM_OK"),),
    "skips more than a block": (("limit + store->block;", "limit + 17 * store->block;"),),
    "a record counts before its last unit": (
        ("? WM_COUNTER_BLANK : WM_COUNTER_TORN;", "? WM_COUNTER_BLANK : WM_COUNTER_VALID;"),
    ),
    "the last unit is written first": (
        (f"{RECORD};", f"{LAST};"),
        (f"{LAST} : status;", f"{RECORD} : status;"),
    ),
    "a loss is taken for an absence": (("is_blank(on, found->ended, WM_COUNTER_HEADER_PLACE);", "true;"),),
    "a store is created over another": (("if (status != WM_ERR_NO_STORE) {", "if (false) {"),),
    "nothing ends": (("value >= found->number) {", "false) {"),),
    "blank places are passed over": (("place > store->next + 1u", "false"),),
    "a clear that failed is left": (("if (limit == 0) { /*", "if (false) { /*"),),
    "writes over what was interrupted": (("if (what != WM_COUNTER_BLANK) {", "if (what == WM_COUNTER_VALID) {"),),
}  # fmt: skip


Build = Callable[[tuple[tuple[str, str], ...]], Counters]
PORTS = ("counter_double_two", "counter_double_two4", "counter_double_three8")


@pytest.fixture(scope="module")
def build(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds the store with some of its lines replaced, with the media in RAM, for this machine.
    Each line is in one file, once."""

    def make(changes: tuple[tuple[str, str], ...]) -> Counters:
        folder = tmp_path_factory.mktemp("store")
        doubles = sorted((root / "tests/stack/store").glob("*_double.c"))
        paths = [*sorted((root / FOLDER).glob("*.[ch]")), *doubles]
        texts = {path.name: path.read_text(encoding="utf-8") for path in paths}
        for right, wrong in changes:
            found = [name for name, text in texts.items() if right in text]
            assert [texts[name].count(right) for name in found] == [1], right
            texts[found[0]] = texts[found[0]].replace(right, wrong)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        include = (f"-I{root / 'stack/include'}", f"-I{root / 'tests/stack/store'}")
        sources = [str(path) for path in sorted(folder.glob("*.c"))]
        command = ["gcc", "-std=c11", "-O1", "-fPIC", "-shared", *include, *sources]
        command += ["-o", str(folder / "store.so")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return Counters(library(folder / "store.so"))

    return make


def judge(first: Counters) -> None:
    """Everything that a wrong store may fail at."""
    for port in PORTS:
        store = Counters(first.target, port, slots=2 if "three" in port else 3)
        for seed in range(60):
            play(store, checks.history(seed, 25))
            store.blank()
        if "three" in port:
            continue
        for check in (
            checks.test_what_cannot_be_read_back_is_not_granted,
            checks.test_a_clear_that_fails_leaves_the_old_limit,
            checks.test_a_lost_record_is_an_error,
            checks.test_records_that_became_blank_are_an_error,
            checks.test_an_interrupted_record_may_become_blank,
            checks.test_a_lost_generation_is_an_error,
            checks.test_a_limit_that_falls_is_an_error,
        ):
            store.blank()
            assert (store.create(), store.open(), store.create()) == (
                "WM_OK",
                "WM_OK",
                "WM_ERR_STATE",
            )
            header = store.place(0, 0)
            store.set_place(0, 0, bytes(8))
            assert store.open() == "WM_ERR_STORAGE"
            store.set_place(0, 0, header)
            assert store.open() == "WM_OK"
            check(store)


def test_the_store_as_it_is_passes(build: Build) -> None:
    """Built in the same way the true source is found without fault, so that what follows means
    something."""
    judge(build(()))


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_noticed(build: Build, name: str) -> None:
    """A store with this defect breaks a promise in one of the checks."""
    store = build(MUTANTS[name])
    with pytest.raises(AssertionError):
        judge(store)
