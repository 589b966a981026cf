# SPDX-License-Identifier: BSD-3-Clause
"""What became of a ZigBee frame, in words."""

from __future__ import annotations

from wardmote.frame.words import REASON_WORDS, STATUS_WORDS, status_name

RECORD, OTHER, NOT_ZIGBEE, MAC_SECURED, REPLAY, WRONG_KEY, NO_NUMBER, NO_KEY = (
    *(1, 3, 5, 4),
    *(10, 9, 7, 8),
)
"""Some of frames_zigbee_reason."""
REASONS = {
    2: "its FCS is wrong",
    3: "no data frame: a beacon, an ack or a command of the MAC",
    4: "secured by the MAC, which no ZigBee network does",
    5: "no NWK frame of ZigBee PRO is in it",
    6: "level bits are set on the air, where the standard sends zeros",
    7: "no network key has the number that the frame says",
    8: "no link key was given or found",
    9: "its MIC is right under no key: wrong key, or changed on its way",
    10: "a replay: its MIC is right, but this frame counter, or a later one, has been there",
    11: "its frame counter is used up",
    12: "who sent it is not known, and the nonce needs the address",
    13: "a command that must not come without APS security",
    14: "another kind of key secures such a frame",
    15: "too many senders to watch their counters",
}
"""frames_zigbee_reason."""
LAYERS = ("MAC", "NWK", "APS")
NWK_TYPES = ("data", "command")
APS_TYPES = ("data", "command", "ack")
KEY_KINDS = ("link key", "network key", "key-transport key", "key-load key")
COMMANDS = {
    0x05: "Transport-Key",
    0x06: "Update-Device",
    0x07: "Remove-Device",
    0x08: "Request-Key",
    0x09: "Switch-Key",
    0x0E: "Tunnel",
    0x0F: "Verify-Key",
    0x10: "Confirm-Key",
}


def command_name(number: int) -> str:
    """The name of an APS command."""
    return COMMANDS.get(number, f"command {number:#04x}")


def why(status: int, reason: int, record: int, sequence: int) -> str:
    """Describes a refusal."""
    if reason == RECORD:
        return REASON_WORDS.get(record, "the record holds no frame")
    said = REASONS.get(reason) or STATUS_WORDS.get(status_name(status), "it is malformed")
    return f"{said}: {sequence}" if reason == NO_NUMBER else said
