# SPDX-License-Identifier: BSD-3-Clause
"""Policy: which received frames may be unsecured, and with which key."""

from dataclasses import replace
from typing import Any

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import Ash, Beacon, Frame
from tests.stack.link.linklib import Link, name_of
from tests.stack.link.simulation import ADDRESSES, CONFIG

PEER, OWN = ADDRESSES
SOURCE = CONFIG["key_source"]
ASN = 0x0102030405
SEQ = 0x77
SCAN, RX, ACK_RX = "WM_TSCH_SCAN", "WM_TSCH_RX_FRAME", "WM_TSCH_ACK_FRAME"
ROOT_ROLE, LEAF_ROLE = 0, 1


def ash(
    level: int = 5,
    mode: int = 1,
    counter: int | None = None,
    index: int = 2,
    source: bytes = SOURCE,
) -> Ash:
    """An ASH in the form the node uses."""
    return Ash(level, mode, counter, counter is None, source, index)


def data(**changes: Any) -> Frame:
    """The data frame that a receiving root expects."""
    return replace(
        Frame(model.DATA, 2, SEQ, OWN, PEER, ack_request=True, ash=ash(), private_part=b"payload"),
        **changes,
    )


def ack(**changes: Any) -> Frame:
    """The Enh-Ack that a sending leaf expects."""
    return replace(
        Frame(model.ACK, 2, SEQ, OWN, PEER, ash=ash(), header_ies=model.time_correction(0)),
        **changes,
    )


def beacon(asn: int = ASN, **changes: Any) -> Frame:
    """The EB that a leaf expects."""
    frame = Frame(
        model.BEACON,
        2,
        1,
        b"\xff\xff",
        PEER,
        compression=True,
        ash=ash(1, index=1),
        header_ies=model.HT1,
    )
    return replace(frame, **({"private_part": Beacon(asn).payload()} | changes))


def admit(
    link: Link,
    frame: Frame,
    state: str,
    role: int = ROOT_ROLE,
    rx_counter: tuple[int, int] = (0, 0),
    **config: Any,
) -> tuple[str, dict[str, Any]]:
    """What the policy says of a frame, and the job as it leaves it."""
    target = link.target
    secured = frame.clear() + bytes(model.MIC_OCTETS[frame.ash.level] if frame.ash else 0)
    status, mhr, places = link.parse(secured)
    assert status == "WM_OK"
    room = target.buffer(secured.ljust(127, b"\0"))
    job = target.pack("wm_frame_job", frame=room.address, len=len(secured), mhr=mhr, map=places)
    own = {"role": role, "eui64": OWN, "peer": PEER}
    tsch = target.pack(
        "wm_tsch", config={**CONFIG, **own, **config}, asn=ASN.to_bytes(5, "big"), seq=SEQ,
        state=target.prototypes.constants[state], rx_counter=rx_counter,
    )  # fmt: skip
    answer = name_of(target.call("wm_tsch_admit", bytes(tsch), job).value)
    target.reset()
    return answer, target.unpack("wm_frame_job", job)


ADMITTED: list[tuple[str, Frame, str, int, dict[str, Any]]] = [
    ("data", data(), RX, ROOT_ROLE, {}),
    ("data without ack request", data(ack_request=False), RX, ROOT_ROLE, {}),
    ("Enh-Ack", ack(), ACK_RX, LEAF_ROLE, {}),
    ("EB", beacon(), RX, LEAF_ROLE, {}),
    ("EB on scanning", beacon(ASN + 9), SCAN, LEAF_ROLE, {}),
    ("EB on scanning, ASN not used yet", beacon(ASN), SCAN, LEAF_ROLE, {}),
    ("unsecured data", data(ash=None), RX, ROOT_ROLE, {"level": 0}),
    ("unsecured EB", beacon(ash=None), SCAN, LEAF_ROLE, {"level": 0}),
    (
        "carried counter",
        data(ash=ash(counter=9)),
        RX,
        ROOT_ROLE,
        {"counter_carried": True, "rx_counter": (0, 9)},
    ),
    ("implicit key", data(ash=ash(mode=0)), RX, ROOT_ROLE, {"key_id_mode": 0}),
    ("KeyIdMode 2", data(ash=ash(mode=2)), RX, ROOT_ROLE, {"key_id_mode": 2}),
    ("KeyIdMode 3", data(ash=ash(mode=3)), RX, ROOT_ROLE, {"key_id_mode": 3}),
]


