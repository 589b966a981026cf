# SPDX-License-Identifier: BSD-3-Clause
"""Values of block and stream ciphers as their authors, standards or competitions printed them."""

from __future__ import annotations

from vectors.making import printed

BLOCKS = (
    (
        "skipjack/nsa.json",
        printed(
            "Skipjack and KEA Algorithm Specifications, version 2.0, NSA 1998",
            "annex, example of codebook mode",
        ),
        (("codebook", "00998877665544332211", "33221100ddccbbaa", "2587cae27a12d300"),),
    ),
    (
        "skipjack/others.json",
        printed(
            "TinySec 1.x: SkipJackM, run on a host",
            "keys of 8 octets with two zeros behind; IV and length block of an AE packet of 24 octets",
        ),
        (
            ("TinySec's IV", "6d524d67f24f178b0000", "00010100020004d8", "aba382cb4e3e0075"),
            ("TinySec's length", "0a69933fdd6c6f7b0000", "0000000000000004", "7f9741ab475145a2"),
        ),
    ),
    (
        "rc5/rivest.json",
        printed("R. L. Rivest, The RC5 encryption algorithm", "examples for RC5-32/12/16"),
        (
            (
                "example 1",
                "00000000000000000000000000000000",
                "0000000000000000",
                "21a5dbee154b8f6d",
            ),
            (
                "example 2",
                "915f4619be41b2516355a50110a9ce91",
                "21a5dbee154b8f6d",
                "f7c013ac5b2b8952",
            ),
            (
                "example 3",
                "783348e75aeb0f2fd7b169bb8dc16787",
                "f7c013ac5b2b8952",
                "2f42b3b70369fc92",
            ),
            (
                "example 4",
                "dc49db1375a5584f6485b413b5f12baf",
                "2f42b3b70369fc92",
                "65c178b284d197cc",
            ),
            (
                "example 5",
                "5269f149d41ba0152497574d7f153125",
                "65c178b284d197cc",
                "eb44e415da319824",
            ),
        ),
    ),
    (
        "rc5/others.json",
        printed(
            "draft-krovetz-rc6-rc5-vectors-00; TinySec's own test of RC5",
            "RC5-32/12/16 and RC5-32/12/8",
        ),
        (
            (
                "RC5-32/12/16",
                "000102030405060708090a0b0c0d0e0f",
                "0001020304050607",
                "c8d3b3c486700cfa",
            ),
            (
                "TinySec, key of 8 octets",
                "5269f149d41ba015",
                "65c178b284d197cc",
                "030981cccb7cf0b9",
            ),
        ),
    ),
)
"""Path, source, and comment, key, plaintext and ciphertext of each."""

