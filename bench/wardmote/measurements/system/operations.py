# SPDX-License-Identifier: BSD-3-Clause
"""The operations of image `events`, and their results as the library on this machine computes them.

firmware/image/events/operations.h defines the inputs: octet n of the message is n, and so on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wardmote.call import HostTarget
from wardmote.errors import ImageError

MESSAGE = bytes(range(128))
KEY = bytes(range(64, 80))
NONCE = bytes(range(128, 144))
SHORT = 108
FRAME_A, FRAME_M, FRAME_TAG = 35, 86, 4
CURUPIRA_KEY, CURUPIRA_BLOCK = 12, 12
OUTPUT_OCTETS = 160
Result = Callable[[HostTarget], bytes]
"""Computes what an operation must give."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its name, the constant of its number in the image, its octets of message and the
    function that computes its result."""

    name: str
    number: str
    octets: int
    result: Result


def checked(host: HostTarget, function: str, *arguments: object) -> None:
    """Calls a function; raises ImageError if it refuses."""
    outcome = host.call(function, *arguments)  # type: ignore[arg-type]
    if outcome.value:
        raise ImageError(f"{function} on this machine refuses with status {outcome.value}")


def filled(host: HostTarget, record: str, function: str, octets: bytes) -> bytes:
    """The record that a function fills from these octets."""
    made = host.pack(record)
    host.call(function, made, octets)
    return bytes(made)


def aes_key(host: HostTarget) -> bytes:
    """A key of AES-128."""
    return filled(host, "wm_aes128_tab_key", "wm_aes128_tab_init", KEY)


def aes_schedule(host: HostTarget) -> bytes:
    """Round keys of encryption."""
    return filled(host, "wm_aes128", "wm_aes128_expand", KEY)


def aes128(host: HostTarget) -> bytes:
    """One block."""
    block = bytearray(MESSAGE[:16])
    host.call("wm_aes128_tab_encrypt", aes_schedule(host), block)
    return bytes(block)


def ctr(octets: int) -> Result:
    """AES-128 in CTR mode."""

    def result(host: HostTarget) -> bytes:
        context, message = host.pack("wm_ctr"), bytearray(MESSAGE[:octets])
        key = host.buffer(aes_key(host))
        checked(host, "wm_ctr_init", context, key, NONCE)
        checked(host, "wm_ctr_crypt", context, message, octets)
        return bytes(message)

    return result


def digest(name: str, octets: int) -> Result:
    """A whole hash."""

    def result(host: HostTarget) -> bytes:
        out = bytearray(32)
        host.call(f"wm_{name}_digest", MESSAGE[:octets], octets, out)
        return bytes(out)

    return result


def hmac(octets: int) -> Result:
    """HMAC with SHA-256 and a key of 16 octets."""

    def result(host: HostTarget) -> bytes:
        context, tag = host.pack("wm_hmac"), bytearray(32)
        host.call("wm_hmac_init", context, host.address_of("wm_hash_sha256"), KEY, len(KEY))
        host.call("wm_hmac_update", context, MESSAGE[:octets], octets)
        checked(host, "wm_hmac_final", context, tag, len(tag))
        return bytes(tag)

    return result


def curupira_key(host: HostTarget) -> bytes:
    """A key of Curupira-2."""
    return filled(host, "wm_curupira2_key", "wm_curupira2_init", KEY[:CURUPIRA_KEY])


def marvin(octets: int) -> Result:
    """Marvin over Curupira-2."""

    def result(host: HostTarget) -> bytes:
        key, derived = host.buffer(curupira_key(host)), host.buffer(host.pack("wm_marvin_key"))
        checked(host, "wm_marvin_derive", derived, key)
        context, tag = host.buffer(host.pack("wm_marvin")), bytearray(CURUPIRA_BLOCK)
        checked(host, "wm_marvin_init", context, derived)
        host.call("wm_marvin_update", context, MESSAGE[:octets], octets)
        checked(host, "wm_marvin_final", context, tag, len(tag))
        return bytes(tag)

    return result


def lettersoup(octets: int, a_octets: int) -> Result:
    """LetterSoup over Curupira-2: sealed message and tag."""

    def result(host: HostTarget) -> bytes:
        a, message = MESSAGE[:a_octets], bytearray(MESSAGE[:octets])
        key, tag = host.buffer(curupira_key(host)), bytearray(CURUPIRA_BLOCK)
        given = (key, NONCE[:CURUPIRA_BLOCK], a, a_octets, message, octets, tag, len(tag))
        checked(host, "wm_lettersoup_seal", *given)
        return bytes(message + tag)

    return result


def ccm(host: HostTarget) -> bytes:
    """CCM* of the worst-case frame."""
    message, tag = bytearray(MESSAGE[:FRAME_M]), bytearray(FRAME_TAG)
    key, a = host.buffer(aes_key(host)), MESSAGE[:FRAME_A]
    checked(host, "wm_ccm_seal", key, NONCE[:13], a, FRAME_A, message, FRAME_M, tag, FRAME_TAG)
    return bytes(message + tag)


def sealed_by_derived(mode: str, derives: str) -> Result:
    """A mode over AES-128 whose key the mode `derives` makes of the cipher's."""

    def result(host: HostTarget) -> bytes:
        key, derived = host.buffer(aes_key(host)), host.buffer(host.pack(f"wm_{derives}_key"))
        checked(host, f"wm_{derives}_derive", derived, key)
        message, tag = bytearray(MESSAGE), bytearray(16)
        rest = (NONCE[:12], 12, b"", 0, message, len(message), tag, len(tag))
        checked(host, f"wm_{mode}_seal", derived, *rest)
        return bytes(message + tag)

    return result


