# SPDX-License-Identifier: BSD-3-Clause
"""`wardmote.measure` says what a function costs, whether it keeps its secrets, and refuses what
cannot be measured."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import wardmote
from tests.bench.measurements.function.sources import SOURCE, line_of, verdicts
from tests.bench.refusals import check_refused
from wardmote import cli
from wardmote.call import open_target
from wardmote.cpus import CPU_NAMES, MEASURED_NAMES
from wardmote.errors import WardmoteError
from wardmote.linked import linked
from wardmote.measurements.function.files import PLACES
from wardmote.measurements.function.rows import MeasureRow
from wardmote.views.measure import COLUMNS, answer
from wardmote.views.table import to_markdown

EMULATED = MEASURED_NAMES
FOLD = "uint8_t fold(const uint8_t key[16], uint8_t block[16])"
COMPARE = "int compare(const uint8_t tag[8], const uint8_t want[8])"
PROMISED = (
    *(
        "cpu",
        "primitive",
        "variant",
        "operation",
        "octets",
        "cycles_min",
        "cycles_median",
        "cycles_max",
    ),
    *("flash_octets", "ram_octets", "stack_octets", "constant_time", "compiler", "flags"),
)
FILE = ("mixed_bag.c", SOURCE)


def by_cpu(rows: list[MeasureRow]) -> dict[str, MeasureRow]:
    """Rows of one measurement."""
    return {row.cpu: row for row in rows}


def test_constant_time_function_holds_everywhere(source: Path) -> None:
    """All three verdicts hold on every emulated CPU, and on the host the two that it gives; outputs
    are the same."""
    rows = by_cpu(
        wardmote.measure(source, FOLD, args=["key=random:secret", "block=random:secret"], runs=8)
    )
    assert list(rows) == [*MEASURED_NAMES, "host"]
    for cpu in EMULATED:
        row = rows[cpu]
        assert (
            row.constant_time,
            row.constant_cycles,
            row.no_secret_branch,
            row.no_secret_address,
        ) == (True,) * 4
        assert row.leaks == ()
        assert row.cycles_min == row.cycles_max
        assert row.flash_octets is not None
        assert 0 < row.flash_octets < 400, "what the function does not need is left out"
        assert row.ram_octets == 0
        assert (row.primitive, row.variant, row.octets) == ("mixed", "bag", 16)
    assert rows["msp430"].cycles_median_low is None
    low, high = rows["armv7m"].cycles_median_low, rows["armv7m"].cycles_median
    assert low is not None
    assert high is not None
    assert low < high
    assert (
        rows["host"].cycles_median,
        rows["host"].constant_cycles,
        rows["host"].constant_time,
    ) == (None, None, True)
    assert all(row.holds and row.disagreement is None for row in rows.values())


@pytest.mark.parametrize("cpu", EMULATED)
def test_secret_branch_is_named(source: Path, cpu: str) -> None:
    """A comparison that stops early branches on its secret: the line, both inputs, and no address
    is to blame."""
    (row,) = wardmote.measure(source, COMPARE, args={"want": "random:secret"}, cpus=cpu, runs=8)
    assert verdicts(row) == (False, False, False, True)
    leak = next(leak for leak in row.leaks if leak.verdict == "branch")
    assert leak.source == f"mixed_bag.c:{line_of('the branch')}"
    assert leak.function == "compare"
    assert re.match(r"(jne|jnz|bne|jeq|jz|beq|brne|breq|cpse)", leak.instruction)
    assert leak.secrets_first != leak.secrets_second
    assert set(leak.public) == {"tag"}


def test_comparison_leaks_only_beyond_its_first_octet(source: Path) -> None:
    """Random secrets alone all stop at the first octet; a secret that equals the other buffer is
    among those tried."""
    (row,) = wardmote.measure(
        source, COMPARE, args=["want=random:secret", "tag=hex:a1b2c3d4e5f60718"], cpus="msp430"
    )
    assert any("hex:a1b2c3d4e5f60718" in leak.secrets_second.values() for leak in row.leaks)


@pytest.mark.parametrize("cpu", EMULATED)
def test_secret_index_is_named(source: Path, cpu: str) -> None:
    """A table that is indexed by a secret: equal cycles, equal path, and the line of the index."""
    call = "uint8_t look(const uint8_t key[4])"
    (row,) = wardmote.measure(source, call, args=["key=random:secret"], cpus=[cpu], runs=8)
    assert (row.constant_cycles, row.no_secret_branch, row.no_secret_address) == (True, True, False)
    (leak,) = row.leaks
    assert (leak.verdict, leak.source) == ("address", f"mixed_bag.c:{line_of('the index')}")
    assert leak.first.startswith("reads 0x")
    assert leak.first != leak.second


def test_slow_instruction_is_named(source: Path) -> None:
    """A division takes the Cortex-M3 a time that depends on the operands, on one path: the line of
    the division."""
    call = "uint32_t divide(uint32_t secret, uint32_t by)"
    (row,) = wardmote.measure(source, call, args=["secret=random:secret", "by=7"], cpus="armv7m")
    assert (row.constant_cycles, row.no_secret_branch, row.no_secret_address) == (False, True, True)
    (leak,) = row.leaks
    assert (leak.verdict, leak.source) == ("cycles", f"mixed_bag.c:{line_of('the division')}")
    assert leak.instruction.startswith("udiv")


@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_tables_of_aes(root: Path, cpu: str) -> None:
    """AES with tables has no secret-dependent branch but secret-dependent addresses, as C and as
    the shipped binary; the variant `fix` has neither; cycles are those of a call."""
    cipher = root / "stack" / "src" / "cipher"
    files = [cipher / f"aes128_{name}.c" for name in ("tab", "tables", "sbox")]
    files.append(root / "stack/src/util/ct.c")
    elf = linked(cpu, ["wm_aes128_tab_encrypt", "wm_aes128_fix_encrypt"])
    secrets = ["ctx=random:secret", "block=random:secret"]
    tab = "void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block)"
    for where in (files, elf):
        (row,) = wardmote.measure(where, tab, args=secrets, cpus=cpu, runs=4)
        assert (row.constant_cycles, row.no_secret_branch, row.no_secret_address) == (
            True,
            True,
            False,
        )
        assert re.fullmatch(r"aes128_tab(_chain)?\.[cS]:\d+", row.leaks[0].source)
    outcome = open_target(cpu, "aes128").call("wm_aes128_tab_encrypt", bytes(176), bytearray(16))
    assert (row.cycles_median, row.stack_octets) == (outcome.cycles, outcome.stack_octets)
    fix = tab.replace("tab", "fix").replace("wm_aes128 *", "wm_aes128_slices *")
    (row,) = wardmote.measure(elf, fix, args=secrets, cpus=cpu, runs=4)
    assert row.constant_time is True


@pytest.mark.parametrize("cpu", EMULATED)
def test_most_cycles_are_those_of_all_runs(source: Path, cpu: str) -> None:
    """A comparison that ends early takes longest when both tags are equal. Only the search for leaks
    has such a run, and the most cycles are its."""
    tags = ["tag=hex:0011223344556677", "want=random:secret"]
    (row,) = wardmote.measure(source, COMPARE, args=tags, cpus=cpu, runs=4)
    (plain,) = wardmote.measure(source, COMPARE, args=[*tags[:1], "want=random"], cpus=cpu, runs=4)
    assert row.constant_cycles is False
    [leak] = [leak for leak in row.leaks if leak.verdict == "cycles"]
    seen = [int(text.split()[0]) for text in (leak.first, leak.second)]
    assert row.cycles_max is not None
    assert plain.cycles_max is not None
    assert row.cycles_max >= max(seen) > plain.cycles_max
    assert (row.cycles_min, row.cycles_median) == (plain.cycles_min, plain.cycles_median)


def test_length_is_a_parameter(source: Path) -> None:
    """A bare pointer has the length that the number behind it says; every call begins with fresh
    variables."""
    (row,) = wardmote.measure(
        source, "uint32_t sum(const uint8_t *p, uint16_t n)", args=["n=16"], cpus="msp430"
    )
    (same,) = wardmote.measure(
        source, "uint32_t sum(const uint8_t p[n], uint16_t n)", args=["n=32"], cpus="msp430"
    )
    assert (row.octets, same.octets) == (16, 32)
    assert row.cycles_max is not None
    assert same.cycles_max is not None
    assert row.cycles_max < same.cycles_max < 2 * row.cycles_max
    assert row.constant_time is None, "nothing is secret"
    call = "uint32_t sum(const uint8_t *p, uint16_t n)"
    (said,) = wardmote.measure(source, call, args=["p=random:64", "n=4"], cpus="msp430")
    assert (said.octets, said.cycles_max is not None and said.cycles_max < row.cycles_max) == (
        64,
        True,
    )
    counted = by_cpu(wardmote.measure(source, "uint16_t count(void)", expect=["return=41"]))
    assert all(row.expected is True and row.holds for row in counted.values())
    assert counted["msp430"].ram_octets == 2


def test_command_prints_rows(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON rows carry what is promised; an expectation that fails, and CPUs that disagree, end with
    1 and a line."""
    words = [
        "measure",
        str(source),
        "--call",
        FOLD,
        "--arg",
        "key=hex:" + "00" * 16,
        "--arg",
        "block=zero",
    ]
    outputs = bytes(range(16)).hex()
    assert (
        cli.main(
            [
                *words,
                "--format",
                "json",
                "--expect",
                f"block=hex:{outputs}",
                "--expect",
                "return=15",
            ]
        )
        == 0
    )
    rows = json.loads(capsys.readouterr().out)
    assert [row["cpu"] for row in rows] == [*MEASURED_NAMES, "host"]
    assert all(set(PROMISED) <= set(row) for row in rows)
    assert "clang version 22" in rows[0]["compiler"]
    assert "-O2" in rows[0]["flags"]
    assert cli.main([*words, "--cpu", "msp430", "--expect", "return=14"]) == 1
    printed = capsys.readouterr()
    assert "wardmote: msp430 gives what was not expected: return is 15 and not 14" in printed.err
    assert "fold" in printed.out
    assert (
        cli.main(["measure", str(source), "--call", "uint16_t width(uint8_t n)", "--arg", "n=3"])
        == 1
    )
    assert (
        "the CPUs disagree: the result is 5 on msp430, 7 on armv7m, with n=3"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("call", "words", "says"),
    [
        (
            "int compare(const uint8_t tag[8])",
            (),
            "does not match mixed_bag.c: conflicting types for 'compare'",
        ),
        ("nonsense", (), "'nonsense' is no prototype: write it as in C"),
        ("int compare(const octet tag[8])", (), "does not parse"),
        ("int missing(void)", (), "no function missing in mixed_bag.c"),
        (
            "uint16_t spin(uint16_t n)",
            ("--arg", "n=1", "--cycle-limit", "100000"),
            "no return within 100000 cycles",
        ),
        (
            "uint16_t spin(uint16_t n)",
            ("--arg", "n=1", "--cpu", "host", "--runs", "1"),
            "no return within 3 s",
        ),
        (
            "void poke(uint16_t n)",
            ("--arg", "n=1", "--cpu", "msp430"),
            "msp430: poke: PC 0x4000 (poke), cycle 0: nothing is mapped",
        ),
        ("void poke(uint16_t n)", ("--arg", "n=1", "--cpu", "armv7m"), "0x00000c00 is read-only"),
        (
            "void reach(uint16_t n)",
            ("--arg", "n=1", "--cpu", "avr"),
            "nothing is mapped at data address 0x3f00, at mixed",
        ),
        ("void poke(uint16_t n)", ("--arg", "n=1", "--cpu", "host"), "poke on host: PC 0x"),
        (
            "uint16_t deep(uint16_t n)",
            ("--arg", "n=5000", "--cpu", "msp430"),
            "the stack has grown into the data below it, at mixed_bag",
        ),
        (
            "uint16_t deep(uint16_t n)",
            ("--arg", "n=5000", "--cpu", "armv7m"),
            "the stack has grown into the data",
        ),
        (
            "uint16_t deep(uint16_t n)",
            ("--arg", "n=5000", "--cpu", "avr"),
            "the stack has grown into the data",
        ),
        ("void over(uint8_t block[4])", (), "wrote 1 octets past the end of block (4 octets)"),
        (FOLD, ("--cpu", "z80"), "no cpu 'z80': possible are all, " + ", ".join(PLACES)),
        (FOLD, ("--flags", "-DX='"), "no flags"),
        (FOLD, ("--flags", "-include nowhere.h"), "msp430: mixed_bag.c failed:"),
        (FOLD, ("--arg", "key"), "no argument 'key': write NAME=VALUE"),
        (FOLD, ("--arg", "key=magic"), "argument key: no value 'magic': possible are random"),
        (FOLD, ("--arg", "key=hex:0"), "argument key: '0' is no even number of hex digits"),
        (FOLD, ("--arg", "key=hex:00"), "argument key has 1 octets, its prototype 16"),
        (
            FOLD,
            ("--arg", "key=zero:secret"),
            "argument key is secret, and cannot be fixed: write key=random:secret",
        ),
        (FOLD, ("--arg", "kee=zero"), "no parameter 'kee'"),
        (FOLD, ("--arg", "key=zero", "--arg", "key=zero"), "argument key is given twice"),
        (FOLD, ("--expect", "key=hex:00"), "no output 'key': possible are block, return"),
        (FOLD, ("--arg", "key=1.5"), "no value '1.5': a number is a whole one; possible are"),
        ("void over(double block[4])", (), "type double is floating point: only integers are"),
        ("uint16_t hid(void)", (), "no function hid in mixed_bag.c: similar are "),
        ("uint16_t qq(void)", (), "no function qq in mixed_bag.c: it has "),
        (
            "uint8_t hidden(uint8_t n)",
            ("--arg", "n=1"),
            "hidden is static in mixed_bag.c, and cannot be called",
        ),
        ("void far_over(uint8_t block[4])", (), "wrote at least 16 octets past the end of block"),
        (FOLD, ("--runs", "0"), "no number of runs 0"),
        (
            "uint32_t sum(const uint8_t *p, uint16_t n)",
            (),
            "give --arg n=NUMBER, or =random, or several numbers by --size n=16,32\n",
        ),
        ("uint16_t width(uint8_t n)", (), "give --arg n=NUMBER, or =random\n"),
        (
            "uint32_t sum(const uint8_t *p, uint16_t n)",
            ("--arg", "n=70000"),
            "70000 is not within 0 to 65535",
        ),
        (
            "uint32_t sum(const uint8_t *p, uint16_t n)",
            ("--arg", "n=9000"),
            "no buffer of 9000 elements, at most 8192",
        ),
        (
            "uint32_t sum(const uint8_t *p, uint16_t n)",
            ("--arg", "n=4", "--arg", "p=hex:0011"),
            "argument p has 2 octets, its prototype 4",
        ),
        (
            "uint32_t sum(const uint8_t *p, uint16_t n)",
            ("--arg", "n=random"),
            "argument n is the length of p",
        ),
    ],
)
def test_what_cannot_be_measured(
    source: Path, capsys: pytest.CaptureFixture[str], call: str, words: tuple[str, ...], says: str
) -> None:
    """Each wrong input ends with 2 and one line that says what is wrong."""
    check_refused(capsys, says, "measure", str(source), "--call", call, *words)


