# SPDX-License-Identifier: BSD-3-Clause
"""The same frames by way of the security procedures: one node whose tables know every key, sender
and peer.

What changes from frame to frame (edition, nonce form, counter, ASN) is written into the PIB between
two calls.
"""

from __future__ import annotations

from dataclasses import replace

from tests.interop.frame_cases import ADDRESS, KEY_SOURCE, KEYS, OTHER_PAN, PAN, PEER, Case
from tests.interop.frame_stack import LEVEL_ENC
from tests.model import ieee802154_model as model
from tests.stack.link.editions import E2011, E2012E, E2015
from tests.stack.link.linklib import link_target
from tests.stack.link.pib import Device, Key, KeyDevice, Lookup, Params, Pib
from tests.stack.link.securitylib import Node, Outcome
from wardmote.call import Target

PANS = (PAN, OTHER_PAN)
DEFAULT_SOURCE = bytes.fromhex("1122334455667788")
SENDER = Device(ADDRESS["extended"], ADDRESS["short"], PAN)
USERS = (KeyDevice(),)
OTHERS = tuple(address for known in (ADDRESS, PEER) for address in known.values() if address)


def edition_of(case: Case) -> int:
    """The latest edition that has the frame's level and version."""
    if case.shape.level != LEVEL_ENC:
        return E2015
    return E2011 if case.shape.version < 2 else E2012E


def on_air(case: Case) -> bytes:
    """The frame as the model makes it in that edition: 2012e has a nonce for extended addresses
    only."""
    form = (
        "asn-2012e" if edition_of(case) == E2012E and case.shape.form == "asn" else case.shape.form
    )
    return model.secure(case.frame, case.key, form, case.asn, ADDRESS["extended"])


def _keys() -> tuple[Key, ...]:
    implicit = tuple(Lookup(0, 0, address, pan) for address in OTHERS for pan in PANS)
    keys = [Key(KEYS[0], implicit, devices=USERS)]
    for index in set(KEYS) - {0}:
        sources = (DEFAULT_SOURCE, KEY_SOURCE[:4], KEY_SOURCE)
        lookups = tuple(Lookup(mode, index, source) for mode, source in enumerate(sources, start=1))
        keys.append(Key(KEYS[index], lookups, devices=USERS))
    return tuple(keys)


def _device(target: Target, pan: int) -> bytes:
    short = int.from_bytes(SENDER.short, "big")
    return bytes(
        target.pack("wm_device_descriptor", pan=pan, short_addr=short, ext_addr=SENDER.ext)
    )


class Procedures:
    """A node on one target. It sends as ADDRESS, and as a receiver knows that sender; frames
    without source are those of the PAN coordinator, which has the same extended address. The sender
    is in the PAN of the frame at hand."""

    def __init__(self, name: str) -> None:
        self.target = link_target(name)
        self.target.reset()
        own = ADDRESS["extended"]
        pib = Pib(
            keys=_keys(),
            devices=(SENDER,),
            pan=PAN,
            coordinator=own,
            own=own,
            default_source=DEFAULT_SOURCE,
        )
        self.node = Node(self.target, pib)
        self._layout = self.target.layout("wm_security_pib")
        self._pib = self.node.pib.read()

    def secure(self, case: Case) -> Outcome:
        """The frame of a case by wm_outgoing_secure."""
        self.prepare(case)
        ash = case.frame.ash
        assert ash is not None
        params = Params(ash.level, ash.key_id_mode, ash.key_index, ash.key_source)
        return self.node.secure(replace(case.frame, ash=None).clear(), params)

    def unsecure(self, case: Case, octets: bytes) -> Outcome:
        """wm_incoming_unsecure."""
        self.prepare(case)
        return self.node.unsecure(octets)

    def prepare(self, case: Case) -> None:
        """Edition, nonce form, counter, ASN and the sender's PAN as the frame of a case wants
        them."""
        octets = bytearray(self._pib)
        counter = (case.frame.ash.counter if case.frame.ash else 0) or 0
        values = {
            "edition": bytes([edition_of(case)]),
            "nonce_form": bytes([case.shape.form == "asn"]),
            "asn": case.asn.to_bytes(5, "big"),
            "counter": counter.to_bytes(4, "little"),
        }
        for member, value in values.items():
            at = self._layout.offset(member)
            octets[at : at + len(value)] = value
        self.node.pib.write(bytes(octets))
        dst_pan, src_pan = case.frame.pan_fields()
        pan = case.frame.src_pan if src_pan else case.frame.dst_pan if dst_pan else PAN
        self.node.tables["devices"].write(_device(self.target, pan))

    def counters(self) -> tuple[bytes, ...]:
        """All incoming counters, of each key and of each device."""
        kept = (*self.node.key_devices, self.node.tables["device_counters"])
        return tuple(buffer.read() for buffer in kept if buffer is not None)

    def set_counters(self, counters: tuple[bytes, ...]) -> None:
        """Puts them back."""
        kept = (*self.node.key_devices, self.node.tables["device_counters"])
        for buffer, octets in zip(
            (buffer for buffer in kept if buffer is not None), counters, strict=True
        ):
            buffer.write(octets)
