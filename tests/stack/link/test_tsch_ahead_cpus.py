# SPDX-License-Identifier: BSD-3-Clause
"""Nodes that work ahead of the slot on the emulated CPUs, by calls: they send, hear, refuse and answer
what nodes do that secure at once, and leave nothing of keys and payloads on the stack or in buffers.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.model import ieee802154_model as model
from tests.model.ieee802154_model import ACK, DATA, Ash, Frame
from tests.stack.conftest import target_named
from tests.stack.link.frames import flipped
from tests.stack.link.linklib import HEADERS as LINK_HEADERS
from tests.stack.link.linklib import name_of
from tests.stack.link.simulation import LEAF, ROOT
from tests.stack.link.test_link_residue import PAYLOAD, Engine, beacon
from tests.stack.residue import KINDS, Operation, check, residue
from wardmote.call import EmulatedTarget
from wardmote.cpus import CPU_NAMES

LINK = tuple(
    one for one in LINK_HEADERS if not one.startswith(("security_", "counter", "!counter"))
)
"""Without the procedures over a PIB, for which an MSP430's flash has no room beside them."""
HEADERS = (*LINK, "tsch_ahead", "ccm_parts", "ahead_double")
ENGINE_HEADERS = (*LINK, "tsch_ahead_engine", "ahead_engine_double")
MOST_WORK = 64
PSDU_MAX = 127


class AheadEngine(Engine):
    """A node that works ahead on a quiet board."""

    record, double = "wm_ahead", "ahead_double"
    uses: tuple[int, ...] = ()
    """What the double is told besides the node."""

    def __init__(self, target: EmulatedTarget, source: Random, role: int) -> None:
        target.call(f"{self.double}_use", role, *self.uses)
        self.ahead = target.call(f"{self.double}_state", role).value
        super().__init__(target, source, role)
        target.call(f"{self.double}_use", role, *self.uses)  # the base made both nodes anew
        for slot, key in enumerate(self.keys):
            target.call("wm_port_key", slot, key)

    def work(self) -> None:
        """All that there is to do before the next event."""
        for _ in range(MOST_WORK):
            if not self.target.call(f"{self.record}_work", self.ahead, self.tsch).value:
                return
        raise AssertionError("there is no end of work")

    def ring(self, times: int = 1) -> None:
        """The alarm goes off, and the node works."""
        for _ in range(times):
            super().ring()
            self.work()

    def sent(self) -> None:
        """The frame on the air ends."""
        super().sent()
        self.work()

    def hear(self, frame: Frame, bit: int = 0, asn: int | None = None) -> None:
        """As its base; what has arrived is worked on before the frame ends."""
        if self.state("joined") == 0:
            super().hear(frame, bit, asn)
            self.work()
            return
        self.begin(frame, bit)
        self.work()
        self.target.call("wm_tsch_on_frame_end", self.tsch, self.now())
        self.work()

    def begin(self, frame: Frame, bit: int = 0) -> None:
        """A frame of the peer begins, and all its octets are there."""
        octets = model.secure(frame, self.keys[1], "asn", self.state("asn"), self.peer)
        octets = flipped(octets, -1, bit)
        self.target.call("port_double_deliver", self.role, octets, len(octets), 1)
        self.target.call("wm_tsch_on_frame_start", self.tsch, self.now())

    def receive(self) -> int:
        """wm_ahead_receive, as the engine calls it at the end of a frame."""
        job = self.job("rx")
        return self.target.call(f"{self.record}_receive", self.ahead, self.tsch, job).value

    def job(self, which: str) -> int:
        """Address of the job of frames that are sent, or received."""
        return int(self.tsch) + self.target.layout("wm_tsch").offset(which)

    def frame(self, which: str) -> int:
        """Address of the octets of that job."""
        return int(self.tsch) + self.target.layout("wm_tsch").offset(f"{which}_frame")

    def streams(self) -> bytes:
        """Keystream and CBC-MACs."""
        return self.target.read(self.ahead, self.target.layout(self.record).size)


class WholeEngine(AheadEngine):
    """A node whose engine does CCM* whole; m stays in the radio until the frame is authenticated."""

    record, double, uses = "wm_ahead_engine", "ahead_engine_double", (1,)


def root(target: EmulatedTarget, source: Random, kind: type[AheadEngine] = AheadEngine) -> bytes:
    """A root sends a beacon, refuses two frames, then accepts one and answers."""
    node = kind(target, source, ROOT)
    node.ring(2)
    node.sent()
    frame = node.peers(DATA, 5, ack_request=True, private_part=source.randbytes(PAYLOAD))
    for heard, bit in ((frame, 1), (replace(frame, ash=Ash(6, 1, None, True, b"", 2)), 0)):
        node.ring(2)
        node.hear(heard, bit)
    left = node.memory()
    assert node.state("refused") == 2
    node.ring(2)
    node.hear(frame)
    node.ring()
    node.sent()
    assert [node.state(name) for name in ("beacons_sent", "data_received", "acks_sent")] == [1] * 3
    node.ring(2)
    node.begin(replace(frame, seq=6))  # and one that is taken when all of it is there
    assert name_of(node.receive()) == "WM_OK"
    if kind is WholeEngine:  # there may be other rules, which refuse it
        target.call("wm_ahead_engine_refuse", node.ahead, node.job("rx"))
        assert not any(target.read(node.frame("rx"), PSDU_MAX))
    target.call(f"{kind.record}_forget", node.ahead)
    return left