def sealed(name: str) -> Result:
    """Authenticated encryption that takes key, nonce and tag of 16 octets each."""

    def result(host: HostTarget) -> bytes:
        message, tag = bytearray(MESSAGE), bytearray(16)
        host.call(f"wm_{name}_seal", KEY, NONCE, b"", 0, message, len(message), tag)
        return bytes(message + tag)

    return result


def nothing(_: HostTarget) -> bytes:
    """No result."""
    return b""


NOTHING = Operation("nothing", "OPERATION_NOTHING", 0, nothing)
"""An empty operation, whose cycles are those of the marks."""
WAIT = Operation("wait", "OPERATION_WAIT", 0, nothing)
"""A delay loop in which interrupts are measured."""
OPERATIONS: Mapping[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation("aes128", "OPERATION_AES128", 16, aes128),
        Operation("aes128-ctr-16", "OPERATION_CTR_16", 16, ctr(16)),
        Operation("aes128-ctr-128", "OPERATION_CTR_128", 128, ctr(128)),
        Operation("sha256", "OPERATION_SHA256", 128, digest("sha256", 128)),
        Operation("blake2s", "OPERATION_BLAKE2S", 128, digest("blake2s", 128)),
        Operation("sha3_256", "OPERATION_SHA3_256", 128, digest("sha3_256", 128)),
        Operation("ascon_hash256", "OPERATION_ASCON_HASH256", 128, digest("ascon_hash256", 128)),
        Operation("hmac_sha256", "OPERATION_HMAC_SHA256", 128, hmac(128)),
        Operation("marvin", "OPERATION_MARVIN", SHORT, marvin(SHORT)),
        Operation("lettersoup", "OPERATION_LETTERSOUP", SHORT, lettersoup(SHORT, 0)),
        Operation("ccm-frame", "OPERATION_CCM", FRAME_M, ccm),
        Operation("eax", "OPERATION_EAX", 128, sealed_by_derived("eax", "cmac")),
        Operation("ocb3", "OPERATION_OCB3", 128, sealed_by_derived("ocb3", "ocb3")),
        Operation("ascon_aead128", "OPERATION_ASCON_AEAD128", 128, sealed("ascon_aead128")),
        Operation("ketje_sr", "OPERATION_KETJE_SR", 128, sealed("ketje_sr")),
    )
}
