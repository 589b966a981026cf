# SPDX-License-Identifier: BSD-3-Clause
"""Parts of the stack that a project may want by themselves, by the functions it would call."""

from dataclasses import dataclass


def calls(prefix: str, *names: str) -> tuple[str, ...]:
    """Functions of one header."""
    return tuple(f"wm_{prefix}_{name}" for name in names)


TABLES = calls("aes128", "tab_init")
CCM = calls("ccm", "seal", "open")
FRAMES = ("wm_mhr_build", *calls("frame", "secure", "unsecure"))
PIB = (
    *calls("pib", "check", "restore", "set_asn"),
    *calls("outgoing", "secure", "build"),
    *calls("incoming", "unsecure", "ack", "join"),
    *calls("counter_store", "open", "create"),
)
TSCH = calls(
    *("tsch", "init", "resume", "start", "admit"),
    *("on_alarm", "on_frame_start", "on_frame_end"),
)
IPSEC = (
    *("wm_aes128_lean_init", "wm_xcbc_mac_derive"),
    *calls("ipsec", "start", "secure", "unsecure", "ah", "esp", "aes_ctr", "aes_xcbc_96"),
    *calls("counter_cells", "create", "open"),
)
"""What an image with IPsec has more than one with 6LoWPAN alone, in the least flash."""
DIGEST = ("init", "update", "final")
CODE = (*DIGEST, "verify")


@dataclass(frozen=True, slots=True)
class Part:
    """Something that a project may want."""

    title: str
    headers: tuple[str, ...]
    symbols: tuple[str, ...]
    """What the project names; everything else follows from them."""


PARTS = (
    Part("AES-128 with tables", ("aes128",), calls("aes128", "expand", "tab_encrypt")),
    Part("AES-128 in constant time", ("aes128",), calls("aes128", "fix_expand", "fix_encrypt2")),
    Part("CCM* over AES-128 with tables", ("ccm", "aes128"), (*TABLES, *CCM)),
    Part("CCM* over the smallest AES-128", ("ccm", "aes128"), ("wm_aes128_small_init", *CCM)),
    Part("frames under one key", ("link_security", "aes128"), (*TABLES, *FRAMES)),
    Part(
        "security procedures, stored counters",
        ("security_procedures", "security_pib", "counter_store", "aes128"),
        (*TABLES, *PIB),
    ),
    Part("TSCH engine, frames in software", ("tsch", "aes128"), (*TABLES, *FRAMES, *TSCH)),
    Part(
        "IPsec: AH and ESP by AES-CTR and XCBC, stored counters",
        ("ipsec", "xcbc_mac", "counter_cells", "aes128"),
        IPSEC,
    ),
    Part(
        "CMAC over AES-128 with tables",
        ("cmac", "aes128"),
        (*TABLES, *calls("cmac", "derive", *CODE)),
    ),
    Part("Ascon-AEAD128", ("ascon_aead128",), calls("ascon_aead128", "seal", "open")),
    Part("SHA-256", ("sha256",), calls("sha256", *DIGEST)),
    Part("HMAC-SHA-256", ("hmac", "sha256"), ("wm_hash_sha256", *calls("hmac", *CODE))),
    Part("SHA3-256", ("sha3_256",), calls("sha3_256", *DIGEST)),
    Part("BLAKE2s", ("blake2s",), calls("blake2s", *DIGEST)),
    Part("Ascon-Hash256", ("ascon_hash256",), calls("ascon_hash256", *DIGEST)),
)
