//! RXFIFO: a ring of 128 octets that holds frames, each led by its length octet.

use std::collections::VecDeque;

/// Octets of each FIFO.
pub(crate) const FIFO_OCTETS: usize = 128;

/// A frame in the FIFO. A frame that is read stays here while decryption needs its octets.
#[derive(Clone, Copy)]
struct Frame {
    stored: usize,
    read: usize,
    /// More octets will follow.
    open: bool,
    /// All octets arrived.
    complete: bool,
    /// Passed address recognition (or there is none).
    accepted: bool,
}

/// Pointers of the FIFO; the octets themselves are in the chip's RAM, given to each call.
#[derive(Clone, Default)]
pub(crate) struct RxFifo {
    /// Ring position of the next octet to be read.
    read: usize,
    /// Octets not yet read.
    count: usize,
    frames: VecDeque<Frame>,
    /// A frame was completed since the last octet was read.
    completed: bool,
}

impl RxFifo {
    /// Octets not yet read.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Ring position of the next octet to be read.
    pub(crate) fn next_place(&self) -> usize {
        self.read
    }

    /// A new frame begins. Address recognition, if any, will call `accept` or `reject`.
    pub(crate) fn begin_frame(&mut self, accepted: bool) {
        self.frames.push_back(Frame {
            stored: 0,
            read: 0,
            open: true,
            complete: false,
            accepted,
        });
    }

    /// Stores an octet of the open frame. With `protect` octets of the first frame keep their place
    /// until all of it is read. False: no room, nothing stored.
    pub(crate) fn push(&mut self, ring: &mut [u8], octet: u8, protect: bool) -> bool {
        let kept = if protect {
            self.frames.front().map_or(0, |frame| frame.read)
        } else {
            0
        };
        if self.count + kept >= FIFO_OCTETS {
            return false;
        }
        ring[(self.read + self.count) % FIFO_OCTETS] = octet;
        self.count += 1;
        if let Some(frame) = self.frames.back_mut() {
            frame.stored += 1;
        }
        true
    }

    /// An octet written through the register: frames are cut by their length octets.
    pub(crate) fn write(&mut self, ring: &mut [u8], octet: u8, protect: bool) -> bool {
        if !self.frames.back().is_some_and(|frame| frame.open) {
            self.begin_frame(true);
        }
        if !self.push(ring, octet, protect) {
            return false;
        }
        let Some(&frame) = self.frames.back() else {
            return false;
        };
        let length =
            ring[(self.read + self.count + FIFO_OCTETS - frame.stored) % FIFO_OCTETS] & 0x7F;
        if frame.stored > usize::from(length) {
            self.end_frame();
        }
        true
    }

    /// The open frame passed address recognition.
    pub(crate) fn accept(&mut self) {
        if let Some(frame) = self.frames.back_mut() {
            frame.accepted = true;
        }
    }

    /// The last octet of the open frame arrived.
    pub(crate) fn end_frame(&mut self) {
        if let Some(frame) = self.frames.back_mut() {
            frame.open = false;
            frame.complete = true;
            self.completed = true;
        }
        self.drop_read_frames();
    }

    /// Reception stopped: what is there of the open frame stays until it is read or flushed.
    pub(crate) fn abandon_frame(&mut self) {
        if let Some(frame) = self.frames.back_mut() {
            frame.open = false;
        }
        self.drop_read_frames();
    }

    /// The open frame failed address recognition: its octets go, earlier frames stay.
    pub(crate) fn reject_frame(&mut self) {
        if let Some(frame) = self.frames.pop_back() {
            self.count -= frame.stored - frame.read;
        }
    }

    /// Takes the next octet.
    pub(crate) fn pop(&mut self, ring: &[u8]) -> Option<u8> {
        if self.count == 0 {
            return None;
        }
        let octet = ring[self.read];
        self.read = (self.read + 1) % FIFO_OCTETS;
        self.count -= 1;
        self.completed = false;
        if let Some(frame) = self.frames.front_mut() {
            frame.read += 1;
        }
        self.drop_read_frames();
        Some(octet)
    }

    /// Empties the FIFO.
    pub(crate) fn flush(&mut self) {
        *self = RxFifo::default();
    }

