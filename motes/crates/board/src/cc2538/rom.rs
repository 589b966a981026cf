//! The ROM: how an image starts, and the functions it offers. `board/data/openmote-cc2538-rom.s` is
//! the source of these words; tests/motes/test_openmote.py assembles it and compares.

/// What lies at address 0.
#[rustfmt::skip]
pub const ROM: [u32; 103] = [
    0x2000_8000, 0x0000_0071, 0x0001_0001, 0x0001_0001, 0x0001_0001, 0x0001_0001,
    0x0001_0001, 0x0001_0001, 0x0001_0001, 0x0001_0001, 0x0001_0001, 0x0001_0001,
    0x0001_0001, 0x0001_0001, 0x0001_0001, 0x0001_0001, 0x0000_0000, 0x0000_0000,
    0x0000_015F, 0x0000_0087, 0x0000_008D, 0x0000_0091, 0x0000_00C3, 0x0000_010F,
    0x0000_0117, 0x0000_0137, 0x0000_0149, 0x0000_0125, 0x6841_4844, 0x6880_B929,
    0xF381_6801, 0xF8D0_8808, 0xBF30_F004, 0xF44F_E7FD, 0x4770_2000, 0x4770_483E,
    0x0201_EA40, 0xD137_0552, 0x4401_4A3C, 0xD22E_4288, 0x2301_6050, 0xC000_F8D2,
    0x030C_EA43, 0x6813_6013, 0x6C03_EA5F, 0xEA5F_D4FB, 0xD422_6C83, 0x6000_F500,
    0xEA41_E7EC, 0x079B_0302, 0x4B30_D11E, 0x6819_6059, 0x0102_F041, 0xB15A_6019,
    0x1B04_F850, 0x6819_6099, 0x6C41_EA5F, 0xEA5F_D4FB, 0xD40A_6C81, 0xE7F2_3A04,
    0xEA5F_6819, 0xD4FB_6C01, 0x0102_F021, 0x2000_6019, 0xF06F_4770, 0x4770_0000,
    0x0001_F06F, 0x4820_4770, 0x6001_4920, 0x4603_E7FE, 0xF803_B11A, 0x3A01_1B01,
    0x4770_E7FA, 0x4293_1A43, 0xB11A_D205, 0x5C8B_3A01, 0xE7FA_5483, 0x4684_4770,
    0xF811_B12A, 0xF80C_3B01, 0x3A01_3B01, 0x4770_E7F8, 0x2000_4684, 0xF81C_B132,
    0xF811_0B01, 0x3A01_3B01, 0xD0F7_1AC0, 0xF06F_4770, 0xF8DF_0200, 0xB159_C034,
    0x3B01_F810, 0x2308_405A, 0xBF28_0852, 0x020C_EA82, 0xD1F9_3B01, 0xE7F2_3901,
    0x4770_43D0, 0x0027_FFD4, 0xB964_0000, 0x400D_3008, 0xE000_ED0C, 0x05FA_0004,
    0xEDB8_8320,
];

#[cfg(test)]
mod tests {
    use super::*;
    use device::cc2538::ROM_API;

    #[test]
    fn the_table_points_to_thumb_code_in_this_rom() {
        for entry in ROM_API {
            let pointer = ROM[entry.pointer() as usize / 4];
            let inside = (pointer as usize) < 4 * ROM.len();
            assert_eq!((pointer & 1, inside), (1, true), "{entry:?}");
        }
    }
}
