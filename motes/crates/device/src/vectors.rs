//! CCM* vectors as they go through the chip.

pub(crate) const ANNEX_C_KEY: &str = "C0C1C2C3C4C5C6C7C8C9CACBCCCDCECF";

/// A CCM* vector: key, nonce, a, m, encrypted m, MIC. Hexadecimal.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) key: &'static str,
    pub(crate) nonce: String,
    pub(crate) a: String,
    pub(crate) m: &'static str,
    pub(crate) c: &'static str,
    pub(crate) mic: &'static str,
}

/// IEEE 802.15.4-2006 Annex C, its data frame at every level, the vector that OpenWSN has from TI,
/// and TSCH frames.
pub(crate) fn vectors() -> Vec<Vector> {
    [annex_c(), data_at_every_level(), ti(), tsch()]
        .into_iter()
        .flatten()
        .collect()
}

fn annex(
    name: &str,
    nonce_end: &str,
    a: &str,
    m: &'static str,
    c: &'static str,
    mic: &'static str,
) -> Vector {
    let nonce = format!("ACDE480000000001{nonce_end}");
    Vector {
        name: name.into(),
        key: ANNEX_C_KEY,
        nonce,
        a: a.into(),
        m,
        c,
        mic,
    }
}

fn annex_c() -> Vec<Vector> {
    let beacon = "08D0842143010000000048DEAC020500000055CF000051525354";
    let command = "2BDC842143020000000048DEACFFFF010000000048DEAC060500000001";
    vec![
        annex(
            "Annex C beacon, level 2",
            "0000000502",
            beacon,
            "",
            "",
            "223BC1EC841AB553",
        ),
        annex(
            "Annex C command, level 6",
            "0000000506",
            command,
            "CE",
            "D8",
            "4FDE529061F9C6F1",
        ),
    ]
}

/// The data frame of Annex C.2.2 (level 4 there) with every level: 1 to 3 authenticate the payload,
/// 4 only encrypts it.
fn data_at_every_level() -> Vec<Vector> {
    let levels = [
        (1, "", "f03f3843"),
        (2, "", "ad29d65927230375"),
        (3, "", "98bddc1a263b1479b494b48bc7844232"),
        (4, "D43E022B", ""),
        (5, "3566bd72", "1b0c6e27"),
        (6, "77cb04d0", "8e6078f2f2be4c61"),
        (7, "4e8b60da", "3d80eebd8944cb7818eb3e5e0863f8e6"),
    ];
    let vector = |(level, c, mic): (u8, &'static str, &'static str)| {
        let header = format!("69DC842143020000000048DEAC010000000048DEAC{level:02x}05000000");
        let (a, m) = if level < 4 {
            (header + "61626364", "")
        } else {
            (header, "61626364")
        };
        annex(
            &format!("data, level {level}"),
            &format!("00000005{level:02x}"),
            &a,
            m,
            c,
            mic,
        )
    };
    levels.into_iter().map(vector).collect()
}

fn ti() -> Vec<Vector> {
    vec![Vector {
        name: "TI".into(),
        key: "123456789ABCDEF00000000000000000",
        nonce: "0000F0E0D0C0B0A00000000005".into(),
        a: "6998033363BBAA01000D0000000003".into(),
        m: "14AABB00000102030405060708090A0B0C0D0E0F",
        c: "92E8ADCA5381BFD05BDDF361090982E62C61014E",
        mic: "7B344F09",
    }]
}

/// ASN 0x0102030405: data with ENC-MIC-32, -64, -128, and an acknowledgement (all of it a).
fn tsch() -> Vec<Vector> {
    let frame = |name: &str, nonce: &str, a: String, m, c, mic| {
        let key = "deadbeeffacecafedeadbeeffacecafe";
        Vector {
            name: name.into(),
            key,
            nonce: nonce.into(),
            a,
            m,
            c,
            mic,
        }
    };
    let levels = [
        ("6d", "40942131"),
        ("6e", "714542edc1b7ce22"),
        ("6f", "9fd69c27a2153563d951ec5eae67c773"),
    ];
    let data = levels.into_iter().map(|(control, mic)| {
        let a = format!("29ec07cdab02000000004b120001000000004b1200{control}02");
        let m = "101112131415161718191a1b1c1d1e1f20212223";
        let c = "4a7246a4020fdc57928b62dfeacf9707095f4613";
        frame(
            &format!("TSCH data {control}"),
            "00124b00000000010102030405",
            a,
            m,
            c,
            mic,
        )
    });
    let ack = "0aee07cdab01000000004b120002000000004b12006d02020ffb0f".to_owned();
    let ack = frame(
        "TSCH acknowledgement",
        "00124b00000000020102030405",
        ack,
        "",
        "",
        "26ce0d16",
    );
    data.chain([ack]).collect()
}

/// The data frame with ENC-MIC-32 (`0`) to ENC-MIC-128 (`2`).
pub(crate) fn tsch_data(level: usize) -> Vector {
    tsch().swap_remove(level)
}
