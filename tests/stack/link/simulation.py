# SPDX-License-Identifier: BSD-3-Clause
"""Two TSCH nodes of the stack on this machine: their clocks, CPUs and radios are this simulation.

The engine is the library's own; port_double.c hands its calls to the functions here. Time is in
nanoseconds; a callback of the engine runs at once, and what it does takes CPU time, so a node can
be late. A node hears a frame when its receiver was on, on the same channel, from a turnaround
before the first preamble symbol to the frame's end.
"""

from __future__ import annotations

import ctypes
import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.stack.link.linklib import link_target, name_of
from wardmote.paths import BUILD

ROOT, LEAF = 0, 1
OCTET_NS, TURNAROUND_NS = 32_000, 192_000
ADDRESSES = (bytes.fromhex("00124b0000000001"), bytes.fromhex("00124b0000000002"))
KEYS = (b"6TiSCH minimal15", bytes.fromhex("deadbeeffacecafedeadbeeffacecafe"))
LONG = {"ts_tx_offset": 200, "ts_max_tx": 140, "ts_tx_ack_delay": 200, "ts_max_ack": 79, "ts_slot_duration": 800,
        "ts_rx_guard": 36, "ts_ack_guard": 16}  # fmt: skip
CONFIG: Mapping[str, Any] = {
    "level": 5, "key_id_mode": 1, "counter_carried": False, "profile": 0, "join_channel": 16, "pan": 0xABCD,
    "beacon_key_index": 1, "data_key_index": 2, "join_asn_max": b"\xff" * 5,
    "key_source": bytes(range(8)), "slotframe_length": 7, "data_cells": 0xFFFF, "frame_len": 127,
    "data_every": 0, "beacon_every": 0, "keep_alive": 0,
    "timing": LONG,
}  # fmt: skip
# Nanoseconds that a call of clock or radio takes.
CALL_NS, RADIO_NS = 2_000, 20_000
MARKS = ("sec1", "sec2", "sec3", "sec4", "slot")

TICKS = ctypes.CFUNCTYPE(ctypes.c_uint16)
ALARM = ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_uint16)
RADIO = ctypes.CFUNCTYPE(None, ctypes.c_uint8, ctypes.c_uint8)
WORK = ctypes.CFUNCTYPE(None, ctypes.c_uint8)


class Hooks(ctypes.Structure):
    """port_double_table."""

    _fields_ = (
        ("ticks", TICKS),
        ("alarm", ALARM),
        ("radio", RADIO),
        ("work", WORK),
        ("mark", RADIO),
    )


@dataclass(frozen=True, slots=True)
class Sent:
    """A frame on the air."""

    at_ns: int
    node: int
    channel: int
    asn: int
    octets: bytes


