# SPDX-License-Identifier: BSD-3-Clause
"""The files that are understood: the name in the reader's folder, whose it is, and how many cases
are for us."""

from __future__ import annotations

from tests.foreign import checks as check
from tests.foreign import tinyos, tinyos2
from tests.foreign.checks import File
from tests.foreign.library import CURUPIRA1, RC5
from vectors.ketje_model import KeccakP

JCURUPIRA = "eli7/hybrid_encrypter, TestVectors"
AVR_CRYPTO = "cantora/avr-crypto-lib, testvectors"
KECCAK = "gvanas/KeccakCodePackage before 2017, TestVectors"
LTC = "libtom/libtomcrypt, notes"
IDS = "ph4r05/TinyOSIDS, src/*/build"
AVRORA = "aurelf/avrora, test/tinyos"
SOUP = "sealed and opened, tags of 4, 8, 12"

FILES = (
    File("curupira1_96.txt", "Curupira-1", JCURUPIRA, check.block_cipher(CURUPIRA1[12]), 437),
    File("curupira1_144.txt", "Curupira-1", JCURUPIRA, check.block_cipher(CURUPIRA1[18]), 485),
    File("curupira1_192.txt", "Curupira-1", JCURUPIRA, check.block_cipher(CURUPIRA1[24]), 533),
    File("marvin_c1_0.txt", "Marvin", JCURUPIRA, check.marvin, 360),
    File("marvin_c1_1.txt", "Marvin", JCURUPIRA, check.marvin, 360),
    *(
        File(f"lettersoup_c1_{n}.txt", f"LetterSoup, {SOUP}", JCURUPIRA, check.lettersoup, 720)
        for n in ("00", "01", "10", "11")
    ),
    File("rc5_nessie.txt", "RC5-32/12/16", AVR_CRYPTO, check.block_cipher(RC5), 900),
    File("grain_v1.txt", "Grain v1", AVR_CRYPTO, check.stream("grain_v1"), 83),
    File("trivium_iv80.txt", "Trivium", AVR_CRYPTO, check.stream("trivium"), 84),
    File("trivium_iv64.txt", "Trivium, short IV", AVR_CRYPTO, check.stream("trivium", lead=2), 83),
    File(
        "grain128aeadv2_kat.txt",
        "Grain-128AEADv2",
        "rweather/lwc-finalists, test/kat",
        check.aead("wm_grain128", 8),
        1089,
    ),
    File(
        "ascon_aead128_kat.txt",
        "Ascon-AEAD128",
        "ascon/ascon-c",
        check.aead("wm_ascon_aead128", 16),
        1089,
    ),
    File("ascon_hash256_kat.txt", "Ascon-Hash256", "ascon/ascon-c", check.ascon_hash, 1025),
    File("ketje_sr_v1.txt", "Ketje Sr v1", KECCAK, check.ketje("ketje_sr", KeccakP(4), 16), 194),
    File("ketje_jr_v1.txt", "Ketje Jr v1", KECCAK, check.ketje("ketje_jr", KeccakP(3), 12), 180),
    File("ltc_cipher.txt", "AES-128, Skipjack, RC5", LTC, check.chained_ciphers, 150),
    File("ltc_ccm.txt", "CCM over AES-128", LTC, check.chained_ccm, 231),
    File("ltc_eax.txt", "EAX over AES-128, Skipjack, RC5", LTC, check.chained_eax, 67),
    File("ltc_omac.txt", "CMAC over AES-128, Skipjack, RC5", LTC, check.chained_cmac, 67),
    File("ltc_hash.txt", "SHA-1, SHA-256, BLAKE2s, SHA3-256", LTC, check.chained_hashes, 660),
    File("ltc_hmac.txt", "HMAC-SHA-1, HMAC-SHA-256", LTC, check.chained_hmac, 258),
    File("TestTinySec.elf", "a mote with TinySec", AVRORA, tinyos.counter_with_tinysec, 18),
    File("SecureTOSBase.elf", "a base with TinySec", AVRORA, tinyos.base_with_tinysec, 22),
    File("CntToRfm.elf", "a mote of TinyOS 1.x", AVRORA, tinyos.counter, 18),
    File("TOSBase.elf", "a base of TinyOS 1.x", AVRORA, tinyos.base, 10),
    *(
        one
        for board in ("micaz", "telosb")
        for one in (
            File(f"ReportMote-{board}.ihex", "a mote of TinyOS 2", IDS, tinyos2.mote_of(board), 6),
            File(f"RssiBase-{board}.ihex", "a base of TinyOS 2", IDS, tinyos2.base_of(board), 5),
        )
    ),
)
