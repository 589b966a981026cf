//! Flash information page: the IEEE address.

/// Where the page is mapped.
pub const INFO_PAGE: u32 = 0x0028_0000;
/// Its size. TI prints 2 KiB; its released coprocessor firmware reads the word at 0x0028_0FF8, so
/// more answers there (assumed: erased).
pub const INFO_PAGE_OCTETS: usize = 4096;
/// Offset of the primary IEEE address.
const IEEE_ADDRESS: usize = 0x28;

/// The page; 0xFF except for the address.
#[derive(Clone)]
pub(super) struct InfoPage(Box<[u8; INFO_PAGE_OCTETS]>);

impl InfoPage {
    /// With this IEEE address, most significant octet first. It lies there as TI's parts have it:
    /// two little-endian words, the more significant one first (so do the drivers of RIOT and
    /// Contiki-NG read it).
    pub(super) fn new(eui64: [u8; 8]) -> InfoPage {
        let mut page = Box::new([0xFF; INFO_PAGE_OCTETS]);
        for (place, octet) in [3, 2, 1, 0, 7, 6, 5, 4].into_iter().zip(eui64) {
            page[IEEE_ADDRESS + place] = octet;
        }
        InfoPage(page)
    }

    pub(super) fn octets(&self) -> &[u8; INFO_PAGE_OCTETS] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_two_little_endian_words() {
        let page = InfoPage::new([0x00, 0x12, 0x4B, 0x00, 0x01, 0x02, 0x03, 0x04]);
        assert_eq!(
            page.octets()[0x28..0x30],
            [0x00, 0x4B, 0x12, 0x00, 0x04, 0x03, 0x02, 0x01]
        );
        assert_eq!((page.octets()[0x27], page.octets()[0x30]), (0xFF, 0xFF));
    }
}
