# SPDX-License-Identifier: BSD-3-Clause
"""Writes vectors/tinysec/*.json: packets of TinySec in both profiles, and packets to be refused.

archived.json has packets of the code of TinyOS 1.x, which ran on a host: they are written out below
and compared with tests/model/tinysec_model.py. heard.json has packets that images of TinyOS 1.x
sent, which others built and which ran on an emulated Mica2 as they are. Everything else is computed
by that model. Run from the root of the repository: `python -m vectors.generate_tinysec`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.model.tinysec_model import MOST, Message, Node, ae, auth, plain
from vectors.inputs import flipped, octets
from vectors.making import Group, Test, made_by, printed, text, write

KEY = "6d524d67f24f178b0a69933fdd6c6f7b"
BROADCAST, PEER, GROUP = 0xFFFF, 2, 0x7D
FILLING = bytes(range(0xA0, 0xA8))
COUNTING = bytes(range(MOST))
VALID = {"result": "valid", "status": "WM_OK"}

ARCHIVED_AUTH = {
    1: "1c3dd64d",
    5: "513fcaf2",
    6: "4817c0e4",
    7: "dadc2b42",
    8: "c19e2ebe",
    13: "138c966d",
    16: "eabbd0bf",
    24: "d5839f63",
    29: "09f2bbe8",
}
"""Tags of Auth packets to everybody, by octets of data."""
ARCHIVED_AE = {
    (0, 0): "9b3cda75821c6746d1f55dfb",
    (3, 0): "a21502482215e2f534234e91",
    (8, 0): "69762c76c11731fe466df91e",
    (9, 0): "6db576cb7a881285cb7acc43e5",
    (15, 0): "2721154cd7795d122d08409e291b9add49a3d6",
    (16, 0): "5a9f3ddb9cfac3c26266c3c93f2bc8e99245122b",
    (17, 0): "3a6b7cead67ab1da87da64fd5b1ef0df334935b27a",
    (29, 0): "3a8cfe8a8bebfc539272a189077a3a3b33356e9fd524d146f6bd7113b625cf846f",
    (24, 0x100): "cf91abcc2e9e134819246f84a84021d6130de968484ba5475e98c128",
}
"""Ciphertext and tag by octets of data and counter."""

END_OF_DATA = bytes.fromhex("0000000000ff")
HEARD_KEY = "b5289a4ab0cfa33a565a1b4e114802f2"
HEARD_AUTH = "0d9420a5"
"""Tag of a packet of eight octets, which the base was given on its serial line."""
HEARD_AE = {
    (1, 0): "c544abfe3fa49810c471a081",
    (1, 1): "ad5d483bb7cb5841b5c13fc0",
    (1, 2): "d2f7dd7acd1f9ebe7f59a6be",
    (1, 9): "fd60f4f18caa9fe94ee7a115",
    (3, 0): "34efae08340b07c152b74a0d",
    (3, 1): "9e4907e3ff200858fcf60cb2",
    (3, 2): "0f1b5a87dff53bcd83171e5a",
}
"""Ciphertext and tag by sender and counter; the first two octets of data are the counter and 1."""


def case(comment: str, node: Node, message: Message, packet: bytes, counter: int = 0) -> Test:
    """The vector of a packet."""
    return {
        "comment": comment,
        "key": node.key.hex(),
        "dst": message.dst,
        "src": node.src,
        "type": message.type,
        "counter": counter,
        "data": message.data.hex(),
        "filling": FILLING.hex(),
        "packet": packet.hex(),
    } | VALID


def parameters(node: Node, mode: str) -> dict[str, str]:
    """What a group has in common."""
    return {"cipher": node.cipher, "profile": node.profile, "mode": mode}


def archived() -> str:
    """Packets that the archived code made."""
    node = Node(bytes.fromhex(KEY), "shipped", "skipjack")
    auths, aes = [], []
    for length, tag in ARCHIVED_AUTH.items():
        message = Message(BROADCAST, 4, COUNTING[:length])
        packet = auth(node, message)
        assert packet[-4:].hex() == tag, length
        auths.append(case(f"{length} octets", node, message, packet))
    for (length, counter), behind in ARCHIVED_AE.items():
        message = Message(PEER, 4, COUNTING[:length])
        packet = ae(node, message, counter, FILLING)
        assert packet[8:].hex() == behind, length
        aes.append(case(f"{length} octets, counter {counter}", node, message, packet, counter))
    return text(
        "TinySec",
        printed(
            "TinySec 1.x: TinySecM, CBCModeM, CBCMAC over SkipJackM, run on a host",
            "key of the manual's example; keys of 8 octets with two zeros behind them",
        ),
        Group("tinysec", auths, parameters(node, "auth")),
        Group("tinysec", aes, parameters(node, "ae")),
    )


def heard() -> str:
    """Packets that images of others made."""
    base = Node(bytes.fromhex(HEARD_KEY), "shipped", "skipjack", 0)
    message = Message(BROADCAST, 4, COUNTING[:8])
    packet = auth(base, message)
    assert packet[-4:].hex() == HEARD_AUTH
    auths, aes = [case("SecureTOSBase", base, message, packet)], []
    for (src, counter), behind in HEARD_AE.items():
        node = Node(base.key, base.profile, base.cipher, src)
        message = Message(BROADCAST, 4, (counter + 1).to_bytes(2, "little") + END_OF_DATA)
        packet = ae(node, message, counter, FILLING)
        assert packet[8:].hex() == behind, (src, counter)
        label = f"TestTinySec, mote {src}, counter {counter}"
        aes.append(case(label, node, message, packet, counter))
    return text(
        "TinySec",
        printed(
            "aurelf/avrora c270f25, test/tinyos/TestTinySec.elf and SecureTOSBase.elf",
            "what they sent on an emulated Mica2; the key is in these files",
        ),
        Group("tinysec", auths, parameters(base, "auth")),
        Group("tinysec", aes, parameters(base, "ae")),
    )


def nodes() -> Iterator[Node]:
    """Both profiles, both ciphers."""
    for profile in ("paper", "shipped"):
        for cipher in ("skipjack", "rc5"):
            label = f"tinysec {profile} {cipher}"
            yield Node(octets(label, 16), profile, cipher, 0x0102)


def generated() -> str:
    """Every length of data in every mode, profile and cipher."""
    groups: list[Group] = []
    for node in nodes():
        auths, aes = [], []
        for length in range(MOST + 1):
            data = octets(f"{node} {length}", length)
            dst = BROADCAST if length % 3 == 0 else PEER
            message = Message(dst, 7 * length, data)
            auths.append(case(f"{length} octets", node, message, auth(node, message)))
            counter = 2183 * length + (length == MOST) * (0xFFFF - 2183 * MOST)
            packet = ae(node, message, counter, FILLING)
            aes.append(case(f"{length} octets", node, message, packet, counter))
        groups += [Group("tinysec", auths, parameters(node, "auth"))]
        groups += [Group("tinysec", aes, parameters(node, "ae"))]
    return text(
        "TinySec", made_by("generate_tinysec", "tests/model/tinysec_model.py", "tinysec.h"), *groups
    )


def refused() -> str:
    """Packets that a receiver with address 2 and group 0x7D must refuse."""
    groups: list[Group] = []
    for node in nodes():
        tests: list[Test] = []

        def refuse(
            comment: str, packet: bytes, status: str, accept: int = 0, node: Node = node
        ) -> Test:
            return {
                "comment": comment,
                "key": node.key.hex(),
                "accept": accept,
                "packet": packet.hex(),
                "result": "invalid",
                "status": status,
            }

        message = Message(PEER, 9, octets("refused", 13))
        for name, packet in (
            ("Auth", auth(node, message)),
            ("AE", ae(node, message, 5, FILLING)),
            ("Auth without data", auth(node, Message(PEER, 9, b""))),
            ("AE of 3 octets", ae(node, Message(PEER, 9, b"abc"), 6, FILLING)),
        ):
            body = range(32, 8 * len(packet), 11)
            tests += [
                refuse(f"{name}, bit {bit} of the packet", flipped(packet, bit), "WM_ERR_SECURITY")
                for bit in (*range(16, 24), *body, -1)
            ]
            tests.append(refuse(f"{name}, cut", packet[:-1], "WM_ERR_MALFORMED"))
            tests.append(refuse(f"{name}, header alone", packet[:4], "WM_ERR_MALFORMED"))
            tests.append(refuse(f"{name}, half a header", packet[:3], "WM_ERR_MALFORMED"))
            tests.append(refuse(f"{name}, other address", flipped(packet, 0), "WM_ERR_NOT_FOR_US"))
            level = "WM_ERR_IMPROPER_SECURITY_LEVEL"
            tests.append(refuse(f"{name}, CRC wanted", packet, level, accept=1))
        for length in (30, 63):
            for bits in (0x80, 0xC0):
                long = message.header(0)[:3] + bytes([bits | length]) + bytes(80)
                tests.append(refuse(f"length {length}", long, "WM_ERR_MALFORMED"))
        clear = plain(message, GROUP)
        level = "WM_ERR_IMPROPER_SECURITY_LEVEL"
        tests += [
            refuse("plain, tag wanted", clear, level),
            refuse("plain, all taken", clear, "WM_NOT_SECURED", accept=2),
            refuse("plain, CRC wanted", clear, "WM_NOT_SECURED", accept=1),
            refuse("plain, wrong CRC", flipped(clear, -1), "WM_ERR_FCS", accept=2),
            refuse("plain, changed", flipped(clear, 50), "WM_ERR_FCS", accept=2),
            refuse("plain, other group", plain(message, GROUP ^ 1), "WM_ERR_NOT_FOR_US", accept=2),
        ]
        groups.append(Group("tinysec-refusal", tests, parameters(node, "any")))
    return text(
        "TinySec",
        made_by("generate_tinysec", "tests/model/tinysec_model.py, then damaged", "tinysec.h"),
        *groups,
    )


def files() -> dict[str, str]:
    """Every file by its path below vectors/."""
    return {
        "tinysec/archived.json": archived(),
        "tinysec/heard.json": heard(),
        "tinysec/generated.json": generated(),
        "tinysec/refusals.json": refused(),
    }


if __name__ == "__main__":
    write(files())
