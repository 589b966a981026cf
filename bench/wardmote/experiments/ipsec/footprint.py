# SPDX-License-Identifier: BSD-3-Clause
"""Flash and RAM of IPsec: a program with it less the same program without, 6LoWPAN in both, linked
for the CPU of a board. Counters that outlive a reset are IPsec's; drivers are in neither."""

from collections import Counter
from dataclasses import dataclass
from itertools import product

from wardmote.boards import BOARDS, Board
from wardmote.campaign.cases import Artefacts, Figures
from wardmote.elf import Memory, read
from wardmote.experiments.experiment import BoardCase
from wardmote.experiments.ipsec.crypto import FORMS
from wardmote.experiments.ipsec.node import Node, aes_of, datagram, target_of
from wardmote.experiments.ipsec.suites import SUITES, Suite
from wardmote.linked import Form, linked
from wardmote.measurements.footprint.modules import split
from wardmote.published import load

BASE = (
    *("wm_lowpan_send", "wm_lowpan_send_next", "wm_lowpan_reassemble", "wm_lowpan_finish"),
    "wm_ipv6_checksum",
)
"""What a node without IPsec calls."""
DRIVERS: dict[Form, tuple[str, ...]] = {
    "fast": (),
    "small": ("wm_port_cells_read", "wm_port_cells_write"),
}
"""What a board gives, and a double stands in for: in both programs. A store takes its driver by its
address, and names none."""
ALWAYS = ("wm_ipsec_start", "wm_ipsec_secure", "wm_ipsec_unsecure")
COUNTERS: dict[Form, tuple[str, ...]] = {
    "fast": ("wm_counter_store_create", "wm_counter_store_open", "wm_counter_slot_init"),
    "small": ("wm_counter_cells_create", "wm_counter_cells_open"),
}
"""What keeps sequence numbers: a store in flash, or two cells for each SA."""
INTEGRITY_KEYS = {"aes_xcbc_96": "wm_xcbc_mac", "aes_cmac_96": "wm_cmac"}
HMAC_OCTETS = {"hmac_sha1_96": 20, "hmac_sha256_128": 32}
LIMIT_OCTETS = 4
"""In RAM, of each counter of the store."""
STACK_DATA = 64
PRINTED = {
    "AH SHA1": "ah_hmac_sha1_96",
    "AH XCBC": "ah_xcbc_mac_96",
    "ESP CBC": "esp_aes_cbc",
    "ESP CTR": "esp_aes_ctr",
    "ESP NULL+XCBC": "esp_aes_xcbc_mac_96",
    "ESP CBC+XCBC": "esp_aes_cbc_xcbc_mac_96",
}
"""Rows of Table I. Its ESP with a code alone has encryption that does nothing."""


@dataclass(frozen=True, slots=True)
class IpsecFootprintRow:
    """What IPsec with one suite adds to a node with 6LoWPAN."""

    board: str
    form: str
    suite: str
    associations: int
    """One in each direction, of AH and of ESP."""
    base_flash_octets: int
    """Of 6LoWPAN."""
    flash_octets: int
    """What IPsec adds. The next six are what it is made of."""
    ipsec_octets: int
    """Tables, policies, the window, AH and ESP, and what joins algorithms to them."""
    counters_octets: int
    """What keeps sequence numbers over a reset."""
    modes_octets: int
    ciphers_octets: int
    """With their tables."""
    hashes_octets: int
    rest_octets: int
    """Octets that are moved and compared, constants, helpers of the compiler."""
    state_octets: int
    """In RAM for good: tables, counters, and a key of its own for each SA."""
    shared_state_octets: int
    """The same with one key for each algorithm: SPIs and salts differ. The paper does not say which of
    both its nodes had."""
    stack_octets: int
    """Of the deepest call, while it runs."""
    paper_flash_kb: float | None
    paper_ram_kb: float | None
    """With the stack."""
    seed: int
    wardmote: str
    commit: str


PARTS = {
    "IPsec": "ipsec_octets",
    "stored counters": "counters_octets",
    "mode": "modes_octets",
    "cipher": "ciphers_octets",
    "hash": "hashes_octets",
}
"""Fields of the row for modules; others are the rest."""


