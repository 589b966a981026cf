# SPDX-License-Identifier: BSD-3-Clause
"""How long the same sweep takes on one worker and on two. The workers are processes of this machine,
or of a Dask cluster on it. If two runs give different rows, this fails.
"""

import subprocess
import sys
import time
from pathlib import Path

SWEEP = (
    *("sweep", "--board", "telosb", "--strategy", "hardware", "--exchanges", "100"),
    *("--frame-octets", "53,90,127", "--format", "json"),
)
WORKERS = (1, 2)


def timed(engine: str, workers: int) -> tuple[float, str]:
    """Seconds of a sweep that measures every case, and its rows."""
    words = ["--engine", engine, "--jobs", str(workers), "--fresh"]
    command = [str(Path(sys.executable).with_name("wardmote")), *SWEEP, *words]
    begun = time.monotonic()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.monotonic() - begun, done.stdout


def main() -> int:
    """Prints the times."""
    runs = {
        (engine, workers): timed(engine, workers)
        for engine in ("local", "dask")
        for workers in WORKERS
    }
    rows = {text for _, text in runs.values()}
    lines = ["sweep: 24 cases, each measured; start-up of processes and cluster included"]
    for engine in ("local", "dask"):
        one, two = (runs[engine, workers][0] for workers in WORKERS)
        lines.append(
            f"  --engine {engine:<5}  one worker {one:6.1f} s, two {two:6.1f} s: "
            f"{one / two:.2f} times as fast"
        )
    lines.append("  the same rows" if len(rows) == 1 else "  the rows differ")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if len(rows) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
