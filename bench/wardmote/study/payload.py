# SPDX-License-Identifier: BSD-3-Clause
"""Computes how much of a frame an application may use: A_j of the paper's Eq. 2.

A data frame of 127 octets is FCF 2, sequence number 1, destination PAN 2, two extended addresses
16, Auxiliary Security Header, payload, MIC, FCS 2. The paper prints 71 octets without security, 33
fewer than such a frame has for its payload: headers above the link layer that it does not list. Its
list then follows from an ASH of 2 octets, the shortest of 6TiSCH (KeyIdMode 1, counter elided), not
from the 14 octets at which it measured; and it computes ENC, which has no MIC, as if it had a MIC
of 16 octets.
"""

from wardmote.measurements.slot.setting import KEY_ID_OCTETS
from wardmote.published import load

FCS_OCTETS = 2
MHR_OCTETS = 2 + 1 + 2 + 8 + 8
UPPER_OCTETS = 33
"""Octets that the printed list leaves for headers of higher layers: 127 - FCS - MHR - 71."""
PRINTED_ASH_OCTETS = 1 + KEY_ID_OCTETS[1]
PRINTED_NAMES = (
    "none",
    "mic_32",
    "mic_64",
    "mic_128",
    "enc",
    "enc_mic_32",
    "enc_mic_64",
    "enc_mic_128",
)


def mic_octets(level: int) -> int:
    """Length of the MIC of a security level."""
    return (0, 4, 8, 16)[level & 3]


def payload_octets(level: int, ash_octets: int, frame_octets: int = 127) -> int:
    """MAC payload of a data frame; an unsecured frame has no ASH."""
    ash = ash_octets if level else 0
    return frame_octets - FCS_OCTETS - MHR_OCTETS - ash - mic_octets(level)


def application_bits(
    level: int, ash_octets: int, frame_octets: int = 127, upper_octets: int = UPPER_OCTETS
) -> int:
    """A_j: bits of an application message in one frame, after `upper_octets` of other headers."""
    return 8 * max(0, payload_octets(level, ash_octets, frame_octets) - upper_octets)


def published_bits(level: int) -> int:
    """A_j as printed."""
    return int(load("tsch_slot")["application_payload_max_bits"][PRINTED_NAMES[level]])
