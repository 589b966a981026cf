# SPDX-License-Identifier: BSD-3-Clause
"""Image `tinysec` with mode and keys from its makefile and a key file, as programs of TinyOS have
them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.model.tinysec_model import Message, Node, ae, auth, plain
from wardmote.experiments.tinysec.network import (
    ANY,
    FLUSH,
    GROUP,
    KEY,
    RUNNING,
    Network,
    Setup,
)

pytestmark = pytest.mark.xdist_group("tinysec keys")
BROADCAST, TYPE_DATA = 0xFFFF, 4
DATA = bytes(range(24))
OTHER = bytes(range(16))
FILE = f"# of the cellar\ncellar {KEY.hex().upper()}\nhall {OTHER.hex()}\n"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is built for the Mica2, so that little is compiled."""
    folder = tmp_path_factory.mktemp("keyed") / "mica2"
    shutil.copytree(ROOT / "build/firmware/mica2", folder)
    return folder


def make(out: Path, keys: Path, mode: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Builds the image of a mode."""
    words = ["make", "-s", "-f", "firmware/Makefile", "BOARD=mica2", f"OUT={out}"]
    words += [f"TINYSEC={mode}", f"KEYFILE={keys}", *more, str(out / f"tinysec-{mode}.elf")]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


def heard(out: Path, mode: str, key: bytes) -> tuple[list[bytes], int, int]:
    """What the image sends, and what a receiver with a key has received and refused."""
    network = Network("mica2", (out / "tinysec-skipjack.elf").read_bytes(), (), 1)
    network.add("mica2", (out / "tinysec-skipjack.elf").read_bytes(), Setup(0, accept=ANY, key=key))
    simulation = network.simulation
    simulation.add_mote("mica2", (out / f"tinysec-{mode}.elf").read_bytes(), "keyed")
    simulation.capture()
    network.run(700)
    assert network.state(1) == RUNNING
    packets = [octets[:-FLUSH] for mote, _, _, octets, whole in simulation.frames() if whole]
    report = network.report(0)
    return packets, report.received, report.refused


@pytest.mark.parametrize("mode", ["auth", "ae", "plain"])
def test_one_line_turns_security_on(out: Path, tmp_path: Path, mode: str) -> None:
    """The packets are those of the model under the first key of the file. Whoever has it takes them;
    under another key those with a tag are refused."""
    keys = tmp_path / "keys"
    keys.write_text(FILE)
    made = make(out, keys, mode)
    assert (made.returncode, made.stderr) == (0, "")
    packets, received, refused = heard(out, mode, KEY)
    node, message = Node(KEY, "paper", "skipjack"), Message(BROADCAST, TYPE_DATA, DATA)
    count = len(packets)
    assert (
        packets
        == {
            "auth": count * [auth(node, message)],
            "ae": [ae(node, message, counter) for counter in range(count)],
            "plain": count * [plain(message, GROUP)],
        }[mode]
    )
    assert received == len(packets) >= 3
    assert refused == 0
    _, received, refused = heard(out, mode, OTHER)
    assert (received, refused) == ((0, len(packets)) if mode != "plain" else (len(packets), 0))


def test_another_key_or_file_makes_another_image(out: Path, tmp_path: Path) -> None:
    """By name, and from a file that is older than the image."""
    keys, old = tmp_path / "keys", tmp_path / "old"
    old.write_text(f"old {bytes(range(100, 116)).hex()}\n")
    keys.write_text(FILE)
    assert make(out, keys, "auth").returncode == 0
    first = heard(out, "auth", KEY)
    assert first[1] == len(first[0])
    assert make(out, keys, "auth", "KEYNAME=hall").returncode == 0
    assert heard(out, "auth", OTHER)[2] == 0
    assert make(out, old, "auth").returncode == 0
    packets, received, _ = heard(out, "auth", bytes(range(100, 116)))
    assert received == len(packets)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"cellar {KEY.hex()[:-1]}\n", "line 1, cellar: the key is too short: 31 digits, not 32"),
        (f"cellar {KEY.hex()}0\n", "the key is too long: 33 digits, not 32"),
        (f"cellar {KEY.hex()[:-1]}g\n", "the key has other characters than hexadecimal digits"),
        (f"{KEY.hex()}\n", "line 1: has 1 words, not a name and 32 hexadecimal digits"),
        ("# nothing\n", "has no key"),
    ],
)
def test_a_wrong_key_file_stops_the_build(out: Path, tmp_path: Path, text: str, why: str) -> None:
    """One line says what is wrong with it, without the key; the image before stays."""
    keys = tmp_path / "keys"
    keys.write_text(FILE)
    assert make(out, keys, "auth").returncode == 0
    keys.write_text(text)
    before = (out / "tinysec-auth.elf").stat().st_mtime_ns
    made = make(out, keys, "auth")
    assert made.returncode != 0
    [line] = [line for line in made.stderr.splitlines() if not line.startswith("make")]
    assert line.startswith(f"wardmote.keyfile: {keys}")
    assert line.endswith(why)
    assert KEY.hex()[:8] not in made.stderr
    assert (out / "tinysec-auth.elf").stat().st_mtime_ns == before


def test_a_mode_that_is_none_stops_the_build(out: Path, tmp_path: Path) -> None:
    """One line, too; and whoever does not ask gets no keyed image."""
    made = make(out, tmp_path / "keys", "yes")
    [line] = made.stderr.splitlines()
    assert line.endswith('TINYSEC is "yes", not auth, ae or plain.  Stop.')
    assert not (ROOT / "build/firmware/mica2/tinysec").exists()
