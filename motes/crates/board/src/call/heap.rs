//! RAM that a program leaves free: room for what is passed to its functions.

use super::CallError;
use std::ops::Range;

/// Free RAM, given out from the bottom. Addresses are those of ELF files.
pub(super) struct Heap {
    first: u32,
    next: u32,
    end: u32,
}

impl Heap {
    /// RAM from `first` to `end`, which is not part of it.
    pub(super) fn new(first: u32, end: u32) -> Heap {
        Heap {
            first,
            next: first,
            end,
        }
    }

    /// All of it, given out or not.
    pub(super) fn room(&self) -> Range<u32> {
        self.first..self.end
    }

    /// First free address.
    pub(super) fn mark(&self) -> u32 {
        self.next
    }

    /// Gives out `octets` at a multiple of `align`.
    pub(super) fn allocate(&mut self, octets: usize, align: usize) -> Result<u32, CallError> {
        let start = (self.next as usize).next_multiple_of(align.max(1));
        let left = (self.end as usize).saturating_sub(start);
        if octets > left {
            let wanted = octets;
            return Err(CallError::OutOfMemory { wanted, left });
        }
        self.next = (start + octets) as u32;
        Ok(start as u32)
    }

    /// Takes back what was given out since `mark`.
    pub(super) fn release(&mut self, mark: u32) {
        self.next = self.next.min(mark).max(self.first);
    }

    /// Takes back everything.
    pub(super) fn reset(&mut self) {
        self.next = self.first;
    }

    /// Refuses a stack of `octets` if the free RAM below `top` is too small for it.
    pub(super) fn check_stack(&self, octets: usize, top: u32) -> Result<(), CallError> {
        let left = (top - self.next) as usize;
        if octets > left {
            let wanted = octets;
            return Err(CallError::OutOfMemory { wanted, left });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_out_is_aligned_and_comes_back() {
        let mut heap = Heap::new(0x1101, 0x1120);
        let mark = heap.mark();
        assert_eq!(
            (heap.allocate(3, 1), heap.allocate(8, 8)),
            (Ok(0x1101), Ok(0x1108))
        );
        let error = CallError::OutOfMemory {
            wanted: 17,
            left: 16,
        };
        assert_eq!(heap.allocate(17, 1), Err(error));
        assert_eq!(
            heap.check_stack(17, 0x1120),
            heap.allocate(17, 1).map(|_| ())
        );
        heap.release(mark);
        assert_eq!(heap.mark(), 0x1101);
        heap.release(0);
        assert_eq!(heap.mark(), 0x1101, "the program's own data stay");
    }
}
