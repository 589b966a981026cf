# SPDX-License-Identifier: BSD-3-Clause
"""Message authentication codes."""

from collections.abc import Sequence

from wardmote.linked import Form
from wardmote.measurements.primitives.entry import Operation, Primitive, Value, out, record, secret
from wardmote.measurements.primitives.table import parts


def mac(
    name: str,
    variant: str,
    function: str,
    values: dict[str, Value],
    begin: Sequence[str],
    tag: int,
    printed: str = "",
    form: Form = "fast",
) -> Primitive:
    """A message authentication code: key and begin, update in one piece, final; and, of messages
    begun again, comparison with a right tag and with wrong ones."""
    update, verify = (
        f"wm_{function}_update context m m.len",
        (f"wm_{function}_verify context tag tag.len",),
    )
    again = (*begin, update)
    return Primitive(
        name,
        variant,
        (function,),
        {**values, "context": record(f"wm_{function}"), "tag": out(tag)},
        (
            parts.init(*begin),
            Operation("update", (update,)),
            Operation("final", (f"wm_{function}_final context tag tag.len",)),
            Operation("verify", verify, before=again),
            Operation("refuse", verify, before=again, wrong="tag"),
        ),
        form,
        published={n: f"mac_{n}_ms.{printed}" for n in ("init", "update", "final")}
        if printed
        else {},
    )


def over(cipher: parts.Shorter) -> list[Primitive]:
    """CBC-MAC and CMAC over a cipher with shorter blocks."""
    derived = cipher.values | {"derived": record("wm_cmac_key")}
    derive = "wm_cmac_derive derived cipher"
    begin = [cipher.init(), "wm_cbc_mac_init context cipher"]
    return [
        mac("cbc_mac", cipher.name, "cbc_mac", cipher.values, begin, cipher.block_octets),
        mac(
            *("cmac", cipher.name, "cmac"),
            derived,
            [cipher.init(), derive, "wm_cmac_init context derived"],
            cipher.block_octets,
        ),
    ]


def hmac() -> list[Primitive]:
    """HMAC by hash and form."""
    return [
        mac(
            "hmac",
            f"{hash_} {variant}".strip(),
            "hmac",
            {"key": secret(octets)},
            [f"wm_hmac_init context &wm_hash_{hash_} key key.len"],
            octets,
            "" if variant else printed,
            form,
        )
        for hash_, octets, printed in (("sha1", 20, ""), ("sha256", 32, "hmac_sha256"))
        for variant, form in parts.SMALL_TOO
    ]


def over_aes(variant: str) -> list[Primitive]:
    """CBC-MAC, CMAC and XCBC-MAC over a variant of AES-128."""
    keyed, named, made = parts.aes_values(variant), f"aes128-{variant}", parts.aes_init(variant)
    of_cmac = keyed | {"derived": record("wm_cmac_key")}
    of_xcbc = keyed | {"derived": record("wm_xcbc_mac_key")}
    by_cbc = [made, "wm_cbc_mac_init context cipher"]
    by_cmac = [made, "wm_cmac_derive derived cipher", "wm_cmac_init context derived"]
    by_xcbc = [made, "wm_xcbc_mac_derive derived cipher", "wm_xcbc_mac_init context derived"]
    return [
        mac("cbc_mac", named, "cbc_mac", keyed, by_cbc, parts.MAC_OCTETS),
        mac("cmac", named, "cmac", of_cmac, by_cmac, parts.MAC_OCTETS),
        mac("xcbc_mac", named, "xcbc_mac", of_xcbc, by_xcbc, 12),
    ]


def marvin(under: str, printed: str = "") -> list[Primitive]:
    """Marvin over a Curupira, by form."""
    values = {
        "cipher": record(f"wm_{under}_key"),
        "key": secret(12),
        "derived": record("wm_marvin_key"),
    }
    begin = [
        f"wm_{under}_init cipher key",
        "wm_marvin_derive derived cipher",
        "wm_marvin_init context derived",
    ]
    found = []
    for variant, form in parts.SMALL_TOO:
        named, source = f"{under} {variant}".strip(), "" if variant else printed
        found.append(mac("marvin", named, "marvin", values, begin, 12, source, form))
    return found


def entries() -> list[Primitive]:
    """HMAC by hash, the codes over AES-128 by variant, CBC-MAC and CMAC over other ciphers, Marvin
    by cipher."""
    return [
        *hmac(),
        *(entry for variant in parts.AES_VARIANTS for entry in over_aes(variant)),
        *(entry for cipher in parts.SHORTER for entry in over(cipher)),
        *marvin("curupira1_96"),
        *marvin("curupira2", "marvin"),
    ]