    /// Where the first frame starts in the ring and how many of its octets arrived, read ones
    /// included.
    pub(crate) fn first_frame(&self) -> (usize, usize) {
        let frame = self.frames.front();
        let (stored, read) = frame.map_or((0, 0), |frame| (frame.stored, frame.read));
        ((self.read + FIFO_OCTETS - read) % FIFO_OCTETS, stored)
    }

    /// FIFOP without overflow: the FIFO is over its threshold, or holds a complete unread frame, or
    /// a frame was completed since the last read. Octets of a frame that has not passed address
    /// recognition do not count.
    pub(crate) fn fifop(&self, threshold: usize) -> bool {
        let undecided = self
            .frames
            .back()
            .filter(|frame| !frame.accepted)
            .map_or(0, |frame| frame.stored - frame.read);
        let whole = self
            .frames
            .front()
            .is_some_and(|frame| frame.complete && frame.read == 0);
        self.count - undecided > threshold || whole || (self.completed && self.count > 0)
    }

    fn drop_read_frames(&mut self) {
        while self
            .frames
            .front()
            .is_some_and(|frame| !frame.open && frame.read == frame.stored)
        {
            self.frames.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(fifo: &mut RxFifo, ring: &mut [u8], octets: &[u8]) {
        fifo.begin_frame(true);
        for &octet in octets {
            assert!(fifo.push(ring, octet, false));
        }
        fifo.end_frame();
    }

    #[test]
    fn fifop_follows_frame_ends_and_threshold() {
        let (mut fifo, mut ring) = (RxFifo::default(), [0; FIFO_OCTETS]);
        fill(&mut fifo, &mut ring, &[2, 10, 11]);
        assert!(fifo.fifop(127));
        assert_eq!(fifo.pop(&ring), Some(2));
        assert!(!fifo.fifop(127), "one octet read");
        assert!(fifo.fifop(1), "two octets exceed a threshold of one");
        fill(&mut fifo, &mut ring, &[1, 20]);
        assert!(fifo.fifop(127), "a second frame was completed");
        assert_eq!((fifo.pop(&ring), fifo.pop(&ring)), (Some(10), Some(11)));
        assert!(fifo.fifop(127), "the second frame is whole");
        assert_eq!(
            (fifo.pop(&ring), fifo.pop(&ring), fifo.pop(&ring)),
            (Some(1), Some(20), None)
        );
    }

    #[test]
    fn an_undecided_frame_does_not_raise_fifop_and_can_go() {
        let (mut fifo, mut ring) = (RxFifo::default(), [0; FIFO_OCTETS]);
        fill(&mut fifo, &mut ring, &[1, 20]);
        assert_eq!((fifo.pop(&ring), fifo.pop(&ring)), (Some(1), Some(20)));
        fifo.begin_frame(false);
        for octet in 0..9 {
            assert!(fifo.push(&mut ring, octet, false));
        }
        assert!(!fifo.fifop(3));
        fifo.accept();
        assert!(fifo.fifop(3));
        fifo.reject_frame();
        assert_eq!(fifo.count(), 0);
    }

    #[test]
    fn protection_keeps_read_octets_of_the_first_frame() {
        let (mut fifo, mut ring) = (RxFifo::default(), [0; FIFO_OCTETS]);
        let octets: Vec<u8> = std::iter::once(99).chain(0..99).collect();
        fill(&mut fifo, &mut ring, &octets);
        for _ in 0..50 {
            fifo.pop(&ring);
        }
        fifo.begin_frame(true);
        let mut room = |fifo: &mut RxFifo, protect| {
            (0..200)
                .take_while(|_| fifo.push(&mut ring, 0, protect))
                .count()
        };
        assert_eq!(room(&mut fifo, true), 28);
        assert_eq!(room(&mut fifo, false), 50);
        assert_eq!(fifo.first_frame(), (0, 100));
    }

    #[test]
    fn frames_written_through_the_register_end_by_their_length() {
        let (mut fifo, mut ring) = (RxFifo::default(), [0; FIFO_OCTETS]);
        for octet in [2, 7, 8] {
            assert!(fifo.write(&mut ring, octet, false));
        }
        assert!(fifo.fifop(127));
        assert!(fifo.write(&mut ring, 5, false));
        assert_eq!(fifo.first_frame(), (0, 3));
    }
}
