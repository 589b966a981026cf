# SPDX-License-Identifier: BSD-3-Clause
"""Authenticated encryption."""

from collections.abc import Sequence

from wardmote.linked import Form
from wardmote.measurements.primitives.entry import (
    Operation,
    Primitive,
    Value,
    out,
    public,
    record,
    secret,
)
from wardmote.measurements.primitives.table.parts import (
    AES_VARIANTS,
    SHORTER,
    SMALL_TOO,
    Shorter,
    aes_init,
    aes_values,
    init,
)


def aead(
    name: str,
    variant: str,
    header: str,
    function: str,
    values: dict[str, Value],
    begin: Sequence[str],
    given: str,
    tag: str,
    printed: str = "",
    *,
    start: str = "",
    finish: str = "tag",
    form: Form = "fast",
) -> Primitive:
    """Authenticated encryption: what a key costs, and whole messages, nonce included. `tag` is how
    one is passed, `finish` how to the end of a message in pieces. `start` begins one; without it
    that is the last line of `begin`."""
    rest = f"{given} a a.len m m.len {tag}"
    start = start or begin[-1]
    seal, opens = f"{function}_seal {rest}", (f"{function}_open {rest}",)
    return Primitive(
        name,
        variant,
        (header,),
        values,
        (
            *((init(*begin),) if begin else ()),
            Operation("seal", (seal,)),
            Operation("open", opens, restores=True),
            Operation("refuse", opens, before=(seal,), wrong="tag", wipes=True),
            Operation("start", (start,), per_size="a.len" in start),
            Operation("aad", (f"{function}_aad context a a.len",), of_a=True),
            Operation("crypt", (f"{function}_crypt context m m.len",)),
            Operation("finish", (f"{function}_seal_finish context {finish}",)),
        ),
        form,
        associated=True,
        published={"init": f"aead_init_ms.{printed}", "seal": f"aead_encrypt.{printed}"}
        if printed
        else {},
    )


def derived(
    mode: str,
    variant: str,
    keyed: dict[str, Value],
    made: str,
    nonce: int,
    printed: str = "",
) -> Primitive:
    """EAX or OCB3 over a cipher: both derive keys of their own from the cipher's."""
    derives, sizes = ("cmac", "") if mode == "eax" else ("ocb3", "tag.len ")
    values = keyed | {
        "nonce": public(nonce),
        "derived": record(f"wm_{derives}_key"),
        "context": record(f"wm_{mode}"),
    }
    begin = [
        made,
        f"wm_{derives}_derive derived cipher",
        f"wm_{mode}_start context derived nonce nonce.len {sizes}1",
    ]
    return aead(
        *(mode, variant, mode, f"wm_{mode}"),
        values,
        begin,
        "derived nonce nonce.len",
        "tag tag.len",
        printed,
        finish="tag tag.len" if mode == "eax" else "tag",
    )


def over(cipher: Shorter) -> list[Primitive]:
    """EAX over a cipher with shorter blocks, and OCB3 over Curupira-2, with which the paper had
    both."""
    b, paper = cipher.block_octets, cipher.name == "curupira2"
    keyed = cipher.values | {"tag": out(b)}
    found = [derived("eax", cipher.name, keyed, cipher.init(), b, "eax" if paper else "")]
    if paper:
        found.append(derived("ocb3", cipher.name, keyed, cipher.init("_both"), b - 1, "ocb"))
    return found


def over_aes(variant: str) -> list[Primitive]:
    """CCM*, EAX and, where the variant has an inverse, OCB3 over a variant of AES-128."""
    keyed = aes_values(variant) | {"tag": out(16)}
    named, made = f"aes128-{variant}", aes_init(variant)
    found = [
        aead(
            *("ccm", named, "ccm", "wm_ccm"),
            keyed | {"nonce": public(13), "context": record("wm_ccm")},
            [made],
            "cipher nonce",
            "tag tag.len",
            start="wm_ccm_start context cipher nonce a.len m.len tag.len 0",
        ),
        derived("eax", named, keyed, made, 12),
    ]
    if variant != "fix":  # Opening takes an inverse, which `fix` does not have.
        keyed |= aes_values(variant, "_both")
        found.append(derived("ocb3", named, keyed, aes_init(variant, "_both"), 12))
    return found


def lettersoup(under: str, printed: str = "") -> list[Primitive]:
    """LetterSoup over a Curupira, by form."""
    values = {
        "cipher": record(f"wm_{under}_key"),
        "key": secret(12),
        "nonce": public(12),
        "tag": out(12),
        "context": record("wm_lettersoup"),
    }
    begin = [f"wm_{under}_init cipher key", "wm_lettersoup_start context cipher nonce tag.len 0"]
    return [
        aead(
            *("lettersoup", f"{under} {variant}".strip(), "lettersoup", "wm_lettersoup"),
            values,
            begin,
            "cipher nonce",
            "tag tag.len",
            "" if variant else printed,
            form=form,
        )
        for variant, form in SMALL_TOO
    ]


def keyed_alone(
    name: str, function: str, start: str, key: int, nonce: int, tag: int, printed: str = ""
) -> list[Primitive]:
    """An AEAD that stands on no other cipher, by form; `start` is what begins a message."""
    values = {
        "key": secret(key),
        "nonce": public(nonce),
        "tag": out(tag),
        "context": record(function),
    }
    rest = (name, function, values, [f"{function}_start {start}"], "key nonce", "tag")
    return [
        aead(name, variant, *rest, "" if variant else printed, form=form)
        for variant, form in SMALL_TOO
    ]


def entries() -> list[Primitive]:
    """CCM*, EAX and OCB3 over AES-128 by variant, LetterSoup by cipher, Ascon-AEAD128,
    Grain-128AEADv2, and Ketje v1 by member, the paper's being Sr, whose sizes it does not say."""
    start = "context key nonce 0"
    grain = "context key nonce a.len 1"
    return [
        *(entry for variant in AES_VARIANTS for entry in over_aes(variant)),
        *(entry for cipher in SHORTER for entry in over(cipher)),
        *lettersoup("curupira1_96"),
        *lettersoup("curupira2", "lettersoup"),
        *keyed_alone("ascon_aead128", "wm_ascon_aead128", start, 16, 16, 16),
        *keyed_alone("grain128_aead", "wm_grain128", grain, 16, 12, 8),
        *keyed_alone("ketje_sr", "wm_ketje_sr", start, 16, 16, 16, "ketje"),
        *keyed_alone("ketje_jr", "wm_ketje_jr", start, 12, 10, 12),
    ]