STREAMS = (
    (
        "trivium/estream.json",
        printed(
            "eSTREAM, test vectors of Trivium for keys and initial values of 80 bits",
            "octets 0 to 63 of two vectors of each set",
        ),
        (
            (
                "set 1, vector 0",
                "80000000000000000000",
                "00000000000000000000",
                "38eb86ff730d7a9caf8df13a4420540dbb7b651464c87501552041c249f29a64"
                "d2fbf515610921ebe06c8f92cecf7f8098ff20cccc6a62b97be8ef7454fc80f9",
            ),
            (
                "set 1, vector 72",
                "00000000000000000080",
                "00000000000000000000",
                "5d492e77f8fe62d769c6a142056be9361fa0add8a54601de615ebc04c4f8b2c1"
                "2a8ed2dc9ab286a0f6c49c7ab319ba6aafaaf0cd42d0a44c7dacbc90791855d8",
            ),
            (
                "set 2, vector 0",
                "00000000000000000000",
                "00000000000000000000",
                "fbe0bf265859051b517a2e4e239fc97f563203161907cf2de7a8790fa1b2e9cd"
                "f75292030268b7382b4c1a759aa2599a285549986e74805903801a4cb5a5d4f2",
            ),
            (
                "set 2, vector 252",
                "fcfcfcfcfcfcfcfcfcfc",
                "00000000000000000000",
                "0f5e42876722c200404ccfb421c0fc7ab78ca298ffa9243fd76181fee0c806ec"
                "db28bb296eeaaca1aaad27bc5bc52a257779e10a1fb2f6d1d62dc8d91ba67fea",
            ),
            (
                "set 3, vector 0",
                "00010203040506070809",
                "00000000000000000000",
                "d2a8740bba6fd9067077f9afc0c27d4032b6aeae50c42eceff255c584c0143e7"
                "8cfa4e3ebe03074f23d762d0a7563521be755b2166cd920eecbb5db84737fa01",
            ),
            (
                "set 3, vector 252",
                "fcfdfeff000102030405",
                "00000000000000000000",
                "496191dc1edc22de848e61ca625e3a7aaa407e459da413bd1d19401dc13160ab"
                "f74f384a9dc921157213373e268479b5709a132c11c4798c5b1d285d95308eac",
            ),
            (
                "set 4, vector 0",
                "0053a6f94c9ff24598eb",
                "00000000000000000000",
                "a1809640ce79c540802f49d32023b2ea8a398428f4a5efdb0a124fddf39d23ce"
                "fe5257ee1bcadc0954049102826e144ca96e65d4a169823fff20e832880b7b8e",
            ),
            (
                "set 4, vector 3",
                "0f62b5085bae0154a7fa",
                "00000000000000000000",
                "124b35e1f161a9ffe3d65a9041d5235fa3659dc9be659a47c16a0c2e6a7519ce"
                "8892744e88fdd4032395c02a07b7bbd6cf780fcfab6b179e608ec9b07b9ae61f",
            ),
            (
                "set 5, vector 0",
                "00000000000000000000",
                "80000000000000000000",
                "f8901736640549e3ba7d42ea2d07b9f49233c18d773008bd755585b1a8cbab86"
                "c1e9a9b91f1ad33483fd6ee3696d659c9374260456a36aae11f033a519cbd5d7",
            ),
            (
                "set 5, vector 72",
                "00000000000000000000",
                "00000000000000000080",
                "82e7fcb2193dd7ccbdfb30e4a1bc740e2756ef94676a6d4b01b1dd2f2a335bb6"
                "bcb85b1086d6a36bba4f98488f2a74b8f85efbfc8082347bb8c71b1bd8682d1d",
            ),
            (
                "set 6, vector 0",
                "0053a6f94c9ff24598eb",
                "0d74db42a91077de45ac",
                "f4cd954a717f26a7d6930830c4e7cf0819f80e03f25f342c64adc66aba7f8a8e"
                "6eaa49f23632ae3cd41a7bd290a0132f81c6d4043b6e397d7388f3a03b5fe358",
            ),
            (
                "set 6, vector 3",
                "0f62b5085bae0154a7fa",
                "288ff65dc42b92f960c7",
                "a4386c6d7624983fea8dbe7314e5fe1f9d102004c2cec99ac3bfbf003a66433f"
                "3089a98fad8512c49d7aabc0639f90c5ffed06f9d35aa8c86630e76a838e26d7",
            ),
        ),
    ),
    (
        "grain_v1/estream.json",
        printed("eSTREAM, test vectors of Grain v1", "octets 0 to 63 of two vectors of each set"),
        (
            (
                "set 1, vector 0",
                "80000000000000000000",
                "0000000000000000",
                "ff7710b30f198d75a454ab7a6b92a0229236b89d41a44052e0587ab77169500a"
                "701fe5c01518e30cf9777ddde4cd453acbf5151a1ebe057aa9b4aec3115790c1",
            ),
            (
                "set 1, vector 72",
                "00000000000000000080",
                "0000000000000000",
                "825e91ee86993afdbc9cb5c15d011331ac112f59a6949a22e500108016d5d2ed"
                "7ce6b6174c2f3d048ab607e1b03564b9fcbec297162374a765eabb18877727d9",
            ),
            (
                "set 2, vector 0",
                "00000000000000000000",
                "0000000000000000",
                "dee931cf1662a72f77d02b6b6188a8f6a2c25ae10433ed468b1819741e326b0e"
                "d79b2f1655ac2fb8dd6decbc9cd301d3e3da1fae749409f09215de1cee756fe7",
            ),
            (
                "set 2, vector 252",
                "fcfcfcfcfcfcfcfcfcfc",
                "0000000000000000",
                "899263a9ce37e955ef92925d42e169ec6ad615497e64ecbb0b74eae669e07d5e"
                "e51589acc4a532c39800b9e7d0cec6c2148e739188611621187262e7325e6394",
            ),
            (
                "set 3, vector 0",
                "00010203040506070809",
                "0000000000000000",
                "8fbb05938890c28ebe1319846253895092f406dd9041c3cd66377e3f6d485e50"
                "7d72da710bf895be5be52bb35af1cf13666acf4ea054c6c9246306c9b3258e28",
            ),
            (
                "set 3, vector 252",
                "fcfdfeff000102030405",
                "0000000000000000",
                "a154b44bb36f0c2d49096e4308bb26425a925f4cd962dbbe344922607d2685c0"
                "30c82eb1c55d8d27bbd61474705c1977b65ab09302d11ad4004e8f17152f36fa",
            ),
            (
                "set 4, vector 0",
                "0053a6f94c9ff24598eb",
                "0000000000000000",
                "5091e9c5398b2017021686b85f60cdab9166dd09184e1532cc3fb5392734d8ae"
                "88a2adeceeb7e07077677e5f8d732cf71bb5f632336fdfb9bde053caeb5dfa89",
            ),
            (
                "set 4, vector 3",
                "0f62b5085bae0154a7fa",
                "0000000000000000",
                "f8363e0806f60af02604d15b7fb9b2b88d5710669c4808c6c3428acef5d42719"
                "da055fefcf3735b40bcfa9591a9df4dcecd278bb6c70fe04aeacb0889ec7277c",
            ),
            (
                "set 5, vector 0",
                "00000000000000000000",
                "8000000000000000",
                "aa31003c39bbc0d415e0d00cfb0040d4cf12a2ca751958774124d23bd83d7bcb"
                "e9c3d6a85f6cba4dc2c1344fb1f49ac20ef62690fe8c164cc899e41756c5f00d",
            ),
            (
                "set 5, vector 63",
                "00000000000000000000",
                "0000000000000001",
                "5629a5b12b8569521f16aa0a6b02a9d514dd1a3699818a73efc0dcc08d10af43"
                "ad1e9dc32764e142a506ae39cde4ee17c594c60ae66475edd564ef9d394c85d7",
            ),
            (
                "set 6, vector 0",
                "0053a6f94c9ff24598eb",
                "0d74db42a91077de",
                "44c9a6eedf1cfabf9aa1ee1b078e5ad08cfc65e8ed81a5f14024ea247921d778"
                "f321c2c64e47434177204bdcd3a797e345e75b6538657cd976975b9d403421a6",
            ),
            (
                "set 6, vector 3",
                "0f62b5085bae0154a7fa",
                "288ff65dc42b92f9",
                "017d13ecb20ae0c9acf784cb06525f72ce6d52bebb948f124668c35064559024"
                "49eea505c19f3ee4d052c3d19da9c4d1b92dbc7f07afea6a3d845de60d8471fd",
            ),
        ),
    ),
)
"""Path, source, and comment, key, initial value and keystream of each."""

