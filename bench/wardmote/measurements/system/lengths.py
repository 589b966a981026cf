# SPDX-License-Identifier: BSD-3-Clause
"""Operations of image `events` by length of message: those of Figs. 5 to 9 of the paper on
primitives, and their results as the library on this machine computes them.

firmware/image/events/lengths.h says what each of them does.
"""

from collections.abc import Callable, Mapping, Sequence

from wardmote.call import HostTarget
from wardmote.measurements.system.operations import (
    CURUPIRA_BLOCK,
    CURUPIRA_KEY,
    KEY,
    MESSAGE,
    NONCE,
    Operation,
    Result,
    aes_schedule,
    checked,
    curupira_key,
    digest,
    filled,
    hmac,
    lettersoup,
    marvin,
)
from wardmote.measurements.system.situation import Situation

TAG, KETJE_TAG = 12, 16
MODE_NONCE = 11
AES_BLOCK = 16
TRIVIUM_OCTETS = 10
AES_LENGTHS, CURUPIRA_LENGTHS = (16, 32, 48, 64, 96, 128), (12, 36, 60, 84, 108)
"""Whole blocks; those of Curupira-2 are the lengths of the paper's tables."""
HASH_LENGTHS, HMAC_LENGTHS = (32, 64, 96, 128), (64, 128)
SITUATION = Situation(tick_hz=128, frames_per_s=10)
"""The system of these figures: a tick as Contiki has it, and a radio that hears some frames."""


def blocks(call: str, key: Callable[[HostTarget], bytes], block: int, octets: int) -> Result:
    """A block cipher, block by block."""

    def result(host: HostTarget) -> bytes:
        schedule, message = key(host), b""
        for first in range(0, octets, block):
            part = bytearray(MESSAGE[first : first + block])
            host.call(call, schedule, part)
            message += part
        return message

    return result


def aes_both(host: HostTarget) -> bytes:
    """Round keys of both directions; the forward ones come first."""
    return filled(host, "wm_aes128_two_way", "wm_aes128_tab_expand_inverse", KEY)


def curupira(host: HostTarget) -> bytes:
    """Round keys of Curupira-2."""
    return filled(host, "wm_curupira2", "wm_curupira2_expand", KEY[:CURUPIRA_KEY])


def trivium(octets: int) -> Result:
    """Trivium."""

    def result(host: HostTarget) -> bytes:
        context, message = host.pack("wm_trivium"), bytearray(MESSAGE[:octets])
        host.call("wm_trivium_init", context, KEY[:TRIVIUM_OCTETS], NONCE[:TRIVIUM_OCTETS])
        host.call("wm_trivium_crypt", context, message, octets)
        return bytes(message)

    return result


def sealed(mode: str, derived: str, octets: int) -> Result:
    """EAX or OCB3 over Curupira-2, with as much associated data as message."""

    def result(host: HostTarget) -> bytes:
        key, own = host.buffer(curupira_key(host)), host.buffer(host.pack(f"wm_{derived}_key"))
        checked(host, f"wm_{derived}_derive", own, key)
        a, message, tag = MESSAGE[:octets], bytearray(MESSAGE[:octets]), bytearray(TAG)
        nonce = NONCE[:MODE_NONCE]
        given = (own, nonce, len(nonce), a, octets, message, octets, tag, len(tag))
        checked(host, f"wm_{mode}_seal", *given)
        return bytes(message + tag)

    return result


def ketje(octets: int) -> Result:
    """Ketje Sr, with as much associated data as message."""

    def result(host: HostTarget) -> bytes:
        a, message, tag = MESSAGE[:octets], bytearray(MESSAGE[:octets]), bytearray(KETJE_TAG)
        host.call("wm_ketje_sr_seal", KEY, NONCE, a, octets, message, octets, tag)
        return bytes(message + tag)

    return result


def _at(
    name: str, number: str, lengths: Sequence[int], result: Callable[[int], Result]
) -> list[Operation]:
    """One operation at each length."""
    return [Operation(f"{name} {octets}", number, octets, result(octets)) for octets in lengths]


_AES, _BACK = "wm_aes128_tab_encrypt", "wm_aes128_tab_decrypt"
_CURUPIRA, _CURUPIRA_BACK = "wm_curupira2_encrypt", "wm_curupira2_decrypt"
FIGURES: Mapping[int, Mapping[str, Sequence[Operation]]] = {
    5: {
        "aes128 tab": _at(
            *("aes128-blocks", "OPERATION_AES_BLOCKS", AES_LENGTHS),
            lambda n: blocks(_AES, aes_schedule, AES_BLOCK, n),
        ),
        "curupira2": _at(
            *("curupira2-blocks", "OPERATION_CURUPIRA_BLOCKS", CURUPIRA_LENGTHS),
            lambda n: blocks(_CURUPIRA, curupira, CURUPIRA_BLOCK, n),
        ),
        "trivium": _at("trivium", "OPERATION_TRIVIUM", AES_LENGTHS, trivium),
    },
    6: {
        "aes128 tab inverse": _at(
            *("aes128-blocks-back", "OPERATION_AES_BLOCKS_BACK", AES_LENGTHS),
            lambda n: blocks(_BACK, aes_both, AES_BLOCK, n),
        ),
        "curupira2": _at(
            *("curupira2-blocks-back", "OPERATION_CURUPIRA_BLOCKS_BACK", CURUPIRA_LENGTHS),
            lambda n: blocks(_CURUPIRA_BACK, curupira, CURUPIRA_BLOCK, n),
        ),
    },
    7: {
        "marvin curupira2": _at("marvin", "OPERATION_MARVIN_OF", CURUPIRA_LENGTHS, marvin),
        "hmac sha256": _at("hmac", "OPERATION_HMAC_OF", HMAC_LENGTHS, hmac),
    },
    8: {
        "blake2s": _at(
            *("blake2s", "OPERATION_BLAKE2S_OF", HASH_LENGTHS), lambda n: digest("blake2s", n)
        ),
        "sha3_256": _at(
            *("sha3_256", "OPERATION_SHA3_256_OF", HASH_LENGTHS), lambda n: digest("sha3_256", n)
        ),
    },
    9: {
        "eax curupira2": _at(
            *("eax", "OPERATION_EAX_OF", CURUPIRA_LENGTHS), lambda n: sealed("eax", "cmac", n)
        ),
        "ocb3 curupira2": _at(
            *("ocb3", "OPERATION_OCB3_OF", CURUPIRA_LENGTHS), lambda n: sealed("ocb3", "ocb3", n)
        ),
        "lettersoup curupira2": _at(
            *("lettersoup", "OPERATION_LETTERSOUP_OF", CURUPIRA_LENGTHS),
            lambda n: lettersoup(n, n),
        ),
        "ketje_sr": _at("ketje_sr", "OPERATION_KETJE_SR_OF", CURUPIRA_LENGTHS, ketje),
    },
}
"""Curves of each figure by the labels of the table of primitives."""
AT_LENGTHS: Mapping[str, Operation] = {
    one.name: one for curves in FIGURES.values() for own in curves.values() for one in own
}
