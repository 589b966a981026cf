# SPDX-License-Identifier: BSD-3-Clause
"""Adapter, files and options of each library for each primitive."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from wardmote.cpus import CPUS
from wardmote.measurements.libraries.kinds import (
    ASCON_AEAD,
    ASCON_HASH,
    BLAKE2S,
    CMAC,
    EAX,
    HMAC,
    OCB3,
    RC5,
    SHA1,
    SHA3,
    SHA256,
    SKIPJACK,
    TRIVIUM,
    Primitive,
)
from wardmote.measurements.libraries.rows import OURS
from wardmote.measurements.libraries.sources import (
    BEARSSL,
    KECCAK,
    LIBB2,
    LIBTOMCRYPT,
    MBEDTLS,
    PYTRIVIUM,
    WOLFSSL,
    Source,
)
from wardmote.measurements.libraries.variants import ROOMY, Variant

SOMETHING_ELSE = "computes something else"
FAST, SMALL = Variant("-O2", ""), Variant("-Os", "-Os")
"""Every library, ours too, is built for speed and for the least flash."""


@dataclass(frozen=True, slots=True)
class Build:
    """One primitive of one library."""

    primitive: Primitive
    library: str
    adapter: str
    """Below bench/libraries/primitives."""
    source: Source | None = None
    """None for our own library."""
    patterns: tuple[str, ...] = ()
    """Patterns of the files below the library's folder."""
    include: tuple[str, ...] = ()
    flags: str = ""
    variants: tuple[Variant, ...] = (FAST, SMALL)
    memory: bool = False
    """It allocates memory while it runs."""
    fails: Mapping[str, str] = field(default_factory=dict)
    """CPUs on which the build fails or computes something else, with the reason. Any other failure is
    an error."""


@dataclass(frozen=True, slots=True)
class LibraryDefaults:
    """Facts that all builds of one library share."""

    name: str
    adapters: str
    """Folder of its adapters, below bench/libraries/primitives."""
    source: Source
    include: tuple[str, ...]
    flags: str = ""
    file: str = "{}"
    """Pattern of a file; `{}` is its name."""
    first: tuple[str, ...] = ()
    """Names of files that every build needs, linked before its own."""
    last: tuple[str, ...] = ()
    """The same, linked after its own."""

    def build(
        self,
        primitive: Primitive,
        adapter: str,
        files: str,
        flags: str = "",
        variants: tuple[Variant, ...] = (FAST, SMALL),
        *,
        memory: bool = False,
        fails: Mapping[str, str] | None = None,
    ) -> Build:
        """The build of one primitive; spaces separate the names in `files`."""
        names = (*self.first, *files.split(), *self.last)
        return Build(
            primitive,
            self.name,
            f"{self.adapters}/{adapter}.c",
            self.source,
            tuple(self.file.format(name) for name in names),
            self.include,
            f"{self.flags} {flags}".strip(),
            variants,
            memory,
            fails or {},
        )


def _ours(primitive: Primitive, adapter: str, fast: str = "", small: str = "") -> Build:
    variants = (Variant("fast", fast), Variant("small", small, small=True))
    return Build(primitive, OURS, f"ours/{adapter}.c", variants=variants)


def _our_hash(primitive: Primitive, name: str) -> Build:
    return _ours(primitive, "hash", f"-DPRIMITIVE={name}", f"-DPRIMITIVE={name}")


_TAB, _ONE = "-DVARIANT=tab", "-DVARIANT=small"
OURS_BUILDS = (
    _our_hash(SHA1, "sha1"),
    _our_hash(SHA256, "sha256"),
    _our_hash(BLAKE2S, "blake2s"),
    _our_hash(SHA3, "sha3_256"),
    _our_hash(ASCON_HASH, "ascon_hash256"),
    _ours(HMAC, "hmac"),
    _ours(CMAC, "cmac", _TAB, _ONE),
    _ours(EAX, "eax", _TAB, _ONE),
    _ours(OCB3, "ocb3", _TAB, _ONE),
    _ours(ASCON_AEAD, "ascon_aead128"),
    _ours(SKIPJACK, "skipjack", "-DVARIANT=ENCRYPT_FAST", "-DVARIANT=ENCRYPT_SMALL"),
    _ours(RC5, "rc5"),
    _ours(TRIVIUM, "trivium"),
)

