# SPDX-License-Identifier: BSD-3-Clause
"""Message authentication codes."""

from collections.abc import Sequence

from wardmote.primitives.entry import Operation, Primitive, Value, out, record, secret
from wardmote.primitives.table.parts import AES_KEY, AES_VARIANTS, MAC_OCTETS, aes_expand, init


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
