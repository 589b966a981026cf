# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/ccm/{generated,refusals,calls}.json: CCM and CCM* with AES-128 and L = 2, computed
by PyCryptodome.

Inputs come from SHAKE-128 of a label, so that every run writes the same octets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from Crypto.Cipher import AES

from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, text, write
from vectors.sealed import PARAM, SECURITY, Sealed

STATE = "WM_ERR_STATE"
TAG_LENGTHS = (4, 6, 8, 10, 12, 14, 16)
BAD_TAG_LENGTHS = (1, 2, 3, 5, 7, 9, 11, 13, 15, 17, 18, 20, 128, 255)
# The first CBC-MAC block of a holds 14 octets after the two of its length; 256 and 300 fill both of
# those.
AAD_LENGTHS = (0, 1, 2, 13, 14, 15, 29, 30, 31, 35, 121, 256, 300)
MESSAGE_LENGTHS = (0, 1, 2, 15, 16, 17, 31, 32, 33, 86, 256, 300)


@dataclass(frozen=True, slots=True)
class Frame(Sealed):
    """A sealed message, with the message itself."""

    msg: bytes


def seal(label: str, aad_len: int, msg_len: int, tag_len: int) -> Frame:
    """A frame of the given lengths; `tag_len` 0 is CCM* without a tag, which is counter mode from
    A_1 on."""
    key, nonce = octets(f"{label} key", 16), octets(f"{label} nonce", 13)
    aad, msg = octets(f"{label} a", aad_len), octets(f"{label} m", msg_len)
    if tag_len == 0:
        counter = AES.new(key, AES.MODE_CTR, nonce=b"\x01" + nonce, initial_value=1)
        return Frame(key, nonce, aad, bytes(counter.encrypt(msg)), b"", msg)
    cipher = AES.new(key, AES.MODE_CCM, nonce=nonce, mac_len=tag_len)
    cipher.update(aad)
    ct, tag = cipher.encrypt_and_digest(msg)
    return Frame(key, nonce, aad, bytes(ct), bytes(tag), msg)


def valid_cases() -> Iterator[tuple[str, Frame]]:
    """Every pair of length classes with the tag length going round; then every tag length at some
    lengths."""
    number = 0
    for aad_len in AAD_LENGTHS:
        for msg_len in MESSAGE_LENGTHS:
            tag_len = TAG_LENGTHS[number % len(TAG_LENGTHS)]
            number += 1
            yield (
                f"a {aad_len}, m {msg_len}, tag {tag_len}",
                seal(f"ccm {number}", aad_len, msg_len, tag_len),
            )
    for tag_len in TAG_LENGTHS:
        for aad_len, msg_len in ((0, 0), (35, 86), (39, 0), (0, 19)):
            number += 1
            yield (
                f"a {aad_len}, m {msg_len}, tag {tag_len}",
                seal(f"ccm {number}", aad_len, msg_len, tag_len),
            )
    for msg_len in MESSAGE_LENGTHS:
        number += 1
        yield f"encryption only, m {msg_len}", seal(f"ccm {number}", 0, msg_len, 0)


