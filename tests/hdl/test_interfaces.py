# SPDX-License-Identifier: BSD-3-Clause
"""The coprocessor as a peripheral and between two serial lines: the same octets as without them, and
what happens to a stream that lost one."""

from pathlib import Path

import pytest

from tests.hdl.bench import BenchError, play
from tests.hdl.test_aes128_coprocessor import (
    CBC,
    CBC_ENCRYPT,
    CCM,
    CTR_CRYPT,
    KEY,
    OK,
    STATE,
    crypt,
    opened,
    seal,
    talk,
    with_key,
)

REGISTERS, SERIAL = "tb_aes128_registers", "tb_aes128_serial"
BLOCK = next(vector for vector in CBC if len(vector.octets("pt")) == 64)
KEYED = with_key(BLOCK.octets("key"))
MESSAGE = list(crypt(CBC_ENCRYPT + BLOCK.octets("iv"), BLOCK.octets("pt"), BLOCK.octets("ct")))
REFUSED = talk(CBC_ENCRYPT + BLOCK.octets("iv") + b"\0\x40", STATE)
SEALED = next(vector for vector in CCM if vector.valid and 20 < len(vector.octets("msg")) < 40)
FORGED = next(vector for vector in CCM if not vector.valid)
FRAMES = [
    *(line for line in [*seal(SEALED), *opened(SEALED), *opened(FORGED)] if "quiet" not in line)
]
DATA, CONTROL = "00", "02"
LOST = [
    KEYED,
    MESSAGE[0],
    talk(BLOCK.octets("pt")[:16], b""),
    f"write {DATA} 55",
    "state 0b 08",
    f"read {DATA} 00",
    f"write {DATA} 01",
    "state 0b 08",
    f"write {CONTROL} 01",
    "state 08 00",
    REFUSED,
    KEYED,
]
"""An octet is written while the core computes; then a wipe."""


@pytest.mark.parametrize("core", ["fast", "small", "masked"])
def test_registers_carry_the_same_octets(core: str, tmp_path: Path) -> None:
    """CBC and CCM* through DATA, by a driver that polls STATE."""
    aad, msg = SEALED.octets("aad"), SEALED.octets("msg")
    ct, tag = SEALED.octets("ct"), SEALED.octets("tag")
    sealing = [*list(seal(SEALED))[:2], talk(aad, b"")]
    sealing += [talk(msg[at : at + 1], ct[at : at + 1]) for at in range(len(msg))]
    steps = [KEYED, MESSAGE[0]]
    pt, block = BLOCK.octets("pt"), BLOCK.octets("ct")
    steps += [talk(pt[at : at + 16], block[at : at + 16]) for at in range(0, 64, 16)]
    steps += [*sealing, talk(b"", tag)]
    steps += [line for line in [*opened(SEALED), *opened(FORGED)] if "quiet" not in line]
    play(REGISTERS, [*steps, "read 03 01", "read 02 00"], tmp_path, core=core)


def test_a_lost_octet_stops_the_registers(tmp_path: Path) -> None:
    """A write while nothing can be taken is told, nothing more goes in or out, and a wipe starts
    anew without a key."""
    play(REGISTERS, LOST, tmp_path, core="small")
    with pytest.raises(BenchError, match="08, not 00"):
        play(REGISTERS, [*LOST[:4], "state 08 00"], tmp_path, core="small")


@pytest.mark.parametrize(("core", "clocks"), [("fast", 4), ("small", 8), ("masked", 12)])
def test_serial_lines_carry_the_same_octets(core: str, clocks: int, tmp_path: Path) -> None:
    """CBC and CCM* bit by bit, both lines busy at once; a spike is no start bit."""
    steps = [KEYED, *MESSAGE, "spike", *FRAMES, "silent"]
    play(SERIAL, steps, tmp_path, core=core, clocks_a_bit=clocks)


def stopped(fault: list[str]) -> list[str]:
    """What must be so after a fault: silence, whatever comes, and no key after a reset."""
    more = talk(BLOCK.octets("pt"), b"")
    return [*fault, "fault", "silent", more, "silent", "reset", "silent", REFUSED]


def test_a_broken_octet_stops_the_lines(tmp_path: Path) -> None:
    """An octet without its stop bit, within a block."""
    steps = [KEYED, MESSAGE[0], talk(BLOCK.octets("pt")[:15], b""), *stopped(["broken"])]
    play(SERIAL, steps, tmp_path, core="small", clocks_a_bit=8)


def test_a_full_queue_stops_the_lines(tmp_path: Path) -> None:
    """Octets that come while the masked core makes its round keys, faster than any line of a mote:
    an instruction is taken and answered, but its data find the queue full."""
    hasty = KEY + BLOCK.octets("key") + CTR_CRYPT + bytes(16) + b"\0\x60" + bytes(60)
    play(SERIAL, stopped([talk(hasty, OK + OK)]), tmp_path, core="masked", clocks_a_bit=2)
