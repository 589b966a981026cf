# SPDX-License-Identifier: BSD-3-Clause
"""What a table of refusals is made of: the statuses by short names, and a row."""

from dataclasses import dataclass, field, replace

from tests.stack.link.pib import Params, Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Target

MALFORMED = "WM_ERR_MALFORMED"
TOO_LONG = "WM_ERR_FRAME_TOO_LONG"
NOT_FOR_US = "WM_ERR_NOT_FOR_US"
PARAM = "WM_ERR_PARAM"
LEGACY = "WM_ERR_UNSUPPORTED_LEGACY"
UNSUPPORTED = "WM_ERR_UNSUPPORTED_SECURITY"
NO_KEY = "WM_ERR_UNAVAILABLE_KEY"
NO_DEVICE = "WM_ERR_UNAVAILABLE_DEVICE"
NO_LEVEL = "WM_ERR_UNAVAILABLE_SECURITY_LEVEL"
BAD_LEVEL = "WM_ERR_IMPROPER_SECURITY_LEVEL"
COUNTER = "WM_ERR_COUNTER"
KEY_TYPE = "WM_ERR_IMPROPER_KEY_TYPE"
SECURITY = "WM_ERR_SECURITY"
BAD_IE = "WM_ERR_IMPROPER_IE_SECURITY"
STORAGE = "WM_ERR_STORAGE"

EITHER_WAY = {MALFORMED, TOO_LONG, NOT_FOR_US, LEGACY, UNSUPPORTED, NO_KEY, COUNTER, STORAGE}
OF_OUTGOING = EITHER_WAY | {PARAM}
"""What the header lists for the outgoing procedure."""
OF_INCOMING = EITHER_WAY | {NO_DEVICE, NO_LEVEL, BAD_LEVEL, KEY_TYPE, SECURITY, BAD_IE}
"""What the header lists for the incoming procedure."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason to refuse a frame."""

    name: str
    status: str
    pib: Pib
    frame: bytes
    """As an application hands it over, or as it comes from the air."""

    def node(self, target: Target) -> Node:
        """The node that refuses; its store is empty where the store is the reason."""
        if self.status != STORAGE:
            return Node(target, self.pib)
        store = target.buffer(bytes(target.pack("wm_counter_store")))
        return Node(target, replace(self.pib, store=store.address))


@dataclass(frozen=True, slots=True)
class Outgoing(Refusal):
    """A frame that the outgoing procedure refuses."""

    params: Params = field(default_factory=Params)
    size: int = 125
    """Octets of the buffer."""


@dataclass(frozen=True, slots=True)
class Incoming(Refusal):
    """A frame that the incoming procedure refuses."""

    behind: int | None = None
    """Offset of what must be zero afterwards; none where the frame must be as it came."""
