# SPDX-License-Identifier: BSD-3-Clause
"""The primitives that are measured. One more is one entry more."""

from collections.abc import Sequence

from wardmote.primitives.entry import Operation, Primitive, Value, out, public, record, secret

AES_KEY = {"tab": "wm_aes128", "small": "wm_aes128", "fix": "wm_aes128_fix_key"}
"""Record of the expanded key of each variant."""
AES_VARIANTS = tuple(AES_KEY)
MAC_OCTETS = 16


def aes_expand(variant: str, schedule: str = "schedule", key: str = "key") -> str:
    """The line that expands a key for a variant."""
    return f"wm_aes128_{'fix_' if variant == 'fix' else ''}expand {schedule} {key}"


def init(*lines: str) -> Operation:
    """What is done before a message, whatever its length."""
    return Operation("init", lines, per_size=False)


def block_cipher(
    name: str,
    variant: str,
    header: str,
    schedule: str,
    key: int,
    block: int,
    calls: Sequence[str],
    *,
    published: str = "",
) -> Primitive:
    """A block cipher: expansion, encryption and, where there is a third call, decryption."""
    names = ("encrypt", "decrypt")[: len(calls) - 1]
    blocks = [
        Operation(n, (f"{call} schedule m",), restores=n == "decrypt") for n, call in zip(names, calls[1:], strict=True)
    ]
    return Primitive(
        name,
        variant,
        (header,),
        "ciphers",
        {"schedule": record(schedule), "key": secret(key)},
        (init(calls[0]), *blocks),
        fixed=block,
        published={"encrypt": published} if published else {},
    )


def aes() -> list[Primitive]:
    """AES-128. Decryption is an entry of its own, for few images need it; `fix` has two blocks at once."""
    entries = []
    for variant in AES_VARIANTS:
        calls = [aes_expand(variant), f"wm_aes128_{variant}_encrypt"]
        entries.append(
            block_cipher("aes128", variant, "aes128", AES_KEY[variant], 16, 16, calls, published="aes_block_ms.encrypt")
        )
    one = {"schedule": record("wm_aes128"), "key": secret(16)}
    back = Operation("decrypt", ("wm_aes128_small_decrypt schedule m",))
    entries.append(
        Primitive("aes128", "small inverse", ("aes128",), "ciphers", one, (init(aes_expand("small")), back), fixed=16)
    )
    pair = {"schedule": record("wm_aes128_fix_key"), "key": secret(16), "second": secret(16)}
    both = Operation("encrypt", ("wm_aes128_fix_encrypt2 schedule m second",))
    entries.append(
        Primitive("aes128", "fix, two blocks", ("aes128",), "ciphers", pair, (init(aes_expand("fix")), both), fixed=16)
    )
    return entries


def block_ciphers() -> list[Primitive]:
    """The others."""
    expand = "expand schedule key"
    entries = [
        block_cipher(
            "skipjack",
            variant,
            "skipjack",
            "wm_skipjack",
            10,
            8,
            (f"wm_skipjack_{expand}", f"wm_skipjack_{part}encrypt", f"wm_skipjack_{part}decrypt"),
        )
        for variant, part in (("", ""), ("small", "small_"))
    ]
    entries.append(
        block_cipher(
            "rc5", "", "rc5", "wm_rc5", 16, 8, (f"wm_rc5_{expand} key.len", "wm_rc5_encrypt", "wm_rc5_decrypt")
        )
    )
    for name, header, key in (
        ("curupira1_96", "curupira1", 12),
        ("curupira1_144", "curupira1", 18),
        ("curupira1_192", "curupira1", 24),
        ("curupira2", "curupira2", 12),
    ):
        calls = (f"wm_{name}_{expand}", f"wm_{name}_encrypt", f"wm_{name}_decrypt")
        entries.append(block_cipher(name, "", header, f"wm_{name}", key, 12, calls))
    return entries


def stream_ciphers() -> list[Primitive]:
    """Key and initial value, then keystream taken into the message."""
    return [
        Primitive(
            name,
            "",
            (name,),
            "ciphers",
            {"context": record(f"wm_{name}"), "key": secret(10), "iv": public(iv)},
            (init(f"wm_{name}_init context key iv"), Operation("encrypt", (f"wm_{name}_crypt context m m.len",))),
        )
        for name, iv in (("trivium", 10), ("grain_v1", 8))
    ]


