# SPDX-License-Identifier: BSD-3-Clause
"""What is compiled of each library for each primitive: its adapter, its files, its options."""

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
"""Every library both ways: for speed as ours, and for the least flash that its code has."""


@dataclass(frozen=True, slots=True)
class Build:
    """One primitive of one library."""

    primitive: Primitive
    library: str
    adapter: str
    """Below bench/libraries/primitives."""
    source: Source | None = None
    """None of ours."""
    patterns: tuple[str, ...] = ()
    """Of its files, below its folder."""
    include: tuple[str, ...] = ()
    flags: str = ""
    variants: tuple[Variant, ...] = (FAST, SMALL)
    memory: bool = False
    """It asks for memory while it runs."""
    fails: Mapping[str, str] = field(default_factory=dict)
    """CPUs for which it cannot be had, and what the reason says; anything else that fails is an
    error."""


def _ours(primitive: Primitive, adapter: str, fast: str = "", small: str = "") -> Build:
    variants = (Variant("fast", fast), Variant("small", small, small=True))
    return Build(primitive, OURS, f"ours/{adapter}.c", variants=variants)


_TAB, _ONE = "-DVARIANT=tab", "-DVARIANT=small"
OURS_BUILDS = (
    *(
        _ours(primitive, "hash", *[f"-DPRIMITIVE={name}"] * 2)
        for primitive, name in (
            (SHA1, "sha1"),
            (SHA256, "sha256"),
            (BLAKE2S, "blake2s"),
            (SHA3, "sha3_256"),
            (ASCON_HASH, "ascon_hash256"),
        )
    ),
    _ours(HMAC, "hmac"),
    _ours(CMAC, "cmac", _TAB, _ONE),
    _ours(EAX, "eax", _TAB, _ONE),
    _ours(OCB3, "ocb3", _TAB, _ONE),
    _ours(ASCON_AEAD, "ascon_aead128"),
    _ours(SKIPJACK, "skipjack", "-DVARIANT=ENCRYPT_FAST", "-DVARIANT=ENCRYPT_SMALL"),
    _ours(RC5, "rc5"),
    _ours(TRIVIUM, "trivium"),
)

# libtomcrypt: AES with its tables, with a quarter of them, and that for size.
_LTC_FLAGS = (
    "-DLTC_SOURCE -DLTC_NOTHING -DARGTYPE=3 -DLTC_NO_ASM -DLTC_NO_FAST -DLTC_NO_TEST -DLTC_NO_FILE "
    "-DENDIAN_LITTLE -DENDIAN_32BITWORD"
)
_LTC_MISC = ("src/misc/zeromem.c", "src/misc/mem_neq.c")
_LTC_CIPHER = (
    *_LTC_MISC,
    "src/ciphers/aes/aes.c",
    *(
        f"src/misc/crypt/crypt_{n}.c"
        for n in ("cipher_descriptor", "cipher_is_valid", "register_cipher")
    ),
)
_LTC_HASH = tuple(
    f"src/misc/crypt/crypt_{n}.c" for n in ("hash_descriptor", "hash_is_valid", "register_hash")
)
_LTC_AES = (
    Variant("tables -O2", "", ROOMY),
    Variant("small -O2", "-DLTC_SMALL_CODE"),
    Variant("small -Os", "-DLTC_SMALL_CODE -Os"),
)
_NO_ROOM = {"avr": "`.bss' will not fit in region `RAM'"}
_LTC_AES_FLAGS = "-DLTC_RIJNDAEL -DENCRYPT_ONLY"


def _tomcrypt(
    primitive: Primitive,
    adapter: str,
    flags: str,
    patterns: tuple[str, ...],
    variants: tuple[Variant, ...] = (FAST, SMALL),
    *,
    memory: bool = False,
    fails: Mapping[str, str] | None = None,
) -> Build:
    return Build(
        *(
            primitive,
            "libtomcrypt",
            f"libtomcrypt/{adapter}.c",
            LIBTOMCRYPT,
            patterns,
            ("src/headers",),
        ),
        f"{_LTC_FLAGS} {flags}",
        variants,
        memory=memory,
        fails=fails or {},
    )


def _tomcrypt_hash(primitive: Primitive, name: str, option: str, *files: str) -> Build:
    flags = f"-D{option} -DPRIMITIVE={name}"
    return _tomcrypt(
        primitive, "hash", flags, (*_LTC_MISC, *(f"src/hashes/{file}.c" for file in files))
    )


def _tomcrypt_block(primitive: Primitive, name: str, key: int, rounds: int) -> Build:
    flags = f"-DLTC_{name.upper()} -DPRIMITIVE={name} -DKEY={key} -DROUNDS={rounds}"
    return _tomcrypt(primitive, "block", flags, (*_LTC_MISC, f"src/ciphers/{name}.c"))


