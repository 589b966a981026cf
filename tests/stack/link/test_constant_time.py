# SPDX-License-Identifier: BSD-3-Clause
"""The stack secures and unsecures a frame in the same cycles and along the same path, whatever key
and payload are. With `fix` it uses the same addresses too. The binaries are those that firmware
links.

`small` and `tab` look octets up in tables, so their addresses depend on secrets on every CPU. A
look-up takes equal time in memory without cache and wait states; equal cycles show that. `fix` has
no table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.model.ieee802154_model import Ash
from tests.stack.conftest import EMULATED as ALL_EMULATED
from tests.stack.conftest import target_named
from tests.stack.link.frames import data
from tests.stack.link.linklib import HEADERS, name_of
from tests.stack.link.peers import OWN, PEER
from tests.stack.link.pib import Pib
from tests.stack.link.securitylib import Node
from wardmote.call import Buffer, EmulatedTarget, Outcome

RUNS = 200
EMULATED = tuple(name for name in ALL_EMULATED if not name.endswith("-portable"))
VARIANTS = ("small", "tab", "fix")
ADDRESSING = bytes.fromhex("69dc07cdabffeeddccbbaa99881122334455667788")
"""Data frame of version 1, security enabled, two extended addresses on one PAN."""
COUNTER = bytes.fromhex("44332211")
PAYLOAD_OCTETS = 40
LEVEL = 6
LEVELS = {2: 8, 6: 8}
"""A level that only authenticates and one that encrypts, with the octets of their MIC."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What an observer of time, path and addresses learns from one call."""

    cycles: int | None
    path: int
    addresses: int


class Frames:
    """One variant of AES on one emulated CPU; keys, frames and lengths always lie in the same
    places."""

    def __init__(self, name: str, variant: str) -> None:
        target = target_named(name, *HEADERS)
        assert isinstance(target, EmulatedTarget)
        target.reset()
        self.target, self.variant = target, variant
        self.form = f"wm_aes128_{variant}_key"
        self.key = target.buffer(target.layout(self.form).size)
        self.security = target.pack(
            "wm_security",
            cipher=self.key.address,
            profile=0,
        )

    def set_key(self, key: bytes) -> None:
        """Makes a key where calls find it."""
        made = self.target.pack(self.form)
        self.target.call(f"wm_aes128_{self.variant}_init", made, key)
        self.key.write(bytes(made))

    def call(self, function: str, key: bytes, frame: bytes, room: int) -> tuple[str, bytes, Seen]:
        """Status, octets of the frame afterwards, and what could be observed."""
        self.set_key(key)
        octets, length = bytearray(frame.ljust(room, b"\0")), bytearray([len(frame)])
        size = (room,) if function == "wm_frame_secure" else ()
        outcome = self.target.call(function, self.security, octets, *size, length, trace="hash")
        return name_of(outcome.value), bytes(octets[: length[0]]), seen(outcome)


class Procedures(Frames):
    """The same with the security procedures: tables of one key and one device, counters set back
    before each call."""

    def __init__(self, name: str, variant: str) -> None:
        super().__init__(name, variant)
        self.node = Node(self.target, Pib())
        self._point(self.node.tables["keys"], "wm_key_descriptor", "cipher", self.key.address)
        devices = self.node.key_devices[0]
        assert devices is not None
        self.moving = [(self.node.pib, self.node.pib.read()), (devices, devices.read())]
        self.params = self.target.pack(
            "wm_security_params", level=LEVEL, key_id_mode=1, key_index=1
        )

    def _point(self, table: Buffer, record: str, member: str, address: int) -> None:
        """Lets a pointer in a table's first entry show somewhere else."""
        octets, offset = bytearray(table.read()), self.target.layout(record).offset(member)
        size = self.target.model.pointer_octets
        octets[offset : offset + size] = address.to_bytes(size, "little")
        table.write(bytes(octets))

    def outgoing(self, key: bytes, clear: bytes) -> tuple[str, bytes, Seen]:
        """wm_outgoing_secure."""
        octets, length = bytearray(clear.ljust(125, b"\0")), bytearray([len(clear)])
        return self._run("wm_outgoing_secure", key, octets, length, self.params, size=True)

    def incoming(self, key: bytes, secured: bytes) -> tuple[str, bytes, Seen]:
        """wm_incoming_unsecure."""
        return self._run("wm_incoming_unsecure", key, bytearray(secured), bytearray([len(secured)]))

    def _run(
        self,
        function: str,
        key: bytes,
        octets: bytearray,
        length: bytearray,
        *before: bytearray,
        size: bool = False,
    ) -> tuple[str, bytes, Seen]:
        for buffer, contents in self.moving:
            buffer.write(contents)
        self.set_key(key)
        behind = (len(octets), length) if size else (length, self.target.pack("wm_incoming"))
        outcome = self.target.call(function, self.node.pib, *before, octets, *behind, trace="hash")
        return name_of(outcome.value), bytes(octets[: length[0]]), seen(outcome)


def seen(outcome: Outcome) -> Seen:
    """The part of an outcome that must not tell secrets apart."""
    assert outcome.trace is not None
    return Seen(outcome.cycles, outcome.trace.pc_hash, outcome.trace.address_hash)


