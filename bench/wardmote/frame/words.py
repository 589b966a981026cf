# SPDX-License-Identifier: BSD-3-Clause
"""Names of statuses, and reasons in words."""

from __future__ import annotations

STATUS_NAMES: dict[int, tuple[str, int | None]] = {
    0: ("SUCCESS", 0),
    1: ("NOT_SECURED", None),
    2: ("NOT_AUTHENTICATED", None),
    -1: ("INVALID_PARAMETER", 0xE8),
    -2: ("MALFORMED", None),
    -3: ("FRAME_TOO_LONG", 0xE5),
    -4: ("COUNTER_ERROR", 0xDB),
    -5: ("UNAVAILABLE_KEY", 0xF3),
    -6: ("UNSUPPORTED_SECURITY", 0xDF),
    -7: ("UNSUPPORTED_LEGACY", 0xDE),
    -8: ("IMPROPER_SECURITY_LEVEL", 0xDD),
    -9: ("IMPROPER_KEY_TYPE", 0xDC),
    -10: ("SECURITY_ERROR", 0xE4),
    -11: ("STATE", None),
    -12: ("FCS", None),
    -13: ("NOT_FOR_US", None),
    -14: ("UNAVAILABLE_DEVICE", None),
    -15: ("UNAVAILABLE_SECURITY_LEVEL", None),
    -16: ("IMPROPER_IE_SECURITY", None),
    -20: ("STORAGE", None),
    -21: ("NO_STORE", None),
    -22: ("ENGINE", None),
}
"""wm_status: the standard's name and number. A name without a number is the stack's own, because
the standard has none."""

STATUS_WORDS = {
    "INVALID_PARAMETER": "what was asked for cannot be done with this frame",
    "MALFORMED": "it is not the frame that its own fields describe",
    "FRAME_TOO_LONG": "with header, MIC and FCS it is longer than the longest PSDU (--psdu)",
    "COUNTER_ERROR": "the counter or ASN of the sender is used up",
    "UNAVAILABLE_KEY": "no key has the name that the frame gives its key",
    "UNSUPPORTED_SECURITY": "a level or form of nonce that the edition, the network or such a "
    "frame does not have",
    "UNSUPPORTED_LEGACY": "secured as in 2003",
    "IMPROPER_SECURITY_LEVEL": "[levels] does not allow its level",
    "IMPROPER_KEY_TYPE": "the key's usage does not name this type of frame",
    "SECURITY_ERROR": "its MIC is wrong: another key, another nonce, or changed on its way",
    "NOT_FOR_US": "a type of frame without security, or an acknowledgment of another frame",
    "UNAVAILABLE_DEVICE": "its sender, or the sender's extended address, is not known: add a "
    "[[device]]",
    "UNAVAILABLE_SECURITY_LEVEL": "[levels] says nothing of this type of frame",
    "IMPROPER_IE_SECURITY": "an information element that may not come at this level",
    "FCS": "the FCS is wrong",
}

REASON_WORDS = {
    1: "the capture holds a part of the frame only",
    2: "the TAP header contradicts itself",
    3: "an FCS of an unknown kind",
    4: "longer than the longest PSDU (--psdu)",
    5: "the FCS is wrong (--any-fcs takes such frames)",
    6: "the nonce needs an ASN of 40 bits, and neither the capture nor --asn gives one",
    7: "too short for a frame control field",
    8: "Frame Type 4 is reserved",
    9: "multipurpose, fragment and extended frames have another frame control field",
    10: "Frame Version 3 is reserved",
    11: "addressing mode 1 is reserved",
    12: "IE Present or Sequence Number Suppression is set, which version 2 alone has",
    13: "PAN ID Compression is set without two addresses",
    14: "it ends within the addressing fields",
    15: "it ends within the Auxiliary Security Header",
    16: "Security Control has bits set that version 2 alone has",
    17: "KeyIndex 0 is not possible",
    18: "it ends within the MIC",
    19: "its header IEs do not end where the frame does",
    20: "it ends within the fields of the beacon, or before the command's identifier",
    21: "its payload IEs do not end where the frame does, or the command's identifier is missing",
    22: "it is secured already",
    23: "this edition does not know Frame Version 2",
    24: "the nonce needs the sender's extended address: add a [[device]], or ext to [network]",
    25: "no frame is in this packet",
    26: "preamble, start-of-frame delimiter or length before it are not those of a frame",
    27: "the ZEP header contradicts the length of its packet",
    28: "no key has the name that the frame gives its key",
    29: "its MIC fits no key of that name: wrong key, wrong nonce, or changed on its way",
    30: "a replay: its MIC is right, but this frame counter, or a later one, has been there",
    31: "a replay: its MIC is right, but the sender has used this ASN, or a later one",
    32: "the counter or ASN of the sender is used up",
}
"""frames_reason."""

AT_FAULT = frozenset(range(7, 22)) | {23}
"""Reasons with an octet."""


def status_name(status: int) -> str:
    """The name of a wm_status."""
    return STATUS_NAMES[status][0]


def admitted(status: int) -> bool:
    """Whether a wm_status admits the frame, protected or not."""
    return status >= 0


def status_number(status: int) -> int | None:
    """The standard's number of a wm_status."""
    return STATUS_NAMES[status][1]


def why(status: int, reason: int, where: int) -> tuple[str, int | None]:
    """Describes a refusal in words, with the octet at fault."""
    if reason in REASON_WORDS:
        return REASON_WORDS[reason], where if reason in AT_FAULT else None
    return STATUS_WORDS.get(status_name(status), "the stack refuses it"), None