@dataclass(slots=True)
class Node:
    """What is around one engine."""

    ppm: int
    phase_ns: int
    now_ns: int = 0
    alarm: int = 0
    channel: int = 0
    on_since_ns: int | None = None
    on_until_ns: int | None = None
    marks: list[tuple[str, int]] = field(default_factory=list)
    radio: list[str] = field(default_factory=list)

    def tick(self, at_ns: int) -> int:
        """Tick counter, not reduced to 16 bits."""
        return (at_ns + self.phase_ns) * 32768 * (1_000_000 + self.ppm) // 10**15

    def when(self, tick: int) -> int:
        """The first nanosecond of a tick."""
        return -(-tick * 10**15 // (32768 * (1_000_000 + self.ppm))) - self.phase_ns


Medium = Callable[[Sent], "bytes | None"]


class Simulation:
    """A root and a leaf. `medium` may change a frame on its way or, with None, lose it."""

    file = BUILD / "stack/host/libwardmote.so"
    """The library."""

    def __init__(
        self,
        *,
        root: Mapping[str, Any] | None = None,
        leaf: Mapping[str, Any] | None = None,
        ppm: tuple[int, int] = (0, 0),
        secure_us: int = 2000,
        receive_us: int = 2000,
        call_ns: int = CALL_NS,
        medium: Medium | None = None,
        **common: Any,
    ) -> None:
        """Configures both nodes; `common` applies to both, `root` and `leaf` to one."""
        self.library = ctypes.CDLL(str(self.file))
        self.layout = link_target("host").layout("wm_tsch")
        self.nodes = (Node(ppm[0], 0), Node(ppm[1], 12_345_678))
        self.call_ns = call_ns
        self.work_ns = [secure_us * 1000, receive_us * 1000, 1000]
        self.medium: Medium = medium or (lambda sent: sent.octets)
        self.fcs_ok = True
        self.sent: list[Sent] = []
        self.events: list[tuple[int, int, Callable[[], None]]] = []
        self.sequence = 0
        self.time_ns = 0
        self.running = ROOT
        self.hooks = Hooks(
            TICKS(self._ticks),
            ALARM(self._alarm),
            RADIO(self._radio),
            WORK(self._work),
            RADIO(self._mark),
        )
        self.library.port_double_hooks(ctypes.byref(self.hooks))
        self.library.port_double_tsch.restype = ctypes.c_void_p
        self.library.port_double_sent.restype = ctypes.c_void_p
        self.status = [
            self._init(ROOT, {**common, **(root or {})}),
            self._init(LEAF, {**common, **(leaf or {})}),
        ]

    def _init(self, node: int, changes: Mapping[str, Any]) -> str:
        own = {"role": node, "eui64": ADDRESSES[node], "peer": ADDRESSES[1 - node]}
        values = {**CONFIG, **own, **changes}
        values = {"unsecured": values["level"] == 0, **values}
        config = link_target("host").pack("wm_tsch_config", **values)
        self.library.port_double_run_as(node)
        for slot, key in enumerate(KEYS):
            self.library.wm_port_key(slot, key)
        return name_of(self.library.wm_tsch_init(self._tsch(node), bytes(config)))

    def _tsch(self, node: int) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.library.port_double_tsch(node))

    def state(self, node: int) -> dict[str, Any]:
        """The engine's wm_tsch."""
        address = self._tsch(node).value
        assert address is not None
        return self.layout.unpack(ctypes.string_at(address, self.layout.size))

    def _member(self, node: int, member: str, octets: int) -> bytes:
        address = self._tsch(node).value
        assert address is not None
        return ctypes.string_at(address + self.layout.offset(member), octets)

    def set(self, node: int, member: str, octets: bytes) -> None:
        """Writes into the engine's wm_tsch."""
        address = self._tsch(node).value
        assert address is not None
        ctypes.memmove(address + self.layout.offset(member), octets, len(octets))

    def stats(self, node: int) -> dict[str, Any]:
        """The engine's counters."""
        stats = self.state(node)["stats"]
        assert isinstance(stats, dict)
        return stats

    def asn(self, node: int) -> int:
        """The engine's ASN."""
        return int.from_bytes(self._member(node, "asn", 5), "big")

    # Events.

    def at(self, time_ns: int, action: Callable[[], None]) -> None:
        """Something happens at a time."""
        self.sequence += 1
        heapq.heappush(self.events, (time_ns, self.sequence, action))

    def start(self, node: int, at_ns: int = 0) -> None:
        """A node starts."""
        self.at(at_ns, lambda: self._run(node, at_ns, "wm_tsch_start"))

    def run(self, seconds: float) -> None:
        """Lets time pass."""
        end = self.time_ns + int(seconds * 10**9)
        while self.events and self.events[0][0] <= end:
            self.time_ns, _, action = heapq.heappop(self.events)
            action()
        self.time_ns = end

    def _run(self, node: int, at_ns: int, function: str, *args: int) -> None:
        """Calls the engine, as soon as the node's CPU is free."""
        if self.nodes[node].now_ns > self.time_ns:
            self.at(self.nodes[node].now_ns, lambda: self._run(node, at_ns, function, *args))
            return
        self.nodes[node].now_ns = self.time_ns
        self.running = node
        self.library.port_double_run_as(node)
        getattr(self.library, function)(self._tsch(node), *args)

    # What the engine calls.

    @property
    def _node(self) -> Node:
        return self.nodes[self.running]

    def _ticks(self) -> int:
        self._node.now_ns += self.call_ns
        return self._node.tick(self._node.now_ns) & 0xFFFF

    def _alarm(self, tick: int) -> int:
        node, index = self._node, self.running
        node.now_ns += self.call_ns
        now = node.tick(node.now_ns)
        ahead = (tick - now) & 0xFFFF
        node.alarm += 1
        armed = node.alarm
        if not 0 < ahead < 0x8000:
            return 0
        when = node.when(now + ahead)

        def ring() -> None:
            if node.alarm == armed and node.now_ns > self.time_ns:
                self.at(node.now_ns, ring)
            elif node.alarm == armed:
                self._run(index, when, "wm_tsch_on_alarm")

        self.at(when, ring)
        return 1

    def _radio(self, what: int, channel: int) -> None:
        node = self._node
        node.now_ns += RADIO_NS
        node.radio.append(("tune", "listen", "send", "idle")[what])
        if what == 1:
            if node.on_since_ns is None or node.on_until_ns is not None:
                node.on_since_ns, node.on_until_ns = node.now_ns, None
        else:
            node.on_until_ns = node.on_until_ns or node.now_ns
        if what == 0:
            node.channel = channel
        elif what == 2:
            self._send(node)

    def _work(self, what: int) -> None:
        self._node.now_ns += self.work_ns[what]

    def _mark(self, phase: int, begin: int) -> None:
        self._node.marks.append((MARKS[phase] + ("+" if begin else "-"), self._node.now_ns))

    def _send(self, node: Node) -> None:
        index, length = self.running, ctypes.c_uint8()
        address = self.library.port_double_sent(index, ctypes.byref(length))
        octets = ctypes.string_at(address, length.value)
        begin = node.now_ns + TURNAROUND_NS
        sfd = begin + 5 * OCTET_NS
        end = sfd + (1 + len(octets) + 2) * OCTET_NS
        sent = Sent(begin, index, node.channel, self.asn(index), octets)
        self.sent.append(sent)
        self._edge(index, sfd, "wm_tsch_on_frame_start")
        self.at(end, lambda: self._sent(index, end))
        self.at(sfd, lambda: self._hear(1 - index, sent, sfd, end))

    def _edge(self, node: int, at_ns: int, function: str) -> None:
        tick = self.nodes[node].tick(at_ns) & 0xFFFF
        self.at(at_ns, lambda: self._run(node, at_ns, function, tick))

    def _sent(self, index: int, end: int) -> None:
        node = self.nodes[index]
        node.on_since_ns, node.on_until_ns = end + TURNAROUND_NS, None
        self._edge(index, end, "wm_tsch_on_frame_end")

    def _hear(self, index: int, sent: Sent, sfd: int, end: int) -> None:
        node = self.nodes[index]
        if (
            node.channel != sent.channel
            or node.on_since_ns is None
            or node.on_since_ns + TURNAROUND_NS > sent.at_ns
        ):
            return
        if node.on_until_ns is not None and node.on_until_ns < end:
            return
        octets = self.medium(sent)
        if octets is None:
            return
        self._edge(index, sfd, "wm_tsch_on_frame_start")
        self.at(end, lambda: self._deliver(index, octets, end))

    def _deliver(self, index: int, octets: bytes, end: int) -> None:
        node = self.nodes[index]
        if node.on_until_ns is None or node.on_until_ns >= end:
            self.library.port_double_deliver(index, octets, len(octets), int(self.fcs_ok))
            self._edge(index, end, "wm_tsch_on_frame_end")


