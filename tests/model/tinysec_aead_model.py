# SPDX-License-Identifier: BSD-3-Clause
"""Packets of images `tinysec-ccm` and `tinysec-ascon`, as the standards of their AEADs have them."""

from tests.model.ieee802154_model import ccm_star
from tests.model.tinysec_model import Message
from vectors.ascon_model import seal as seal_ascon

CCM_TAG, CCM_NONCE, ASCON_NONCE = 4, 13, 16


def packet(scheme: str, key: bytes, src: int, message: Message, counter: int) -> bytes:
    """Header, ciphertext and tag. The first four octets are associated data; all eight are the nonce,
    with zeros behind."""
    data = message.header(0)
    header = data + src.to_bytes(2, "little") + counter.to_bytes(2, "little")
    if scheme == "ccm":
        nonce = header.ljust(CCM_NONCE, b"\0")
        return header + b"".join(ccm_star(key, nonce, data, message.data, CCM_TAG))
    nonce = header.ljust(ASCON_NONCE, b"\0")
    return header + b"".join(seal_ascon(key, nonce, data, message.data))
