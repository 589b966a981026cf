# SPDX-License-Identifier: BSD-3-Clause
"""Passes frames through the stack: secures, unsecures or takes them apart. Values in, rows and
octets out."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from wardmote.errors import UsageError
from wardmote.frame import native
from wardmote.frame.keys import EDITIONS, Network
from wardmote.frame.rows import FrameFate, RefusedFrame, StatusRow
from wardmote.frame.source import Frames, index, tap_asn, tap_octets
from wardmote.frame.words import STATUS_NAMES, admitted, status_name, status_number, why

NONCE_COUNTER, NONCE_ASN, NONCE_AS_SAID = 0, 1, 2
ASN_TAP, ASN_COUNTED = 0, 1
FAULTS = (
    ("no key", (native.NO_KEY,)),
    ("wrong key", (native.WRONG_KEY,)),
    ("replay", (native.REPLAY, native.REPLAY_ASN)),
)
ADMITTED = frozenset(status_name(status) for status in STATUS_NAMES if admitted(status))
SIGN = 0x80
"""Set in the octet of a status that refuses."""
AT_ONCE = 2048
"""Frames given to the library in one call."""


class Options(NamedTuple):
    """What the command line adds to a network."""

    asn: int | None = None
    """ASN of the first frame; each later frame has the next one. None: the capture gives it."""
    any_fcs: bool = False
    keep_refused: bool = False
    cipher: str = ""
    """Empty: the fastest there is."""
    psdu: int = native.PSDU_MOST
    """Octets of the longest PSDU, FCS included."""


class Securing(NamedTuple):
    """How frames are to be secured."""

    level: int
    mode: int = 1
    key_index: int = 0
    source: bytes = bytes(8)
    counter: int | None = None
    """Frame counter of the first frame; None: the nonce carries the ASN."""


class Outcome(NamedTuple):
    """What became of all frames."""

    frames: int
    written: int
    in_clear: int
    by_key: tuple[tuple[str, int], ...]
    refused_for: tuple[tuple[str, int], ...]
    """Refused secured frames of which the key or a replay is at fault, by that fault."""
    rows: tuple[StatusRow, ...]
    cipher: str
    foreign: int
    """Packets without a frame; not among `frames`."""
    unwatched: int
    """Frames with an ASN whose senders were too many to be watched for replays."""
    fates: Callable[[], Iterator[FrameFate]]
    """What became of each frame."""

    @property
    def refused(self) -> int:
        """Frames that the stack did not admit."""
        return sum(row.frames for row in self.rows if row.status not in ADMITTED)


def unsecure(
    frames: Frames,
    network: Network,
    options: Options,
    limit: int,
    write: Callable[[memoryview], object],
) -> Outcome:
    """Unsecures all frames. `write` is given a pcap file piece by piece; rows list `limit` refused
    frames at most."""
    job, kept = _job(frames, network, options)
    outcome = _through("frames_unsecure", job, frames, network, limit, write)
    del kept
    return outcome


def secure(
    frames: Frames,
    network: Network,
    options: Options,
    securing: Securing,
    limit: int,
    write: Callable[[memoryview], object],
) -> Outcome:
    """Secures all frames, likewise."""
    job, kept = _job(frames, network, options)
    job.level, job.key_id_mode, job.key_index = securing.level, securing.mode, securing.key_index
    job.key_source[:] = securing.source.ljust(8, b"\0")
    job.nonce_form = NONCE_ASN if securing.counter is None else NONCE_COUNTER
    job.counter = securing.counter or 0
    outcome = _through("frames_secure", job, frames, network, limit, write)
    del kept
    return outcome


def show(frames: Frames, network: Network, options: Options) -> Any:
    """Takes every frame apart; returns an array of native.Shown."""
    job, kept = _job(frames, network, options)
    shown = (native.Shown * frames.number)()
    native.library().frames_show(
        ctypes.byref(job), frames.address, frames.records, frames.number, shown
    )
    del kept
    return shown


def _job(frames: Frames, network: Network, options: Options) -> tuple[native.Job, tuple[Any, Any]]:
    """Makes the job and the arrays that it points to; the arrays must outlive the job."""
    keys, devices = (native.Key * len(network.keys))(), (native.Device * len(network.devices))()
    for to, key in zip(keys, network.keys, strict=True):
        to.octets[:], to.key_source[:] = key.octets, key.source
        to.pan, to.key_id_mode, to.key_index = key.pan, key.mode, key.key_index
        to.addr_mode, to.usage = key.addr_mode, key.usage
    for place, device in zip(devices, network.devices, strict=True):
        place.ext_addr[:], place.counter = device.ext, device.counter
        place.pan, place.short_addr, place.exempt = device.pan, device.short, device.exempt
    job = native.Job(
        keys=keys,
        devices=devices,
        key_count=len(keys),
        device_count=len(devices),
        link_type=frames.link_type,
        out_link_type=native.LINK_TAP
        if frames.link_type in native.PACKET_NAMES
        else frames.link_type,
        fcs=frames.fcs,
        psdu_max=native.PSDU_LEAST if frames.link_type == native.LINK_PHY else options.psdu,
        asn=options.asn or 0,
        asn_source=ASN_TAP if options.asn is None else ASN_COUNTED,
        pan=network.pan,
        pan_coord_short=network.coordinator_short,
        cipher=_cipher(options.cipher),
        edition=EDITIONS.index(network.edition),
        nonce_form={"counter": NONCE_COUNTER, "tsch": NONCE_ASN, "as-said": NONCE_AS_SAID}[
            network.nonce
        ],
        strangers=network.unknown_devices == "accept",
        replays=network.replays == "accept",
        any_fcs=options.any_fcs,
        keep_refused=options.keep_refused,
        nanoseconds=frames.nanoseconds,
        has_ext_addr=network.ext is not None,
    )
    job.default_key_source[:] = network.default_key_source
    job.pan_coord_ext[:] = network.coordinator_ext
    job.ext_addr[:] = network.ext or bytes(8)
    job.allowed[:] = [policy.allowed for policy in network.policy]
    job.minimum[:] = [policy.minimum for policy in network.policy]
    return job, (keys, devices)


def _cipher(name: str) -> int:
    if not name:
        return 0
    names = native.ciphers()
    if name not in names:
        raise UsageError(f"no cipher {name!r}: possible on this machine are {', '.join(names)}")
    return names.index(name)


def _through(
    function: str,
    job: native.Job,
    frames: Frames,
    network: Network,
    limit: int,
    write: Callable[[memoryview], object],
) -> Outcome:
    """Works on some frames at a time, so that the output stays in the processor's cache."""
    library = native.library()
    state, totals = native.memory(library.frames_state_octets()), native.Totals()
    results = (native.Result * frames.number)()
    out = bytearray(native.FILE_HEADER)
    try:
        if library.frames_begin(state, ctypes.byref(job), _address(out), ctypes.byref(totals)):
            raise UsageError("these keys, devices and levels contradict each other")
        write(memoryview(out))
        act = getattr(library, function)
        for first in range(0, frames.number, AT_ONCE):
            end = min(first + AT_ONCE, frames.number)
            last = frames.records[end - 1]
            most = last.at + last.captured - frames.records[first].at + native.ROOM * (end - first)
            if len(out) < most:
                out = bytearray(most)
            octets = act(
                *(state, ctypes.byref(job), frames.address, frames.records, first, end),
                *(results, _address(out), ctypes.byref(totals)),
            )
            write(memoryview(out)[:octets])
    finally:
        library.frames_wipe(state)
    return Outcome(
        frames=frames.number - totals.foreign,
        written=totals.written,
        in_clear=totals.in_clear,
        by_key=tuple((key.name, totals.by_key[i]) for i, key in enumerate(network.keys)),
        refused_for=tuple(
            (fault, sum(totals.by_reason[reason] for reason in reasons))
            for fault, reasons in FAULTS
        ),
        rows=_rows(totals, results, limit),
        cipher=native.ciphers()[job.cipher],
        foreign=totals.foreign,
        unwatched=totals.unwatched,
        fates=lambda: _fates(results, network),
    )