MESSAGES = (
    (
        "grain128_aead/nist_lwc.json",
        printed(
            "NIST lightweight cryptography, known answers of Grain-128AEADv2",
            "every 121st and the first three",
        ),
        (
            (
                "count 1",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "",
                "",
                "",
                "d51fd5d16177b434",
            ),
            (
                "count 2",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "00",
                "",
                "",
                "99b7cdbf488f8dc0",
            ),
            (
                "count 3",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "0001",
                "",
                "",
                "648e0d934843886b",
            ),
            (
                "count 121",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "000102030405060708090a0b0c0d0e0f1011121314",
                "000102",
                "968cab",
                "f16a2846a96c58f3",
            ),
            (
                "count 242",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "00010203040506070809",
                "00010203040506",
                "bfa5a817f2b886",
                "ac35c75dae14a7da",
            ),
            (
                "count 363",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "00010203040506070809",
                "d70df45e4839cff9a2c1",
                "093204a34b150e78",
            ),
            (
                "count 484",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "000102030405060708090a0b0c0d0e0f1011121314",
                "000102030405060708090a0b0c0d",
                "968cab7dbb43c058bb4ae0dc00fb",
                "3811ced487710720",
            ),
            (
                "count 605",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "00010203040506070809",
                "000102030405060708090a0b0c0d0e0f1011",
                "bfa5a817f2b886b331e8809d81a470b056d7",
                "5a68d720ec46d7cc",
            ),
            (
                "count 726",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "000102030405060708090a0b0c0d0e0f1011121314",
                "d70df45e4839cff9a2c139c719805cfcaab5ab651b",
                "8e3d4d32e9163663",
            ),
            (
                "count 847",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "000102030405060708090a0b0c0d0e0f1011121314",
                "000102030405060708090a0b0c0d0e0f101112131415161718",
                "968cab7dbb43c058bb4ae0dc00fb53432cd8ecb9dc26da0295",
                "8ef038293f200e82",
            ),
            (
                "count 968",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "00010203040506070809",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c",
                "bfa5a817f2b886b331e8809d81a470b056d74da057ffc11bee445627d5",
                "64a56ac2a55b5bb7",
            ),
            (
                "count 1089",
                "000102030405060708090a0b0c0d0e0f",
                "000102030405060708090a0b",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "d70df45e4839cff9a2c139c719805cfcaab5ab651b99a751fbf4b8d75abd6d97",
                "f543fe1cfbe56f72",
            ),
        ),
    ),
)
"""Path, source, and comment, key, nonce, a, m, ciphertext and tag of each."""
