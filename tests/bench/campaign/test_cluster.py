# SPDX-License-Identifier: BSD-3-Clause
"""A sweep of 48 cases on a Dask cluster of two worker processes. One has only the wheel, and one is
killed half-way. The rows equal those of this machine alone, octet for octet."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import distributed
import pytest

from tests.bench.campaign.installed import Installed

pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.turns(4, "cluster")]
SWEEP = (
    *("sweep", "--board", "telosb", "--strategy", "hybrid,hardware", "--exchanges", "10"),
    *("--frame-octets", "53,90,127", "--format", "json"),
)
CASES = 48
HALF_WAY = 16
PRIMITIVES = (
    *("primitives", "--cpu", "armv7m,host32", "--only", "skipjack,sha256", "--size", "16"),
    *("--runs", "2", "--format", "json"),
)
FROM_A_CHECKOUT = [sys.executable, "-m"]
WORKER = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name")


@contextmanager
def running(
    command: list[str], folder: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is ended afterwards."""
    log = (folder / f"{len(list(folder.glob('*.log')))}.log").open("wb")
    with (
        log,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def start(cache: Path, *words: str) -> subprocess.Popen[str]:
    """The command in a process of its own, with nothing kept from before."""
    return subprocess.Popen(
        [*FROM_A_CHECKOUT, "wardmote", *words],
        env=os.environ | {"WARDMOTE_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(sweep: subprocess.Popen[str]) -> str:
    """Its rows as canonical JSON."""
    out, err = sweep.communicate()
    assert sweep.returncode == 0, err
    rows = json.loads(out)
    assert len(rows) == CASES
    return json.dumps(rows, sort_keys=True)


def kept(cache: Path) -> int:
    """Cases that are done."""
    return len(list(cache.rglob("[!.]*.json")))


def scheduler_address(file: Path) -> str:
    """Where the scheduler is, once it is there."""
    while not file.is_file():
        time.sleep(0.05)
    return str(json.loads(file.read_text())["address"])


def workers(address: str, count: int) -> None:
    """Waits until so many workers are there."""
    with distributed.Client(address) as client:
        client.wait_for_workers(count, timeout=60)


@contextmanager
def cluster(installed: Installed, folder: Path) -> Iterator[str]:
    """The address of a scheduler with one worker, which has only the wheel."""
    file = folder / "scheduler.json"
    words = ["--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    command = [*FROM_A_CHECKOUT, "distributed.cli.dask_scheduler", *words]
    with running(command, folder, dict(os.environ)):
        address = scheduler_address(file)
        there = installed.command("distributed.cli.dask_worker", address, *WORKER, "wheel")
        with running(there, installed.folder, dict(installed.environment)):
            yield address


def test_a_sweep_on_a_cluster_gives_the_rows_of_one_machine(
    installed: Installed, tmp_path: Path
) -> None:
    """The wheel's worker does its part, and the rest when the other one is killed."""
    local = finished(start(tmp_path / "local", *SWEEP))
    with ExitStack() as stack:
        address = stack.enter_context(cluster(installed, tmp_path))
        command = [*FROM_A_CHECKOUT, "distributed.cli.dask_worker", address, *WORKER, "checkout"]
        victim = stack.enter_context(running(command, tmp_path, dict(os.environ)))
        workers(address, 2)
        sweep = start(tmp_path / "cluster", *SWEEP, "--engine", f"dask:{address}")
        while sweep.poll() is None and kept(tmp_path / "cluster") < HALF_WAY:
            time.sleep(0.02)
        assert HALF_WAY <= kept(tmp_path / "cluster") < CASES
        victim.kill()
        assert finished(sweep) == local
    assert kept(tmp_path / "cluster") == CASES


def test_primitives_on_a_cluster_are_those_of_one_machine(
    installed: Installed, tmp_path: Path
) -> None:
    """A worker without a checkout measures what was linked here, and runs the counted program; only
    times of this machine differ."""
    with cluster(installed, tmp_path) as address:
        workers(address, 1)
        runs = [start(tmp_path / "local", *PRIMITIVES, "--jobs", "1")]
        runs.append(start(tmp_path / "cluster", *PRIMITIVES, "--engine", f"dask:{address}"))
        here, there = ([untimed(row) for row in json.loads(run.communicate()[0])] for run in runs)
    assert [run.returncode for run in runs] == [0, 0]
    assert {row["cpu"] for row in here} == {"armv7m", "host32"}
    assert here == there
    assert kept(tmp_path / "local") == kept(tmp_path / "cluster") == 12


def untimed(row: dict[str, object]) -> dict[str, object]:
    """The row without the time of this machine."""
    timed = row["cpu"] == "host32"
    return {
        name: value
        for name, value in row.items()
        if not timed or (not name.startswith("time_us") and name != "calls")
    }


def test_a_scheduler_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """So is an engine that does not exist."""
    for engine, says in (
        ("dask:tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
        ("slurm", "no engine 'slurm': possible are local, dask, dask:ADDRESS"),
    ):
        sweep = start(tmp_path, *SWEEP, "--engine", engine)
        out, err = sweep.communicate()
        assert (sweep.returncode, out) == (2, "")
        assert err.splitlines()[-1] == f"wardmote: {says}"
