# SPDX-License-Identifier: BSD-3-Clause
"""Our node that talks to the Linux peer. It runs the outgoing and incoming frame security procedures
(security_procedures.h), and the one device in its security PIB is Linux."""

from __future__ import annotations

from collections.abc import Collection

from tests.interop.linux_parties import LINUX_EXTENDED, LINUX_SHORT, OUR_EXTENDED, PAN
from tests.interop.linux_peer import KeyId
from tests.interop.linux_secrets import COMMON_KEY
from tests.interop.linux_stack import address
from tests.stack.link import securitylib
from tests.stack.link.editions import E2006, E2011, E2012E, E2015
from tests.stack.link.linklib import Answer, link_target
from tests.stack.link.pib import Device, Key, Level, Lookup, Params, Pib

EDITIONS = {"2006": E2006, "2011": E2011, "2012e": E2012E, "2015": E2015}
DATA_FRAME, VERSION_2006 = 1, 1
NO_COMMAND = 0
DEFAULT_KEY_SOURCE = bytes([0xFF] * 8)


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
        self.key_id = key_id or KeyId()
        only = Key(key, (self._lookup(),), usage=((DATA_FRAME, NO_COMMAND),), counter=counter)
        allowed = Level(DATA_FRAME, tuple(levels), min(levels), command=NO_COMMAND)
        pib = Pib(
            EDITIONS[edition],
            keys=(only,),
            devices=(Device(LINUX_EXTENDED, LINUX_SHORT, PAN),),
            levels=(allowed,),
            counter=counter,
            pan=PAN,
            coordinator=bytes(8),
            own=OUR_EXTENDED,
            default_source=DEFAULT_KEY_SOURCE,
        )
        # Its tables stay where they are until the target is reset.
        self._node = securitylib.Node(link_target(target), pib)
        assert self._node.check() == "WM_OK"

    def _lookup(self) -> Lookup:
        mode = self.key_id.mode
        if mode == 0:  # named by the other device, Linux, as Linux names it by ours
            short = len(self.key_id.device) == len(LINUX_SHORT)
            return Lookup(0, 0, LINUX_SHORT if short else LINUX_EXTENDED, PAN)
        source = DEFAULT_KEY_SOURCE if mode == 1 else self.key_id.source
        return Lookup(mode, self.key_id.index, source)

    def secure(
        self,
        payload: bytes,
        level: int,
        *,
        source: bytes = OUR_EXTENDED,
        to: bytes = LINUX_EXTENDED,
    ) -> Answer:
        """A data frame to Linux by the outgoing procedure; level 0 is one in clear."""
        mhr = {
            "type": DATA_FRAME,
            "version": VERSION_2006,
            "pan_id_compression": True,
            "dst_pan": PAN,
            "src_pan": PAN,
            "dst": address(to),
            "src": address(source),
        }
        named = Params(level, self.key_id.mode, self.key_id.index, self.key_id.source)
        made = self._node.build(mhr, payload, named)
        return Answer(made.status, made.octets)

    def unsecure(self, frame: bytes) -> Answer:
        """The payload of a frame from Linux by the incoming procedure, or why it is refused."""
        found = self._node.unsecure(frame)
        if found.status != "WM_OK":
            return Answer(found.status)
        return Answer(found.status, found.octets[found.result["payload"] :])
