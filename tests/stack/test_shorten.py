# SPDX-License-Identifier: BSD-3-Clause
"""What stack/cpu/msp430_shorten.awk makes of an assembler's text, and what it leaves as it is."""

import subprocess

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
    ],
)
def test_what_stays(lines: list[str]) -> None:
    """What cannot be shortened, for code may go to a label in between, and what ends early."""
    assert shortened(lines) == lines
