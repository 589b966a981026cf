# SPDX-License-Identifier: BSD-3-Clause
"""The emulated coprocessor against the VHDL: ghdl records the pins in every clock, and the model of
the motes (motes/crates/device/src/coprocessor) must give the same ones in the same clocks."""

import os
import random
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.conftest import ROOT
from tests.hdl.bench import play
from tests.hdl.test_aes128_coprocessor import (
    BENCH,
    CBC_ENCRYPT,
    CLOCKS,
    ECB_DECRYPT,
    ECB_ENCRYPT,
    KEY,
    OK,
    WIPE,
    crypt,
    of_vectors,
    refusals,
    talk,
    with_key,
)
from tests.hdl.test_aes128_core import ASKED_BLOCKS
from tests.hdl.test_interfaces import (
    BLOCK,
    FRAMES,
    KEYED,
    LOST,
    MESSAGE,
    REFUSED,
    REGISTERS,
    SERIAL,
    stopped,
)
from tests.stack.calls import encrypt, expand
from wardmote.call import HostTarget
from wardmote.prototypes import read_public

pytestmark = [pytest.mark.xdist_group("device model"), pytest.mark.turns(4)]
MESSAGE_BLOCKS = 8
RANDOM_BLOCKS = {"fast": 10_000, "small": 304, "masked": 104}
"""`make hdl-blocks` gives every core as many as `fast`, which takes minutes."""
BENCHES = {"octets": BENCH, "registers": REGISTERS, "serial": SERIAL}


@pytest.fixture(scope="module")
def model() -> Path:
    """The program that replays a trace with the model."""
    target = ROOT / "build/cargo"
    words = ("cargo", "build", "--quiet", "--release", "--locked", "-p", "device")
    subprocess.run(
        [*words, "--example", "replay_coprocessor"],
        cwd=ROOT,
        env=os.environ | {"CARGO_TARGET_DIR": str(target)},
        check=True,
    )
    return target / "release/examples/replay_coprocessor"


def replay(
    model: Path, trace: Path, interface: str, core: str, clocks: int
) -> subprocess.CompletedProcess[str]:
    """What the model says of a trace."""
    words = [str(model), interface, core, str(clocks)]
    with trace.open() as lines:
        return subprocess.run(words, stdin=lines, capture_output=True, text=True, check=False)


def alike(
    model: Path, folder: Path, interface: str, core: str, steps: Iterable[str], clocks: int = 8
) -> int:
    """Clocks in which ghdl and the model have the same pins: all of them."""
    trace = folder / f"{interface}-{core}.trace"
    generics: dict[str, Any] = {"core": core, "trace": trace}
    if interface == "serial":
        generics["clocks_a_bit"] = clocks
    play(BENCHES[interface], steps, folder, **generics)
    done = replay(model, trace, interface, core, clocks)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[0])


@pytest.mark.parametrize(
    ("core", "stride", "least"),
    [("fast", 61, 10_000), ("small", 211, 10_000), ("masked", 431, 10_000)],
)
def test_modes(model: Path, tmp_path: Path, core: str, stride: int, least: int) -> None:
    """Vectors of all modes, at full pace and with pauses; a message that is cut by a wipe, and the
    instruction WIPE."""
    cut = [KEYED, MESSAGE[0], talk(BLOCK.octets("pt")[:21], BLOCK.octets("ct")[:16]), "wipe"]
    steps = [*of_vectors(stride), "gaps 3 2", *FRAMES, *cut, REFUSED, KEYED, talk(WIPE, OK)]
    assert alike(model, tmp_path, "octets", core, [*steps, REFUSED, KEYED]) > least


def random_messages(library: HostTarget, count: int) -> Iterator[str]:
    """So many blocks, eight a message, each message under a key of its own and one way by chance.
    OpenSSL and the C agree on all of them."""
    draw = random.Random(16)
    for _ in range(0, count, MESSAGE_BLOCKS):
        key, pt = draw.randbytes(16), draw.randbytes(16 * MESSAGE_BLOCKS)
        ct = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(pt)
        schedule = expand(library, key)
        for at in range(0, len(pt), 16):
            got, _ = encrypt(library, "tab", schedule, pt[at : at + 16])
            assert got == ct[at : at + 16]
        yield with_key(key)
        ways = ((ECB_ENCRYPT, pt, ct), (ECB_DECRYPT, ct, pt))
        yield from crypt(*draw.choice(ways))


@pytest.mark.early
@pytest.mark.parametrize(("core", "count"), RANDOM_BLOCKS.items())
def test_random_blocks(model: Path, tmp_path: Path, core: str, count: int) -> None:
    """VHDL, model, C and OpenSSL agree, clock by clock."""
    count = ASKED_BLOCKS or count
    library = HostTarget(ROOT / "build/stack/host/libwardmote.so", read_public(ROOT))
    steps = random_messages(library, count)
    assert alike(model, tmp_path, "octets", core, steps) > count * (16 + CLOCKS[core] + 16)


def test_refusals(model: Path, tmp_path: Path) -> None:
    """What the coprocessor refuses, and when."""
    assert alike(model, tmp_path, "octets", "fast", refusals()) > 1_000


@pytest.mark.parametrize("core", CLOCKS)
def test_registers(model: Path, tmp_path: Path, core: str) -> None:
    """A driver that polls, and one that writes too soon."""
    block = talk(BLOCK.octets("pt")[:16], BLOCK.octets("ct")[:16])
    lost = ["write 02 01", *LOST] if core == "small" else []
    assert alike(model, tmp_path, "registers", core, [KEYED, MESSAGE[0], block, *lost]) > 500


@pytest.mark.parametrize(("core", "clocks"), [("fast", 4), ("small", 9)])
def test_lines(model: Path, tmp_path: Path, core: str, clocks: int) -> None:
    """Both lines busy at once, a spike, and an octet without its stop bit. Clocks in which nothing
    changes are passed at once, as on a mote."""
    steps = [KEYED, *MESSAGE, "spike", *FRAMES[:3], *stopped(["broken"])]
    assert alike(model, tmp_path, "serial", core, steps, clocks) > 10_000


def test_a_full_queue(model: Path, tmp_path: Path) -> None:
    """Octets that come faster than the masked core takes them."""
    hasty = KEY + BLOCK.octets("key") + CBC_ENCRYPT + bytes(16) + b"\0\x60" + bytes(60)
    alike(model, tmp_path, "serial", "masked", stopped([talk(hasty, OK + OK)]), 2)


def test_a_clock_or_a_bit_that_differs_is_seen(model: Path, tmp_path: Path) -> None:
    """A trace whose block comes a clock later, or with another bit, is none of this model."""
    key, pt, ct = (BLOCK.octets(name) for name in ("key", "pt", "ct"))
    block = talk(pt[:16], ct[:16])
    alike(model, tmp_path, "octets", "fast", [with_key(key), MESSAGE[0], block])
    trace = tmp_path / "octets-fast.trace"
    lines = [line.split() for line in trace.read_text().splitlines()]
    given = [at for at, (_, _, outs) in enumerate(lines) if outs[1] == "1" and outs[0] == "0"]
    assert len(given) > 10
    at = given[5]
    clock, ins, outs = lines[at]
    bit = "1" if outs[4] == "0" else "0"
    for wrong in ([str(int(clock) + 1), ins, outs], [clock, ins, outs[:4] + bit + outs[5:]]):
        changed = [*lines[:at], wrong, *lines[at + 1 :]]
        trace.write_text("".join(" ".join(line) + "\n" for line in changed))
        done = replay(model, trace, "octets", "fast", 8)
        assert done.returncode == 1
        assert "clock" in done.stderr