LIBTOMCRYPT_BUILDS = (
    _tomcrypt_hash(SHA1, "sha1", "LTC_SHA1", "sha1"),
    _tomcrypt_hash(SHA256, "sha256", "LTC_SHA256", "sha2/sha256"),
    _tomcrypt_hash(BLAKE2S, "blake2s_256", "LTC_BLAKE2S", "blake2s"),
    _tomcrypt_hash(SHA3, "sha3_256", "LTC_SHA3", "sha3", "sha3_test"),
    _tomcrypt(
        *(HMAC, "hmac", "-DLTC_HMAC -DLTC_SHA256 -DLTC_HASH_HELPERS"),
        (
            *_LTC_MISC,
            *_LTC_HASH,
            "src/hashes/sha2/sha256.c",
            "src/hashes/helper/hash_memory.c",
            "src/mac/hmac/hmac_[dimp]*.c",
        ),
        memory=True,
    ),
    _tomcrypt(
        *(
            CMAC,
            "cmac",
            f"{_LTC_AES_FLAGS} -DLTC_OMAC",
            (*_LTC_CIPHER, "src/mac/omac/omac_[dimp]*.c"),
            _LTC_AES,
        ),
        memory=True,
    ),
    _tomcrypt(
        *(
            EAX,
            "eax",
            f"{_LTC_AES_FLAGS} -DLTC_OMAC -DLTC_CTR_MODE -DLTC_EAX_MODE -DPOOL_OCTETS=4608",
        ),
        (
            *_LTC_CIPHER,
            "src/mac/omac/omac_[dimp]*.c",
            "src/modes/ctr/ctr_[degs]*.c",
            "src/encauth/eax/eax_[adei]*.c",
        ),
        _LTC_AES,
        memory=True,
        fails=_NO_ROOM,
    ),
    _tomcrypt(
        *(
            OCB3,
            "ocb3",
            f"{_LTC_AES_FLAGS} -DLTC_OCB3_MODE -DPOOL_OCTETS=5888",
            (*_LTC_CIPHER, "src/encauth/ocb3/ocb3_[adei]*.c"),
            _LTC_AES,
        ),
        memory=True,
        fails=_NO_ROOM,
    ),
    _tomcrypt_block(SKIPJACK, "skipjack", 10, 0),
    _tomcrypt_block(RC5, "rc5", 16, 12),
)

_MBED_AES = (
    Variant("tables -O2", "", ROOMY),
    Variant("fewer tables -O2", "-DMBEDTLS_AES_FEWER_TABLES"),
    Variant("fewer tables -Os", "-DMBEDTLS_AES_FEWER_TABLES -Os"),
)


def _mbedtls(
    primitive: Primitive,
    adapter: str,
    flags: str,
    files: tuple[str, ...],
    variants: tuple[Variant, ...] = (FAST, SMALL),
    *,
    memory: bool = False,
) -> Build:
    return Build(
        *(primitive, "mbedTLS", f"mbedtls/{adapter}.c", MBEDTLS),
        tuple(f"library/{name}.c" for name in (*files, "platform_util", "constant_time")),
        ("include", "library"),
        f'-DMBEDTLS_CONFIG_FILE="<config.h>" {flags}',
        variants,
        memory=memory,
    )


_MBED_HMAC = "-DMBEDTLS_MD_C -DMBEDTLS_SHA256_C"
_MBED_CMAC = "-DMBEDTLS_AES_C -DMBEDTLS_AES_ROM_TABLES -DMBEDTLS_CIPHER_C -DMBEDTLS_CMAC_C"
MBEDTLS_BUILDS = (
    _mbedtls(SHA1, "hash", "-DMBEDTLS_SHA1_C", ("sha1",)),
    _mbedtls(SHA256, "hash", "-DMBEDTLS_SHA256_C -DSHA256", ("sha256",)),
    _mbedtls(
        SHA256,
        "hash",
        "-DMBEDTLS_SHA256_C -DSHA256 -DMBEDTLS_SHA256_SMALLER",
        ("sha256",),
        (Variant("smaller -Os", "-Os"),),
    ),
    _mbedtls(HMAC, "hmac", _MBED_HMAC, ("md", "sha256"), memory=True),
    _mbedtls(
        CMAC, "cmac", _MBED_CMAC, ("aes", "cipher", "cipher_wrap", "cmac"), _MBED_AES, memory=True
    ),
)


def _bearssl(
    primitive: Primitive,
    adapter: str,
    flags: str,
    patterns: tuple[str, ...],
    variants: tuple[Variant, ...] = (FAST, SMALL),
) -> Build:
    return Build(
        primitive,
        "BearSSL",
        f"bearssl/{adapter}.c",
        BEARSSL,
        patterns,
        ("inc", "src"),
        flags,
        variants,
    )


