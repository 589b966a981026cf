# SPDX-License-Identifier: BSD-3-Clause
"""The stack as one of those who make and read the frames: headers from values, then secured or
unsecured in place.

Keys and parameters that many frames share are placed once, since there are thousands of frames.
"""

from __future__ import annotations

from typing import Any

from tests.interop.frame_cases import MAX_FRAME, Case
from tests.model.ieee802154_model import Frame
from tests.stack.link.linklib import link_target, name_of
from wardmote.call import Buffer

MODE = {0: 0, 2: 2, 8: 3}
PROFILE_2015, PROFILE_2011 = 0, 1
LEVEL_ENC = 4


def header_values(frame: Frame) -> dict[str, Any]:
    """The wm_mhr of a frame."""
    values: dict[str, Any] = {
        "type": frame.type,
        "version": frame.version,
        "security_enabled": frame.ash is not None,
        "frame_pending": frame.pending,
        "ack_request": frame.ack_request,
        "pan_id_compression": frame.compression,
        "seq_suppressed": frame.seq is None,
        "ie_present": bool(frame.header_ies),
        "seq": frame.seq or 0,
        "dst_pan": frame.dst_pan,
        "src_pan": frame.src_pan,
    }
    for name, address in (("dst", frame.dst), ("src", frame.src)):
        values[name] = {"mode": MODE[len(address)], "octet": address.ljust(8, b"\0")}
    if frame.ash is not None:
        values["ash"] = {
            "level": frame.ash.level,
            "key_id_mode": frame.ash.key_id_mode,
            "counter_suppressed": frame.ash.counter is None,
            "asn_in_nonce": frame.ash.asn_in_nonce,
            "frame_counter": frame.ash.counter or 0,
            "key_source": frame.ash.key_source.ljust(8, b"\0"),
            "key_index": frame.ash.key_index,
        }
    return values


class Stack:
    """The stack on one target."""

    def __init__(self, name: str) -> None:
        self.target = link_target(name)
        self.target.reset()
        self._keys: dict[bytes, Buffer] = {}
        self._ext: dict[bytes, Buffer] = {}

    def make(self, case: Case) -> bytes:
        """The frame of a case as it goes on the air, its header built from values."""
        frame = case.frame
        header, length = bytearray(MAX_FRAME), bytearray(1)
        values = self.target.pack("wm_mhr", **header_values(frame))
        status = self.target.call("wm_mhr_build", values, header, MAX_FRAME, length).value
        assert name_of(status) == "WM_OK"
        clear = bytes(header[: length[0]]) + frame.header_ies + frame.open_part + frame.private_part
        status, octets = self.secure(case, clear)
        assert name_of(status) == ("WM_OK" if case.secured else "WM_NOT_SECURED")
        return octets

    def secure(self, case: Case, clear: bytes) -> tuple[int, bytes]:
        """wm_frame_secure: its status, and the frame as long as it says."""
        return self._run("wm_frame_secure", case, clear, MAX_FRAME)

    def unsecure(self, case: Case, octets: bytes) -> tuple[int, bytes]:
        """wm_frame_unsecure: its status, and the frame as long as it says."""
        return self._run("wm_frame_unsecure", case, octets, len(octets))

    def _run(self, function: str, case: Case, octets: bytes, room: int) -> tuple[int, bytes]:
        frame, length = bytearray(octets.ljust(room, b"\0")), bytearray([len(octets)])
        size = (room,) if function == "wm_frame_secure" else ()
        status = self.target.call(function, self._security(case), frame, *size, length).value
        return status, bytes(frame[: length[0]])

    def _security(self, case: Case) -> bytes:
        shape = case.shape
        return bytes(
            self.target.pack(
                "wm_security",
                cipher=self._key(case.key).address,
                profile=PROFILE_2011 if shape.level == LEVEL_ENC else PROFILE_2015,
                nonce_form=int(shape.form == "asn"),
                asn=case.asn.to_bytes(5, "big"),
                src_ext=self._address(case.src_ext).address if case.src_ext else 0,
            )
        )

    def _key(self, key: bytes) -> Buffer:
        if key not in self._keys:
            made = self.target.pack("wm_aes128_tab_key")
            self.target.call("wm_aes128_tab_init", made, key)
            self._keys[key] = self.target.buffer(made)
        return self._keys[key]

    def _address(self, octets: bytes) -> Buffer:
        if octets not in self._ext:
            self._ext[octets] = self.target.buffer(octets)
        return self._ext[octets]
