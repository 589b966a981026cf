# SPDX-License-Identifier: BSD-3-Clause
"""The coprocessor in ghdl on the vectors of the C: ECB, CBC, CTR and CCM*, what it refuses, and that
nothing of a message comes out before its tag is right."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hdl.bench import BenchError, play
from tests.vectors import Vector, load, statuses

pytestmark = pytest.mark.turns(4)

BENCH = "tb_octets"
KEY, WIPE, ECB_ENCRYPT, ECB_DECRYPT, CBC_ENCRYPT, CBC_DECRYPT, CTR_CRYPT, CCM_SEAL, CCM_OPEN = (
    bytes([code]) for code in (0x01, 0x02, 0x10, 0x11, 0x20, 0x21, 0x30, 0x40, 0x41)
)
STARTS = (ECB_ENCRYPT, ECB_DECRYPT, CBC_ENCRYPT, CBC_DECRYPT, CTR_CRYPT, CCM_SEAL, CCM_OPEN)
MESSAGE_LEN = 512
CLOCKS = {"fast": 12, "small": 212, "masked": 292}
"""From the last octet of a block in to the first octet out, in ECB and CBC."""

BLOCKS = load("aes128", "block")
CBC = [v for v in load("cbc", "block-mode") if v.parameters["cipher"] == "aes128"]
CTR = [v for v in load("ctr", "block-mode") if v.parameters["cipher"] == "aes128"]
CCM = load("ccm", "ccm")
LENGTHS = load("ccm", "ccm-lengths")
cores = pytest.mark.parametrize("core", CLOCKS)


def answer(name: str) -> bytes:
    """A status of the stack as the octet that the coprocessor says it with."""
    return struct.pack("b", statuses()[name])


OK, PARAM, SECURITY, STATE, OPEN_TO_ALL = map(
    answer, ("WM_OK", "WM_ERR_PARAM", "WM_ERR_SECURITY", "WM_ERR_STATE", "WM_NOT_AUTHENTICATED")
)


def talk(said: bytes, heard: bytes) -> str:
    """A step of the script."""
    return f"talk {said.hex() or '-'} {heard.hex() or '-'}"


def length(octets: bytes) -> bytes:
    """How many, in two octets."""
    return len(octets).to_bytes(2, "big")


def with_key(key: bytes) -> str:
    """Loads a key."""
    return talk(KEY + key, OK)


def crypt(start: bytes, octets: bytes, result: bytes) -> Iterator[str]:
    """A message of a mode that does not authenticate; `start` is the instruction and the IV."""
    yield talk(start + length(octets), OK)
    yield talk(octets, result)


def ccm_start(code: bytes, vector: Vector, tag_len: int) -> bytes:
    """Instruction and operands of a vector."""
    lengths = length(vector.octets("aad")) + length(vector.octets("ct"))
    return code + vector.octets("nonce") + lengths + bytes([tag_len])


def seal(vector: Vector) -> Iterator[str]:
    """Makes ciphertext and tag of a valid vector."""
    tag = vector.octets("tag")
    yield with_key(vector.octets("key"))
    yield talk(ccm_start(CCM_SEAL, vector, len(tag)), OK)
    yield talk(vector.octets("aad") + vector.octets("msg"), vector.octets("ct") + tag)


def opened(vector: Vector) -> Iterator[str]:
    """Opens a vector, valid or not: nothing comes out before the tag is in, and nothing but the
    status if it is wrong."""
    tag = vector.octets("tag")
    yield with_key(vector.octets("key"))
    yield talk(ccm_start(CCM_OPEN, vector, len(tag)), OK)
    octets = vector.octets("aad") + vector.octets("ct") + tag
    if octets:
        yield talk(octets[:-1], b"")
        yield "quiet 3"
        yield talk(octets[-1:], b"")
    if not vector.valid:
        yield talk(b"", SECURITY)
        yield "quiet 3"
    else:
        yield talk(b"", (OK if tag else OPEN_TO_ALL) + vector.octets("msg"))


def of_vectors(stride: int) -> Iterator[str]:
    """All vectors, or one in `stride` of them."""
    for vector in BLOCKS[::stride]:
        pt, ct = vector.octets("pt"), vector.octets("ct")
        yield with_key(vector.octets("key"))
        yield from crypt(ECB_ENCRYPT, pt, ct)
        yield from crypt(ECB_DECRYPT, ct, pt)
    for vector in CBC[::stride]:
        pt, ct, iv = (vector.octets(name) for name in ("pt", "ct", "iv"))
        yield with_key(vector.octets("key"))
        yield from crypt(CBC_ENCRYPT + iv, pt, ct)
        yield from crypt(CBC_DECRYPT + iv, ct, pt)
    for vector in CTR[::stride]:
        pt, ct, iv = (vector.octets(name) for name in ("pt", "ct", "iv"))
        yield with_key(vector.octets("key"))
        yield from crypt(CTR_CRYPT + iv, pt, ct)
    for vector in CCM[::stride]:
        if vector.valid:
            yield from seal(vector)
        yield from opened(vector)


@pytest.mark.early
@pytest.mark.parametrize(("core", "stride"), [("fast", 2), ("small", 29), ("masked", 41)])
def test_the_coprocessor_agrees_with_the_c(core: str, stride: int, tmp_path: Path) -> None:
    """Vectors of ECB, CBC, CTR and CCM* both ways: half of them on the fast core, fewer on the
    others. Their blocks have been compared on their own, all of them."""
    play(BENCH, of_vectors(stride), tmp_path, core=core)


def test_octets_may_come_and_go_at_any_pace(tmp_path: Path) -> None:
    """Pauses before octets in and octets out."""
    steps = [
        line
        for gaps in ("gaps 3 0", "gaps 0 3", "gaps 2 5", "gaps 40 0")
        for line in (gaps, *of_vectors(61))
    ]
    play(BENCH, steps, tmp_path, core="fast")


@cores
def test_a_block_of_cbc_takes_the_clocks_of_the_core(core: str, tmp_path: Path) -> None:
    """ECB and CBC, either direction: the modes add no clock."""
    vector = next(v for v in CBC if len(v.octets("pt")) == 16)
    pt, ct, iv = (vector.octets(name) for name in ("pt", "ct", "iv"))
    steps = [with_key(vector.octets("key"))]
    for code, given, result in ((CBC_ENCRYPT, pt, ct), (CBC_DECRYPT, ct, pt)):
        operands, block = crypt(code + iv, given, result)
        steps += [operands, f"latency {CLOCKS[core]}", block]
    play(BENCH, steps, tmp_path, core=core)
    wrong = ["latency 99" if line.startswith("latency") else line for line in steps]
    with pytest.raises(BenchError, match="clocks, not"):
        play(BENCH, wrong, tmp_path, core=core)


def test_a_stream_without_end(tmp_path: Path) -> None:
    """Sixteen octets in, sixteen out, as long as anybody wants; a wipe ends it and the key."""
    vector = next(v for v in CBC if len(v.octets("pt")) == 64)
    pt, ct, iv = (vector.octets(name) for name in ("pt", "ct", "iv"))
    steps = [with_key(vector.octets("key")), talk(CBC_ENCRYPT + iv + b"\xff\xff", OK)]
    steps += [talk(pt[at : at + 16], ct[at : at + 16]) for at in range(0, 64, 16)]
    steps += ["wipe", talk(CBC_ENCRYPT + iv + b"\0\x10", STATE)]
    play(BENCH, steps, tmp_path, core="fast")


def refusals() -> Iterator[str]:
    """What must be refused. After each the coprocessor goes on as if it had not been asked."""
    vector = next(v for v in CBC if len(v.octets("pt")) == 16)
    pt, ct, iv = (vector.octets(name) for name in ("pt", "ct", "iv"))
    nonce = bytes(13)
    no_key = [
        talk(ECB_ENCRYPT + b"\0\x10", STATE),
        talk(CBC_DECRYPT + iv + b"\0\x10", STATE),
        talk(CTR_CRYPT + iv + b"\0\x10", STATE),
        talk(CCM_SEAL + nonce + b"\0\0\0\1\4", STATE),
        talk(CCM_OPEN + nonce + b"\0\0\0\1\4", STATE),
    ]
    after = list(crypt(CBC_ENCRYPT + iv, pt, ct))
    yield from no_key
    yield with_key(vector.octets("key"))
    for code in sorted(set(range(256)) - {*KEY, *WIPE, *b"".join(STARTS)}):
        yield talk(bytes([code]), PARAM)
    yield from after
    for octets in (1, 15, 17, 0x8001, 0xFFFE):
        for start in (ECB_ENCRYPT, ECB_DECRYPT, CBC_ENCRYPT + iv, CBC_DECRYPT + iv):
            yield talk(start + octets.to_bytes(2, "big"), PARAM)
    yield from after
    for start in (CCM_SEAL + nonce, CCM_OPEN + nonce):
        for tag_len in (1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 18, 20, 32, 36, 128, 255):
            yield talk(start + b"\0\0\0\1" + bytes([tag_len]), PARAM)
        yield talk(start + b"\0\1\0\1\0", PARAM)  # nothing would authenticate a
        yield talk(start + b"\xff\0\0\1\4", PARAM)  # a_len beyond 65279
    for m_len in (MESSAGE_LEN + 1, 0x0400, 0xFFFF):
        yield talk(CCM_OPEN + nonce + b"\0\0" + m_len.to_bytes(2, "big") + b"\4", PARAM)
    yield from after
    yield talk(WIPE, OK)
    yield from no_key
    yield talk(KEY + bytes(7), b"")  # a key in part is none
    yield "wipe"
    yield from no_key


@pytest.mark.parametrize("core", ["fast", "small"])
def test_what_is_refused_leaves_no_trace(core: str, tmp_path: Path) -> None:
    """No key, no such instruction, lengths out of range; a status, and not an octet more."""
    steps = [line for step in refusals() for line in (step, "quiet 3")]
    play(BENCH, steps, tmp_path, core=core)


def test_lengths_that_the_c_refuses(tmp_path: Path) -> None:
    """The vectors of CCM* whose lengths are out of range, where two octets can say them."""
    steps = [with_key(bytes(16))]
    for vector in LENGTHS:
        a_len, m_len, tag_len = (vector.number(name) for name in ("aadLen", "msgLen", "tagLen"))
        if max(a_len, m_len) < 65536 and tag_len < 256:
            start = bytes(13) + a_len.to_bytes(2, "big") + m_len.to_bytes(2, "big")
            steps += [talk(code + start + bytes([tag_len]), PARAM) for code in (CCM_SEAL, CCM_OPEN)]
    assert len(steps) > 20
    play(BENCH, steps, tmp_path, core="fast")


def test_a_wipe_within_a_message_leaves_nothing(tmp_path: Path) -> None:
    """Wherever it comes: in the operands, in a, in m, before the last octet of the tag, while m goes
    out. No further octet comes out, and there is no key."""
    vector = next(v for v in CCM if v.valid and len(v.octets("msg")) > 20 and v.octets("aad"))
    start = ccm_start(CCM_OPEN, vector, len(vector.octets("tag")))
    aad, ct, tag, msg = (vector.octets(name) for name in ("aad", "ct", "tag", "msg"))
    loaded = with_key(vector.octets("key"))
    began = [loaded, talk(start, OK)]
    steps = []
    for before in (
        [loaded, talk(start[:9], b"")],
        [*began, talk(aad[:1], b"")],
        [*began, talk(aad + ct[:17], b"")],
        [*began, talk(aad + ct + tag[:-1], b"")],
        [*began, talk(aad + ct + tag, OK), talk(b"", msg[:5])],
    ):
        steps += [
            *before,
            "wipe",
            "quiet 1200",
            talk(CTR_CRYPT + bytes(18), STATE),
            *opened(vector),
        ]
    play(BENCH, steps, tmp_path, core="fast")
