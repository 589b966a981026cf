# SPDX-License-Identifier: BSD-3-Clause
"""Every field of a row of `wardmote measure`, by hand from runs that are made up."""

import dataclasses
import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wardmote import __version__
from wardmote.measurements.function import api
from wardmote.measurements.function.board import BoardAtClock
from wardmote.measurements.function.leak import Verdicts
from wardmote.measurements.function.rows import Dependence, Leak, Uncovered
from wardmote.measurements.function.run import TIMING_MODELS, Answer, Measured
from wardmote.measurements.function.taint import Followed
from wardmote.measurements.slot.provenance import commit

LEAK = Leak("cycles", 4, "f", "mul", "f.c:3", "a", "b", {"key": "1"}, {"key": "2"}, {})
SHOWN = Dependence("branch", 8, "f", "beq", "f.c:4", ("key",))
ASIDE = Uncovered(12, "f", "f.c:5", held=True)
FOLLOWED = Followed((SHOWN,), 2, 9, (ASIDE,))
MEASURED = Measured(
    answers=(Answer(0, {"out": b"\x01"}),) * 4,
    cycles=(64_000, 60_000, 68_000, 70_000),
    cycles_low=(32_000, 30_000, 34_000, 35_000),
    stack_octets=104,
    sizes=(3001, 203),
)
VERDICTS = Verdicts(False, True, True, (LEAK,), (71_000, 59_000), (29_000, 35_500))
GIVEN: dict[str, int | bytes] = {"key": b"\x05", "n": 3}


