# SPDX-License-Identifier: BSD-3-Clause
"""Our side of the air to the Linux peer: a device whose frames the C stack makes and opens, one key
and one frame at a time (wm_frame_secure, wm_frame_unsecure)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.interop.linux_parties import LINUX_EXTENDED, OUR_EXTENDED, OUR_SHORT, PAN
from tests.interop.linux_peer import COUNTER_PER_DEVICE, NO_SHORT, KeyId, LinuxPeer
from tests.interop.linux_secrets import (
    COMMON_KEY,
)
from tests.model.ieee802154_model import MIC_OCTETS
from tests.stack.link.linklib import Answer, Link

PROFILE_2011 = 1
"""The profile with level 4; for the others it makes no difference here."""

ADDRESS_MODE = {0: 0, 2: 2, 8: 3}


def address(octets: bytes) -> dict[str, object]:
    """A wm_addr."""
    return {"mode": ADDRESS_MODE[len(octets)], "octet": octets.ljust(8, b"\0")}


@dataclass
class Device:
    """A mote of ours with one key."""

    link: Link
    level: int
    key: bytes = COMMON_KEY
    key_id: KeyId = field(default_factory=KeyId)
    counters: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def header(
        self, *, secured: bool = True, source: bytes = OUR_EXTENDED, counter: int = 0
    ) -> bytes:
        """The header of a data frame to Linux, as the stack writes it."""
        ash = {
            "level": self.level,
            "key_id_mode": self.key_id.mode,
            "frame_counter": counter,
            "key_source": self.key_id.source.ljust(8, b"\0"),
            "key_index": self.key_id.index,
        }
        mhr = {
            "type": 1,
            "version": 1,
            "security_enabled": secured,
            "pan_id_compression": True,
            "seq": counter & 0xFF,
            "dst_pan": PAN,
            "src_pan": PAN,
            "dst": address(LINUX_EXTENDED),
            "src": address(source),
            "ash": ash,
        }
        built = self.link.build(mhr)
        assert built.status == "WM_OK"
        return built.octets

    def secure(
        self, payload: bytes, *, source: bytes = OUR_EXTENDED, counter: int | None = None
    ) -> bytes:
        """A secured data frame to Linux, with the next counter or the one given."""
        used = next(self.counters) if counter is None else counter
        clear = self.header(source=source, counter=used) + payload
        secured = self.link.secure(clear, key=self.key, profile=PROFILE_2011, src_ext=OUR_EXTENDED)
        assert secured.status == "WM_OK"
        return secured.octets

    def unsecure(self, frame: bytes) -> Answer:
        """Unsecures a frame from Linux. Linux always puts its extended address into the nonce."""
        return self.link.unsecure(frame, key=self.key, profile=PROFILE_2011, src_ext=LINUX_EXTENDED)

    def counter_of(self, frame: bytes) -> int:
        """The frame counter of a secured frame."""
        status, mhr, _ = self.link.parse(frame)
        assert status == "WM_OK"
        return int(mhr["ash"]["frame_counter"])


def meet(
    peer: LinuxPeer,
    level: int,
    key_id: KeyId | None = None,
    *,
    extended: bytes = LINUX_EXTENDED,
    short: bytes = NO_SHORT,
    counter: int = 0,
    key_mode: int = COUNTER_PER_DEVICE,
) -> None:
    """Restarts Linux with one key, us as its only device, and one allowed level. Its own frames
    begin at `counter`."""
    key_id = key_id or KeyId()
    peer.restart(extended, PAN, short)
    peer.add_key(key_id, COMMON_KEY)
    peer.add_device(OUR_EXTENDED, OUR_SHORT, key_mode=key_mode)
    peer.allow_levels(level)
    peer.secure_with(level, key_id, counter)


def changed(frame: bytes, at: int) -> bytes:
    """The frame with one bit of one octet changed."""
    octets = bytearray(frame)
    octets[at] ^= 0x01
    return bytes(octets)


def one(frames: list[bytes]) -> bytes:
    """The only one."""
    [frame] = frames
    return frame


def clear_length(frame: bytes, level: int) -> int:
    """Octets of a frame before its MIC."""
    return len(frame) - MIC_OCTETS[level]
