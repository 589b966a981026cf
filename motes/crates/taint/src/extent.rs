//! What lies where, by name: the buffers of a call and the objects of a program.

use std::ops::Range;

/// A named piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Its octets.
    pub range: Range<u32>,
    /// What people call it.
    pub name: String,
}

/// Named pieces of memory.
#[derive(Clone, Debug, Default)]
pub struct Extents(Vec<Extent>);

impl Extents {
    /// Adds a piece.
    pub fn add(&mut self, range: Range<u32>, name: impl Into<String>) {
        let name = name.into();
        self.0.push(Extent { range, name });
    }

    /// Drops the pieces that begin in a range.
    pub fn drop_within(&mut self, range: Range<u32>) {
        self.0.retain(|one| !range.contains(&one.range.start));
    }

    /// Where an octet lies that no piece holds, relative to the nearest one.
    pub fn place(&self, address: u32) -> String {
        let distance = |one: &Extent| {
            if address < one.range.start {
                one.range.start - address
            } else {
                address - one.range.end.min(address) + 1
            }
        };
        let Some(nearest) = self.0.iter().min_by_key(|one| distance(one)) else {
            return "where nothing of the program is".into();
        };
        let octets = |n: u32| format!("{n} octet{}", if n == 1 { "" } else { "s" });
        let (name, by) = (&nearest.name, octets(distance(nearest)));
        let size = octets(nearest.range.end - nearest.range.start);
        if address < nearest.range.start {
            format!("{by} before {name} ({size})")
        } else {
            format!("{by} past the end of {name} ({size})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_from_the_nearest_piece() {
        let mut extents = Extents::default();
        assert_eq!(extents.place(7), "where nothing of the program is");
        extents.add(0x100..0x110, "key");
        extents.add(0x120..0x121, "flag");
        assert_eq!(
            extents.place(0x110),
            "1 octet past the end of key (16 octets)"
        );
        assert_eq!(extents.place(0xFE), "2 octets before key (16 octets)");
        assert_eq!(extents.place(0x11F), "1 octet before flag (1 octet)");
        extents.drop_within(0x120..0x200);
        assert_eq!(
            extents.place(0x11F),
            "16 octets past the end of key (16 octets)"
        );
    }
}