def _flash(cpu: str, symbols: tuple[str, ...], form: Form) -> Counter[str]:
    """Octets of flash by module."""
    path = linked(cpu, symbols, form)
    return split(path, read(path.read_bytes(), path.name))[Memory.FLASH]


def _parts(added: Counter[str]) -> dict[str, int]:
    """What flash is made of."""
    known = {field: added[module] for module, field in PARTS.items()}
    return {**known, "rest_octets": added.total() - sum(known.values())}


def _symbols(suite: Suite, form: Form) -> list[str]:
    """What an image with this suite names."""
    protocols = [("ah", suite.ah), ("esp", suite.encryption)]
    names = [f"wm_ipsec_{name}" for name, wanted in protocols if wanted]
    names += [f"wm_ipsec_{name}" for name in suite if name]
    names += [f"{INTEGRITY_KEYS[name]}_derive" for name in suite if name in INTEGRITY_KEYS]
    if any("aes" in name for name in suite):
        both = "_both" if suite.encryption == "aes_cbc" else ""
        names.append(f"wm_aes128_{aes_of(suite, form)}_init{both}")
    return names


def _associations(suite: Suite) -> int:
    return 2 * (bool(suite.ah) + bool(suite.encryption))


def _state(cpu: str, suite: Suite, form: Form, *, shared: bool) -> int:
    """Octets of the caller's tables and keys."""
    layout, count = target_of(cpu, form).layout, _associations(suite)
    tables = layout("wm_ipsec").size + count * layout("wm_ipsec_sa").size
    if form == "small":
        tables += count * layout("wm_counter_cells").size
    else:
        tables += layout("wm_counter_store").size
        tables += count * (layout("wm_counter_slot").size + LIMIT_OCTETS)
    return tables + _keys(cpu, suite, form, shared)


def _keys(cpu: str, suite: Suite, form: Form, shared: bool) -> int:
    """Octets of all keys."""
    layout, each = target_of(cpu, form).layout, 1 if shared else 2
    octets, variant = 0, aes_of(suite, form)
    if suite.encryption not in ("", "null"):
        both = "_both" if (suite.encryption, variant) == ("aes_cbc", "tab") else ""
        octets += each * layout(f"wm_aes128_{variant}{both}_key").size
    codes = [name for name in (suite.integrity, suite.ah) if name]
    for name in dict.fromkeys(codes) if shared else codes:
        if name in INTEGRITY_KEYS:
            records = (f"{INTEGRITY_KEYS[name]}_key", f"wm_aes128_{variant}_key")
            octets += each * sum(layout(record).size for record in records)
        else:
            octets += each * HMAC_OCTETS[name]
    return octets


def _stack(cpu: str, name: str, form: Form) -> int:
    """Of the deeper one of both ways, for a second packet."""
    sender = Node(cpu, name, form, sends=True)
    clear = datagram(sender.target, STACK_DATA)
    packets = [sender.secure(clear)[0] for _ in range(2)]
    out = sender.stack_octets
    receiver = Node(cpu, name, form, sends=False)
    for packet in packets:
        receiver.unsecure(packet)
    return max(out, receiver.stack_octets)


def measure(case: BoardCase, _: Artefacts) -> Figures:
    """Each suite in each form."""
    return {"rows": [_row(BOARDS[case.board], *one) for one in product(FORMS, SUITES)]}


def _row(board: Board, form: Form, name: str) -> Figures:
    suite, base = SUITES[name], _flash(board.cpu, (*BASE, *DRIVERS[form]), form)
    with_it = _flash(board.cpu, (*BASE, *ALWAYS, *COUNTERS[form], *_symbols(suite, form)), form)
    with_it.subtract(base)
    printed = load("ipsec")["footprint_kb"].get(PRINTED.get(name, ""), {})
    own, shared = (_state(board.cpu, suite, form, shared=one) for one in (False, True))
    return {
        **{"form": form, "suite": name, "associations": _associations(suite)},
        **{"base_flash_octets": base.total(), "flash_octets": with_it.total()},
        **_parts(with_it),
        **{"state_octets": own, "shared_state_octets": shared},
        "stack_octets": _stack(board.cpu, name, form),
        "paper_flash_kb": printed.get("rom_add"),
        "paper_ram_kb": printed.get("ram_add"),
    }
