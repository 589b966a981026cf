# SPDX-License-Identifier: BSD-3-Clause
"""`make bench`: how long `wardmote measure` takes from a file to the table, compilation included.

The command runs as a user runs it, in a process of its own. It measures our AES-128 with tables on
all CPUs, with the constant-time check. Exit code 1 means that its best run takes too long, or that
following the secrets through a call takes ten times as long as the call.
"""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from wardmote.call import EmulatedTarget
from wardmote.cpus import MEASURED
from wardmote.measurements.function.build import Order
from wardmote.measurements.function.files import PLACES, sort_files
from wardmote.measurements.function.kept import executable
from wardmote.paths import BUILD, ROOT
from wardmote.prototypes import read_public

MOST_SECONDS = 5.0
MOST_PLAIN_SECONDS = 3.0
"""Without a secret: nothing is looked for but costs."""
MOST_TIMES = 10.0
"""A call that is followed may take so many times what it takes alone."""
HASH = ROOT / "stack" / "src" / "hash"
HASH_FILES = (
    *(HASH / f"{name}.c" for name in ("sha256", "sha256_compress")),
    *(ROOT / "stack" / "src" / "util" / f"{name}.c" for name in ("ct", "md64", "move", "xor")),
)
UPDATE = "void wm_sha256_update(wm_sha256 *ctx, const uint8_t *data, size_t len)"
INIT = "void wm_sha256_init(wm_sha256 *ctx)"
MESSAGE_OCTETS = 4096
CALLS = 12
ROUNDS = 3
CIPHER = ROOT / "stack" / "src" / "cipher"
FILES = (
    *(CIPHER / f"aes128_{name}.c" for name in ("tab", "tables", "sbox")),
    ROOT / "stack" / "src" / "util" / "ct.c",
)
CALL = "void wm_aes128_tab_encrypt(const wm_aes128 *ctx, wm_block128 *block)"


def timed(cpus: str, rounds: int = ROUNDS, *, secret: bool = True) -> list[float]:
    """Wall-clock seconds of the runs of one command. The first may have to compile the runtime,
    which is then kept."""
    seconds: list[float] = []
    for _ in range(rounds):
        begin = time.perf_counter()
        subprocess.run(words_of(cpus, secret=secret), check=True, capture_output=True)
        seconds.append(time.perf_counter() - begin)
    return seconds


def times_of(cpu: str) -> float:
    """Processor time of a call of SHA-256 that is followed, over that of the same call alone: the best
    of several each."""
    order = Order(
        sort_files(list(HASH_FILES)),
        "wm_sha256_update",
        (),
        (),
        UPDATE,
        (("wm_sha256_init", INIT),),
    )
    target = EmulatedTarget(executable(cpu, order, BUILD), read_public(ROOT), cpu=cpu)

    def best() -> float:
        seconds = []
        for _ in range(CALLS):
            target.reset()
            context = target.buffer(bytes(target.pack("wm_sha256")), "context")
            message = target.buffer(bytes(MESSAGE_OCTETS), "message")
            target.call("wm_sha256_init", context)
            begin = time.process_time()
            target.call("wm_sha256_update", context, message, MESSAGE_OCTETS)
            seconds.append(time.process_time() - begin)
        return min(seconds)

    alone = best()
    with target.follow(["message"]):
        return best() / alone


def words_of(cpus: str, *, secret: bool = True) -> list[str]:
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
    kind = "random:secret" if secret else "random"
    return [*words, "--arg", f"ctx={kind}", "--arg", f"block={kind}"]


def say(rows: Mapping[str, Sequence[float]]) -> None:
    """Prints them."""
    sys.stdout.write(
        f"wardmote measure {FILES[0].name}, key and block secret, from sources to the table, "
        f"{ROUNDS} runs:\n"
    )
    for cpus, seconds in rows.items():
        sys.stdout.write(f"  {cpus:<13} best {min(seconds):5.2f} s, worst {max(seconds):5.2f} s\n")


def main() -> int:
    """Every CPU alone, and all of them."""
    try:
        rows = {cpus: timed(cpus) for cpus in (*PLACES, "all")}
        plain = min(timed("all", secret=False))
    except subprocess.CalledProcessError as error:
        sys.stderr.write(f"bench: {error.stderr.decode(errors='replace').strip()}\n")
        return 2
    say(rows)
    enough = min(rows["all"]) <= MOST_SECONDS
    sys.stdout.write(
        f"  on all CPUs at most {MOST_SECONDS:g} s wanted: {'ok' if enough else 'too slow'}\n"
    )
    quick = plain <= MOST_PLAIN_SECONDS
    sys.stdout.write(
        f"  without a secret, on all CPUs: {plain:.2f} s, at most {MOST_PLAIN_SECONDS:g} s wanted: "
        f"{'ok' if quick else 'too slow'}\n"
    )
    times = {cpu: times_of(cpu) for cpu in MEASURED}
    for cpu, factor in times.items():
        sys.stdout.write(f"  {cpu:<13} a call of SHA-256, followed: {factor:4.1f} times the call\n")
    cheap = max(times.values()) < MOST_TIMES
    sys.stdout.write(f"  under {MOST_TIMES:g} times wanted: {'ok' if cheap else 'too slow'}\n")
    return 0 if enough and quick and cheap else 1


if __name__ == "__main__":
    sys.exit(main())
