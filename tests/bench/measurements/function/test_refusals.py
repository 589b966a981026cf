# SPDX-License-Identifier: BSD-3-Clause
"""What cannot be measured is refused on every CPU, each time with one clear line."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from wardmote import cli
from wardmote.cpus import CPU_NAMES

SOURCE = """#include <stdint.h>
#if defined(__MSP430__)
#define OUTSIDE 0x0C00u
#elif defined(__AVR__)
#define OUTSIDE 0x3F00u
#elif defined(__arm__)
#define OUTSIDE 0x40000000u
#else
#define OUTSIDE 16u
#endif
uint16_t add(uint16_t a, uint16_t b) { return (uint16_t)(a + b); }
uint16_t spin(uint16_t n)
{
    volatile uint16_t kept = n;
    while (kept == n) { /* for ever */
    }
    return kept;
}
void outside(uint8_t n) { *(volatile uint8_t *)(uintptr_t)OUTSIDE = n; } /* outside */
uint16_t deep(uint16_t n)
{
    volatile uint16_t kept[40];
    kept[n % 40] = n; /* deep */
    return n ? (uint16_t)(deep((uint16_t)(n - 1)) + kept[n % 40]) : 0;
}
#ifdef BROKEN
int broken(void) { return 1 }
#endif
"""
Refused = Callable[..., str]
EMULATED = CPU_NAMES
ALL = (*EMULATED, "host")


def line_of(text: str) -> int:
    """The line of the source that holds `text`."""
    return next(number for number, line in enumerate(SOURCE.splitlines(), 1) if text in line)


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Refused:
    """Runs the command, which must end with 2 and one line, and gives the line."""
    path = tmp_path / "wrong.c"
    path.write_text(SOURCE)

    def run(cpu: str, call: str, *words: str) -> str:
        assert (
            cli.main(["measure", str(path), "--cpu", cpu, "--runs", "1", "--call", call, *words])
            == 2
        )
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("wardmote: ")
        assert len(printed.err.splitlines()) == 1
        return printed.err

    return run


@pytest.mark.parametrize("cpu", ALL)
def test_prototype_symbol_and_compile_error(refused: Refused, cpu: str) -> None:
    """A prototype that does not match, a function that is not there, and the compiler's first error
    with its line."""
    said = refused(cpu, "uint32_t add(uint16_t a, uint16_t b)", "--arg", "a=1", "--arg", "b=2")
    assert (
        "the prototype 'uint32_t add(uint16_t a, uint16_t b)' does not match wrong.c: "
        "conflicting types" in said
    )
    said = refused(cpu, "uint16_t addd(uint16_t a)", "--arg", "a=1")
    assert "no function addd in wrong.c: it has add" in said
    said = refused(
        cpu,
        "uint16_t add(uint16_t a, uint16_t b)",
        "--arg",
        "a=1",
        "--arg",
        "b=2",
        "--flags",
        "-DBROKEN",
    )
    assert f"{cpu}: wrong.c failed: " in said
    assert f"wrong.c:{line_of('int broken')}:" in said


@dataclass(frozen=True, slots=True)
class Fault:
    """What a function does that none may."""

    call: str
    words: tuple[str, ...]
    on_host: tuple[str, ...]
    """What is said where the machine itself runs it."""
    emulated: tuple[str, ...]
    """What is said of an emulated CPU, whose name comes first."""
    place: str
    """Octets of the source line that it names; none where the line may be any of a function."""


FAULTS = {
    "never returns": Fault(
        "uint16_t spin(uint16_t n)",
        ("--arg", "n=1", "--cycle-limit", "20000"),
        ("spin on host: no return within 20000 instructions, PC 0x",),
        ("spin: no return within 20000 cycles",),
        "for ever",
    ),
    "writes outside memory": Fault(
        "void outside(uint8_t n)",
        ("--arg", "n=1"),
        ("(outside), instruction 1: SIGSEGV: it writes to 0x10, which is not its own",),
        ("outside: ",),
        "outside */",
    ),
    "overflows its stack": Fault(
        "uint16_t deep(uint16_t n)",
        ("--arg", "n=30000"),
        (
            "deep on host: PC 0x",
            "(deep), instruction ",
            "the stack has grown beyond its 1048576 octets, at wrong.c:",
        ),
        ("deep: ", "the stack has grown into the data below it, at wrong.c:"),
        "",
    ),
}


@pytest.mark.parametrize("cpu", ALL)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_fault_is_named_with_its_line(refused: Refused, fault: Fault, cpu: str) -> None:
    """A loop without end meets the limit, on the host one of instructions; a write outside memory
    is named by address; recursion meets the data below the stack, on the host its end."""
    said = refused(cpu, fault.call, *fault.words)
    if cpu == "host":
        assert all(text in said for text in fault.on_host)
    else:
        assert f"{cpu}: {fault.emulated[0]}" in said
        assert all(text in said for text in fault.emulated)
    assert not fault.place or f"at wrong.c:{line_of(fault.place)}" in said


@pytest.mark.parametrize("seed", ["-1", "4294967296", "9" * 40])
def test_seeds_out_of_range(refused: Refused, seed: str) -> None:
    """Neither negative nor huge."""
    add = "uint16_t add(uint16_t a, uint16_t b)"
    said = refused("msp430", add, "--arg", "a=1", "--arg", "b=2", "--seed", seed)
    assert f"no seed {seed}: possible are 0 to 4294967295" in said


@pytest.mark.parametrize(("redirection", "code"), [("> /dev/full", 4), (">&-", 4), ("| true", 141)])
def test_output_that_fails(tmp_path: Path, redirection: str, code: int) -> None:
    """A full device, a closed output and a reader that leaves have codes of their own, and no
    traceback."""
    path = tmp_path / "wrong.c"
    path.write_text(SOURCE)
    command = f"""
        "$0" -m wardmote measure "$1" --cpu msp430 --runs 1 --arg a=1 --arg b=2 \\
            --call 'uint16_t add(uint16_t a, uint16_t b)' --format json {redirection}
        exit "${{PIPESTATUS[0]}}"
    """
    words = ["bash", "-c", command, sys.executable, str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