@pytest.mark.parametrize("operator", ["*", "/", "%"])
@pytest.mark.parametrize("type_", ["uint64_t", "int64_t"])
def test_arithmetic_of_64_bits(tmp_path: Path, type_: str, operator: str) -> None:
    """Products, quotients and remainders of 64 bits are the same on every CPU, for operands of any
    length: the multiplier's columns, and what keeps its registers around a call."""
    path = tmp_path / "wide.c"
    path.write_text(
        f"#include <stdint.h>\n{type_} wide({type_} a, {type_} b)\n{{\n"
        f"    {type_} x = (a - 1) >> (b & 31), y = (b >> (a & 55)) | 1;\n"
        f"    return (x {operator} y) ^ (y {operator} (x | 1)) ^ x ^ y;\n}}\n"
    )
    rows = wardmote.measure(
        path,
        f"{type_} wide({type_} a, {type_} b)",
        args={"a": "random", "b": "random"},
        runs=100,
    )
    assert {row.cpu for row in rows} == {*EMULATED, "host"}
    assert [row.disagreement for row in rows] == [None] * len(rows)


def test_files_that_cannot_be_measured(tmp_path: Path, root: Path) -> None:
    """A compile error gives the compiler's first error line; a file that is none, and an ELF file's
    own CPU."""
    broken = tmp_path / "broken.c"
    broken.write_text("int f(void)\n{\n    return 1\n}\n")
    with pytest.raises(
        WardmoteError, match=r"msp430: broken\.c failed: .*broken\.c:3:13: error: expected ';'"
    ):
        wardmote.measure(broken, "int f(void)")
    with pytest.raises(WardmoteError, match="no such file"):
        wardmote.measure(tmp_path / "absent.c", "int f(void)")
    fake = tmp_path / "fake.elf"
    fake.write_bytes(b"no executable at all")
    with pytest.raises(WardmoteError, match="no ELF file"):
        wardmote.measure(fake, "int f(void)")
    elf = linked("msp430", ["wm_ct_diff"])
    with pytest.raises(WardmoteError, match="is for msp430, not for armv7m"):
        wardmote.measure(elf, "int f(void)", cpus="armv7m")
    with pytest.raises(
        WardmoteError, match=rf"no function wm_ct_dif in {elf.name}: it has wm_ct_diff"
    ):
        wardmote.measure(elf, "int wm_ct_dif(void)")