def hashes() -> list[Primitive]:
    """Init, update with the message in one piece, final; and the three in one call."""
    printed = {"blake2s": "blake2s", "sha3_256": "keccak"}
    entries = []
    for name, digest in (("sha1", 20), ("sha256", 32), ("blake2s", 32), ("sha3_256", 32), ("ascon_hash256", 32)):
        headers = {"ascon_hash256": (name, "ascon"), "sha1": (name, "md64"), "sha256": (name, "md64")}.get(
            name, (name,)
        )
        begin = "wm_blake2s_init context 32 0 0" if name == "blake2s" else f"wm_{name}_init context"
        p = printed.get(name)
        entries.append(
            Primitive(
                name,
                "",
                headers,
                "hashes",
                {"context": record(f"wm_{name}"), "digest": out(digest)},
                (
                    init(begin),
                    Operation("update", (f"wm_{name}_update context m m.len",)),
                    Operation("final", (f"wm_{name}_final context digest",)),
                    Operation("digest", (f"wm_{name}_digest m m.len digest",)),
                ),
                published={n: f"hash_{n}_ms.{p}" for n in ("init", "update", "final", "digest")} if p else {},
            )
        )
    return entries


def mac(
    name: str,
    variant: str,
    executable: str,
    function: str,
    values: dict[str, Value],
    begin: Sequence[str],
    tag: int,
    printed: str = "",
) -> Primitive:
    """A message authentication code: key and begin, update in one piece, final."""
    return Primitive(
        name,
        variant,
        (function,),
        executable,
        {**values, "context": record(f"wm_{function}"), "tag": out(tag)},
        (
            init(*begin),
            Operation("update", (f"wm_{function}_update context m m.len",)),
            Operation("final", (f"wm_{function}_final context tag tag.len",)),
        ),
        published={n: f"mac_{n}_ms.{printed}" for n in ("init", "update", "final")} if printed else {},
    )


def macs() -> list[Primitive]:
    """HMAC by hash, the codes over AES-128 by variant, Marvin by cipher."""
    entries = [
        mac(
            "hmac",
            hash_,
            "macs",
            "hmac",
            {"key": secret(octets)},
            [f"wm_hmac_init context &wm_hash_{hash_} key key.len"],
            octets,
            printed,
        )
        for hash_, octets, printed in (("sha1", 20, ""), ("sha256", 32, "hmac_sha256"))
    ]
    for variant in AES_VARIANTS:
        keyed = {"schedule": record(AES_KEY[variant]), "key": secret(16)}
        named, expand, cipher = f"aes128-{variant}", aes_expand(variant), f"&wm_aes128_{variant}"
        begin = [expand, f"wm_cbc_mac_init context {cipher} schedule"]
        entries.append(mac("cbc_mac", named, "macs", "cbc_mac", keyed, begin, MAC_OCTETS))
        derived = keyed | {"derived": record("wm_cmac_key")}
        begin = [expand, f"wm_cmac_derive derived {cipher} schedule", "wm_cmac_init context derived"]
        entries.append(mac("cmac", named, "macs", "cmac", derived, begin, MAC_OCTETS))
        derived = keyed | {"derived": record("wm_xcbc_mac_key"), "k1": out(16), "chain": record(AES_KEY[variant])}
        begin = [expand, f"wm_xcbc_mac_derive derived {cipher} schedule k1", aes_expand(variant, "chain", "k1")]
        begin += ["set derived.k1 chain", "wm_xcbc_mac_init context derived"]
        entries.append(mac("xcbc_mac", named, "macs", "xcbc_mac", derived, begin, 12))
    for under in ("curupira1_96", "curupira2"):
        values = {"schedule": record(f"wm_{under}"), "key": secret(12), "derived": record("wm_marvin_key")}
        begin = [f"wm_{under}_expand schedule key", f"wm_marvin_derive derived &wm_{under}_forward schedule"]
        begin.append("wm_marvin_init context derived")
        printed = "marvin" if under == "curupira2" else ""
        entries.append(mac("marvin", under, "modes", "marvin", values, begin, 12, printed))
    return entries


def modes() -> list[Primitive]:
    """What encrypts and does not authenticate. `fix` has no inverse, so CBC over it only encrypts."""
    entries = []
    for variant in AES_VARIANTS:
        keyed = {"schedule": record(AES_KEY[variant]), "key": secret(16), "iv": public(16), "iv_again": public(16)}
        forward, inverse = f"&wm_aes128_{variant}_forward", "&wm_aes128_small_inverse"
        for name, call, least in (("cbc", "cbc", 0), ("cbc_cs3", "cbc_cs3", 16)):
            steps = [Operation("encrypt", (f"wm_{call}_encrypt {forward} schedule iv m m.len",))]
            if variant != "fix":
                decrypt = f"wm_{call}_decrypt {inverse} schedule iv_again m m.len"
                steps.append(Operation("decrypt", (decrypt,), restores=True))
            printed = ("init", "encrypt", "decrypt") if name == "cbc" else ()
            entries.append(
                Primitive(
                    name,
                    f"aes128-{variant}",
                    ("cbc", "cipher_function"),
                    "blockmodes",
                    keyed,
                    (init(aes_expand(variant)), *steps),
                    granule=16 if name == "cbc" else 1,
                    least=least,
                    published={n: f"cipher_mode_16_bytes_ms.aes_cbc.{n}" for n in printed},
                )
            )
        values = {
            "schedule": record(AES_KEY[variant]),
            "key": secret(16),
            "iv": public(16),
            "context": record("wm_ctr"),
        }
        entries.append(
            Primitive(
                "ctr",
                f"aes128-{variant}",
                ("ctr", "cipher_function"),
                "blockmodes",
                values,
                (
                    init(aes_expand(variant), f"wm_ctr_init context {forward} schedule iv"),
                    Operation("encrypt", ("wm_ctr_crypt context m m.len",)),
                ),
                published={n: f"cipher_mode_16_bytes_ms.aes_ctr.{n}" for n in ("init", "encrypt")},
            )
        )
    return entries


