# SPDX-License-Identifier: BSD-3-Clause
"""A frame taken apart, as a row."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FrameRow:
    """One frame taken apart. Octets are in hex; None marks what the frame does not have. Addresses,
    PAN identifiers and nonce are most significant octet first, as the standard prints them; other
    octets are as on the air."""

    frame: int
    """Counted from 1."""
    status: str
    """Of its form alone: no key was used."""
    reason: str | None
    octet: int | None
    frame_octets: int
    """FCS excluded."""
    frame_type: str | None = None
    frame_version: int | None = None
    security_enabled: bool | None = None
    frame_pending: bool | None = None
    ack_request: bool | None = None
    pan_id_compression: bool | None = None
    sequence_number_suppression: bool | None = None
    ie_present: bool | None = None
    sequence_number: int | None = None
    destination_pan_id: str | None = None
    destination_address: str | None = None
    source_pan_id: str | None = None
    source_address: str | None = None
    security_level: int | None = None
    security_level_name: str | None = None
    key_identifier_mode: int | None = None
    frame_counter_suppression: bool | None = None
    asn_in_nonce: bool | None = None
    frame_counter: int | None = None
    key_source: str | None = None
    key_index: int | None = None
    asn: int | None = None
    nonce: str | None = None
    """None if frame, capture and device table do not provide what it needs."""
    header_ies: str | None = None
    payload: str | None = None
    """What follows the header IEs; encrypted if the level says so."""
    a_data_octets: int | None = None
    """Number of leading octets that are authenticated but not encrypted."""
    m_data: str | None = None
    """What is encrypted."""
    mic: str | None = None
    fcs: str | None = None
    channel: int | None = None
    """As the record says, like the fields that follow."""
    channel_page: int | None = None
    rss: float | None = None
    """dBm."""
    lqi: int | None = None
