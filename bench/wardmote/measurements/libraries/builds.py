# SPDX-License-Identifier: BSD-3-Clause
"""Adapter, files and options of each library for each primitive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wardmote.cpus import CPUS
from wardmote.measurements.libraries.kinds import (
    ASCON_AEAD,
    ASCON_HASH,
    BLAKE2S,
    CCM,
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
    """Below bench/libraries."""
    source: Source | None = None
    """None for our own library."""
    patterns: str = ""
    """Patterns of the files below the library's folder, with spaces between."""
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
            f"primitives/{self.adapters}/{adapter}.c",
            self.source,
            " ".join(self.file.format(name) for name in names),
            self.include,
            f"{self.flags} {flags}".strip(),
            variants,
            memory,
            fails or {},
        )


def _ours(primitive: Primitive, adapter: str, fast: str = "", small: str = "") -> Build:
    variants = (Variant("fast", fast), Variant("small", small, small=True))
    return Build(primitive, OURS, f"primitives/ours/{adapter}.c", variants=variants)


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
    "-DMBEDTLS_CONFIG_FILE=<config.h>",
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
_WOLF_EAX = f"{_WOLF_AES} -DWOLFSSL_AES_EAX -DWOLFSSL_AES_COUNTER"


def _wolf_hash(primitive: Primitive, file: str, names: str, flags: str = "", **more: Any) -> Build:
    """`names`: the context type and the functions of the hash; `-` stands for none."""
    given = zip(("CONTEXT", "INIT", "UPDATE", "FINAL"), names.split(), strict=True)
    words = [flags, *(f"-D{what}={name}" for what, name in given if name != "-")]
    return _WOLFSSL.build(primitive, "hash", file, " ".join(words).strip(), **more)


_WOLF_SHA256 = "wc_Sha256 wc_InitSha256 wc_Sha256Update wc_Sha256Final"
_WOLF_SHA3 = "wc_Sha3 - wc_Sha3_256_Update wc_Sha3_256_Final"
_WOLF_ASCON = "wc_AsconHash256 wc_AsconHash256_Init wc_AsconHash256_Update wc_AsconHash256_Final"
WOLFSSL_BUILDS = (
    _wolf_hash(SHA1, "sha", "wc_Sha wc_InitSha wc_ShaUpdate wc_ShaFinal"),
    _wolf_hash(SHA256, "sha256", _WOLF_SHA256),
    _wolf_hash(
        BLAKE2S,
        "blake2s",
        "Blake2s - wc_Blake2sUpdate -",
        "-DHAVE_BLAKE2S -DOF_BLAKE2S",
        memory=True,
        fails=_SHORT_INT,
    ),
    _wolf_hash(SHA3, "sha3", _WOLF_SHA3, "-DWOLFSSL_SHA3 -DOF_SHA3"),
    _wolf_hash(ASCON_HASH, "ascon", _WOLF_ASCON, "-DHAVE_ASCON", fails=_NO_ASCON),
    _WOLFSSL.build(ASCON_AEAD, "ascon_aead128", "ascon", "-DHAVE_ASCON", fails=_NO_ASCON),
    _WOLFSSL.build(HMAC, "hmac", "hmac sha256 hash", "-DNO_SHA", memory=True),
    _WOLFSSL.build(CMAC, "cmac", "cmac aes", _WOLF_AES, memory=True),
    _WOLFSSL.build(EAX, "eax", "cmac aes", _WOLF_EAX, memory=True),
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

LIBRARIES = (
    Build(
        CCM,
        OURS,
        "ours.c",
        variants=(
            Variant("tab", "-DVARIANT=tab"),
            Variant("small", "-DVARIANT=small"),
            Variant("fix", "-DVARIANT=fix"),
            Variant("tab, C alone", "-DVARIANT=tab", archive=False),
        ),
    ),
    Build(
        CCM,
        "mbedTLS",
        "mbedtls.c",
        MBEDTLS,
        "library/aes.c library/ccm.c library/cipher.c library/cipher_wrap.c "
        "library/platform_util.c library/constant_time.c",
        _MBEDTLS.include,
        "-DMBEDTLS_CONFIG_FILE=<mbedtls_config.h>",
        (Variant("tables", "", ROOMY), Variant("fewer tables", "-DMBEDTLS_AES_FEWER_TABLES")),
    ),
    Build(
        CCM,
        "BearSSL",
        "bearssl.c",
        BEARSSL,
        "src/aead/ccm.c src/symcipher/aes_[bc]*.c src/symcipher/aes_small*.c src/codec/*32*.c",
        _BEARSSL.include,
        variants=(
            Variant("big", "-DVARIANT=big"),
            Variant("small", "-DVARIANT=small"),
            Variant("ct", "-DVARIANT=ct -DPAIRS"),
        ),
    ),
    Build(
        CCM,
        "libtomcrypt",
        "libtomcrypt.c",
        LIBTOMCRYPT,
        "src/ciphers/aes/aes.c src/encauth/ccm/ccm_memory.c src/misc/zeromem.c "
        "src/misc/mem_neq.c src/misc/crypt/crypt_cipher_descriptor.c "
        "src/misc/crypt/crypt_cipher_is_valid.c src/misc/crypt/crypt_register_cipher.c",
        _TOMCRYPT.include,
        "-DLTC_SOURCE -DLTC_NOTHING -DLTC_RIJNDAEL -DENCRYPT_ONLY -DLTC_CCM_MODE -DARGTYPE=3 "
        "-DLTC_NO_ASM -DLTC_NO_FAST -DENDIAN_LITTLE -DENDIAN_32BITWORD",
        (Variant("tables", "", ROOMY), Variant("small", "-DLTC_SMALL_CODE")),
    ),
)
"""The libraries whose AES-128 and CCM* are compared."""
BUILDS = (
    *OURS_BUILDS,
    *LIBTOMCRYPT_BUILDS,
    *MBEDTLS_BUILDS,
    *BEARSSL_BUILDS,
    *WOLFSSL_BUILDS,
    *OTHER_BUILDS,
)
assert all(build.fails.keys() <= set(CPUS) for build in BUILDS)
