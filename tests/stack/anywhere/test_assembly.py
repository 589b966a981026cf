# SPDX-License-Identifier: BSD-3-Clause
"""The libraries with assembly, in programs that a plain toolchain links without our linker
scripts."""

import subprocess
from collections.abc import Callable
from pathlib import Path

BOARD = Path(__file__).resolve().parent / "avr_board.c"
AVR = ("avr-gcc", "-mmcu=atmega1281", "-Os")


def test_avr(few: Path, tmp_path: Path, oracle: Callable[[str], str]) -> None:
    """With `ARCH=avr` both libraries pass the self-test on an emulated ATmega1281: the program of
    avr-libc finds the tables that the assembly wants at multiples of 256."""
    made, simavr = tmp_path / "made", oracle("simavr")
    words = (f"BUILD={made}", "CC=avr-gcc -mmcu=atmega1281", "AR=avr-ar", "ARCH=avr", "CFLAGS=-O0")
    subprocess.run(["make", "-s", "-C", few, *words], check=True)
    test = tmp_path / "self_test.o"
    renamed = ("-DWM_SELF_TEST", "-Dmain=self_test", f"-I{few}/include")
    subprocess.run([*AVR, *renamed, "-c", few / "check/self_test.c", "-o", test], check=True)
    for name in ("wardmote", "wardmote-small"):
        program = tmp_path / f"{name}.elf"
        link = (*AVR, BOARD, test, made / f"lib{name}.a", "-Wl,--gc-sections", "-o", program)
        subprocess.run(link, check=True)
        run = subprocess.run(
            [simavr, "-m", "atmega1281", "-f", "8000000", program],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert "step 0" in run.stdout + run.stderr
