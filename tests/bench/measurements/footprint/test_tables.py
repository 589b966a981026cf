# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of table entries: what the data models say is what the compilers say."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from wardmote.cpus import CPUS, tools
from wardmote.elf import read
from wardmote.errors import MissingError
from wardmote.linked import archive, defined
from wardmote.measurements.footprint.tables import (
    ENTRIES,
    MODULES,
    code,
    entries,
    networks,
)

COMPILERS = {cpu: [*tools(cpu)["CC"], *tools(cpu)["TARGET"]] for cpu in CPUS} | {"host": ["gcc"]}


def compiles(root: Path, tmp_path: Path, command: list[str], sizes: dict[str, int]) -> bool:
    """Does a compiler agree that the structs have these sizes?"""
    lines = ["#include <wardmote/aes128.h>", "#include <wardmote/security_procedures.h>"]
    lines += [
        f'_Static_assert(sizeof({record}) == {octets}, "{record}");'
        for record, octets in sizes.items()
    ]
    source = tmp_path / "sizes.c"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = [
        *command,
        "-std=c11",
        "-ffreestanding",
        "-fsyntax-only",
        f"-I{root / 'stack/include'}",
        str(source),
    ]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("target", COMPILERS)
def test_compilers_agree(
    root: Path, tmp_path: Path, oracle: Callable[[str], str], target: str
) -> None:
    """Every entry is as large as its compiler makes it, and a size that is off by one is
    noticed."""
    oracle(COMPILERS[target][0])
    sizes = {row.record: row.octets[target] for row in entries()}
    assert compiles(root, tmp_path, COMPILERS[target], sizes)
    for record, octets in sizes.items():
        assert not compiles(root, tmp_path, COMPILERS[target], {record: octets + 1})


def test_every_file_of_the_procedures_is_counted(root: Path) -> None:
    """No source of the procedures is left out of the table of code."""
    files = {
        path.stem.removeprefix("security_")
        for path in (root / "stack/src/link").glob("security_*.c")
    }
    assert files == set(MODULES)
    assert all(
        set(row.flash_octets) == set(CPUS) and min(row.flash_octets.values()) > 0 for row in code()
    )


def test_slot_images_carry_no_tables(slot_images: Path) -> None:
    """An image that secures with one key and no tables has single-frame security and nothing of the
    procedures."""
    tables = {
        "wm_incoming_unsecure",
        "wm_outgoing_secure",
        "wm_key_lookup",
        "wm_device_lookup",
        "wm_level_check",
    }
    assert tables | {"wm_frame_unsecure_as"} <= defined(archive("msp430"))
    image = set(
        read((slot_images / "slot-software.elf").read_bytes(), "slot-software.elf").addresses
    )
    assert "wm_ccm_open" in image
    assert not tables & image


def test_code_is_text_and_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each file of the procedures in each library, without what is zero at the start; files of
    others do not count."""
    for number, target in enumerate(CPUS):
        library = tmp_path / "stack" / target / "libwardmote.a"
        library.parent.mkdir(parents=True)
        library.write_text(str(number))

    def listed(words: list[str], **_: object) -> SimpleNamespace:
        more = 1000 * int(Path(words[1]).read_text())
        lines = [f" {more + 100 + n} {20 * n} 7 9 9 security_{name}.o (x)"
                 for n, name in enumerate((*MODULES, "another"))]  # fmt: skip
        return SimpleNamespace(stdout="\n".join([" text data bss dec hex filename", *lines, ""]))

    monkeypatch.setattr(subprocess, "run", listed)
    assert [(row.module, row.flash_octets) for row in code(tmp_path)] == [
        (name, {target: 1000 * number + 100 + 21 * n for number, target in enumerate(CPUS)})
        for n, name in enumerate(MODULES)
    ]


def test_what_is_written_lies_in_ram() -> None:
    """Expanded keys, counters, devices under a key, and the PIB with its slots."""
    ram = {"wm_aes128_tab_key", "wm_frame_counter", "wm_key_device", "wm_security_pib"}
    assert {row.entry: (row.record, row.memory) for row in entries()} == {
        title: (record, "RAM" if record in ram else "flash") for title, record, _ in ENTRIES
    }


def test_code_without_library(tmp_path: Path) -> None:
    """Without a library the answer is one line that says what builds it."""
    with pytest.raises(MissingError, match=r"libwardmote\.a: no such file; `make stack` builds it"):
        code(tmp_path)


def test_networks_are_sums() -> None:
    """A node with a key for each of 10 neighbours has 10 expanded keys and 10 counters more than
    the one with none."""
    by_name = {row.network: row for row in networks()}
    assert len(by_name) == 3
    each = {
        record: next(row.octets for row in entries() if row.record == record)
        for _, record, _ in ENTRIES
    }
    one, ten = (row for name, row in by_name.items() if "10 neighbours" in name)
    for target in one.ram_octets:
        assert (
            ten.ram_octets[target] - one.ram_octets[target] == 9 * each["wm_aes128_tab_key"][target]
        )
        key = (
            each["wm_key_descriptor"][target]
            + 2 * each["wm_key_id_lookup"][target]
            + 3 * each["wm_key_usage"][target]
        )
        assert ten.flash_octets[target] - one.flash_octets[target] == 9 * key