def _address(octets: bytearray) -> Any:
    return (ctypes.c_uint8 * len(octets)).from_buffer(octets)


def _rows(totals: native.Totals, results: Any, limit: int) -> tuple[StatusRow, ...]:
    """Makes a row for every status that occurs, success first."""
    met = [status for status in STATUS_NAMES if totals.by_status[-status % native.STATUSES]]
    listed = () if all(map(admitted, met)) else _refused(results, limit)
    return tuple(
        StatusRow(
            status=status_name(status),
            value=status_number(status),
            frames=totals.by_status[-status % native.STATUSES],
            refused=tuple(one for one in listed if one.status == status_name(status)),
        )
        for status in met
    )


def _why(result: native.Result) -> tuple[str, int | None]:
    """Describes a refusal. A key that is missing is named as the frame does."""
    reason, octet = why(result.status, result.reason, result.where)
    if result.reason == native.NO_KEY:
        index = f", index {result.wanted_index}" if result.wanted_mode else ""
        reason += f": KeyIdMode {result.wanted_mode}{index}"
    return reason, octet


def _fates(results: Any, network: Network) -> Iterator[FrameFate]:
    for number, result in enumerate(results, start=1):
        if result.reason == native.FOREIGN:
            continue
        reason, octet = None, None
        if not admitted(result.status):
            reason, octet = _why(result)
        key = network.keys[result.key - 1].name if result.key else None
        yield FrameFate(number, status_name(result.status), key, reason, octet)


def _refused(results: Any, limit: int) -> tuple[RefusedFrame, ...]:
    """Lists the first refused frames, numbered from 1."""
    found: list[RefusedFrame] = []
    statuses = bytes(results)[:: ctypes.sizeof(native.Result)]
    for number, status in enumerate(statuses, start=1):
        if len(found) == limit:
            break
        if status & SIGN:
            result = results[number - 1]
            reason, octet = _why(result)
            found.append(RefusedFrame(number, status_name(result.status), reason, octet))
    return tuple(found)


def lines(frames: Frames, pcap: bytes) -> Iterator[str]:
    """The frames of a pcap that was written, as hex; with the ASN where the frames that were read
    had one."""
    _, records = index(pcap)
    for record in records:
        whole = pcap[record.at : record.at + record.captured]
        head = tap_octets(whole, frames.link_type)
        asn = tap_asn(whole[:head]) if head else None
        yield ("" if asn is None else f"asn={asn} ") + whole[head:].hex()