@pytest.mark.parametrize(
    ("what", "frame", "state", "role", "config"), ADMITTED, ids=[case[0] for case in ADMITTED]
)
def test_admitted(
    link: Link, what: str, frame: Frame, state: str, role: int, config: dict[str, Any]
) -> None:
    """The frame that a state expects is admitted, with the key, nonce form and ASN of our own
    mode."""
    status, job = admit(link, frame, state, role, **config)
    assert status == "WM_OK", what
    assert job["key_slot"] == int(frame.type != model.BEACON)
    assert job["nonce_form"] == int(not config.get("counter_carried", False))
    assert job["profile"] == CONFIG["profile"]
    announced = ASN + 9 if what == "EB on scanning" else ASN
    assert int.from_bytes(job["asn"], "big") == announced


OTHER = bytes.fromhex("00124b0000000003")
COUNTING = {"counter_carried": True, "rx_counter": (7, 9)}
LEVEL, KEY, TYPE = (
    "WM_ERR_IMPROPER_SECURITY_LEVEL",
    "WM_ERR_UNAVAILABLE_KEY",
    "WM_ERR_IMPROPER_KEY_TYPE",
)
ELSE, FORM, COUNTER = "WM_ERR_NOT_FOR_US", "WM_ERR_UNSUPPORTED_SECURITY", "WM_ERR_COUNTER"
REFUSED: list[tuple[str, str, Frame, str, int, dict[str, Any]]] = [
    ("EB for a root", ELSE, beacon(), RX, ROOT_ROLE, {}),
    ("data for a leaf", ELSE, data(), RX, LEAF_ROLE, {}),
    ("data instead of an Enh-Ack", ELSE, data(), ACK_RX, LEAF_ROLE, {}),
    ("Enh-Ack instead of data", ELSE, ack(), RX, ROOT_ROLE, {}),
    ("data on scanning", ELSE, data(), SCAN, LEAF_ROLE, {}),
    ("command", ELSE, data(type=model.COMMAND), RX, ROOT_ROLE, {}),
    (
        "command in a state that waits for nothing",
        ELSE,
        data(type=model.COMMAND),
        "WM_TSCH_SLEEP",
        ROOT_ROLE,
        {},
    ),
    ("data in a state that waits for nothing", ELSE, data(), "WM_TSCH_SLEEP", ROOT_ROLE, {}),
    ("version 1", ELSE, data(version=1, compression=True, ash=ash(counter=1)), RX, ROOT_ROLE, {}),
    ("other source", ELSE, data(src=OTHER), RX, ROOT_ROLE, {}),
    ("short source", ELSE, data(src=b"\0\1"), RX, ROOT_ROLE, {}),
    ("source off by its last octet", ELSE, data(src=PEER[:-1] + b"\xfe"), RX, ROOT_ROLE, {}),
    ("source off by its first octet", ELSE, data(src=b"\xfe" + PEER[1:]), RX, ROOT_ROLE, {}),
    ("other destination", ELSE, data(dst=OTHER), RX, ROOT_ROLE, {}),
    ("broadcast data", ELSE, data(dst=b"\xff\xff"), RX, ROOT_ROLE, {}),
    ("EB to one", ELSE, beacon(dst=OWN), RX, LEAF_ROLE, {}),
    ("EB to another short address", ELSE, beacon(dst=b"\xff\xfe"), RX, LEAF_ROLE, {}),
    ("other PAN", ELSE, data(dst_pan=0xABCE), RX, ROOT_ROLE, {}),
    ("no PAN", ELSE, data(compression=True), RX, ROOT_ROLE, {}),
    ("no sequence number", ELSE, data(seq=None), RX, ROOT_ROLE, {}),
    ("Enh-Ack of another frame", ELSE, ack(seq=SEQ ^ 1), ACK_RX, LEAF_ROLE, {}),
    ("Enh-Ack without IEs", ELSE, ack(header_ies=b""), ACK_RX, LEAF_ROLE, {}),
    ("data with header IEs", ELSE, data(header_ies=model.HT2), RX, ROOT_ROLE, {}),
    ("unsecured data", LEVEL, data(ash=None), RX, ROOT_ROLE, {}),
    ("unsecured Enh-Ack", LEVEL, ack(ash=None), ACK_RX, LEAF_ROLE, {}),
    ("unsecured EB", LEVEL, beacon(ash=None), SCAN, LEAF_ROLE, {}),
    ("secured data without security", LEVEL, data(), RX, ROOT_ROLE, {"level": 0}),
    *(
        (f"level {level} instead of 5", LEVEL, data(ash=ash(level)), RX, ROOT_ROLE, {})
        for level in (0, 1, 2, 3, 4, 6, 7)
    ),
    ("EB at the level of data", LEVEL, beacon(ash=ash(5, index=1)), SCAN, LEAF_ROLE, {}),
    ("EB at level 2", LEVEL, beacon(ash=ash(2, index=1)), RX, LEAF_ROLE, {}),
    ("other KeyIdMode", KEY, data(ash=ash(mode=0)), RX, ROOT_ROLE, {}),
    ("unknown KeyIndex", KEY, data(ash=ash(index=3)), RX, ROOT_ROLE, {}),
    ("data under the beacon key", TYPE, data(ash=ash(index=1)), RX, ROOT_ROLE, {}),
    ("EB under the data key", TYPE, beacon(ash=ash(1, index=2)), SCAN, LEAF_ROLE, {}),
    (
        "other Key Source of mode 2",
        KEY,
        data(ash=ash(mode=2, source=b"\0\1\2\4")),
        RX,
        ROOT_ROLE,
        {"key_id_mode": 2},
    ),
    (
        "other Key Source of mode 3",
        KEY,
        data(ash=ash(mode=3, source=bytes(8))),
        RX,
        ROOT_ROLE,
        {"key_id_mode": 3},
    ),
    ("carried counter under the ASN", FORM, data(ash=ash(counter=1)), RX, ROOT_ROLE, {}),
    ("elided counter under the counter", FORM, data(), RX, ROOT_ROLE, {"counter_carried": True}),
    ("ASN bit alone", FORM, data(ash=Ash(5, 1, 1, True, SOURCE, 2)), RX, ROOT_ROLE, COUNTING),
    ("suppression bit alone", FORM, data(ash=Ash(5, 1, None, False, SOURCE, 2)), RX, ROOT_ROLE, {}),
    ("counter seen before", COUNTER, data(ash=ash(counter=8)), RX, ROOT_ROLE, COUNTING),
    ("counter all ones", COUNTER, data(ash=ash(counter=0xFFFFFFFF)), RX, ROOT_ROLE, COUNTING),
    (
        "EB's counter seen before",
        COUNTER,
        beacon(ash=ash(1, counter=6, index=1)),
        RX,
        LEAF_ROLE,
        COUNTING,
    ),
    ("EB from before", COUNTER, beacon(ASN - 1), SCAN, LEAF_ROLE, {}),
    ("EB without ASN", "WM_ERR_MALFORMED", beacon(private_part=b""), SCAN, LEAF_ROLE, {}),
    (
        "EB cut in its ASN",
        "WM_ERR_MALFORMED",
        beacon(private_part=Beacon(ASN).payload()[:8]),
        SCAN,
        LEAF_ROLE,
        {},
    ),
]


@pytest.mark.parametrize(
    ("what", "status", "frame", "state", "role", "config"),
    REFUSED,
    ids=[case[0] for case in REFUSED],
)
def test_refused(
    link: Link, what: str, status: str, frame: Frame, state: str, role: int, config: dict[str, Any]
) -> None:
    """Every deviation from the one frame that is expected is refused with the status of the
    standard's procedure."""
    assert admit(link, frame, state, role, **config)[0] == status, what
