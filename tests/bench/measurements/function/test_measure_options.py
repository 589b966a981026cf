# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps over sizes, archives, boards and baselines of `wardmote measure`."""

import dataclasses
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

import wardmote
from bench.targets import measure as bench_measure
from tests.bench.measurements.function.sources import SOURCE
from tests.bench.refusals import check_refused
from wardmote import cli
from wardmote.boards import BOARDS, current_of
from wardmote.cpus import CPU_NAMES, MEASURED_NAMES
from wardmote.errors import WardmoteError
from wardmote.measurements.function import build
from wardmote.measurements.function.build import LANGUAGE, toolchain

SUM = "uint32_t sum(const uint8_t *p, uint16_t n)"
FILE = ("mixed_bag.c", SOURCE)


@pytest.fixture
def archives(source: Path) -> Mapping[str, Path]:
    """The functions as an archive for each CPU."""
    found: dict[str, Path] = {}
    for cpu in (*CPU_NAMES, "host"):
        tools = toolchain(cpu)
        object_ = source.with_name(f"{cpu}.o")
        found[cpu] = source.with_name(f"libbag-{cpu}.a")
        words = [
            *tools.compiler,
            *LANGUAGE,
            "-ffunction-sections",
            "-fdata-sections",
            "-c",
            str(source),
        ]
        subprocess.run([*words, "-o", str(object_)], check=True)
        subprocess.run(["llvm-ar-22", "rc", str(found[cpu]), str(object_)], check=True)
    return found


def test_sizes_are_rows(source: Path) -> None:
    """Each size is a row a CPU, CPU by CPU; a row is that of the size alone; a sum of octets grows
    by the octet."""
    rows = wardmote.measure(source, SUM, sizes=[16, 32, 64], args=["p=random"])
    assert [(row.cpu, row.octets) for row in rows] == [
        (cpu, octets) for cpu in (*MEASURED_NAMES, "host") for octets in (16, 32, 64)
    ]
    assert [row.arguments for row in rows[:2]] == [("p=random", "n=16"), ("p=random", "n=32")]
    for cpu in MEASURED_NAMES:
        cycles = [row.cycles_max for row in rows if row.cpu == cpu and row.cycles_max is not None]
        assert cycles[2] - cycles[1] == 2 * (cycles[1] - cycles[0]) > 0
    (alone,) = wardmote.measure(source, SUM, args=["n=32"], cpus="msp430")
    assert alone.cycles_max == rows[1].cycles_max
    named = wardmote.measure(source, SUM, sizes="n=32", cpus="msp430")
    assert named[0].cycles_max == alone.cycles_max


@pytest.mark.parametrize(
    ("call", "words", "says"),
    [
        (SUM, ("--size", "many"), "no size 'many': write lengths such as 16,32,64"),
        (SUM, ("--size", "p=16"), "p is no length of a buffer"),
        (SUM, ("--size", "16", "--arg", "n=4"), "parameter n is varied by --size: give no --arg n"),
        (SUM, ("--size", "16,9000"), "no buffer of 9000 elements, at most 8192"),
        ("void over(uint8_t block[4])", ("--size", "16"), "no single length of a buffer in"),
        (
            SUM,
            ("--arg", "n=4", "--board", "z1"),
            "no board 'z1': possible are " + ", ".join(BOARDS),
        ),
        (
            SUM,
            ("--arg", "n=4", "--board", "telosb@9MHz"),
            "no clock '9MHz': possible are 8MHz, 6.7MHz, 4.19MHz on telosb",
        ),
        (
            SUM,
            ("--arg", "n=4", "--board", "telosb", "--cpu", "avr"),
            "board telosb has an msp430, which is not measured",
        ),
        (
            SUM,
            ("--arg", "n=4", "--tolerance", "much"),
            "no tolerance 'much': write per cent, such as 2%",
        ),
        (
            SUM,
            ("--arg", "n=4", "--baseline", "nowhere.json"),
            "nowhere.json: No such file or directory",
        ),
    ],
)
def test_options_that_cannot_work(
    source: Path, capsys: pytest.CaptureFixture[str], call: str, words: tuple[str, ...], says: str
) -> None:
    """Each ends with 2 and one line."""
    check_refused(capsys, says, "measure", str(source), "--call", call, *words)


