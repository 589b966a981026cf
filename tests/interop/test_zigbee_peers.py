# SPDX-License-Identifier: BSD-3-Clause
"""Frames of ZigBee that the model made, read by tshark and by the stack; and the stack's own, which
are the model's octet for octet."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.interop.frame_tshark import decrypted_sources
from tests.model.zigbee_model import USUAL, Aux, KeyId, NwkFrame
from tests.stack.conftest import target_named
from tests.stack.link.tshark import Captured, write_capture
from tests.stack.zigbee.zigbeelib import HEADERS, Node
from vectors.generate_zigbee import headers

pytestmark = pytest.mark.xdist_group("zigbee_peers")

FRAMES, CHANNEL, MOST = 500, 15, 60
KEY = bytes(range(16))
OURS, PEER = bytes.fromhex("00124b0000000001"), bytes.fromhex("00124b0000000002")
MAC = bytes.fromhex("618801341278563412")
"""Header of a MAC data frame."""
LEVELS = {
    5: "AES-128 Encryption, 32-bit Integrity Protection",
    6: "AES-128 Encryption, 64-bit Integrity Protection",
    7: "AES-128 Encryption, 128-bit Integrity Protection",
}
"""As tshark calls them."""


def frames(level: int, count: int = FRAMES) -> list[tuple[NwkFrame, Aux, bytes]]:
    """Frames in clear, and secured by the model."""
    source = random.Random(level)
    shapes, out = list(headers()), []
    for number in range(count):
        frame = NwkFrame(source.choice(shapes)[1], source.randbytes(source.randrange(MOST)))
        aux = Aux(KeyId.NETWORK, 3 * number + source.randrange(3), PEER, 9)
        out.append((frame, aux, frame.secured(KEY, aux, level)))
    return out


def decrypted(program: str, octets: Iterable[bytes], level: int, path: Path) -> list[bytes]:
    """What tshark decrypts of each frame, given the network key."""
    write_capture(path, [Captured(MAC + frame, CHANNEL, 0) for frame in octets])
    options = (
        f'uat:zigbee_pc_keys:"{KEY.hex()}","Normal","network"',
        f"zbee_nwk.seclevel:{LEVELS[level]}",
    )
    words = [word for option in options for word in ("-o", option)]
    command = [program, "-n", "-r", str(path), *words, "--disable-protocol", "zbee_aps", "-x"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return decrypted_sources(done.stdout, "Decrypted ZigBee Payload")


@pytest.mark.parametrize("level", LEVELS)
def test_tshark_and_the_stack_read_the_models_frames(
    oracle: Callable[[str], str], tmp_path: Path, level: int
) -> None:
    """Both decrypt every frame to what it was made of; the stack makes the same."""
    made = frames(level, FRAMES if level == USUAL else 40)
    read = decrypted(oracle("tshark"), [f for _, _, f in made], level, tmp_path / "frames.pcap")
    assert read == [frame.payload for frame, _, _ in made]
    target = target_named("host", *HEADERS)
    config = {"level": level}
    taker, maker = (Node(target, KEY, 9, OURS, config), None)
    for frame, _, octets in made:
        assert taker.unsecure(octets)[:2] == ("WM_OK", frame.clear())
    maker = Node(target, KEY, 9, PEER, config)
    for frame, aux, octets in made:
        maker.advance(aux.counter)
        assert maker.secure(frame.clear()) == ("WM_OK", octets)


def test_tshark_refuses_a_changed_frame(oracle: Callable[[str], str], tmp_path: Path) -> None:
    """Its silence means something: with one bit of the MIC changed it decrypts nothing."""
    changed = [frame[:-1] + bytes([frame[-1] ^ 1]) for _, _, frame in frames(USUAL, 20)]
    read = decrypted(oracle("tshark"), changed, USUAL, tmp_path / "changed.pcap")
    assert read == [b""] * len(changed)
