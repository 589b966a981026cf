# SPDX-License-Identifier: BSD-3-Clause
"""What stack/cpu/msp430_shorten.awk makes of an assembler's text, and what it leaves as it is."""

import re
import subprocess
from random import Random

import pytest

from wardmote.paths import ROOT

SCRIPT = ROOT / "stack" / "cpu" / "msp430_shorten.awk"
PUSHES = [f"push\tr{number}" for number in (8, 9, 10)]
POPS = [f"pop\tr{number}" for number in (10, 9, 8)]


def shortened(lines: list[str]) -> list[str]:
    """A tab in front of each line but a label."""
    text = "".join(line + "\n" if line.endswith(":") else f"\t{line}\n" for line in lines)
    done = subprocess.run(
        ["awk", "-f", str(SCRIPT)], input=text, capture_output=True, text=True, check=True
    )
    return [line.strip() for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (["mov\t0(r12), r13"], ["mov\t@r12, r13"]),
        (["mov.b\t0(r4), 0(r5)"], ["mov.b\t@r4, 0(r5)"]),
        (PUSHES, ["call\t#wm_saved_8"]),
        ([*PUSHES[:1], ".cfi_offset r8, -4", *PUSHES[1:]], None),
        ([*POPS, "ret"], ["br\t#wm_restored_8"]),
        ([POPS[0], ".Ltmp1:", *POPS[1:], "ret"], ["br\t#wm_restored_8", ".Ltmp1:"]),
        (["call\t#f", "ret"], ["br\t#f"]),
        (["call\tr15", ".loc 1 2 3", "ret"], ["br\tr15", ".loc 1 2 3"]),
        ([*PUSHES, "call\t#f", "nop"], ["call\t#wm_saved_8", "call\t#f", "nop"]),
    ],
)
def test_what_becomes_shorter(lines: list[str], wanted: list[str] | None) -> None:
    """Each rule once. Directives between pushes come behind the call."""
    assert shortened(lines) == (wanted or ["call\t#wm_saved_8", ".cfi_offset r8, -4"])


@pytest.mark.parametrize(
    "lines",
    [
        ["mov\tr12, 0(r13)"],
        ["tst\t0(r12)"],
        ["mov\t10(r12), r13"],
        PUSHES[1:],
        [PUSHES[0], "f:", *PUSHES[1:]],
        ["push\tr7", *PUSHES[1:]],
        [*PUSHES[:2], "ret"],
        [POPS[0], "ret"],
        [POPS[0], ".LBB0_1:", *POPS[1:2], "ret"],
        [*POPS, "jmp\t.LBB0_1"],
        ["call\t#f", ".LBB0_1:", "ret"],
        ["call\t#f", "add\t#2, r1", "ret"],
        ["call\t#f"],
        PUSHES[:2],
        POPS[:2],
        ["push\tr10", "call\t#f", "nop"],
        ["pop\tr10", "call\t#f", "nop"],
        ["pop\tr10", "push\tr8", "nop"],
        [*PUSHES, "push\tr11"],
        ["call\t#f", ".Ltmp2:  ; Block address taken", "ret"],
        ["call\t#f", ".short\t17155", "ret"],
        ["call\t#f", "1:", "ret"],
        ["call\t#f", "NOP", "ret"],
    ],
)
def test_what_stays(lines: list[str]) -> None:
    """What cannot be shortened: code may go to a label in between, a handler of an interrupt
    (`push r11`) has somebody else's r11, octets that nobody knows are left where they are. And what
    ends early."""
    assert shortened(lines) == lines


NO_CODE = re.compile(r"\.(loc|cfi_\w+)\b|;|\.Ltmp\d+:$|$")


def code(lines: list[str]) -> list[str]:
    """What lines do, spelled out: every push, pop, call and ret."""
    found: list[str] = []
    for line in lines:
        if saved := re.fullmatch(r"call\t#wm_saved_(\d)", line):
            found += [f"push\tr{number}" for number in range(int(saved[1]), 11)]
        elif restored := re.fullmatch(r"br\t#wm_restored_(\d)", line):
            found += [f"pop\tr{number}" for number in range(10, int(restored[1]) - 1, -1)] + ["ret"]
        elif line.startswith("br\t"):
            found += ["call" + line[2:], "ret"]
        elif not NO_CODE.match(line):
            found.append(re.sub(r"\t0\((r\d+)\),", r"\t@\1,", line))
    return found


def test_code_stays_what_it_is() -> None:
    """Any lines in any order do what they did, in the same order."""
    draw = Random(15)
    runs = [PUSHES, POPS, ["call\t#f", "ret"], ["call\t#f"], ["push\tr10"], ["pop\tr10"]]
    others = ["ret", "reti", "push\tr8", "pop\tr9", "push\tr11", "mov\t0(r12), r13", "call\tr15"]
    others += ["f:", ".LBB0_1:", ".Ltmp1:", ".Ltmp2:  ; Block address taken", "1:", "NOP"]
    others += [".loc 1 2 3", ".cfi_def_cfa_offset 4", ".short\t17155", "; %bb.1:"]
    lines = [line for _ in range(4000) for line in draw.choice((*runs, *([one] for one in others)))]
    shorter = shortened(lines)
    assert len(shorter) < len(lines)
    assert code(shorter) == code(lines)


@pytest.mark.parametrize("flags", [[], ["-g"]])
def test_what_the_compiler_writes(flags: list[str]) -> None:
    """A handler of an interrupt keeps r11 for whom it interrupts; what begins with a call saves
    first."""
    source = """
        int f(void), g(int, int);
        int begins(void) { int a = f(), b = f(), c = f(); return g(a, b) + c + f(); }
        __attribute__((interrupt(2))) void handler(void) { int a = f(), b = f(); g(a + f(), b); }
        """
    compiler = ["clang-22", "--target=msp430", "-Oz", *flags, "-S", "-xc", "-", "-o", "-"]
    done = subprocess.run(compiler, input=source, capture_output=True, text=True, check=True)
    short = subprocess.run(
        ["awk", "-f", str(SCRIPT)], input=done.stdout, capture_output=True, text=True, check=True
    )
    long, shorter = (
        [line.strip() for line in re.findall(r"^(?:\t[a-z].*|\w+:)", text, re.MULTILINE)]
        for text in (done.stdout, short.stdout)
    )
    handler = long.index("handler:")
    begins = shorter.index("begins:")
    assert shorter[begins + 1 : begins + 3] == ["call\t#wm_saved_8", "call\t#f"]
    assert "push\tr11" in long[handler:]
    assert long[handler:] == shorter[shorter.index("handler:") :]