def test_assembly_and_more_than_one_file(source: Path, tmp_path: Path) -> None:
    """Assembly is measured like C, and calls what is in another file; only what is needed
    counts."""
    assembly = tmp_path / "twice.S"
    assembly.write_text(
        ".text\n.globl twice\n.type twice, @function\ntwice:\n    call #count\n    rla r12\n    "
        "ret\n"
    )
    (row,) = wardmote.measure(
        [assembly, source], "uint16_t twice(void)", cpus="msp430", expect={"return": "82"}
    )
    assert row.holds
    assert (row.ram_octets, row.files) == (2, "twice.S, mixed_bag.c")
    with pytest.raises(WardmoteError, match=r"armv7m: twice\.S failed"):
        wardmote.measure([assembly, source], "uint16_t twice(void)", cpus="armv7m")


@pytest.mark.document
def test_pages_for_others_work(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command and the loop of the page for people from pqm4, and the lines for notebooks, do
    what they say."""
    page = (root / "docs" / "i-come-from-pqm4.md").read_text()
    mine = (root / "docs" / "what-does-my-function-cost.md").read_text()
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "aes"
    folder.mkdir()
    text = (
        "#include <stdint.h>\nvoid encrypt(const uint8_t key[16], uint8_t "
        "block[16]) { "
        "block[0] ^= key[0]; }\n"
    )
    for name in ("one", "two"):
        (folder / f"aes128_{name}.c").write_text(text)
    (loop,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", loop], capture_output=True, text=True, check=True)
    assert [line.split(",")[:3] for line in done.stdout.splitlines()] == [
        ["primitive", "variant", "cpu"],
        *(["aes128", name, cpu] for name in ("one", "two") for cpu in (*EMULATED, "host")),
    ]
    (tmp_path / "include").mkdir()
    (tmp_path / "keyschedule.c").write_text("int unused;\n")
    (tmp_path / "speck.c").write_text(
        "#include <stdint.h>\nint encrypt(uint8_t *c, const uint8_t *m, uint16_t m_octets, "
        "const uint8_t key[16])\n"
        "{\n    for (uint16_t i = 0; i < m_octets; i++)\n        c[i] = m[i] ^ key[i % 16];\n   "
        " return 0;\n}\n"
    )
    command = next(
        block for block in re.split(r"\n\n", page) if "wardmote measure speck.c" in block
    )
    assert (
        cli.main(shlex.split(command.replace("\\\n", " ").replace("--runs 100", "--runs 2"))[1:])
        == 0
    )
    (tmp_path / "xtea.c").write_text(re.findall(r"```c\n(.*?)```", mine, re.DOTALL)[0])
    (notebook,) = re.findall(r"```python\n(.*?)```", mine, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", notebook], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0].startswith("msp430 6")
    assert "xtea.c:" in done.stdout.splitlines()[-1]


@pytest.mark.document
def test_page_says_what_is_measured(tmp_path: Path, root: Path) -> None:
    """The functions of the documentation give the figures and the line printed there."""
    page = (root / "docs" / "what-does-my-function-cost.md").read_text()
    cipher, check, rounds = (tmp_path / f"{name}.c" for name in ("xtea", "check", "rounds"))
    for path, text in zip(
        (cipher, check, rounds), re.findall(r"```c\n(.*?)```", page, re.DOTALL), strict=True
    ):
        path.write_text(text)
    call = "void encrypt(const uint32_t key[4], uint32_t block[2])"
    rows = wardmote.measure(cipher, call, args=["key=random:secret", "block=random:secret"])
    assert to_markdown(rows, COLUMNS) in page
    vector = ["key=hex:03020100070605040b0a09080f0e0d0c", "block=hex:4443424148474645"]
    known = wardmote.measure(
        cipher, call, args=vector, expect=["block=hex:d0f37d49b52c6172"], runs=1
    )
    assert [row.expected for row in known] == [True] * 6
    call = "int check(const uint8_t tag[4], const uint8_t want[4])"
    rows = wardmote.measure(check, call, args=["want=random:secret"])
    assert answer(rows).splitlines()[0] in " ".join(page.split())
    command = next(block for block in re.split(r"\n\n", page) if "measure rounds.c" in block)
    words = shlex.split(command.replace("\\\n", " "))[3:]
    given = [(words[n], words[n + 1]) for n in range(0, len(words), 2)]
    calls, args, objects = (
        [value for name, value in given if name == option]
        for option in ("--call", "--arg", "--global")
    )
    rows = wardmote.measure(rounds, calls, args=args, globals=objects)
    assert to_markdown(rows, COLUMNS) in page