def row(folder: Path, measured: Measured, expected: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The row of these runs, of a file `mixed_bag.c`."""
    file = folder / "mixed_bag.c"
    file.write_text("int f;\n", encoding="utf-8")
    cpu = more.get("cpu", "armv7m")
    place = BoardAtClock("openmote-cc2538", "armv7m", 32_000_000)
    question: Any = SimpleNamespace(
        files=SimpleNamespace(given=[file, file]), function="f", boards={"armv7m": place},
        expected=expected, runs=4, seed=7, arguments=("key=random:secret",), published=("same",),
    )  # fmt: skip
    assignment: Any = SimpleNamespace(
        work_octets=lambda: 16, secrets=more.get("secrets", ("key",)), call=SimpleNamespace(text="int f(void)"),
        varied=("n", 3), alike=lambda _: True, before=(),
    )  # fmt: skip
    built: Any = SimpleNamespace(cpu=cpu, path=file, flags="-O9")
    faults = (
        api._unexpected(question, measured, [GIVEN] * 4),
        api._disagreement(
            assignment,
            {"msp430": (Answer(0, {"out": b"\x01"}),) * 4, cpu: measured.answers},
            cpu,
            [GIVEN] * 4,
        ),
    )
    verdicts = more.get("verdicts", VERDICTS)
    found = api._Found(measured, verdicts, more.get("unstepped"), more.get("followed", FOLLOWED))
    return dataclasses.asdict(api._row(question, assignment, built, found, faults))


@pytest.fixture(autouse=True)
def _made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "compiler_of", lambda _: "cc 1")


# The lower of the two middle numbers of 60, 64, 68 and 70 thousand cycles is the median: 2 ms at 32
# MHz, half of that at the fast end; 3 V x 13 mA x 2 ms = 78 uJ. Runs that look for leaks count for
# the most alone.
EXPECTED: dict[str, Any] = {
    "cpu": "armv7m", "primitive": "mixed", "variant": "bag", "operation": "f",
    "failure": None, "octets": 16,
    "cycles_min": 60_000, "cycles_median": 64_000, "cycles_max": 71_000,
    "cycles_min_low": 30_000, "cycles_median_low": 32_000, "cycles_max_low": 35_500,
    "instructions": None, "unstepped": None, "board": "openmote-cc2538", "clock_hz": 32_000_000,
    "supply_v": 3.0, "current_ma": 13.0, "time_us": 2000.0, "time_us_low": 1000.0,
    "energy_uj": 78.0, "energy_uj_low": 39.0, "flash_octets": 3001, "ram_octets": 203,
    "stack_octets": 104, "constant_time": False, "constant_cycles": False,
    "no_secret_branch": True, "no_secret_address": True, "leaks": (dataclasses.asdict(LEAK),),
    "no_dependence": False, "dependences": (dataclasses.asdict(SHOWN),), "paths": 2, "inputs": 9,
    "uncovered": (dataclasses.asdict(ASIDE),), "published": ("same",), "secrets": ("key",),
    "expected": True, "unexpected": None, "disagreement": None, "runs": 4,
    "seed": 7, "prototype": "int f(void)", "arguments": ("key=random:secret", "n=3"),
    "compiler": "cc 1", "flags": "-O9", "timing_model": TIMING_MODELS["armv7m"],
    "wardmote": __version__, "commit": commit(), "files": "mixed_bag.c, mixed_bag.c",
    "file_sha256": hashlib.sha256(b"int f;\nint f;\n").hexdigest(),
}  # fmt: skip


def test_every_field(tmp_path: Path) -> None:
    """On a CPU whose timing is a band."""
    found = row(tmp_path, MEASURED, {"out": b"\x01"})
    assert found.pop("current_source").startswith("assumed")
    assert found == EXPECTED


def test_outputs_that_are_wrong(tmp_path: Path) -> None:
    """The third answer is neither what is expected nor what the first CPU says. Where nothing is
    expected, nothing is said of it."""
    answers = (*MEASURED.answers[:2], Answer(0, {"out": b"\x02"}), Answer(9, {"out": b"\x01"}))
    wrong = dataclasses.replace(MEASURED, answers=answers)
    found = row(tmp_path, wrong, {"out": b"\x01"})
    assert (found["expected"], found["unexpected"], found["disagreement"]) == (
        False,
        "out is hex:02 and not hex:01, with key=hex:05 n=3",
        "out is 01 on msp430, 02 on armv7m, with key=hex:05 n=3",
    )
    found = row(tmp_path, dataclasses.replace(wrong, answers=answers[3:] * 4), {})
    assert (found["expected"], found["unexpected"], found["disagreement"]) == (
        None,
        None,
        "the result is 0 on msp430, 9 on armv7m, with key=hex:05 n=3",
    )


def test_this_machine(tmp_path: Path) -> None:
    """It counts no cycles: the median of its instructions, no board, and why it was not followed."""
    host = Measured(MEASURED.answers, stack_octets=104, instructions=(60, 70, 64, 68))
    found = row(tmp_path, host, {}, cpu="host", verdicts=None, unstepped="So it is.", followed=None)
    nothing = (
        *("cycles_min", "cycles_median", "cycles_max", "cycles_min_low", "cycles_median_low"),
        *("cycles_max_low", "board", "clock_hz", "supply_v", "current_ma", "current_source"),
        *("time_us", "time_us_low", "energy_uj", "energy_uj_low", "flash_octets", "ram_octets"),
        *("constant_time", "constant_cycles", "no_secret_branch", "no_secret_address", "expected"),
        *("no_dependence", "paths", "inputs"),
    )
    assert found == EXPECTED | dict.fromkeys(nothing) | {
        "cpu": "host", "instructions": 64, "unstepped": "So it is.", "leaks": (),
        "dependences": (), "uncovered": (),
        "timing_model": TIMING_MODELS["host"],
    }  # fmt: skip


def test_a_path_without_dependence(tmp_path: Path) -> None:
    """It says so only if there was a secret to follow: the second row has none."""
    clean = dataclasses.replace(FOLLOWED, dependences=())
    assert row(tmp_path, MEASURED, {}, followed=clean)["no_dependence"] is True
    assert row(tmp_path, MEASURED, {}, followed=clean, secrets=())["no_dependence"] is None
