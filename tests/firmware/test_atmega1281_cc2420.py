# SPDX-License-Identifier: BSD-3-Clause
"""Board `atmega1281-cc2420`: an image of the MICAz, made for it, boots, sends and hears frames."""

import subprocess
from dataclasses import replace
from pathlib import Path

from tests.conftest import ROOT
from tests.firmware.test_tinysec_frames import BY, Motes, framed, packets
from wardmote.experiments.tinysec.network import DONE, PLAIN, Setup

BOARD = "atmega1281-cc2420"
IMAGE = "tinysec-none.elf"


def test_it_exchanges_frames_with_a_micaz(tmp_path: Path) -> None:
    """Octet for octet as the model has them, both ways, at the clock of the record; and it sleeps
    when nothing is to do."""
    words = (f"BOARD={BOARD}", "FOLDERS=tinysec", f"OUT={tmp_path}", str(tmp_path / IMAGE))
    subprocess.run(["make", "-s", "-C", str(ROOT / "firmware"), *words], check=True)
    micaz = ROOT / "build/firmware/micaz" / IMAGE
    images = {BOARD: (tmp_path / IMAGE).read_bytes(), "micaz": micaz.read_bytes()}
    for by, to in ((BOARD, "micaz"), ("micaz", BOARD), (BOARD, BOARD)):
        network = Motes("none", seed=3)
        network.add(to, images[to], Setup(0, mode=PLAIN))
        network.add(by, images[by], replace(BY, mode=PLAIN, data_octets=24))
        network.run(1000)
        expected = [framed(p, n) for n, p in enumerate(packets("none", PLAIN, 24, 4))]
        assert (network.sent(1), network.state(1)) == (expected, DONE)
        assert (network.report(0).received in (3, 4), network.report(0).refused) == (True, 0)
        assert [network.simulation.misuse(mote) for mote in (0, 1)] == [[], []]
        cpu = network.simulation.cpu(0 if to == BOARD else 1)
        assert (cpu["clock_hz"], cpu["resets"], cpu["asleep"]) == (8_000_000, 0, True)