def leaf(target: EmulatedTarget, source: Random, kind: type[AheadEngine] = AheadEngine) -> bytes:
    """A leaf joins, sends data that it secured ahead, and refuses an ack or accepts it."""
    node = kind(target, source, LEAF)
    node.hear(beacon(node.peer, 101, 1), asn=101)
    assert node.state("joined") == 1
    left = b""
    for bit in (1, 0):
        node.ring(2)
        node.sent()
        node.ring()
        node.hear(node.peers(ACK, node.state("seq"), header_ies=model.time_correction(0)), bit)
        left += node.memory() if bit else b""
    assert [node.state(name) for name in ("data_sent", "data_acked", "refused")] == [2, 1, 1]
    again = target.call(f"{kind.record}_secure", node.ahead, node.job("tx")).value
    assert name_of(again) == "WM_OK"
    assert node.receive() < 0
    target.call(f"{kind.record}_forget", node.ahead)
    if kind is AheadEngine:
        assert not any(node.streams()[:13])  # neither a nonce nor keystream is there
    return left


def root_whole(target: EmulatedTarget, source: Random) -> bytes:
    """The same with an engine that does CCM* whole."""
    return root(target, source, WholeEngine)


def leaf_whole(target: EmulatedTarget, source: Random) -> bytes:
    """The same with an engine that does CCM* whole."""
    return leaf(target, source, WholeEngine)


def parts(target: EmulatedTarget, source: Random) -> bytes:
    """The two parts of CCM*, by themselves."""
    node = AheadEngine(target, source, LEAF)
    cipher = target.call("wm_port_cipher", 1).value
    nonce, clear = source.randbytes(13), source.randbytes(PAYLOAD)
    stream = target.buffer(bytes(16))
    made = target.call("wm_ccm_keystream", cipher, nonce, 1, stream).value
    assert name_of(made) == "WM_OK"
    mac = target.buffer(bytes(target.layout("wm_ccm_mac").size))
    target.call("wm_ccm_mac_start", mac, nonce, 0, len(clear), 4)
    at = 0
    for _ in range(8):
        at += target.call("wm_ccm_mac_take", mac, clear[at:], len(clear) - at).value
        assert name_of(target.call("wm_ccm_mac_step", mac, cipher).value) == "WM_OK"
    assert at == len(clear)
    assert node.keys
    return b""


OPERATIONS: dict[str, Operation] = {"root": root, "leaf": leaf, "parts": parts}
OF_ENGINES: dict[str, Operation] = {"root": root_whole, "leaf": leaf_whole}


@pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_nothing_is_left(cpu: str, form: str) -> None:
    """Frames that were sent, accepted and refused leave nothing on the stack, and refused ones
    nothing in the node's memory either."""
    target = target_named(cpu + form, *HEADERS)
    assert isinstance(target, EmulatedTarget)
    check({name: residue(target, run) for name, run in OPERATIONS.items()})


@pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_nothing_is_left_by_an_engine(cpu: str, form: str) -> None:
    """The same of nodes whose engine does CCM* whole."""
    target = target_named(cpu + form, *ENGINE_HEADERS)
    assert isinstance(target, EmulatedTarget)
    check({name: residue(target, run) for name, run in OF_ENGINES.items()})


@pytest.mark.parametrize("run", [root, leaf, parts, root_whole, leaf_whole])
def test_on_this_machine(run: Operation) -> None:
    """The same calls of the build for this machine."""
    run(target_named("host"), Random(2))  # type: ignore[arg-type]


def test_what_one_call_does() -> None:
    """While nobody may call, one call makes all there is to make. A frame that does not fit with its
    MIC is refused, and nothing is kept for it."""
    target = target_named("host")
    node = AheadEngine(target, Random(3), LEAF)  # type: ignore[arg-type]
    node.hear(beacon(node.peer, 101, 1), asn=101)
    target.call("wm_ahead_forget", node.ahead)
    before = target.unpack("wm_ahead", node.streams())["made"]
    node.target.call("port_double_wake", LEAF)
    node.target.call("wm_tsch_on_alarm", node.tsch)
    node.target.call("wm_ahead_work", node.ahead, node.tsch)
    assert target.unpack("wm_ahead", node.streams())["made"] > before + 1
    job = target.unpack(
        "wm_frame_job", target.read(node.job("tx"), target.layout("wm_frame_job").size)
    )
    long = target.pack("wm_frame_job", **(job | {"len": 125}))
    refused = target.call("wm_ahead_secure", node.ahead, long).value
    assert name_of(refused) == "WM_ERR_FRAME_TOO_LONG"