def test_time_and_energy_of_a_board(source: Path) -> None:
    """Cycles at the board's clock, and what its CPU's active current makes of them; half the clock,
    twice the time."""
    rows = {row.cpu: row for row in wardmote.measure(source, SUM, sizes=[16], runs=1)}
    assert [rows[cpu].board for cpu in rows] == [
        *("telosb", "atmega128", "openmote-cc2538"),
        *(None,) * (len(rows) - 3),
    ]
    for row in rows.values():
        if row.board is None or row.clock_hz is None or row.cycles_median is None:
            assert row.cpu not in CPU_NAMES
            assert (row.time_us, row.energy_uj) == (None, None)
            continue
        seconds = row.cycles_median / row.clock_hz
        supply_v = {"telosb": 3.6}.get(row.board, 3.0)
        ma = current_of(row.board, "cpu", "active", row.clock_hz, supply_v=supply_v).ma
        assert row.supply_v == supply_v
        assert row.time_us == pytest.approx(seconds * 1e6, abs=0.001)
        assert row.energy_uj == pytest.approx(seconds * 1e3 * ma * supply_v, rel=1e-5)
        assert row.current_source is not None
        assert row.current_source.startswith(("datasheet: ", "measured: ", "assumed: "))
    fast, slow = rows["armv7m"].time_us_low, rows["armv7m"].time_us
    assert fast is not None
    assert slow is not None
    assert fast < slow
    (half,) = wardmote.measure(
        source, SUM, sizes=[16], runs=1, cpus="armv7m", boards="openmote-cc2538@16MHz"
    )
    assert half.time_us == pytest.approx(2 * slow, abs=0.002)


def test_archives_are_measured_as_their_sources(
    source: Path, archives: Mapping[str, Path], tmp_path: Path
) -> None:
    """An archive for each CPU gives the rows of the source; each alone is for its own CPU, and
    mixes with C."""
    alone = wardmote.measure(source, SUM, args=["n=16"], runs=2, cpus=tuple(archives))
    want = {row.cpu: row.cycles_max for row in alone}
    rows = wardmote.measure(list(archives.values()), SUM, args=["n=16"], runs=2)
    assert {row.cpu: row.cycles_max for row in rows} == want
    assert {row.flags for row in rows} == {"of the archive"}
    assert all(row.disagreement is None for row in rows)
    caller = tmp_path / "caller.c"
    caller.write_text(
        "#include <stdint.h>\nuint16_t count(void);\nuint16_t twice(void) { count(); return "
        "count(); }\n"
    )
    (row,) = wardmote.measure(
        [caller, archives["avr"]], "uint16_t twice(void)", expect=["return=42"], runs=1
    )
    assert (row.cpu, row.holds) == ("avr", True)
    with pytest.raises(WardmoteError, match=r"libbag-avr\.a is for avr, not for msp430"):
        wardmote.measure([caller, archives["avr"]], "uint16_t twice(void)", cpus="msp430")
    header = tmp_path / "bag.h"
    header.write_text("#include <stdint.h>\ntypedef uint16_t number;\nnumber count(void);\n")
    (row,) = wardmote.measure(
        [archives["msp430"], header], "number count(void)", expect=["return=41"]
    )
    assert row.holds
    with pytest.raises(
        WardmoteError, match=r"does not match bag\.h: conflicting types for 'count'"
    ):
        wardmote.measure([archives["msp430"], header], "uint8_t count(void)")


def test_archives_that_cannot_be_measured(archives: Mapping[str, Path], tmp_path: Path) -> None:
    """An archive of two CPUs, of none, a thin one, and what is no archive."""
    both = tmp_path / "both.a"
    members = [str(tmp_path / f"{cpu}.o") for cpu in ("avr", "msp430")]
    subprocess.run(["llvm-ar-22", "rc", str(both), *members], check=True)
    thin = tmp_path / "thin.a"
    subprocess.run(["llvm-ar-22", "rcT", str(thin), members[0]], check=True)
    empty, fake = tmp_path / "empty.a", tmp_path / "fake.a"
    subprocess.run(["llvm-ar-22", "rc", str(empty)], check=True)
    fake.write_bytes(b"nothing of the kind")
    for path, says in (
        (both, "has members for avr and msp430: give an archive for each"),
        (thin, "is a thin archive"),
        (empty, "has no ELF member"),
        (fake, "no archive"),
    ):
        with pytest.raises(WardmoteError, match=says):
            wardmote.measure(path, SUM, args=["n=16"])
    with pytest.raises(WardmoteError, match=r"no function total in libbag-avr\.a"):
        wardmote.measure(archives["avr"], "uint16_t total(void)")


