# SPDX-License-Identifier: BSD-3-Clause
"""Authenticated encryption."""

from collections.abc import Sequence

from wardmote.primitives.entry import Operation, Primitive, Value, out, public, record, secret
from wardmote.primitives.table.parts import AES_KEY, AES_VARIANTS, aes_expand, init


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