def positions(length: int) -> Iterator[tuple[str, int]]:
    """Bits worth flipping in a string of `length` octets: both ends of it and of every block, and
    its middle."""
    seen: set[int] = set()
    for octet in sorted(
        {0, length // 2, length - 1, *range(15, length, 16), *range(16, length, 16)}
    ):
        for bit in (8 * octet, 8 * octet + 7):
            if 0 <= octet < length and bit not in seen:
                seen.add(bit)
                yield f"octet {octet} bit {7 - bit % 8}", bit


def damaged_cases() -> Iterator[tuple[str, Test]]:
    """Frames of which one thing is wrong."""
    for tag_len in TAG_LENGTHS:
        frame = seal(f"ccm refusal tag {tag_len}", 21, 18, tag_len)
        for octet in range(tag_len):
            yield (
                f"tag {tag_len}: octet {octet}",
                frame.members(tag=flipped(frame.tag, 8 * octet + octet % 8)),
            )
        yield (
            f"tag {tag_len}: all bits",
            frame.members(tag=bytes(255 - octet for octet in frame.tag)),
        )
        yield f"tag {tag_len}: zero", frame.members(tag=bytes(tag_len))
        other = frame.members(tag=frame.tag[:-2] if tag_len > 4 else frame.tag + frame.tag[:2])
        yield f"tag {tag_len} taken for one of another length", other
    for aad_len, msg_len, tag_len in ((35, 86, 4), (14, 16, 8), (1, 1, 16), (30, 33, 10)):
        frame = seal(f"ccm refusal {aad_len} {msg_len} {tag_len}", aad_len, msg_len, tag_len)
        for name, value in (
            ("nonce", frame.nonce),
            ("aad", frame.aad),
            ("ct", frame.ct),
            ("key", frame.key),
        ):
            for where, bit in positions(len(value)):
                yield (
                    f"{name}: {where}, of a {aad_len}, m {msg_len}",
                    frame.members(**{name: flipped(value, bit)}),
                )
        yield f"last octet of a missing, of a {aad_len}", frame.members(aad=frame.aad[:-1])
        yield f"a zero octet after a, of a {aad_len}", frame.members(aad=frame.aad + b"\0")
        yield f"last octet of m missing, of m {msg_len}", frame.members(ct=frame.ct[:-1])
        yield f"a zero octet after m, of m {msg_len}", frame.members(ct=frame.ct + b"\0")
        moved = frame.members(aad=frame.aad + frame.ct[:1], ct=frame.ct[1:])
        yield f"first octet of m moved into a, of a {aad_len}", moved
        yield (
            f"only two octets of the tag are right, of a {aad_len}",
            frame.members(tag=frame.tag[:2] + b"\0" * (tag_len - 2)),
        )
    empty = seal("ccm refusal empty", 0, 0, 8)
    yield "a and m empty: tag", empty.members(tag=flipped(empty.tag, 0))
    yield "a and m empty: nonce", empty.members(nonce=flipped(empty.nonce, 103))


def refused_lengths() -> Iterator[tuple[str, int, int, int]]:
    """Comment, lengths of a, m and tag that no frame may have."""
    for tag_len in BAD_TAG_LENGTHS:
        yield f"tag length {tag_len}", 8, 8, tag_len
    for aad_len in (65280, 65281, 65535):
        yield "a needs the six-octet length form (RFC 3610 §2.2)", aad_len, 8, 4
    for aad_len in (1, 35, 65279, 65280):
        yield "a without a tag: nothing would protect it", aad_len, 8, 0


class Calls:
    """A sequence of calls on one frame, with what each answers."""

    def __init__(
        self, comment: str, frame: Frame, direction: str, start_status: str = "WM_OK"
    ) -> None:
        self.comment = comment
        self.frame = frame
        self.direction = direction
        start: Test = {"call": "start", "direction": direction, "aadLen": len(frame.aad)}
        start |= {"msgLen": len(frame.msg), "tagLen": len(frame.tag), "status": start_status}
        self.calls = [start]

    def aad(self, begin: int, end: int, status: str = "WM_OK") -> Calls:
        """Octets begin..end of a, beyond its end made up with zeros."""
        data = (self.frame.aad + bytes(64))[begin:end]
        self.calls.append({"call": "aad", "data": data.hex(), "status": status})
        return self

    def crypt(self, begin: int, end: int, status: str = "WM_OK") -> Calls:
        """Octets begin..end of m."""
        clear, secret = (
            (self.frame.msg + bytes(64))[begin:end],
            (self.frame.ct + bytes(64))[begin:end],
        )
        given, taken = (clear, secret) if self.direction == "seal" else (secret, clear)
        call = {"call": "crypt", "data": given.hex(), "status": status}
        self.calls.append(call | ({"out": taken.hex()} if status == "WM_OK" else {}))
        return self

    def seal_finish(self, status: str = "WM_OK") -> Calls:
        """The end of sealing."""
        call = {"call": "sealFinish", "status": status}
        self.calls.append(call | ({"tag": self.frame.tag.hex()} if status == "WM_OK" else {}))
        return self

    def open_finish(self, status: str = "WM_OK", tag: bytes | None = None) -> Calls:
        """The end of opening."""
        self.calls.append(
            {
                "call": "openFinish",
                "tag": (self.frame.tag if tag is None else tag).hex(),
                "status": status,
            }
        )
        return self

    def follow(self, steps: str) -> Calls:
        """Several calls: `a0-16` and `m0-16` give those octets of a and of m, `seal` and `open` are
        the ends; a call with `!` behind it is out of order."""
        for step in steps.split():
            call, status = step.removesuffix("!"), STATE if step.endswith("!") else "WM_OK"
            if call == "seal":
                self.seal_finish(status)
            elif call == "open":
                without_tag = status == "WM_OK" and not self.frame.tag
                self.open_finish("WM_NOT_AUTHENTICATED" if without_tag else status)
            else:
                first, last = map(int, call[1:].split("-"))
                (self.aad if call.startswith("a") else self.crypt)(first, last, status)
        return self

    def test(self) -> Test:
        """The vector."""
        refusals = [call["status"] for call in self.calls if "ERR" in call["status"]]
        return {
            "comment": self.comment,
            "key": self.frame.key.hex(),
            "nonce": self.frame.nonce.hex(),
            "calls": self.calls,
            "result": "invalid" if refusals else "valid",
            "status": refusals[0] if refusals else "WM_OK",
        }


def accepted_orders() -> Iterator[Calls]:
    """Sequences in which every call succeeds."""
    f = seal("ccm calls", 20, 40, 8)
    yield Calls("one piece each", f, "seal").follow("a0-20 m0-40 seal")
    yield Calls("octet by octet at the seams", f, "seal").follow(
        "a0-13 a13-14 a14-20 m0-15 m15-16 m16-17 m17-40 seal"
    )
    yield Calls("pieces of no octets", f, "seal").follow("a0-0 a0-20 a0-0 m0-0 m0-40 m0-0 seal")
    yield Calls("opened in pieces", f, "open").follow("a0-16 a16-20 m0-7 m7-39 m39-40 open")
    empty = seal("ccm calls empty", 0, 0, 4)
    yield Calls("neither a nor m", empty, "seal").follow("seal")
    yield Calls("neither a nor m, opened", empty, "open").follow("open")
    no_tag = seal("ccm calls no tag", 0, 33, 0)
    yield Calls("no tag", no_tag, "seal").follow("m0-20 m20-33 seal")
    yield Calls("no tag, opened", no_tag, "open").follow("m0-33 open")


def refused_orders() -> Iterator[Calls]:
    """Sequences with a call that must be refused and change nothing: where it makes sense they go
    on to the end."""
    f = seal("ccm calls", 20, 40, 8)
    yield Calls("m before a", f, "seal").follow("m0-16! a0-20 m0-40 seal")
    yield Calls("m while a is incomplete", f, "seal").follow("a0-19 m0-1! a19-20 m0-40 seal")
    yield Calls("too much a at once", f, "seal").follow("a0-21! a0-20 m0-40 seal")
    yield Calls("too much a in the end", f, "seal").follow("a0-16 a16-21! a16-20 m0-40 seal")
    yield Calls("a after m began", f, "seal").follow("a0-20 m0-16 a0-1! m16-40 seal")
    yield Calls("too much m at once", f, "seal").follow("a0-20 m0-41! m0-40 seal")
    yield Calls("too much m in the end", f, "open").follow("a0-20 m0-39 m39-41! m39-40 open")
    yield Calls("sealed with nothing given", f, "seal").follow("seal! a0-20 m0-40 seal")
    yield Calls("sealed while a is incomplete", f, "seal").follow("a0-19 seal!")
    yield Calls("sealed while m is incomplete", f, "seal").follow("a0-20 m0-39 seal! m39-40 seal")
    yield Calls("opened while m is incomplete", f, "open").follow("a0-20 m0-39 open! m39-40 open")
    yield Calls("opened while a is incomplete", f, "open").follow("a0-19 open!")
    yield Calls("open_finish of a sealing context", f, "seal").follow("a0-20 m0-40 open! seal")
    yield Calls("seal_finish of an opening context", f, "open").follow("a0-20 m0-40 seal! open")
    yield Calls("sealed twice", f, "seal").follow("a0-20 m0-40 seal seal!")
    yield Calls("opened twice", f, "open").follow("a0-20 m0-40 open open!")
    yield Calls("m after the end", f, "seal").follow("a0-20 m0-40 seal m0-0!")
    yield Calls("a after the end", f, "seal").follow("a0-20 m0-40 seal a0-0!")
    wrong = flipped(f.tag, 63)
    refused = Calls("wrong tag; the context is used up", f, "open").aad(0, 20).crypt(0, 40)
    yield refused.open_finish("WM_ERR_SECURITY", wrong).open_finish(STATE)
    odd = replace(f, tag=f.tag[:5])
    yield Calls("start refused; the context refuses all", odd, "seal", "WM_ERR_PARAM").follow(
        "a0-0! m0-0! seal!"
    )


def refusals() -> Iterator[Group]:
    """Damaged frames and lengths out of range."""
    yield Group(
        "ccm", [{"comment": comment, **members} | SECURITY for comment, members in damaged_cases()]
    )
    names = ("comment", "aadLen", "msgLen", "tagLen")
    yield Group(
        "ccm-lengths", [dict(zip(names, case, strict=True)) | PARAM for case in refused_lengths()]
    )


def files() -> dict[str, str]:
    """Text of every file, by path below vectors/."""
    valid = Group("ccm", [frame.accepted(comment, frame.msg) for comment, frame in valid_cases()])
    calls = Group(
        "ccm-calls", [sequence.test() for sequence in (*accepted_orders(), *refused_orders())]
    )
    return {
        f"ccm/{name}.json": text(
            "CCM-AES-128", made_by("generate_ccm", "PyCryptodome", clause), *groups
        )
        for name, clause, groups in (
            ("generated", "RFC 3610 §2; without a tag IEEE 802.15.4 Annex B", [valid]),
            ("refusals", "RFC 3610 §2.2, §2.5", refusals()),
            ("calls", "stack/include/wardmote/ccm.h", [calls]),
        )
    }


if __name__ == "__main__":
    write(files())
