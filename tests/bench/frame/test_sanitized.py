# SPDX-License-Identifier: BSD-3-Clause
"""bench/native under AddressSanitizer and UndefinedBehaviorSanitizer, on captures with random
faults."""

import subprocess
from pathlib import Path

import pytest

from tests.bench.frame import test_zigbee as zigbee
from tests.bench.frame.captures import NO_FCS, WITH_FCS, pcap, pcapng, tap
from tests.bench.frame.link_types import ETHERNET, LINKS, capture_of
from tests.bench.frame.network import data_frame, in_clear, on_air
from tests.bench.frame.test_link_types import FOREIGN, SECURED
from tests.bench.frame.test_show import malformed
from tests.bench.frame.test_unsecure import SOME, spoilt
from tests.model.ieee802154_model import fcs
from tests.model.zigbee_model import ApsFrame, ApsHeader
from vectors.generate_zigbee_aps import commands

pytestmark = pytest.mark.turns(3)

ROUNDS = 10_000
FLAGS = (
    "-std=c11",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-DWM_PSDU_MAX=2047",
    "-DWM_FCS_LEN=2",
)


def zigbee_frames() -> list[bytes]:
    """Frames of ZigBee at every layer, and one that carries a key."""
    return [
        zigbee.join(zigbee.LINK),
        *(zigbee.nwk(zigbee.aps(bytes(i), i), i) for i in range(4)),
        *(zigbee.nwk(ApsFrame(ApsHeader(1), one).clear(), 9) for _, one, _ in commands()),
    ]


@pytest.fixture(scope="module")
def program(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of mutations.c."""
    path = tmp_path_factory.mktemp("mutations") / "mutations"
    sources = [root / "tests/bench/frame/mutations.c", *(root / "bench/native").glob("*.c")]
    sources += [*(root / "stack/src/util").glob("*.c"), *(root / "stack/src/cipher").glob("aes*.c")]
    sources += [root / "stack/src/mode/ccm.c", *(root / "stack/src/store").glob("counter_[gps]*.c")]
    for name in (
        "ie",
        "eb",
        "ieee802154",
        "link_security",
        "security_*",
        "tsch_time",
    ):
        sources += (root / "stack/src/link").glob(f"{name}.c")
    for name in ("ipv6", "lowpan_*"):
        sources += (root / "stack/src/net").glob(f"{name}.c")
    sources += (root / "stack/src/zigbee").glob("*.c")
    includes = [f"-I{root / 'stack/include'}", f"-I{root / 'bench/native'}"]
    subprocess.run(["gcc", *FLAGS, *includes, *map(str, sources), "-o", str(path)], check=True)
    return path


@pytest.mark.xdist_group("mutations")
@pytest.mark.parametrize("seed", [1, 2])
def test_faulty_captures_break_nothing(program: Path, seed: int, tmp_path: Path) -> None:
    """Thousands of captures of every link type with random faults are read, unsecured, secured and shown without a
    finding."""
    octets = [on_air(f, asn) for f, asn in SOME]
    captures = [
        pcap([one for _, one in spoilt().values()]),
        pcap([tap(one) for one, _ in malformed().values()]),
        pcap([tap(one, asn) for one, (_, asn) in zip(octets, SOME, strict=True)], order=">"),
        pcap([tap(in_clear(data_frame(seq=i))) for i in range(20)]),
        pcapng([tap(one, asn) for one, (_, asn) in zip(octets, SOME, strict=True)]),
        pcapng(octets, NO_FCS, order=">"),
        pcap([one + fcs(one) for one in octets], WITH_FCS),
        pcap(list(FOREIGN.values()), ETHERNET),
        *(capture_of(link, SECURED) for link in LINKS.values()),
        pcap([one + fcs(one) for one in zigbee_frames()], WITH_FCS),
    ]
    names = []
    for number, capture in enumerate(captures):
        names.append(tmp_path / f"{number}.pcap")
        names[-1].write_bytes(capture)
    command = [str(program), str(seed), str(ROUNDS), *map(str, names)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    assert int(done.stdout) > ROUNDS
