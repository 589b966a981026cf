# SPDX-License-Identifier: BSD-3-Clause
"""The link layer's C functions with Python's values: frames as octets, headers as dictionaries.

Works on every target of wardmote.call.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.stack.conftest import room, target_named
from tests.vectors import statuses
from wardmote.call import Target

TARGETS = ("host", "host-long", "msp430", "armv7m", "powerpc")
IEEE = ("eb", "ie", "link_security", "security_", "tsch")
"""How the headers of IEEE 802.15.4 begin. Other protocols of the room have targets of their own:
flash has no room for all."""
AHEAD = "tsch_ahead"
"""Beside the others it does not fit into the flash of an MSP430."""
HEADERS = (
    *(
        header
        for header in room("link")
        if header.startswith(IEEE) and not header.startswith(AHEAD)
    ),
    *room("store"),
    "aes128",
    "!counter_cells",
    "!counter_slot",
    "!inverse",
    "!decrypt",
    "!both",
    "!lean",
    "ccm",
    "ct",
    "counter_double",
    "port_double",
)


@functools.cache
def link_target(name: str) -> Target:
    """The link layer, with doubles in the place of a board."""
    return target_named(name, *HEADERS)


def frame_max(target: Target) -> int:
    """WM_FRAME_MAX of the target's build."""
    constants = target.prototypes.constants
    return constants["WM_PSDU_MAX"] - 2


def as_built(target: Target, status: str, wanted: str) -> bool:
    """Whether a status is the wanted one. What 127 octets cannot hold fits a build for more, so
    there it is not refused for its length."""
    if wanted == "WM_ERR_FRAME_TOO_LONG" and frame_max(target) > 125:
        return status != wanted
    return status == wanted


def length_of(target: Target, octets: int = 0) -> bytearray:
    """A wm_psdu_len in memory; it has two octets where frames may be long."""
    most = target.prototypes.constants["WM_PSDU_MAX"]
    return bytearray(octets.to_bytes(1 if most == 127 else 2, "little"))


def admitted(level: int) -> str:
    """The status of a frame that is admitted at a security level."""
    return {0: "WM_NOT_SECURED", 4: "WM_NOT_AUTHENTICATED"}.get(level, "WM_OK")


def name_of(status: int) -> str:
    """The name of a status, which tells more in a failed comparison."""
    return {value: name for name, value in statuses().items()}[status]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status by name, the octets that came with it, and what the call cost where that is
    counted."""

    status: str
    octets: bytes = b""
    cycles: int = 0


class Link:
    """The link layer on one target."""

    def __init__(self, name: str) -> None:
        """Opens the target."""
        self.target = link_target(name)

    def parse(
        self, frame: bytes, *, on_air: bool = True
    ) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """Status, header and map of a frame."""
        mhr, places = self.target.pack("wm_mhr"), self.target.pack("wm_frame_map")
        function = "wm_frame_parse" if on_air else "wm_frame_parse_clear"
        status = self.target.call(function, frame, len(frame), mhr, places).value
        return (
            name_of(status),
            self.target.unpack("wm_mhr", mhr),
            self.target.unpack("wm_frame_map", places),
        )

    def build(self, mhr: Mapping[str, Any], size: int = 125) -> Answer:
        """The octets of a header."""
        frame, length = bytearray(size), length_of(self.target)
        status = self.target.call(
            "wm_mhr_build", self.target.pack("wm_mhr", **mhr), frame, size, length
        ).value
        if status != 0:
            assert frame == bytes(size), "a refused header leaves the buffer alone"
        return Answer(name_of(status), bytes(frame[: int.from_bytes(length, "little")]))

    def secure(self, frame: bytes, **parameters: Any) -> Answer:
        """wm_frame_secure, with room for the longest frame."""
        return self._security("wm_frame_secure", frame, frame_max(self.target), **parameters)

    def secure_within(self, room: int, frame: bytes, **parameters: Any) -> Answer:
        """wm_frame_secure, with this room. It writes nothing behind it."""
        return self._security("wm_frame_secure", frame, room, **parameters)

    def unsecure(self, frame: bytes, **parameters: Any) -> Answer:
        """wm_frame_unsecure."""
        return self._security("wm_frame_unsecure", frame, len(frame), **parameters)

    def _security(
        self,
        function: str,
        frame: bytes,
        room: int,
        *,
        key: bytes | None,
        asn_form: bool = False,
        asn: bytes = bytes(5),
        src_ext: bytes = b"",
        profile: int = 0,
    ) -> Answer:
        """On success the frame as long as the function says; when refused all octets there were."""
        target = self.target
        made = target.buffer(target.layout("wm_aes128_tab_key").size)
        if key is not None:
            target.call("wm_aes128_tab_init", made, key)
        known = target.buffer(src_ext) if src_ext else None
        security = target.pack(
            "wm_security",
            cipher=made.address if key is not None else 0,
            profile=profile,
            nonce_form=int(asn_form),
            asn=asn,
            src_ext=known.address if known else 0,
        )
        octets, length = target.buffer(frame.ljust(room, b"\0")), length_of(target, len(frame))
        size = (room,) if function == "wm_frame_secure" else ()
        outcome = target.call(function, security, octets, *size, length)
        left = octets.read()
        target.reset()
        end = int.from_bytes(length, "little") if outcome.value >= 0 else len(frame)
        return Answer(name_of(outcome.value), left[:end], outcome.cycles or 0)