def test_baseline_tells_what_got_worse(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same source is not worse than itself; more work is, by more than the tolerance; a lost
    verdict always is."""
    words = ["measure", str(source), "--cpu", "msp430,armv7m", "--format", "json", "--runs", "4"]
    call = ["--call", "uint8_t look(const uint8_t key[4])", "--arg", "key=random:secret"]
    constant = SOURCE.replace("sum ^= box[key[i]];", "sum ^= key[i];")
    source.write_text(constant)
    assert cli.main([*words, *call]) == 0
    baseline = tmp_path / "then.json"
    baseline.write_text(capsys.readouterr().out)
    assert cli.main([*words, *call, "--baseline", str(baseline)]) == 0
    printed = capsys.readouterr()
    assert "Nothing is worse than then.json" in printed.err
    assert json.loads(printed.out) == json.loads(baseline.read_text())
    source.write_text(SOURCE)
    assert cli.main([*words, *call, "--baseline", str(baseline), "--tolerance", "1000%"]) == 1
    printed = capsys.readouterr()
    assert (
        "worse than then.json: constant_time of look (4 octets) on msp430, yes then, NO now"
        in printed.err
    )
    assert "cycles_max" not in printed.err
    assert cli.main([*words[:3], "msp430", *call, "--baseline", str(baseline)]) == 1
    printed = capsys.readouterr()
    assert "cycles median" in printed.out
    assert "WORSE" in printed.out
    assert "worse than then.json: cycles_median of look (4 octets) on msp430" in printed.err
    assert "in then.json, not measured now: look of 4 octets on armv7m" in printed.err


def test_baselines_that_cannot_be_compared(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--baseline` refuses a file that is no JSON, one without rows, and one whose rows are of
    another kind."""
    path = tmp_path / "then.json"
    words = [
        "measure",
        str(source),
        "--call",
        SUM,
        "--arg",
        "n=4",
        "--cpu",
        "msp430",
        "--baseline",
        str(path),
    ]
    (row,) = wardmote.measure(source, SUM, args=["n=8"], cpus="msp430")
    other = {"constant_time": None} | {
        name: getattr(row, name)
        for name in (
            "cpu",
            "operation",
            "octets",
            "flags",
            "cycles_median",
            "cycles_max",
            "stack_octets",
        )
    }
    whole = other | {"flash_octets": 1, "ram_octets": 1, "schema": "MeasureRow 3"}
    for text, says in (
        ("not at all", "no JSON"),
        (json.dumps([other]), "no rows that `wardmote measure --format json` wrote"),
        (json.dumps([whole | {"schema": "MeasureRow 0"}]), "then.json: rows of MeasureRow 0, but"),
        (json.dumps([whole]), "has no row to compare: it has sum of 8 octets on msp430"),
        (json.dumps([whole, whole]), "two rows of sum of 8 octets on msp430"),
    ):
        path.write_text(text)
        assert cli.main(words) == 2
        assert says in capsys.readouterr().err


def test_bench_times_the_command() -> None:
    """The command that `make bench` times runs, and both times are of runs."""
    seconds = bench_measure.timed("msp430", rounds=2)
    assert len(seconds) == 2
    assert min(seconds) > 0


def test_runtime_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler's own helpers are compiled once and kept, per version of their source. Where
    nothing can be kept they are compiled for one measurement."""
    monkeypatch.setattr(build, "BUILD", tmp_path / "build")
    tools = toolchain("avr")
    first = build._runtime(tools, tmp_path)
    times = [path.stat().st_mtime_ns for path in first]
    assert all(path.is_relative_to(tmp_path / "build") for path in first)
    assert build._runtime(tools, tmp_path) == first
    assert [path.stat().st_mtime_ns for path in first] == times
    other = dataclasses.replace(tools, runtime_flags=("-fno-builtin", "-DOTHER"))
    assert set(build._runtime(other, tmp_path)).isdisjoint(first)
    (tmp_path / "file").touch()
    monkeypatch.setattr(build, "BUILD", tmp_path / "file")
    moment = build._runtime(tools, tmp_path)
    assert [path.parent for path in moment] == [tmp_path] * len(first)
    assert all(path.is_file() for path in moment)
