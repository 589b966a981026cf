//! The table of utility functions in ROM (TI rom.h), as data: the board supplies the functions.

/// Address of the table: one pointer for each entry of [`ROM_API`].
pub const ROM_API_TABLE: u32 = 0x48;

/// One function of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RomEntry {
    /// `uint32_t crc32(const uint8_t *data, uint32_t octets)`: that of IEEE 802.3.
    Crc32,
    /// `uint32_t get_flash_size(void)`: in octets.
    GetFlashSize,
    /// `uint32_t get_chip_id(void)`: 0xB964 for a CC2538 with the security engines, in the upper
    /// half of the word.
    GetChipId,
    /// `int32_t page_erase(uint32_t address, uint32_t octets)`: 0, −1 failed, −2 wrong parameters.
    PageErase,
    /// `int32_t program_flash(const uint32_t *data, uint32_t address, uint32_t octets)`: 0, −1
    /// failed, −2 wrong parameters.
    ProgramFlash,
    /// `void reset_device(void)`.
    ResetDevice,
    /// `void *memset(void *s, int c, uint32_t n)`.
    Memset,
    /// `void *memcpy(void *to, const void *from, uint32_t n)`.
    Memcpy,
    /// `int memcmp(const void *a, const void *b, uint32_t n)`.
    Memcmp,
    /// `void *memmove(void *to, const void *from, uint32_t n)`.
    Memmove,
}

/// The entries in the order of the table.
pub const ROM_API: [RomEntry; 10] = [
    RomEntry::Crc32,
    RomEntry::GetFlashSize,
    RomEntry::GetChipId,
    RomEntry::PageErase,
    RomEntry::ProgramFlash,
    RomEntry::ResetDevice,
    RomEntry::Memset,
    RomEntry::Memcpy,
    RomEntry::Memcmp,
    RomEntry::Memmove,
];

impl RomEntry {
    /// Address of the pointer to this function.
    pub const fn pointer(self) -> u32 {
        ROM_API_TABLE + 4 * self as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_follow_each_other() {
        for (index, entry) in (0..).zip(ROM_API) {
            assert_eq!(entry.pointer(), 0x48 + 4 * index);
        }
    }
}
