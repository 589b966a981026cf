# SPDX-License-Identifier: BSD-3-Clause
"""After an operation nothing of a key or a message stays on the stack, on each emulated CPU.

A compiler may leave a register or two of what it computed. More octets than that are an array that
was not wiped, or values for which the compiler had no register.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from tests.stack.calls import ERR_SECURITY, OK, OPEN, AeadContext, Ccm, Incremental, bound
from tests.stack.cipher import test_grain128
from tests.stack.conftest import target_named
from tests.stack.mode import (
    test_ascon_aead128,
    test_block_modes,
    test_ccm,
    test_eax_ocb3,
    test_ketje,
    test_lettersoup,
    test_macs,
    test_marvin,
)
from tests.stack.mode.aead_checks import Aead
from tests.stack.mode.curupiras import FORWARD
from tests.stack.mode.macs import MACS, Mac
from tests.stack.primitive_calls import GROUPS, Calls
from tests.stack.residue import KINDS, Operation, check, residue
from vectors.ketje_model import SIZES
from wardmote.call import Argument, EmulatedTarget, Target
from wardmote.cpus import CPU_NAMES

VARIANTS = ("tab", "small", "lean", "fix")
"""Of AES-128."""
CBC_CIPHERS = {
    "aes128_tab": (16, 16),
    "aes128_small": (16, 16),
    "skipjack": (10, 8),
    "rc5": (16, 8),
    "curupira2": (12, 12),
}
"""Those with an inverse: octets of the key, and of a block."""
WAYS = ("seal", "open", "refuse", "refuse pieces")
"""That an AEAD can go, in one call or piece by piece."""
ALL_WAYS = (*WAYS, "pieces")
NONCE = bytes(range(0x60, 0x70))
"""Whoever sees the message knows it: no secret."""


def aead(
    begin: Callable[..., Aead],
    *lengths: int,
    opening: Callable[[Aead, int], AeadContext] = lambda made, _: made.context(OPEN),
) -> dict[str, Operation]:
    """Sealing, opening and refusing by an AEAD; lengths of key, nonce, a and m. `opening` begins a
    context for as many octets of a."""

    def run(target: EmulatedTarget, source: Random, way: str) -> None:
        key, _, a, m = (source.randbytes(length) for length in lengths)
        made = begin(target, key, NONCE[: lengths[1]])
        ct, tag, _ = made.seal(a, m)
        if way == "open":
            assert made.open(a, ct, tag)[0] == m
        elif way == "refuse":
            left, outcome = made.open(a, ct, bytes(len(tag)))
            assert (outcome.value, left) == (ERR_SECURITY, bytes(len(m)))
        elif way == "refuse pieces":
            context = opening(made, len(a))
            assert context.through([a[:3], a[3:]], [ct[:5], ct[5:]]) == m
            assert context.open_finish(bytes(len(tag))) == ERR_SECURITY
            assert context.context == bytes(len(context.context))

    return {way: partial(run, way=way) for way in WAYS}


def ketje(member: str) -> dict[str, Operation]:
    """Of a member of Ketje."""
    size = SIZES[member]
    return aead(
        lambda target, key, nonce: test_ketje.aead_of(target, member, key, nonce),
        *(size.key, size.nonce, 9, 21),
    )


def grain128(made: Aead, a_octets: int) -> AeadContext:
    """A context that opens."""
    direction = test_grain128.DIRECTIONS[OPEN]
    return AeadContext(made.target, made.prefix, 8, *made.begin, a_octets, direction)


def lettersoup(target: Target, key: bytes, nonce: bytes) -> Aead:
    """Over Curupira-2."""
    return test_lettersoup.aead_of(target, FORWARD["curupira2"], 12, key, nonce)


def marvin(target: EmulatedTarget, source: Random, way: str) -> None:
    """From key to tag, or to comparison with a wrong tag."""
    under = FORWARD["curupira2"]
    made = test_marvin.Marvin(target, under, source.randbytes(12), [source.randbytes(41)])
    if way == "final":
        made.final(8)
    else:
        made.verify(bytes(8))


def marvin_key(target: EmulatedTarget, source: Random) -> None:
    """The key alone."""
    test_marvin.derived(target, FORWARD["curupira2"], source.randbytes(12))


def ccm(target: EmulatedTarget, source: Random, variant: str, way: str) -> None:
    """CCM over AES."""
    key, a, m = (source.randbytes(length) for length in (16, 21, 37))
    nonce = NONCE[:13]
    made = Ccm(target, variant, key)
    if way == "pieces":
        Incremental(made).run(nonce, [a[:3], a[3:]], [m[:5], m[5:]], 8)
        return
    sealed = made.seal(nonce, a, m, 8)
    if way == "open":
        assert made.open(nonce, a, sealed.m, sealed.tag).m == m
    elif way == "refuse":
        refused = made.open(nonce, a, sealed.m, bytes(8))
        assert (refused.status, refused.m) == (ERR_SECURITY, bytes(len(m)))
    elif way == "refuse pieces":
        context = Incremental(made)
        assert context.start(nonce, len(a), len(m), 8, OPEN) == OK
        assert context.aad(a) == OK
        assert context.crypt(sealed.m) == (OK, m)
        assert context.open_finish(bytes(8)) == ERR_SECURITY
        assert context.context == bytes(len(context.context))


def nonce_mode(target: EmulatedTarget, source: Random, mode: str, variant: str, way: str) -> None:
    """EAX or OCB3 over AES."""
    key, a, m = (source.randbytes(length) for length in (16, 21, 37))
    nonce = NONCE[:12]
    made = test_eax_ocb3.Aead.under(mode, target, key, variant)
    _, ct, tag, _ = made.seal(nonce, a, m, 8) if "pieces" not in way else (OK, m, bytes(16), None)
    if way == "open":
        assert made.open(nonce, a, ct, tag)[1] == m
    elif way == "refuse":
        assert made.open(nonce, a, ct, bytes(8))[:2] == (ERR_SECURITY, bytes(len(m)))
    elif "pieces" in way:
        direction = test_eax_ocb3.OPEN if "refuse" in way else test_eax_ocb3.SEAL
        pieces = test_eax_ocb3.Incremental(made, direction)
        for name, data in (
            ("aad", a[:16]),
            ("aad", a[16:]),
            ("crypt", ct[:32]),
            ("crypt", ct[32:]),
        ):
            assert pieces.call(name, data)[0] == OK
        status = pieces.finish("open_finish" if "refuse" in way else "seal_finish", tag)[0]
        assert status == (ERR_SECURITY if "refuse" in way else OK)
        assert pieces.context == bytes(len(pieces.context))


def ctr(target: EmulatedTarget, source: Random, variant: str) -> None:
    """CTR over AES, in pieces."""
    key = bound(target, f"aes128_{variant}", source.randbytes(16))
    parts = [source.randbytes(length) for length in (21, 16)]
    test_block_modes.counter_mode(target, key, NONCE, parts)


def cbc(target: EmulatedTarget, source: Random, cipher: str, way: str) -> None:
    """CBC over a cipher; of stolen ciphertext also a single block, which steals none."""
    key_octets, block = CBC_CIPHERS[cipher]
    key = bound(target, cipher, source.randbytes(key_octets), both=True)
    for length in (43, block) if "cs3" in way else (48,):
        data = source.randbytes(length)
        test_block_modes.one_way(target, f"cbc_{way}", key, NONCE[:block], data)


def code(mac: Mac) -> dict[str, Operation]:
    """From key to tag, and from key to comparison with a wrong tag."""

    def final(target: EmulatedTarget, source: Random) -> None:
        key, message = source.randbytes(mac.key_octets), source.randbytes(61)
        mac.final(target, mac.context(target, key, [message]), max(mac.tag_lengths))

    def verify(target: EmulatedTarget, source: Random) -> None:
        tag = bytes(len(mac.reference(bytes(mac.key_octets), b"")))
        key, message = source.randbytes(mac.key_octets), source.randbytes(61)
        mac.whole(target, key, message, tag, "off")

    return {"final": final, "verify": verify}


OPERATIONS: dict[str, tuple[tuple[str, ...], dict[str, Operation]]] = {
    "ascon_aead128": (
        test_ascon_aead128.HEADERS,
        aead(test_ascon_aead128.aead_of, 16, 16, 21, 37),
    ),
    "ketje_jr": (test_ketje.HEADERS, ketje("ketje_jr")),
    "ketje_sr": (test_ketje.HEADERS, ketje("ketje_sr")),
    "grain128": (
        test_grain128.HEADERS,
        aead(test_grain128.aead_of, 16, 12, 7, 15, opening=grain128),
    ),
    "lettersoup": (test_lettersoup.HEADERS, aead(lettersoup, 12, 12, 21, 37)),
    "marvin": (
        test_marvin.HEADERS,
        {
            "derive": marvin_key,
            "final": partial(marvin, way="final"),
            "verify": partial(marvin, way="verify"),
        },
    ),
    "cbc": (
        test_block_modes.HEADERS,
        {
            f"{cipher} {way}": partial(cbc, cipher=cipher, way=way)
            for cipher in CBC_CIPHERS
            for way in ("encrypt", "decrypt", "cs3_encrypt", "cs3_decrypt")
        },
    ),
    "ctr": (
        test_block_modes.HEADERS,
        {variant: partial(ctr, variant=variant) for variant in VARIANTS},
    ),
    "ccm": (
        test_ccm.HEADERS,
        {
            f"{variant} {way}": partial(ccm, variant=variant, way=way)
            for variant in VARIANTS
            for way in ALL_WAYS
        },
    ),
    **{
        mode: (
            test_eax_ocb3.HEADERS,
            {
                f"{variant} {way}": partial(nonce_mode, mode=mode, variant=variant, way=way)
                for variant in ("tab", "small")
                for way in ALL_WAYS
            },
        )
        for mode in test_eax_ocb3.MODES
    },
    **{mac.name: (test_macs.HEADERS, code(mac)) for mac in MACS},
}


class Left(Calls):
    """Calls after each of which the stack is searched."""

    def __init__(self, name: str, group: str) -> None:
        super().__init__(name, group)
        self.left: dict[str, int] = {}

    def __call__(self, name: str, *args: Argument) -> None:
        """One call with many secrets, and once as it is."""

        def run(target: EmulatedTarget, source: Random) -> None:
            target.call(
                name,
                *(
                    type(a)(source.randbytes(len(a))) if isinstance(a, (bytes, bytearray)) else a
                    for a in args
                ),
            )

        self.left[name] = max(self.left.get(name, 0), residue(self.target, run))
        self.target.reset()
        self.target.call(name, *args)


every_kind = pytest.mark.parametrize("form", KINDS.values(), ids=KINDS)


@every_kind
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_primitives_leave_nothing(cpu: str, form: str) -> None:
    """Hashes, sponges and ciphers, call by call."""
    for group, run in GROUPS.items():
        calls = Left(cpu + form, group)
        run(calls)
        check(calls.left)


@pytest.mark.parametrize("operation", OPERATIONS)
@every_kind
@pytest.mark.parametrize("cpu", CPU_NAMES)
def test_modes_leave_nothing(cpu: str, form: str, operation: str) -> None:
    """Modes, whether they accept or refuse."""
    headers, ways = OPERATIONS[operation]
    target = target_named(cpu + form, *headers)
    assert isinstance(target, EmulatedTarget)
    check({way: residue(target, run) for way, run in ways.items()})


def test_the_search_finds_what_is_there() -> None:
    """A call that copies a secret to the stack and returns leaves it."""
    target = target_named("msp430", *test_macs.HEADERS)
    assert isinstance(target, EmulatedTarget)

    def copy(target: EmulatedTarget, source: Random) -> None:
        target.program.write(0x3900 - 100, source.randbytes(20))

    assert residue(target, copy) == 20