def aead(
    name: str,
    variant: str,
    executable: str,
    header: str,
    function: str,
    values: dict[str, Value],
    begin: Sequence[str],
    given: str,
    tag: str,
    printed: str = "",
) -> Primitive:
    """Authenticated encryption: what a key costs, and whole messages, nonce included. `tag` is how one is passed."""
    rest = f"{given} a a.len m m.len {tag}"
    return Primitive(
        name,
        variant,
        (header,),
        executable,
        values,
        (
            *((init(*begin),) if begin else ()),
            Operation("seal", (f"{function}_seal {rest}",)),
            Operation("open", (f"{function}_open {rest}",), restores=True),
        ),
        associated=True,
        published={"init": f"aead_init_ms.{printed}", "seal": f"aead_encrypt.{printed}"} if printed else {},
    )


def aeads() -> list[Primitive]:
    """CCM*, EAX and OCB3 over AES-128 by variant, LetterSoup by cipher, Ascon-AEAD128 and Grain-128AEADv2."""
    entries = []
    for variant in AES_VARIANTS:
        keyed = {"schedule": record(AES_KEY[variant]), "key": secret(16), "tag": out(16)}
        named, expand, cipher = f"aes128-{variant}", aes_expand(variant), f"&wm_aes128_{variant}"
        values = keyed | {"nonce": public(13)}
        entries.append(
            aead("ccm", named, "modes", "ccm", "wm_ccm", values, [expand], f"{cipher} schedule nonce", "tag tag.len")
        )
        values = keyed | {"nonce": public(12), "derived": record("wm_cmac_key"), "context": record("wm_eax")}
        begin = [expand, f"wm_cmac_derive derived {cipher} schedule", "wm_eax_start context derived nonce nonce.len 1"]
        given = "derived nonce nonce.len"
        entries.append(aead("eax", named, "blockmodes", "eax", "wm_eax", values, begin, given, "tag tag.len", "eax"))
        if variant == "fix":  # Opening takes an inverse, which `fix` has not.
            continue
        values = keyed | {"nonce": public(12), "derived": record("wm_ocb3_key"), "context": record("wm_ocb3")}
        derive = f"wm_ocb3_derive derived {cipher}_forward &wm_aes128_small_inverse schedule"
        begin = [expand, derive, "wm_ocb3_start context derived nonce nonce.len tag.len 1"]
        entries.append(aead("ocb3", named, "blockmodes", "ocb3", "wm_ocb3", values, begin, given, "tag tag.len", "ocb"))
    for under in ("curupira1_96", "curupira2"):
        values = {"schedule": record(f"wm_{under}"), "key": secret(12), "nonce": public(12), "tag": out(12)}
        values["context"] = record("wm_lettersoup")
        forward = f"&wm_{under}_forward"
        begin = [f"wm_{under}_expand schedule key", f"wm_lettersoup_start context {forward} schedule nonce tag.len 0"]
        printed = "lettersoup" if under == "curupira2" else ""
        given = f"{forward} schedule nonce"
        entries.append(
            aead(
                *("lettersoup", under, "modes", "lettersoup", "wm_lettersoup"),
                values,
                begin,
                given,
                "tag tag.len",
                printed,
            )
        )
    for name, executable, header, function, nonce, tag, more in (
        ("ascon_aead128", "macs", "ascon_aead128", "wm_ascon_aead128", 16, 16, ""),
        ("grain128_aead", "ciphers", "grain128_aead", "wm_grain128", 12, 8, " a.len"),
    ):
        values = {"key": secret(16), "nonce": public(nonce), "tag": out(tag), "context": record(function)}
        direction = "1" if more else "0"
        begin = [f"{function}_start context key nonce{more} {direction}"]
        entries.append(aead(name, "", executable, header, function, values, begin, "key nonce", "tag"))
    return entries


PRIMITIVES: tuple[Primitive, ...] = (
    *aes(),
    *block_ciphers(),
    *stream_ciphers(),
    *hashes(),
    *macs(),
    *modes(),
    *aeads(),
)
