# SPDX-License-Identifier: BSD-3-Clause
"""How senders are slowed down: by a cipher that takes as long as the paper's, which stands for it,
and by a rest behind each packet, which stands for what made the paper's network slow."""

from collections.abc import Mapping
from pathlib import Path

from wardmote.experiments.zigbee.energy import TIMES
from wardmote.experiments.zigbee.exchange import WAYS
from wardmote.experiments.zigbee.transfer import RECEIVER, SENDER
from wardmote.experiments.zigbee.wiring import clock_hz
from wardmote.paths import firmware_image
from wardmote.published import load

CYCLES_A_LOOP, CYCLES_A_TICK = 8, 256
"""picture_block.h: of `slower`, and of `rest` (TICK_HZ)."""
BOTH = "the paper's AES and stack"
SLOWED = (TIMES, BOTH)
"""Ways that are settings: a loop takes the time that the paper prints."""


def images(board: str, way: str, more: Mapping[str, tuple[str, str]] = WAYS) -> Mapping[str, Path]:
    """Those of the sender and of the receiver, by WAYS or by `more` of them."""
    send, receive = ("none", "none") if way in SLOWED else {**more, **WAYS}[way]
    return {
        SENDER: firmware_image(board, f"picture-send-{send}"),
        RECEIVER: firmware_image(board, f"picture-receive-{receive}"),
    }


def loops(board: str, ms: float) -> int:
    """So many take this time."""
    return round(ms * clock_hz(board) / 1000 / CYCLES_A_LOOP)


def ticks(board: str, ms: float) -> int:
    """So many are this time."""
    return round(ms * clock_hz(board) / 1000 / CYCLES_A_TICK)


def encrypts(board: str, way: str) -> int:
    """`slower` of a sender."""
    return loops(board, load("zigbee")["time"]["encrypt_software_ms"]) if way in SLOWED else 0


def decrypts(board: str, way: str, own_stack_ms: float = 0.0) -> int:
    """`slower` of a receiver; with BOTH it has the paper's stack in place of its own."""
    time = load("zigbee")["time"]
    more = time["stack_ms"] - own_stack_ms if way == BOTH else 0.0
    return loops(board, time["decrypt_software_ms"] + more) if way in SLOWED else 0
