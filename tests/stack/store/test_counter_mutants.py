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
pytestmark = pytest.mark.xdist_group("counter-mutants")

SOURCE = "stack/src/store/counter_store.c"
ADVANCE = "return next <= store->limit[slot] ? WM_OK : put(store, slot, round_up(store, next));"
HEADER = "write_record(on, to, HEADER_PLACE, KIND_HEADER, store->generation + 1)"
AT_ONCE = """uint32_t block = round_up(store, store->limit[slot]);
    return next <= block ? WM_OK : put(store, slot, next);"""
LATE = """static uint32_t owed[WM_COUNTER_SLOTS_MAX];
    uint32_t late = owed[slot];
    owed[slot] = next;
    return late <= store->limit[slot] ? WM_OK : put(store, slot, round_up(store, late));"""
MUTANTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "stored after use": ((ADVANCE, LATE),),
    "not stored ahead": ((ADVANCE, AT_ONCE),),
    "not read back": (("if (back[n] != from[n])", "if (false)"),),
    "interrupted records are taken": (("if (octets[1] != zeros_of(octets))", "if (false)"),),
    "lost records are passed over": (("return mark == 0xFFFFu ? TORN : DAMAGED;", "return TORN;"),),
    "marks are not looked at": (("return (mark & right) == right ? VALID : DAMAGED;", "return VALID;"),),
    "the header is written first": (
        ("wm_status status = erase(on, to);", f"wm_status status = erase(on, to);\n    status = {HEADER};"),
        (f"status = {HEADER};\n    }}\n    if (status == WM_OK) {{\n        status = retire", "status = retire"),
    ),
    "not erased before it is written": (("wm_status status = erase(on, to);", "wm_status status = WM_OK;"),),
    "a limit is left behind": (("slot < store->slots && status == WM_OK; slot++", "slot + 1 < store->slots; slot++"),),
    "the old segment is believed": (("header.value < *generation", "header.value > *generation"),),
    "generations are not retired": (("status = retire(on, store->active);", "status = WM_OK;"),),
    "falling limits are taken": (("from->value != 0 && from->value < store->limit[from->kind]", "false"),),
    "compacts at every record": (("store->next < store->places ? WM_OK", "store->next == 0 ? WM_OK"),),
    "skips more than a block": (("(next + below) & ~below;", "((next + below) & ~below) + 16 * store->block;"),),
    "writes over what was interrupted": (("if (what != BLANK) {", "if (what == VALID) {"),),
}  # fmt: skip


@pytest.fixture(scope="module")
def build(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Counters]:
    """Builds the store from a source text, with the medium in RAM, for this machine."""

    def make(text: str) -> Counters:
        folder = tmp_path_factory.mktemp("store")
        (folder / "store.c").write_text(text, encoding="utf-8")
        sources = (str(folder / "store.c"), str(root / "tests/stack/store/counter_double.c"))
        flags = (
            "-std=c11",
            "-O1",
            "-fPIC",
            "-shared",
            f"-I{root / 'stack/include'}",
            f"-I{root / 'tests/stack/store'}",
        )
        command = ["gcc", *flags, *sources, "-o", str(folder / "store.so")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return Counters(library(folder / "store.so"))

    return make


def judge(store: Counters) -> None:
    """Everything that a wrong store may fail at."""
    for seed in range(60):
        play(store, checks.history(seed, 25))
        store.alter(octet=[0xFF] * 192, erasures=[0] * 3, overwritten=False)
    for check in (
        checks.test_what_cannot_be_read_back_is_not_granted,
        checks.test_a_lost_record_is_an_error,
        checks.test_a_lost_generation_is_an_error,
        checks.test_a_limit_that_falls_is_an_error,
    ):
        store.alter(octet=[0xFF] * 192, worn=[0] * 192, erasures=[0] * 3, overwritten=False)
        assert (store.format(), store.open()) == ("WM_OK", "WM_OK")
        check(store)


def test_the_store_as_it_is_passes(root: Path, build: Callable[[str], Counters]) -> None:
    """Built in the same way the true source is found without fault, so that what follows means
    something."""
    judge(build((root / SOURCE).read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", MUTANTS)
def test_a_defect_is_noticed(root: Path, build: Callable[[str], Counters], name: str) -> None:
    """A store with this defect breaks a promise in one of the checks."""
    text = (root / SOURCE).read_text(encoding="utf-8")
    for right, wrong in MUTANTS[name]:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    store = build(text)
    with pytest.raises(AssertionError):
        judge(store)
