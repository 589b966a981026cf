# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how long `wardmote measure` takes from a file to the table, compilation included.

The command runs as a user runs it, in a process of its own. It measures our AES-128 with tables on
all CPUs, with the constant-time check. Exit code 1 means that its best run takes too long.
"""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from wardmote.measurements.function.files import PLACES
from wardmote.paths import ROOT

MOST_SECONDS = 5.0
ROUNDS = 3
CIPHER = ROOT / "stack" / "src" / "cipher"
FILES = (
    *(CIPHER / f"aes128_{name}.c" for name in ("tab", "tables", "sbox")),
    ROOT / "stack" / "src" / "util" / "ct.c",
)
CALL = "void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block)"


def timed(cpus: str, rounds: int = ROUNDS) -> list[float]:
    """Wall-clock seconds of the runs of one command. The first may have to compile the runtime,
    which is then kept."""
    seconds: list[float] = []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run(words_of(cpus), check=True, capture_output=True)
        seconds.append(time.perf_counter() - begin)
    return seconds


def words_of(cpus: str) -> list[str]:
    """The command."""
    words = [
        sys.executable,
        "-m",
        "wardmote",
        "measure",
        *map(str, FILES),
        "--call",
        CALL,
        "--cpu",
        cpus,
    ]
    return [*words, "--arg", "ctx=random:secret", "--arg", "block=random:secret"]


def say(rows: Mapping[str, Sequence[float]]) -> None:
    """Prints them."""
    sys.stdout.write(
        f"wardmote measure {FILES[0].name}, key and block secret, from sources to the table, "
        f"{ROUNDS} runs:\n"
    )
    for cpus, seconds in rows.items():
        sys.stdout.write(f"  {cpus:<8} best {min(seconds):5.2f} s, worst {max(seconds):5.2f} s\n")


def main() -> int:
    """Every CPU alone, and all of them."""
    try:
        rows = {cpus: timed(cpus) for cpus in (*PLACES, "all")}
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"bench: {error.stderr.decode(errors='replace').strip()}\n")
        return 2
    say(rows)
    enough = min(rows["all"]) <= MOST_SECONDS
    sys.stdout.write(
        f"  on all CPUs at most {MOST_SECONDS:g} s wanted: {'ok' if enough else 'too slow'}\n"
    )
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
