# SPDX-License-Identifier: BSD-3-Clause
"""Tinylink on every CPU: the vectors both ways, and what a refusal leaves behind."""

from __future__ import annotations

from tests.vectors import load
from wardmote.call import Target

HEADERS = ("tinylink", "aes128", "!inverse", "!decrypt")
OWN, PEER, HEADER, MIC = 0x0102, 0x0304, 8, 4


def node(target: Target, key: bytes, own: int, peer: int, counter: int, least: int) -> bytearray:
    """A node's state in this target's memory, which holds nothing else."""
    target.reset()
    made = target.pack("wm_aes128_small_key")
    target.call("wm_aes128_small_init", made, key)
    return target.pack(
        "wm_tinylink",
        cipher=target.buffer(made).address,
        own=own,
        peer=peer,
        next_counter=counter,
        least_heard=least,
    )


def test_unsecuring_every_vector(target: Target) -> None:
    """A valid frame opens to its payload; another is refused with its status, and releases
    nothing."""
    for vector in load("tinylink", "tinylink"):
        least = vector.members["least"]
        receiver = node(target, vector.octets("key"), OWN, PEER, 0, least)
        frame, length = bytearray(vector.octets("frame")), bytearray(1)
        given = bytes(frame)
        answer = target.call("wm_tinylink_unsecure", receiver, frame, len(frame), length)
        assert answer.value == vector.status, vector
        after = target.unpack("wm_tinylink", receiver)["least_heard"]
        if vector.valid:
            assert frame[HEADER:-MIC] == vector.octets("payload"), vector
            assert after == vector.members["counter"] + 1
        else:
            wiped = not any(frame[HEADER:-MIC])
            assert after == least
            assert wiped if vector.members["status"] == "WM_ERR_SECURITY" else frame == given


def test_securing_every_valid_vector(target: Target) -> None:
    """The sender makes the vector's frame, octet for octet; without room it makes none."""
    for vector in load("tinylink", "tinylink", valid=True):
        payload, want = vector.octets("payload"), vector.octets("frame")
        counter = vector.members["counter"]
        for room, status in ((len(want), 0), (len(want) - 1, -3)):
            sender = node(target, vector.octets("key"), PEER, OWN, counter, 0)
            frame, length = bytearray(HEADER) + payload + bytes(MIC), bytearray(1)
            answer = target.call("wm_tinylink_secure", sender, frame, room, len(payload), length)
            assert answer.value == status, vector
            if status == 0:
                assert bytes(frame) == want, vector
                assert length[0] == len(want), vector


def test_a_counter_is_used_once(target: Target) -> None:
    """Two frames have two counters; when they are used up, nothing is sent."""
    for counter, status in ((5, 0), (2**32 - 1, -4)):
        sender = node(target, bytes(16), PEER, OWN, counter, 0)
        frame = bytearray(HEADER + MIC)
        answer = target.call("wm_tinylink_secure", sender, frame, len(frame), 0, bytearray(1))
        assert answer.value == status
        after = target.unpack("wm_tinylink", sender)["next_counter"]
        assert after == counter + (1 if status == 0 else 0)
