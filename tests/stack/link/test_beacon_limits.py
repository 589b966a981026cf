# SPDX-License-Identifier: BSD-3-Clause
"""What an Enhanced Beacon may say once only, and templates that none can say."""

from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.stack.link.linklib import Link, name_of
from tests.stack.link.simulation import LEAF, LONG, ROOT, Sent, Simulation, kind

ASN, EARLIER = 0x0102030405, 7
NESTED = {
    "TSCH Synchronization": model.nested_ie(0x1A, EARLIER.to_bytes(5, "little") + b"\0"),
    "TSCH Timeslot": model.nested_ie(0x1C, b"\0"),
    "Slotframe and Link": model.nested_ie(0x1B, b"\1\0\7\0\0"),
    "Channel Hopping": model.nested_ie(0x9, b"\0", long=True),
}


@pytest.mark.parametrize("name", NESTED)
def test_an_ie_that_comes_twice_is_refused(link: Link, name: str) -> None:
    """Each of the four IEs of an EB comes once: the first ASN makes the nonce, and the last would
    be believed."""
    known = model.Beacon(ASN).payload()[2:]
    eb = link.target.pack("wm_eb")
    answers = []
    for nested in (known, known + NESTED[name], NESTED[name] + known):
        payload = model.payload_ie(1, nested)
        answers.append(name_of(link.target.call("wm_eb_parse", payload, len(payload), eb).value))
    assert answers == ["WM_OK", "WM_ERR_MALFORMED", "WM_ERR_MALFORMED"]


def test_a_second_asn_does_not_bring_old_nonces_back() -> None:
    """A leaf that has used an ASN already is not led to an earlier one by an EB that names a later
    one first."""
    simulation = Simulation(level=0)
    asn = (1000).to_bytes(5, "big")
    simulation.set(LEAF, "asn", asn)

    def medium(sent: Sent) -> bytes:
        if kind(sent) != model.BEACON:
            return sent.octets
        begin = sent.octets.index(model.HT1) + 2
        nested = bytearray(sent.octets[begin + 2 :])
        nested[2:7] = (2000).to_bytes(5, "little")
        return sent.octets[:begin] + model.payload_ie(
            1, bytes(nested) + NESTED["TSCH Synchronization"]
        )

    simulation.medium = medium
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(2)
    leaf = simulation.stats(LEAF)
    assert (leaf["joined"], leaf["last_error"], simulation.asn(LEAF)) == (0, 2, 1000)


MOST = {
    "ts_tx_offset": 2147,
    "ts_tx_ack_delay": 2147,
    "ts_max_ack": 2147,
    "ts_rx_guard": 1073,
    "ts_ack_guard": 1073,
}
LONGEST: dict[str, Any] = dict(LONG) | {"ts_slot_duration": 0x3FFF}


@pytest.mark.parametrize("name", MOST)
def test_templates_beyond_a_timeslot_ie_are_refused(name: str) -> None:
    """16 bits of microseconds end at 65.5 ms: what a root could not tell in its EBs is refused at
    the start."""
    late = LONGEST | {"ts_tx_offset": 2000, "ts_tx_ack_delay": 2000}
    fits = {"timing": late | {name: MOST[name]}}
    beyond = {"timing": late | {name: MOST[name] + 1}}
    assert Simulation(root=fits, leaf=beyond).status == ["WM_OK", "WM_ERR_PARAM"]