def header(level: int) -> bytes:
    """Of a frame with KeyIdMode 0."""
    return ADDRESSING + bytes([level]) + COUNTER


def observed(runs: int, seed: str, one: Callable[[random.Random], Seen]) -> list[Seen]:
    """What `runs` calls with different secrets show to an observer."""
    source = random.Random(seed)
    return [one(source) for _ in range(runs)]


def judge(variant: str, calls: list[Seen]) -> None:
    """One number of cycles and one path; one list of addresses with `fix`, several where code
    indexes by secrets."""
    assert len({(call.cycles, call.path) for call in calls}) == 1
    assert (len({call.addresses for call in calls}) == 1) == (variant == "fix")


def everywhere(test: Callable[..., None]) -> Callable[..., None]:
    """Runs the test on each emulated CPU, with each variant of AES, at each level."""
    for name, values in (("name", EMULATED), ("variant", VARIANTS), ("level", LEVELS)):
        test = pytest.mark.parametrize(name, list(values))(test)
    return test


@everywhere
def test_securing_tells_nothing_of_key_and_payload(name: str, variant: str, level: int) -> None:
    """Random keys and payloads of one length: one cycle count and one path, with `fix` one list of
    addresses."""
    frames = Frames(name, variant)

    def one(source: random.Random) -> Seen:
        clear = header(level) + source.randbytes(PAYLOAD_OCTETS)
        status, _, call = frames.call(
            "wm_frame_secure", source.randbytes(16), clear, len(clear) + LEVELS[level]
        )
        assert status == "WM_OK"
        return call

    judge(variant, observed(RUNS, f"secure {level}", one))


@everywhere
def test_unsecuring_tells_nothing_of_key_and_payload(name: str, variant: str, level: int) -> None:
    """Frames whose MIC is right, with random keys and payloads of one length: the same holds for
    accepting them."""
    frames = Frames(name, variant)

    def one(source: random.Random) -> Seen:
        key, clear = source.randbytes(16), header(level) + source.randbytes(PAYLOAD_OCTETS)
        _, secured, _ = frames.call("wm_frame_secure", key, clear, len(clear) + LEVELS[level])
        status, octets, call = frames.call("wm_frame_unsecure", key, secured, len(secured))
        assert (status, octets) == ("WM_OK", clear)
        return call

    judge(variant, observed(RUNS, f"unsecure {level}", one))


@everywhere
def test_refusing_does_not_tell_where_the_mic_is_wrong(name: str, variant: str, level: int) -> None:
    """One frame, wrong in each bit of its MIC in turn: one cycle count, one path and one list of
    addresses."""
    frames = Frames(name, variant)
    source = random.Random(level)
    key, clear = source.randbytes(16), header(level) + source.randbytes(PAYLOAD_OCTETS)
    _, secured, _ = frames.call("wm_frame_secure", key, clear, len(clear) + LEVELS[level])
    calls = set()
    for bit in range(8 * LEVELS[level]):
        wrong = bytearray(secured)
        wrong[len(clear) + bit // 8] ^= 1 << bit % 8
        status, octets, call = frames.call("wm_frame_unsecure", key, bytes(wrong), len(wrong))
        assert status == "WM_ERR_SECURITY"
        assert octets == header(level) + bytes(len(wrong) - len(header(level)))
        calls.add(call)
    assert len(calls) == 1


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", EMULATED)
def test_procedures_tell_nothing_of_key_and_payload(name: str, variant: str) -> None:
    """With tables and counters around it the same holds, for frames that go out and for those that
    come in."""
    frames = Procedures(name, variant)

    def one(source: random.Random) -> tuple[Seen, Seen]:
        key, payload = source.randbytes(16), source.randbytes(PAYLOAD_OCTETS)
        status, _, going = frames.outgoing(key, data(payload, src=OWN, dst=PEER).clear())
        assert status == "WM_OK"
        clear = data(payload, ash=Ash(LEVEL, 1, 7, False, b"", 1)).clear()
        _, secured, _ = frames.call("wm_frame_secure", key, clear, len(clear) + LEVELS[LEVEL])
        status, octets, coming = frames.incoming(key, secured)
        assert (status, octets) == ("WM_OK", clear)
        return going, coming

    source = random.Random("procedures")
    both = [one(source) for _ in range(RUNS)]
    judge(variant, [going for going, _ in both])
    judge(variant, [coming for _, coming in both])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", EMULATED)
def test_procedures_do_not_tell_where_the_mic_is_wrong(name: str, variant: str) -> None:
    """One frame, wrong in each bit of its MIC in turn, refused by the incoming procedure: all calls
    look the same."""
    frames = Procedures(name, variant)
    key, clear = (
        bytes(range(16)),
        data(bytes(PAYLOAD_OCTETS), ash=Ash(LEVEL, 1, 7, False, b"", 1)).clear(),
    )
    _, secured, _ = frames.call("wm_frame_secure", key, clear, len(clear) + LEVELS[LEVEL])
    calls = set()
    for bit in range(8 * LEVELS[LEVEL]):
        wrong = bytearray(secured)
        wrong[len(clear) + bit // 8] ^= 1 << bit % 8
        status, _, call = frames.incoming(key, bytes(wrong))
        assert status == "WM_ERR_SECURITY"
        calls.add(call)
    assert len(calls) == 1
