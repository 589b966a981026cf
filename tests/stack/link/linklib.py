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

TARGETS = ("host", "msp430", "armv7m", "powerpc")
HEADERS = (*room("link"), "aes128", "!inverse", "!decrypt", "ccm", "ct", "counter_double")


@functools.cache
def link_target(name: str) -> Target:
    """The link layer, with doubles in the place of a board."""
    return target_named(name, *HEADERS)


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
        frame, length = bytearray(size), bytearray(1)
        status = self.target.call(
            "wm_mhr_build", self.target.pack("wm_mhr", **mhr), frame, size, length
        ).value
        if status != 0:
            assert frame == bytes(size), "a refused header leaves the buffer alone"
        return Answer(name_of(status), bytes(frame[: length[0]]))

    def secure(self, frame: bytes, **parameters: Any) -> Answer:
        """wm_frame_secure."""
        return self._security("wm_frame_secure", frame, 125, **parameters)

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
        profile: int = 1,
    ) -> Answer:
        """On success the frame as long as the function says; when refused all octets there were."""
        target = self.target
        expanded = target.buffer(target.layout("wm_aes128").size)
        if key is not None:
            target.call("wm_aes128_expand", expanded, key)
        known = target.buffer(src_ext) if src_ext else None
        security = target.pack(
            "wm_security",
            cipher=target.address_of("wm_aes128_tab"),
            key=expanded.address if key is not None else 0,
            profile=profile,
            nonce_form=int(asn_form),
            asn=asn,
            src_ext=known.address if known else 0,
        )
        octets, length = bytearray(frame.ljust(room, b"\0")), bytearray([len(frame)])
        outcome = target.call(function, security, octets, length)
        target.reset()
        end = length[0] if outcome.value == 0 else len(frame)
        return Answer(name_of(outcome.value), bytes(octets[:end]), outcome.cycles or 0)