LATE = (
    "late_tx_offset",
    "late_tx_ack_delay",
    "late_rx_offset",
    "late_rx_ack_delay",
    "late_slot",
)


def exchange(seconds: float = 1.5, **parameters: Any) -> Simulation:
    """A network that ran for a while."""
    simulation = Simulation(**parameters)
    assert simulation.status == ["WM_OK", "WM_OK"]
    simulation.start(ROOT)
    simulation.start(LEAF, 1_000_000)
    simulation.run(seconds)
    return simulation


def kind(sent: Sent) -> int:
    """Frame type."""
    return sent.octets[0] & 7


def assert_clean(simulation: Simulation) -> None:
    """Both are synchronised, every frame was acknowledged, nothing was late or refused."""
    root, leaf = simulation.stats(ROOT), simulation.stats(LEAF)
    assert (root["joined"], leaf["joined"]) == (1, 1)
    assert leaf["data_sent"] > 20
    assert leaf["data_sent"] - leaf["data_acked"] in (0, 1)
    assert root["data_received"] - root["acks_sent"] in (0, 1)
    assert leaf["beacons_received"] > 2
    for stats in (root, leaf):
        assert [stats[name] for name in LATE] == [0] * len(LATE)
        assert (stats["refused"], stats["last_error"]) == (0, 0)


def flip(at: int, bit: int = 1) -> Callable[[bytes], bytes]:
    """Changes one bit of one octet."""

    def change(octets: bytes) -> bytes:
        where = at % len(octets)
        return octets[:where] + bytes([octets[where] ^ bit]) + octets[where + 1 :]

    return change
