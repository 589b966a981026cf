# SPDX-License-Identifier: BSD-3-Clause
"""Our side of the air to the Linux peer with all of its policy: a security PIB that knows Linux as
its one device, and the outgoing and incoming frame security procedures (security_procedures.h)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tests.interop.linux_peer import KeyId
from tests.interop.linux_stack import (
    ADDRESS_MODE,
    COMMON_KEY,
    LINUX_EXTENDED,
    LINUX_SHORT,
    OUR_EXTENDED,
    PAN,
    address,
)
from tests.stack.link.linklib import Answer, link_target, name_of
from wardmote.call import Buffer

EDITIONS = {"2006": 0, "2011": 1, "2012e": 2, "2015": 3}
DATA_FRAME, VERSION_2006 = 1, 1
ROOM = 125
NO_SLOT, NO_COMMAND = 0xFF, 0
DEFAULT_KEY_SOURCE = bytes([0xFF] * 8)
NONCE_COUNTER = 0


class Node:
    """A device of ours, on one target. Data frames must have a level of `levels` and come from
    Linux."""

    def __init__(
        self,
        target: str,
        edition: str,
        levels: Collection[int],
        *,
        key: bytes = COMMON_KEY,
        key_id: KeyId | None = None,
        counter: int = 0,
    ) -> None:
        # A target of its own: the tables are to stay where they are until the test is over.
        self.target = link_target.__wrapped__(target)
        self.key_id = key_id or KeyId()
        pack, place = self.target.pack, self.target.buffer
        expanded = place(self.target.layout("wm_aes128").size)
        self.target.call("wm_aes128_expand", expanded, key)
        least = {"next": 0, "slot": NO_SLOT}
        self._kept: list[Buffer] = [expanded]
        keys = pack(
            "wm_key_descriptor",
            id_lookup=self._table(pack("wm_key_id_lookup", **self._lookup())),
            usage=self._table(pack("wm_key_usage", frame_type=DATA_FRAME, command_id=NO_COMMAND)),
            devices=self._table(pack("wm_key_device", counter=least, device=0)),
            counter=self._table(pack("wm_frame_counter", next=counter, slot=NO_SLOT)),
            key=expanded.address,
            id_lookup_count=1,
            usage_count=1,
            device_count=1,
        )
        linux = pack(
            "wm_device_descriptor",
            pan=PAN,
            short_addr=int.from_bytes(LINUX_SHORT, "big"),
            ext_addr=LINUX_EXTENDED,
        )
        allowed = pack(
            "wm_level_descriptor",
            frame_type=DATA_FRAME,
            command_id=NO_COMMAND,
            allowed_levels=sum(1 << level for level in levels),
            minimum=min(levels),
        )
        self._pib = place(
            pack(
                "wm_security_pib",
                cipher=self.target.address_of("wm_aes128_tab"),
                keys=self._table(keys),
                devices=self._table(linux),
                device_counters=self._table(pack("wm_frame_counter", **least)),
                levels=self._table(allowed),
                counter={"next": counter, "slot": NO_SLOT},
                key_count=1,
                device_count=1,
                level_count=1,
                pan=PAN,
                pan_coord_short=0xFFFF,
                ext_addr=OUR_EXTENDED,
                default_key_source=DEFAULT_KEY_SOURCE,
                edition=EDITIONS[edition],
                nonce_form=NONCE_COUNTER,
                enabled=True,
            )
        )
        assert name_of(self.target.call("wm_pib_check", self._pib).value) == "WM_OK"

    def _table(self, octets: bytearray) -> int:
        self._kept.append(self.target.buffer(octets))
        return self._kept[-1].address

    def _lookup(self) -> dict[str, Any]:
        mode, source = self.key_id.mode, self.key_id.source
        if mode == 0:  # named by the other device, Linux, as Linux names it by ours
            other = LINUX_SHORT if len(self.key_id.device) == len(LINUX_SHORT) else LINUX_EXTENDED
            return {
                "key_id_mode": 0,
                "addr_mode": ADDRESS_MODE[len(other)],
                "key_source": other.ljust(8, b"\0"),
                "pan": PAN,
            }
        known = DEFAULT_KEY_SOURCE if mode == 1 else source.ljust(8, b"\0")
        return {"key_id_mode": mode, "key_index": self.key_id.index, "key_source": known}

    def secure(
        self,
        payload: bytes,
        level: int,
        *,
        source: bytes = OUR_EXTENDED,
        to: bytes = LINUX_EXTENDED,
    ) -> Answer:
        """A data frame to Linux by the outgoing procedure; level 0 is one in clear."""
        mhr = self.target.pack(
            "wm_mhr",
            type=DATA_FRAME,
            version=VERSION_2006,
            pan_id_compression=True,
            dst_pan=PAN,
            src_pan=PAN,
            dst=address(to),
            src=address(source),
        )
        parameters = self.target.pack(
            "wm_security_params",
            level=level,
            key_id_mode=self.key_id.mode,
            key_index=self.key_id.index,
            key_source=self.key_id.source.ljust(8, b"\0"),
        )
        frame, length = bytearray(ROOM), bytearray(1)
        call = self.target.call
        status = call(
            "wm_outgoing_build",
            self._pib,
            parameters,
            mhr,
            payload,
            len(payload),
            frame,
            ROOM,
            length,
        ).value
        return Answer(name_of(status), bytes(frame[: length[0]]))

    def unsecure(self, frame: bytes) -> Answer:
        """The payload of a frame from Linux by the incoming procedure, or why it is refused."""
        octets, length = bytearray(frame), bytearray([len(frame)])
        result = self.target.pack("wm_incoming")
        status = name_of(
            self.target.call("wm_incoming_unsecure", self._pib, octets, length, result).value
        )
        if status != "WM_OK":
            return Answer(status)
        return Answer(
            status, bytes(octets[self.target.unpack("wm_incoming", result)["payload"] : length[0]])
        )
