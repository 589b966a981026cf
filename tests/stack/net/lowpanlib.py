# SPDX-License-Identifier: BSD-3-Clause
"""6LoWPAN's C functions with Python's values."""

from __future__ import annotations

from typing import Any

from tests.model.lowpan_model import ForeignError, Net, RefusedError, expand, low
from tests.stack.link.linklib import name_of
from wardmote.call import Target

HEADERS = ("ipv6", "lowpan", "lowpan_parts")
ROOM = 1400


def link_address(octets: bytes) -> dict[str, Any]:
    """A wm_lowpan_addr."""
    return {"octet": octets.ljust(8, b"\0"), "len": len(octets)}


class Lowpan:
    """6LoWPAN on one target, with what a network agreed on."""

    def __init__(self, target: Target, net: Net, **more: Any) -> None:
        self.target = target
        target.reset()
        contexts = b"".join(
            target.pack(
                "wm_lowpan_context", prefix=low(context.prefix, 16), prefix_len=context.bits
            )
            for context in net.contexts
        )
        self.contexts = target.buffer(contexts or b"\0")
        self.net = target.pack(
            "wm_lowpan", contexts=self.contexts.address, context_count=len(net.contexts), **more
        )
        self.link = self.link_of(target, net)

    @staticmethod
    def link_of(target: Target, net: Net) -> bytearray:
        """The addresses of a frame."""
        src, dst = link_address(net.src), link_address(net.dst)
        return target.pack("wm_lowpan_link", src=src, dst=dst)

    def compress(
        self, packet: bytes, *, elide: bool = False, room: int = ROOM
    ) -> tuple[str, int, bytes]:
        """Status, octets of the packet that became headers, and the payload of a frame."""
        out, done = bytearray(room), self.target.pack("wm_lowpan_headers")
        args = (self.net, self.link, packet, len(packet), int(elide), out, room, done)
        status = name_of(self.target.call("wm_lowpan_compress", *args).value)
        if status != "WM_OK":
            return status, 0, b""
        found = self.target.unpack("wm_lowpan_headers", done)
        return (
            status,
            found["packet"],
            bytes(out[: found["compressed"]]) + packet[found["packet"] :],
        )

    def expand(self, octets: bytes, total: int = 0, room: int = ROOM) -> tuple[str, bytes]:
        """Status and packet."""
        out, made = bytearray(room), self.target.pack("wm_lowpan_expanded")
        args = (self.net, self.link, octets, len(octets), total, out, room, made)
        status = name_of(self.target.call("wm_lowpan_expand", *args).value)
        length = self.target.unpack("wm_lowpan_expanded", made)["len"]
        return status, bytes(out[:length]) if status == "WM_OK" else b""


def modelled(octets: bytes, net: Net, total: int | None = None) -> tuple[str, bytes]:
    """What the model says."""
    try:
        return "WM_OK", expand(octets, net, total)
    except RefusedError:
        return "WM_ERR_MALFORMED", b""
    except ForeignError:
        return "WM_ERR_NOT_FOR_US", b""
