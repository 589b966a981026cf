# SPDX-License-Identifier: BSD-3-Clause
"""The AES coprocessor on the serial line of an ATmega1281: between a computer and the mote, in either
direction, so that the mote sees ciphertext alone, and as a peripheral behind the second USART."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from wardmote import _motes

BOARD, HZ = "atmega1281-cc2420", 8_000_000
KEY, CBC_ENCRYPT, CBC_DECRYPT, ENDLESS = b"\x01", b"\x20", b"\x21", b"\xff\xff"
SECRET, IV = bytes(range(16)), bytes(range(16, 32))
BLOCKS = bytes(range(128, 192))
SECOND = 10**12
CLOCKS = {"fast": 12, "small": 212, "masked": 292}
# What comes on USART0 is kept. What `to_send` has goes out on USART1, and what comes there is kept
# too. 38 400 baud and 1 Mbaud at 8 MHz.
PROGRAM = """
#include <stdint.h>
#define R(address) (*(volatile uint8_t *)(address))
enum { LINE0 = 0xC0, LINE1 = 0xC8, A = 0, B = 1, DIVIDER = 4, DATA = 6 };
volatile struct {
    uint16_t sends, came0, came1, loops;
    uint8_t to_send[128], line0[128], line1[128];
} node __attribute__((section(".data"))) = {0, 0, 0, 0, {0}, {0}, {0}};
int main(void)
{
    R(LINE0 + A) = R(LINE1 + A) = 0x02;
    R(LINE0 + DIVIDER) = 25;
    R(LINE1 + DIVIDER) = 0;
    R(LINE0 + B) = R(LINE1 + B) = 0x18;
    for (uint16_t sent = 0;; node.loops++) {
        if ((R(LINE0 + A) & 0x80) != 0)
            node.line0[node.came0++ & 127] = R(LINE0 + DATA);
        if ((R(LINE1 + A) & 0x80) != 0)
            node.line1[node.came1++ & 127] = R(LINE1 + DATA);
        if (sent != node.sends && (R(LINE1 + A) & 0x20) != 0)
            R(LINE1 + DATA) = node.to_send[sent++];
    }
}
"""


@pytest.fixture(scope="module")
def image(atmega128: Callable[..., Path]) -> bytes:
    """The program."""
    return atmega128(PROGRAM, flags=("-Os",), of="atmega1281").read_bytes()


def cbc(octets: bytes) -> bytes:
    """As OpenSSL has it."""
    return Cipher(algorithms.AES(SECRET), modes.CBC(IV)).encryptor().update(octets)


class Node:
    """A mote with a coprocessor, and what has come to it."""

    def __init__(self, image: bytes, core: str, **fitting: Any) -> None:
        self.simulation = _motes.Simulation(3)
        self.simulation.add_mote(BOARD, image, "node")
        self.simulation.fit_coprocessor(0, core, **fitting)
        self.simulation.run_for(SECOND // 1000)
        self.at, _ = self.simulation.symbol(0, "node")

    def came(self, line: int) -> bytes:
        """The octets that came on a line."""
        count = int.from_bytes(self.simulation.read(0, self.at + 2 + 2 * line, 2), "little")
        return self.simulation.read(0, self.at + 8 + 128 * (line + 1), count)

    def tell(self, octets: bytes) -> None:
        """The computer sends, until the mote can have the answer."""
        self.simulation.send_serial(0, octets, baud=38_400)
        self.simulation.run_for((10 * len(octets) * SECOND) // 38_400 + 6 * SECOND // 1000)

    def ask(self, octets: bytes) -> None:
        """The mote sends."""
        sends = int.from_bytes(self.simulation.read(0, self.at, 2), "little")
        self.simulation.write(0, self.at + 8 + sends, octets)
        self.simulation.write(0, self.at, (sends + len(octets)).to_bytes(2, "little"))
        self.simulation.run_for(5 * SECOND // 1000)


def blocks() -> Iterator[bytes]:
    """Those of the message."""
    return (BLOCKS[at : at + 16] for at in range(0, len(BLOCKS), 16))


@pytest.mark.parametrize("core", CLOCKS)
def test_what_a_computer_sends_reaches_the_mote_as_ciphertext(image: bytes, core: str) -> None:
    """CBC without end at 38 400 baud: two statuses, then sixteen octets for sixteen, none of them
    clear."""
    node = Node(image, core)
    node.tell(KEY + SECRET)
    node.tell(CBC_ENCRYPT + IV + ENDLESS)
    for block in blocks():
        node.tell(block)
    assert node.came(0) == bytes(2) + cbc(BLOCKS)
    assert (node.came(1), node.simulation.misuse(0)) == (b"", [])


def test_the_mote_may_use_it_as_a_peripheral(image: bytes) -> None:
    """The same octets over USART1 at 1 Mbaud, eight clocks a bit."""
    node = Node(image, "small", baud=1_000_000, line=1, place="peripheral")
    for octets in (KEY + SECRET, CBC_ENCRYPT + IV + ENDLESS, *blocks()):
        node.ask(octets)
    assert node.came(1) == bytes(2) + cbc(BLOCKS)
    assert (node.came(0), node.simulation.misuse(0)) == (b"", [])


@pytest.mark.parametrize("core", CLOCKS)
def test_what_the_mote_sends_reaches_the_computer_decrypted(image: bytes, core: str) -> None:
    """The computer gives key and mode, the mote ciphertext; the computer hears two statuses and the
    message, and what the mote sent is on no other line."""
    node = Node(image, core, baud=1_000_000, line=1, place="behind")
    for octets in (KEY + SECRET, CBC_DECRYPT + IV + ENDLESS):
        node.simulation.send_serial(0, octets, baud=1_000_000, line=1)
        node.simulation.run_for(SECOND // 1000)
    sent = cbc(BLOCKS)
    for at in range(0, len(sent), 16):
        node.ask(sent[at : at + 16])
    heard = node.simulation.serial(0)
    assert bytes(octet for _, _, octet in heard) == bytes(2) + BLOCKS
    assert {line for _, line, _ in heard} == {1}
    assert (node.came(0), node.came(1), node.simulation.misuse(0)) == (b"", b"", [])
    times = [at for at, _, _ in heard]
    assert times == sorted(times)
    assert min(b - a for a, b in pairwise(times)) >= 10 * SECOND // 1_000_000


def test_two_that_talk_at_once_are_told(image: bytes) -> None:
    """Mote and computer have one line to a coprocessor behind the mote; one after the other they may
    use it."""
    for wait, told in ((0, True), (SECOND // 1000, False)):
        node = Node(image, "fast", baud=1_000_000, line=1, place="behind")
        node.simulation.send_serial(0, KEY + SECRET, baud=1_000_000, line=1)
        node.simulation.run_for(wait)
        node.ask(b"\x02")
        texts = [text for _, text in node.simulation.misuse(0)]
        assert any("at the same time" in text for text in texts) == told


@pytest.mark.parametrize("core", CLOCKS)
def test_a_block_takes_the_clocks_of_the_vhdl(image: bytes, core: str) -> None:
    """From the first status to the first octet of a block, seen at the line: the last bit in, its
    clocks of receiver and queue, the clocks of the core, and a character out. Cores differ by their
    own clocks and nothing else."""
    times = {}
    for name in ("fast", core):
        node = Node(image, name)
        node.tell(KEY + SECRET)
        node.tell(CBC_ENCRYPT + IV + ENDLESS)
        node.simulation.send_serial(0, BLOCKS[:16], baud=38_400)
        start = node.simulation.now_ps
        while len(node.came(0)) < 3:
            node.simulation.run_for(SECOND // HZ)
        times[name] = (node.simulation.now_ps - start) * HZ // SECOND
    assert times[core] - times["fast"] == pytest.approx(CLOCKS[core] - CLOCKS["fast"], abs=60)


def test_a_lost_octet_is_told(image: bytes) -> None:
    """Another rate than the coprocessor's: what it hears has no stop bit."""
    node = Node(image, "fast")
    node.simulation.send_serial(0, bytes(16), baud=19_200)
    node.simulation.run_for(SECOND // 50)
    [(_, text)] = node.simulation.misuse(0)
    assert text.startswith("the coprocessor lost an octet")
    assert node.came(0) == b""


def test_what_cannot_be_fitted_is_refused(image: bytes) -> None:
    """Another board, core, line or rate."""
    simulation = _motes.Simulation(3)
    simulation.add_mote(BOARD, image, "node")
    refused: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("slow", {}, "no core"),
        ("fast", {"line": 2}, "lines are below 2"),
        ("fast", {"baud": 4_000_000}, "no lines of 4000000 baud"),
        ("fast", {"place": "beside"}, "no place .beside.: before, behind, peripheral"),
    )
    for core, words, says in refused:
        with pytest.raises(ValueError, match=says):
            simulation.fit_coprocessor(0, core, **words)