_TOMCRYPT = LibraryDefaults(
    "libtomcrypt",
    "libtomcrypt",
    LIBTOMCRYPT,
    ("src/headers",),
    "-DLTC_SOURCE -DLTC_NOTHING -DARGTYPE=3 -DLTC_NO_ASM -DLTC_NO_FAST -DLTC_NO_TEST -DLTC_NO_FILE "
    "-DENDIAN_LITTLE -DENDIAN_32BITWORD",
    "src/{}.c",
    first=("misc/zeromem", "misc/mem_neq"),
)
_LTC_CIPHER = (
    "ciphers/aes/aes misc/crypt/crypt_cipher_descriptor misc/crypt/crypt_cipher_is_valid "
    "misc/crypt/crypt_register_cipher"
)
_LTC_HASH = (
    "misc/crypt/crypt_hash_descriptor misc/crypt/crypt_hash_is_valid misc/crypt/crypt_register_hash"
)
_LTC_OMAC, _LTC_AES_FLAGS = "mac/omac/omac_[dimp]*", "-DLTC_RIJNDAEL -DENCRYPT_ONLY"
# AES with all tables, with a quarter of them, and with a quarter of them built for size.
_LTC_AES = (
    Variant("tables -O2", "", ROOMY),
    Variant("small -O2", "-DLTC_SMALL_CODE"),
    Variant("small -Os", "-DLTC_SMALL_CODE -Os"),
)
_NO_ROOM = {"avr": "`.bss' will not fit in region `RAM'"}
LIBTOMCRYPT_BUILDS = (
    _TOMCRYPT.build(SHA1, "hash", "hashes/sha1", "-DLTC_SHA1 -DPRIMITIVE=sha1"),
    _TOMCRYPT.build(SHA256, "hash", "hashes/sha2/sha256", "-DLTC_SHA256 -DPRIMITIVE=sha256"),
    _TOMCRYPT.build(BLAKE2S, "hash", "hashes/blake2s", "-DLTC_BLAKE2S -DPRIMITIVE=blake2s_256"),
    _TOMCRYPT.build(
        SHA3, "hash", "hashes/sha3 hashes/sha3_test", "-DLTC_SHA3 -DPRIMITIVE=sha3_256"
    ),
    _TOMCRYPT.build(
        HMAC,
        "hmac",
        f"{_LTC_HASH} hashes/sha2/sha256 hashes/helper/hash_memory mac/hmac/hmac_[dimp]*",
        "-DLTC_HMAC -DLTC_SHA256 -DLTC_HASH_HELPERS",
        memory=True,
    ),
    _TOMCRYPT.build(
        CMAC,
        "cmac",
        f"{_LTC_CIPHER} {_LTC_OMAC}",
        f"{_LTC_AES_FLAGS} -DLTC_OMAC",
        _LTC_AES,
        memory=True,
    ),
    _TOMCRYPT.build(
        EAX,
        "eax",
        f"{_LTC_CIPHER} {_LTC_OMAC} modes/ctr/ctr_[degs]* encauth/eax/eax_[adei]*",
        f"{_LTC_AES_FLAGS} -DLTC_OMAC -DLTC_CTR_MODE -DLTC_EAX_MODE -DPOOL_OCTETS=4608",
        _LTC_AES,
        memory=True,
        fails=_NO_ROOM,
    ),
    _TOMCRYPT.build(
        OCB3,
        "ocb3",
        f"{_LTC_CIPHER} encauth/ocb3/ocb3_[adei]*",
        f"{_LTC_AES_FLAGS} -DLTC_OCB3_MODE -DPOOL_OCTETS=5888",
        _LTC_AES,
        memory=True,
        fails=_NO_ROOM,
    ),
    _TOMCRYPT.build(
        SKIPJACK,
        "block",
        "ciphers/skipjack",
        "-DLTC_SKIPJACK -DPRIMITIVE=skipjack -DKEY=10 -DROUNDS=0",
    ),
    _TOMCRYPT.build(RC5, "block", "ciphers/rc5", "-DLTC_RC5 -DPRIMITIVE=rc5 -DKEY=16 -DROUNDS=12"),
)

_MBEDTLS = LibraryDefaults(
    "mbedTLS",
    "mbedtls",
    MBEDTLS,
    ("include", "library"),
    '-DMBEDTLS_CONFIG_FILE="<config.h>"',
    "library/{}.c",
    last=("platform_util", "constant_time"),
)
_MBED_SHA256 = "-DMBEDTLS_SHA256_C -DSHA256"
MBEDTLS_BUILDS = (
    _MBEDTLS.build(SHA1, "hash", "sha1", "-DMBEDTLS_SHA1_C"),
    _MBEDTLS.build(SHA256, "hash", "sha256", _MBED_SHA256),
    _MBEDTLS.build(
        SHA256,
        "hash",
        "sha256",
        f"{_MBED_SHA256} -DMBEDTLS_SHA256_SMALLER",
        (Variant("smaller -Os", "-Os"),),
    ),
    _MBEDTLS.build(HMAC, "hmac", "md sha256", "-DMBEDTLS_MD_C -DMBEDTLS_SHA256_C", memory=True),
    _MBEDTLS.build(
        CMAC,
        "cmac",
        "aes cipher cipher_wrap cmac",
        "-DMBEDTLS_AES_C -DMBEDTLS_AES_ROM_TABLES -DMBEDTLS_CIPHER_C -DMBEDTLS_CMAC_C",
        (
            Variant("tables -O2", "", ROOMY),
            Variant("fewer tables -O2", "-DMBEDTLS_AES_FEWER_TABLES"),
            Variant("fewer tables -Os", "-DMBEDTLS_AES_FEWER_TABLES -Os"),
        ),
        memory=True,
    ),
)

