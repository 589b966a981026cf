# SPDX-License-Identifier: BSD-3-Clause
"""APS commands of ZigBee on every CPU: the model's, read and written; cut off, or of another kind."""

from __future__ import annotations

from typing import Any

from tests.stack.link.linklib import name_of
from tests.vectors import Vector, load, named
from wardmote.call import Target

HEADERS = ("zigbee_command", "ct")
FILL = 0xA5


NOT_VALUES = frozenset({"tcId", "comment", "payload", "result", "status"})


def values(vector: Vector) -> dict[str, Any]:
    """A command's values, as the structure has them."""
    return {
        name.replace("result_code", "status"): bytes.fromhex(value)
        if isinstance(value, str)
        else value
        for name, value in vector.members.items()
        if name not in NOT_VALUES
    }


def test_commands_both_ways(target: Target) -> None:
    """A command is read to its values, all others zero, and built from them octet for octet."""
    for vector in load("zigbee", "zigbee-command"):
        payload, wanted = vector.octets("payload"), values(vector)
        with named(str(vector)):
            target.reset()
            here = target.buffer(payload)
            read = bytearray(len(target.pack("wm_zigbee_command")))
            assert target.call("wm_zigbee_command_parse", here, len(payload), read).value == 0
            got = target.unpack("wm_zigbee_command", read)
            used = len(payload) - (2 if "TLV" in vector.comment else 0)
            assert got.pop("used") == used
            frame = got.pop("frame")
            assert frame == (here.address + 9 if wanted["id"] == 14 else 0)
            for name, value in got.items():
                same = bytes(value) if isinstance(value, (list, bytes, tuple)) else int(value)
                zero: Any = bytes(len(same)) if isinstance(same, bytes) else 0
                assert same == wanted.get(name, zero), name
            built, length = bytearray([FILL] * 120), bytearray(1)
            status = target.call("wm_zigbee_command_build", read, built, used, length).value
            assert (name_of(status), length[0]) == ("WM_OK", used)
            assert built == payload[:used].ljust(120, bytes([FILL]))
            small = bytearray([FILL] * 120)
            status = target.call("wm_zigbee_command_build", read, small, used - 1, length).value
            assert name_of(status) == "WM_ERR_FRAME_TOO_LONG"
            assert small == bytes([FILL] * 120)


def test_commands_refused(target: Target) -> None:
    """What is cut off or unknown gives no value."""
    for vector in load("zigbee", "zigbee-command-refusal")[::3]:
        payload = vector.octets("payload")
        with named(str(vector)):
            read = bytearray(b"\xff" * len(target.pack("wm_zigbee_command")))
            status = target.call("wm_zigbee_command_parse", payload, len(payload), read).value
            assert name_of(status) == vector.members["status"]
            assert not any(read)
    for wrong in ({"id": 1}, {"id": 5, "key_type": 2}, {"id": 8, "key_type": 3}, {}):
        command = target.pack("wm_zigbee_command", **wrong)
        out, length = bytearray([FILL] * 120), bytearray(1)
        status = target.call("wm_zigbee_command_build", command, out, 120, length).value
        assert name_of(status) == "WM_ERR_PARAM"
        assert out == bytes([FILL] * 120)
