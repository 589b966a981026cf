# SPDX-License-Identifier: BSD-3-Clause
"""Frames taken apart, as rows."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from wardmote.frame.frame_row import FrameRow
from wardmote.frame.keys import EXTENDED, FRAME_TYPES, SHORT, Network
from wardmote.frame.native import FOREIGN, Shown
from wardmote.frame.run import Options, show
from wardmote.frame.source import Frames
from wardmote.frame.words import status_name, why
from wardmote.levels import LEVEL_NAMES

TAKEN_APART = frozenset({"SUCCESS", "UNSUPPORTED_SECURITY", "FCS"})
"""Statuses of frames whose header could be read. Of other frames only the fault is shown."""
VERSION_2015 = 2


def rows(frames: Frames, network: Network, options: Options) -> Iterator[FrameRow]:
    """A row for every frame, one at a time; packets without a frame have none."""
    for number, (record, shown) in enumerate(
        zip(frames.records, show(frames, network, options), strict=True), start=1
    ):
        if shown.result.reason != FOREIGN:
            octets = bytes(frames.octets[record.at + shown.at : record.at + record.captured])
            yield _row(number, shown, octets)


def _row(number: int, shown: Shown, octets: bytes) -> FrameRow:
    status, reason, octet = status_name(shown.result.status), None, None
    if status != "SUCCESS":
        reason, octet = why(shown.result.status, shown.result.reason, shown.result.where)
    if status not in TAKEN_APART:
        return FrameRow(number, status, reason, octet, len(octets) - shown.fcs_len)
    frame, fcs = octets[: shown.len], octets[shown.len : shown.len + shown.fcs_len]
    secured = bool(shown.security_enabled)
    end = shown.len - (shown.mic_len if secured else 0)
    return FrameRow(
        frame=number,
        status=status,
        reason=reason,
        octet=octet,
        frame_octets=shown.len,
        frame_type=FRAME_TYPES[shown.type],
        frame_version=shown.version,
        security_enabled=secured,
        frame_pending=bool(shown.frame_pending),
        ack_request=bool(shown.ack_request),
        pan_id_compression=bool(shown.pan_id_compression),
        sequence_number_suppression=bool(shown.seq_suppressed),
        ie_present=bool(shown.ie_present),
        sequence_number=None if shown.seq_suppressed else shown.seq,
        destination_pan_id=f"{shown.dst_pan:04x}" if shown.dst_pan_present else None,
        destination_address=_address(shown.dst_mode, shown.dst),
        source_pan_id=f"{shown.src_pan:04x}" if shown.src_pan_present else None,
        source_address=_address(shown.src_mode, shown.src),
        header_ies=frame[shown.header_ie : shown.open].hex() or None,
        payload=frame[shown.open : end].hex(),
        asn=shown.asn if shown.has_asn else None,
        fcs=fcs.hex() or None,
        channel=shown.channel if shown.has_channel else None,
        channel_page=shown.page if shown.has_channel else None,
        rss=shown.rss if shown.has_rss and isfinite(shown.rss) else None,
        lqi=shown.lqi if shown.has_lqi else None,
        **(_security(shown, frame, end) if secured else {}),
    )


def _address(mode: int, octets: Any) -> str | None:
    return bytes(octets[: {SHORT: 2, EXTENDED: 8}.get(mode, 0)]).hex() or None


def _security(shown: Shown, frame: bytes, end: int) -> dict[str, Any]:
    """Reads the Auxiliary Security Header and what follows from it."""
    source_octets = {2: 4, 3: 8}.get(shown.key_id_mode, 0)
    split = shown.result.status == 0 or status_name(shown.result.status) == "FCS"
    return {
        "security_level": shown.level,
        "security_level_name": LEVEL_NAMES[shown.level],
        "key_identifier_mode": shown.key_id_mode,
        "frame_counter_suppression": bool(shown.counter_suppressed),
        "asn_in_nonce": bool(shown.asn_in_nonce),
        "frame_counter": None if shown.counter_suppressed else shown.frame_counter,
        "key_source": bytes(shown.key_source[:source_octets]).hex() or None,
        "key_index": shown.key_index if shown.key_id_mode else None,
        "nonce": bytes(shown.nonce).hex() if shown.has_nonce else None,
        "a_data_octets": shown.a_len if split else None,
        "m_data": frame[shown.m_start : shown.m_start + shown.m_len].hex() if split else None,
        "mic": frame[end:].hex(),
    }