_BEAR_CODEC = ("src/codec/*32*.c",)
BEARSSL_BUILDS = (
    _bearssl(SHA1, "hash", "-DPRIMITIVE=sha1", ("src/hash/sha1.c", *_BEAR_CODEC)),
    _bearssl(SHA256, "hash", "-DPRIMITIVE=sha256", ("src/hash/sha2small.c", *_BEAR_CODEC)),
    _bearssl(
        HMAC,
        "hmac",
        "",
        ("src/mac/hmac.c", "src/hash/dig_size.c", "src/hash/sha2small.c", *_BEAR_CODEC),
    ),
    _bearssl(
        *(EAX, "eax", ""),
        ("src/aead/eax.c", "src/symcipher/aes_[bc]*.c", "src/symcipher/aes_small*.c", *_BEAR_CODEC),
        (
            Variant("big -O2", "-DVARIANT=big"),
            Variant("small -O2", "-DVARIANT=small"),
            Variant("small -Os", "-DVARIANT=small -Os"),
        ),
    ),
)

_WOLF_AES = "-DHAVE_AES_ECB -DWOLFSSL_AES_DIRECT -DWOLFSSL_CMAC"


def _wolfssl(
    primitive: Primitive,
    adapter: str,
    flags: str,
    files: tuple[str, ...],
    variants: tuple[Variant, ...] = (FAST, SMALL),
    *,
    memory: bool = False,
    fails: Mapping[str, str] | None = None,
) -> Build:
    return Build(
        *(primitive, "wolfSSL", f"wolfssl/{adapter}.c", WOLFSSL),
        tuple(f"wolfcrypt/src/{name}.c" for name in files),
        (".",),
        f"-DWOLFSSL_USER_SETTINGS {flags}",
        variants,
        memory=memory,
        fails=fails or {},
    )


def _wolf_hash(
    primitive: Primitive, option: str, context: str, begin: str, stem: str, file: str
) -> Build:
    flags = f"{option} -DCONTEXT={context} {begin} -DUPDATE={stem}Update -DFINAL={stem}Final"
    return _wolfssl(primitive, "hash", flags, (file,))


_NARROW = [cpu.name for cpu in CPUS.values() if cpu.model.int_octets == 2]
_SHORT_INT = dict.fromkeys(_NARROW, SOMETHING_ELSE)
"""Where an int has 16 bits, on which they do not count."""
_NO_ASCON = dict.fromkeys(_NARROW, "Ascon implementation requires a 64-bit word")
_ASCON_HASH = (
    "-DHAVE_ASCON -DCONTEXT=wc_AsconHash256 "
    "-DINIT=wc_AsconHash256_Init "
    "-DUPDATE=wc_AsconHash256_Update"
)
WOLFSSL_BUILDS = (
    _wolf_hash(SHA1, "", "wc_Sha", "-DINIT=wc_InitSha", "wc_Sha", "sha"),
    _wolf_hash(SHA256, "", "wc_Sha256", "-DINIT=wc_InitSha256", "wc_Sha256", "sha256"),
    _wolfssl(
        *(
            BLAKE2S,
            "hash",
            "-DHAVE_BLAKE2S -DOF_BLAKE2S -DCONTEXT=Blake2s -DUPDATE=wc_Blake2sUpdate",
            ("blake2s",),
        ),
        memory=True,
        fails=_SHORT_INT,
    ),
    _wolf_hash(SHA3, "-DWOLFSSL_SHA3 -DOF_SHA3", "wc_Sha3", "", "wc_Sha3_256_", "sha3"),
    _wolfssl(
        ASCON_HASH,
        "hash",
        f"{_ASCON_HASH} -DFINAL=wc_AsconHash256_Final",
        ("ascon",),
        fails=_NO_ASCON,
    ),
    _wolfssl(ASCON_AEAD, "ascon_aead128", "-DHAVE_ASCON", ("ascon",), fails=_NO_ASCON),
    _wolfssl(HMAC, "hmac", "-DNO_SHA", ("hmac", "sha256", "hash"), memory=True),
    _wolfssl(CMAC, "cmac", _WOLF_AES, ("cmac", "aes"), memory=True),
    _wolfssl(
        EAX,
        "eax",
        f"{_WOLF_AES} -DWOLFSSL_AES_EAX -DWOLFSSL_AES_COUNTER",
        ("cmac", "aes"),
        memory=True,
    ),
)

OTHER_BUILDS = (
    Build(
        BLAKE2S,
        "libb2",
        "libb2/blake2s.c",
        LIBB2,
        ("src/blake2s-ref.c",),
        ("src",),
        "-DSUFFIX=",
        fails=_SHORT_INT,
    ),
    Build(
        *(SHA3, "XKCP in keccak", "xkcp/sha3.c", KECCAK, ("libkeccak-32/*.c",), ("libkeccak-32",)),
        variants=(Variant("-O2", "", ROOMY), SMALL),
        fails=_SHORT_INT,
    ),
    Build(
        TRIVIUM,
        "pytrivium",
        "pytrivium/trivium.c",
        PYTRIVIUM,
        ("*.c",),
        (".",),
        "-include stdint.h -include trivium.h",
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