_BEARSSL = LibraryDefaults(
    "BearSSL", "bearssl", BEARSSL, ("inc", "src"), file="src/{}.c", last=("codec/*32*",)
)
BEARSSL_BUILDS = (
    _BEARSSL.build(SHA1, "hash", "hash/sha1", "-DPRIMITIVE=sha1"),
    _BEARSSL.build(SHA256, "hash", "hash/sha2small", "-DPRIMITIVE=sha256"),
    _BEARSSL.build(HMAC, "hmac", "mac/hmac hash/dig_size hash/sha2small"),
    _BEARSSL.build(
        EAX,
        "eax",
        "aead/eax symcipher/aes_[bc]* symcipher/aes_small*",
        variants=(
            Variant("big -O2", "-DVARIANT=big"),
            Variant("small -O2", "-DVARIANT=small"),
            Variant("small -Os", "-DVARIANT=small -Os"),
        ),
    ),
)

_NARROW = [cpu.name for cpu in CPUS.values() if cpu.model.int_octets == 2]
_SHORT_INT = dict.fromkeys(_NARROW, SOMETHING_ELSE)
"""These libraries do not expect an int of 16 bits."""
_NO_ASCON = dict.fromkeys(_NARROW, "Ascon implementation requires a 64-bit word")
_WOLFSSL = LibraryDefaults(
    "wolfSSL", "wolfssl", WOLFSSL, (".",), "-DWOLFSSL_USER_SETTINGS", "wolfcrypt/src/{}.c"
)
_WOLF_AES = "-DHAVE_AES_ECB -DWOLFSSL_AES_DIRECT -DWOLFSSL_CMAC"


def _wolf_names(context: str, init: str, stem: str, final: str) -> str:
    """Options that name the context type and the functions of a hash."""
    named = {"CONTEXT": context, "INIT": init, "UPDATE": f"{stem}Update", "FINAL": final}
    return " ".join(f"-D{name}={value}" for name, value in named.items() if value)


WOLFSSL_BUILDS = (
    _WOLFSSL.build(
        SHA1, "hash", "sha", _wolf_names("wc_Sha", "wc_InitSha", "wc_Sha", "wc_ShaFinal")
    ),
    _WOLFSSL.build(
        SHA256,
        "hash",
        "sha256",
        _wolf_names("wc_Sha256", "wc_InitSha256", "wc_Sha256", "wc_Sha256Final"),
    ),
    _WOLFSSL.build(
        BLAKE2S,
        "hash",
        "blake2s",
        f"-DHAVE_BLAKE2S -DOF_BLAKE2S {_wolf_names('Blake2s', '', 'wc_Blake2s', '')}",
        memory=True,
        fails=_SHORT_INT,
    ),
    _WOLFSSL.build(
        SHA3,
        "hash",
        "sha3",
        "-DWOLFSSL_SHA3 -DOF_SHA3 "
        + _wolf_names("wc_Sha3", "", "wc_Sha3_256_", "wc_Sha3_256_Final"),
    ),
    _WOLFSSL.build(
        ASCON_HASH,
        "hash",
        "ascon",
        "-DHAVE_ASCON "
        + _wolf_names(
            "wc_AsconHash256", "wc_AsconHash256_Init", "wc_AsconHash256_", "wc_AsconHash256_Final"
        ),
        fails=_NO_ASCON,
    ),
    _WOLFSSL.build(ASCON_AEAD, "ascon_aead128", "ascon", "-DHAVE_ASCON", fails=_NO_ASCON),
    _WOLFSSL.build(HMAC, "hmac", "hmac sha256 hash", "-DNO_SHA", memory=True),
    _WOLFSSL.build(CMAC, "cmac", "cmac aes", _WOLF_AES, memory=True),
    _WOLFSSL.build(
        EAX,
        "eax",
        "cmac aes",
        f"{_WOLF_AES} -DWOLFSSL_AES_EAX -DWOLFSSL_AES_COUNTER",
        memory=True,
    ),
)

OTHER_BUILDS = (
    LibraryDefaults("libb2", "libb2", LIBB2, ("src",)).build(
        BLAKE2S, "blake2s", "src/blake2s-ref.c", "-DSUFFIX=", fails=_SHORT_INT
    ),
    LibraryDefaults("XKCP in keccak", "xkcp", KECCAK, ("libkeccak-32",)).build(
        SHA3,
        "sha3",
        "libkeccak-32/*.c",
        variants=(Variant("-O2", "", ROOMY), SMALL),
        fails=_SHORT_INT,
    ),
    LibraryDefaults("pytrivium", "pytrivium", PYTRIVIUM, (".",)).build(
        TRIVIUM, "trivium", "*.c", "-include stdint.h -include trivium.h"
    ),
)

BUILDS = (
    *OURS_BUILDS,
    *LIBTOMCRYPT_BUILDS,
    *MBEDTLS_BUILDS,
    *BEARSSL_BUILDS,
    *WOLFSSL_BUILDS,
    *OTHER_BUILDS,
)
assert all(build.fails.keys() <= set(CPUS) for build in BUILDS)
