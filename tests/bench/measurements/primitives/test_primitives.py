# SPDX-License-Identifier: BSD-3-Clause
"""What primitives cost: nothing is left out, figures are those of the functions, verdicts see what
is there."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.flash import octets
from wardmote.call import open_target
from wardmote.campaign.runner import Runner
from wardmote.campaign.store import Store
from wardmote.cpus import CPU_NAMES
from wardmote.errors import ImageError
from wardmote.linked import linked
from wardmote.measurements.function.board import boards
from wardmote.measurements.primitives import run
from wardmote.measurements.primitives.campaign import Selection, measure
from wardmote.measurements.primitives.entry import (
    Operation,
    Primitive,
    Workload,
    lengths_of,
    public,
    record,
    secret,
    workloads,
)
from wardmote.measurements.primitives.printed import printed_ms, ratio
from wardmote.measurements.primitives.rows import PrimitiveRow
from wardmote.measurements.primitives.table import PRIMITIVES
from wardmote.published import load
from wardmote.views.primitives.table import verdict

ROOMS = ("cipher", "hash", "mode")
MEASURED = re.compile(
    r"\b(wm_\w+_(?:expand|derive|init|encrypt|decrypt|update|final|verify|digest|seal|open|start|aad|crypt|seal_finish))\("
)


def entry(name: str, variant: str = "") -> Primitive:
    """One entry of the table."""
    return next(one for one in PRIMITIVES if (one.name, one.variant) == (name, variant))


def rows_of(
    tmp_path: Path, *chosen: Primitive, cpus: tuple[str, ...] = CPU_NAMES
) -> tuple[PrimitiveRow, ...]:
    """Rows of 16 octets, measured afresh."""
    selection = Selection(cpus, chosen, (16,), boards((), cpus), runs=3, seed=1)
    result = measure(selection, Runner(store=Store(tmp_path)))
    assert not result.missing
    assert result.measured == len(chosen) * len(cpus)
    return result.rows


def costs_of(workload: Workload, runs: int = 2) -> list[run.Cost]:
    """Costs on an MSP430."""
    executable = linked("msp430", workload.primitive.symbols, workload.primitive.form)
    return run.measure(run.opened(executable.read_bytes()), workload, runs, seed=1)


def header_of(source: str, headers: set[str]) -> str | None:
    """The public header a source belongs to: the longest that begins its name."""
    words = source.split("_")
    return next(
        (name for n in range(len(words), 0, -1) if (name := "_".join(words[:n])) in headers), None
    )


def test_every_primitive_has_an_entry(root: Path) -> None:
    """Each source of the ciphers, hashes and modes with a public header is measured: every function
    that is an operation is called by an entry."""
    include = root / "stack/include/wardmote"
    headers = {path.stem for path in include.glob("*.h")}
    called = {
        name for one in PRIMITIVES for operation in one.operations for name in operation.functions
    }
    sources = [path.stem for room in ROOMS for path in (root / "stack/src" / room).glob("*.c")]
    wanted = {name for source in sources if (name := header_of(source, headers))}
    assert {"aes128", "sha3_256", "ocb3", "xcbc_mac"} <= wanted
    # Another nonce for a mode that is measured, and its two parts: `wardmote slot` measures them.
    wanted -= {"ccm_l4", "ccm_parts"}
    declared = {
        name
        for one in wanted
        for name in MEASURED.findall((include / f"{one}.h").read_text(encoding="utf-8"))
    }
    assert len(declared) > 80
    # What IPsec takes in least flash: `wardmote ipsec crypto` and `footprint` measure it.
    declared = {name for name in declared if "_lean_" not in name}
    # An init is the expansion, which is measured, and a binding.
    bound = {name for name in declared if re.sub(r"(_small)?_init$", "_expand", name) in called}
    assert sorted(declared - called - bound) == []
    assert sorted(wanted - {name for one in PRIMITIVES for name in one.headers}) == []


def test_names_are_unique() -> None:
    """A primitive and a variant name one entry."""
    names = [one.label for one in PRIMITIVES]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_nothing_is_missing(cpu: str) -> None:
    """Every executable has what the table names. A missing name is reported."""
    assert {one.label: run.lacking(cpu, one) for one in PRIMITIVES if run.lacking(cpu, one)} == {}
    odd = replace(entry("sha1"), operations=(Operation("init", ("wm_sha1_begin context",)),))
    assert run.lacking(cpu, odd) == ("wm_sha1_begin",)


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_figures_are_those_of_direct_calls(cpu: str, tmp_path: Path) -> None:
    """Rows of AES, CMAC and Ascon have the cycles, the stack and the RAM of calls made one by
    one."""
    chosen = (entry("aes128", "tab"), entry("cmac", "aes128-tab"), entry("ascon_aead128"))
    found = {
        (row.primitive, row.operation, row.a_octets): row
        for row in rows_of(tmp_path, *chosen, cpus=(cpu,))
    }
    target = open_target(cpu, "aes128", "cmac", "ascon_aead128")
    schedule = target.pack("wm_aes128")
    expand = target.call("wm_aes128_expand", schedule, bytes(range(16)))
    block = target.call("wm_aes128_tab_encrypt", bytes(schedule), bytearray(16))
    assert found["aes128", "init", 0].cycles == expand.cycles
    row = found["aes128", "encrypt", 0]
    assert (row.cycles, row.stack_octets, row.ram_octets) == (block.cycles, block.stack_octets, 176)
    made, key = target.pack("wm_aes128_tab_key"), target.buffer(target.pack("wm_cmac_key"))
    context = target.pack("wm_cmac")
    make = target.call("wm_aes128_tab_init", made, bytes(range(16)))
    derive = target.call("wm_cmac_derive", key, target.buffer(made))
    begin = target.call("wm_cmac_init", context, key)
    assert make.cycles
    assert derive.cycles
    assert begin.cycles
    assert found["cmac", "init", 0].cycles == make.cycles + derive.cycles + begin.cycles
    assert (
        found["cmac", "update", 0].cycles
        == target.call("wm_cmac_update", context, bytes(16), 16).cycles
    )
    for a in (0, 16):
        given = (bytes(16), bytes(16), bytes(a), a, bytearray(16), 16, bytearray(16))
        assert (
            found["ascon_aead128", "seal", a].cycles
            == target.call("wm_ascon_aead128_seal", *given).cycles
        )
    target.reset()


def test_verdicts_see_tables(tmp_path: Path) -> None:
    """AES by tables looks up by secrets, without tables it does not; neither has a secret path. A
    band has two ends."""
    rows = rows_of(
        tmp_path, entry("aes128", "tab"), entry("aes128", "fix"), cpus=("msp430", "armv7m")
    )
    encrypt = {(row.cpu, row.variant): row for row in rows if row.operation == "encrypt"}
    for cpu in ("msp430", "armv7m"):
        tab, fix = encrypt[cpu, "tab"], encrypt[cpu, "fix"]
        assert (
            tab.constant_time,
            tab.constant_cycles,
            tab.no_secret_branch,
            tab.no_secret_address,
        ) == (*(False, True, True, False),)
        assert fix.constant_time
    assert encrypt["msp430", "tab"].cycles_low is None
    low = encrypt["armv7m", "tab"].cycles_low
    assert low is not None
    assert low < encrypt["armv7m", "tab"].cycles


def test_verdicts_see_a_secret_path() -> None:
    """OCB3 takes bits from where its nonce says: a secret nonce shows in cycles and path, and then
    nothing is said of addresses; a public one does not."""
    values = {"cipher": record("wm_aes128_fix_key"), "key": secret(16), "nonce": public(12)}
    values |= {"derived": record("wm_ocb3_key"), "context": record("wm_ocb3")}
    lines = [
        "wm_aes128_fix_init cipher key",
        "wm_ocb3_derive derived cipher",
    ]
    lines.append("wm_ocb3_start context derived nonce nonce.len 16 1")
    clean = Primitive("ocb3", "sealing", (), values, (Operation("init", tuple(lines)),), fixed=1)
    shown = replace(clean, values=values | {"nonce": secret(12)})
    costs = [costs_of(Workload(one, 1, 0, True), 8)[0] for one in (clean, shown)]
    assert [cost.constant_cycles for cost in costs] == [True, False]
    assert [cost.no_secret_branch for cost in costs] == [True, False]
    assert [cost.no_secret_address for cost in costs] == [True, None]
    assert costs[1].cycles_min < costs[1].cycles


def test_verdicts_in_words(tmp_path: Path) -> None:
    """Differences are named, and outputs that were not compared are not called equal."""
    row = rows_of(tmp_path, entry("rc5"), cpus=("msp430",))[0]
    assert verdict(row) == "nothing"
    assert verdict(replace(row, no_secret_address=False)) == "addresses"
    secret_path = replace(
        row, constant_cycles=False, no_secret_branch=False, no_secret_address=None
    )
    assert verdict(secret_path) == "cycles, path, addresses not compared"


def test_a_message_that_does_not_come_back_is_refused() -> None:
    """Decryption under another initialisation vector is no decryption; a refused call is named."""
    cbc = entry("cbc", "aes128-tab")
    broken = replace(
        cbc, values={**cbc.values, "iv_again": replace(cbc.values["iv_again"], kind="out")}
    )
    with pytest.raises(ImageError, match="decrypt does not give the message back"):
        costs_of(Workload(broken, 16, 0, True))
    with pytest.raises(ImageError, match="wm_cbc_encrypt on msp430 refuses with status -1"):
        costs_of(Workload(cbc, 12, 0, True))


def test_wrong_tags_are_wrong_everywhere() -> None:
    """Of three runs one has a tag that is wrong in its first octet, one in its last and one in
    all."""
    tag = bytes(range(16))
    places = [
        [n for n, octet in enumerate(run.Secrets(1, number).wrong(tag)) if octet != tag[n]]
        for number in range(3)
    ]
    assert places == [[0], [15], list(range(16))]


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_wrong_tags_are_refused_in_equal_time(cpu: str, tmp_path: Path) -> None:
    """Codes and authenticated encryption have rows of right and of wrong tags, without a difference
    between runs."""
    chosen = (
        entry("cmac", "curupira2"),
        entry("hmac", "sha256"),
        entry("eax", "rc5"),
        entry("ascon_aead128"),
    )
    rows = {(row.primitive, row.operation): row for row in rows_of(tmp_path, *chosen, cpus=(cpu,))}
    for name, right in (
        ("cmac", "verify"),
        ("hmac", "verify"),
        ("eax", "open"),
        ("ascon_aead128", "open"),
    ):
        for operation in (right, "refuse"):
            row = rows[name, operation]
            assert row.constant_cycles, row
            assert row.no_secret_branch, row
    assert rows["eax", "refuse"].cycles > rows["eax", "open"].cycles


def test_what_is_not_refused_or_not_wiped_is_seen() -> None:
    """An entry whose tag stays right, whose tag has no possible length, or whose message is left,
    is none."""
    eax = entry("eax", "rc5")
    seal, refuse = eax.operations[1], eax.operations[3]
    assert (seal.name, refuse.name) == ("seal", "refuse")
    for broken, says in (
        (replace(refuse, wrong="key"), "refuse takes a wrong tag: wm_eax_open answers 0"),
        (
            replace(refuse, lines=(refuse.lines[0].replace("tag.len", "3"),)),
            "wm_eax_open answers -1",
        ),
        (
            replace(seal, name="refuse", wipes=True),
            "refuse leaves something in place of the message",
        ),
        (replace(refuse, restores=True), "refuse does not give the message back"),
    ):
        workload = Workload(replace(eax, operations=(eax.operations[0], broken)), 16, 0, True)
        with pytest.raises(ImageError, match=says):
            costs_of(workload)


def test_rows_of_associated_data() -> None:
    """Taking it in is a row where there is some."""
    ocb3 = entry("ocb3", "curupira2")
    names = [
        [cost.operation for cost in costs_of(workload)]
        for workload in workloads(ocb3, lengths_of(ocb3, (16,)))
    ]
    assert names == [
        ["init", "seal", "open", "refuse", "start", "crypt", "finish"],
        ["seal", "open", "refuse", "aad", "crypt", "finish"],
    ]


def test_lengths() -> None:
    """Whole blocks for CBC, one block for a cipher, with and without associated data for an
    AEAD."""
    assert lengths_of(entry("cbc", "aes128-tab"), (12, 16, 64)) == ((16, 0), (64, 0))
    assert lengths_of(entry("cbc", "curupira2"), (12, 16, 64)) == ((12, 0),)
    assert lengths_of(entry("rc5"), (12, 16)) == ((8, 0),)
    ascon = entry("ascon_aead128")
    lengths = lengths_of(ascon, (12, 16))
    assert lengths == ((12, 0), (12, 12), (16, 0), (16, 16))
    assert [one.first for one in workloads(ascon, lengths)] == [True, False, False, False]


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_flash(cpu: str) -> None:
    """A mode holds its cipher; the small variant is smaller; nothing takes nothing."""
    sizes = {v: octets(cpu, entry("aes128", v))[0] for v in ("tab", "small")}
    under = {v: octets(cpu, entry("ccm", f"aes128-{v}"))[0] for v in ("tab", "small")}
    assert 300 < sizes["small"] < sizes["tab"] < 8192
    assert under["tab"] > sizes["tab"]
    assert under["tab"] > under["small"]
    assert octets(cpu, replace(entry("rc5"), operations=())) == (0, 0)


def test_printed_times() -> None:
    """The paper's figures by operation and length. There is none for a length that the paper does
    not have, and none where it printed none."""
    printed = load("primitives")["telosb"]
    blake, eax, marvin = entry("blake2s"), entry("eax", "curupira2"), entry("marvin", "curupira2")
    assert printed_ms(blake, "update", 64, 0) == printed["hash_update_ms"]["blake2s"][1]
    assert printed_ms(blake, "update", 12, 0) is None
    whole = sum(printed[f"hash_{part}_ms"]["blake2s"] for part in ("init", "final"))
    assert printed_ms(blake, "digest", 64, 0) == pytest.approx(
        whole + printed["hash_update_ms"]["blake2s"][1]
    )
    assert printed_ms(eax, "seal", 36, 36) == printed["aead_encrypt_ad_equals_data_ms"]["eax"][1]
    assert printed_ms(eax, "seal", 36, 0) == printed["aead_encrypt_no_ad_ms"]["eax"][1]
    assert printed_ms(eax, "open", 36, 0) is None
    assert printed_ms(entry("eax", "aes128-tab"), "seal", 36, 0) is None
    assert printed_ms(marvin, "update", 108, 0) == printed["mac_update_ms"]["marvin"]["ms"][4]
    assert printed_ms(entry("cbc", "aes128-tab"), "encrypt", 32, 0) is None
    assert printed_ms(entry("marvin", "curupira1_96"), "init", 0, 0) is None
    assert ratio(1.0, 4000, 8_000_000) == 2.0


def test_every_printed_place_exists() -> None:
    """The tables have each printed figure that an entry names, for one length at least."""
    lengths = (0, 12, 16, 32, 128)
    for one in PRIMITIVES:
        for operation in one.published:
            found = [printed_ms(one, operation, n, a) for n in lengths for a in (0, n)]
            assert any(found), f"{one.label} {operation}"
