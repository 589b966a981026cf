//! AES-128 CCM\* and secured frames of IEEE 802.15.4, by the stack's C: no heap, no `std`.
//!
//! AES is the variant whose time depends on no secret, with any memory. A key is a type of its own,
//! wiped when it is dropped. Rust moves a value by copying it, and what it leaves behind is not wiped:
//! make a key where it stays (`static`, `Box`, a field), and hand out references. Every call that
//! can refuse answers a `Result`. After a refusal, its buffer is either unchanged or zero, as each
//! call says.
//!
//! A nonce, and a frame counter under one [`FrameKey`], must never be used twice. The crate does not
//! keep counters: docs/how-do-counters-survive-a-power-cut.md says how to.
#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

use core::ffi::{c_int, c_void};
use core::fmt;
use core::ptr;

/// Octets of a nonce of CCM\*.
pub const NONCE_OCTETS: usize = 13;
/// Most octets of a frame, without its FCS.
pub const FRAME_OCTETS: usize = 125;
/// Most octets of a MIC.
const MIC_OCTETS: usize = 16;
/// Octets of the header that a frame gets for its security: control, counter, key index.
const HEADER_OCTETS: usize = 6;

/// Why something was refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Error {
    /// A length or a value is out of range; nothing was changed.
    Parameter,
    /// The buffer has no room, or the frame would be longer than a radio can send.
    TooLong,
    /// The octets are no frame that this crate can take.
    Malformed,
    /// The frame is not secured, or at a level without a MIC.
    Level,
    /// The counter is used up.
    Counter,
    /// The tag is wrong; the plaintext was zeroed.
    Tag,
    /// Any other status of the C stack.
    Other(i32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter => f.write_str("a length or value is out of range"),
            Self::TooLong => f.write_str("no room for the secured frame"),
            Self::Malformed => f.write_str("not a frame"),
            Self::Level => f.write_str("not secured, or without a MIC"),
            Self::Counter => f.write_str("the frame counter is used up"),
            Self::Tag => f.write_str("wrong tag"),
            Self::Other(status) => write!(f, "status {status} of the stack"),
        }
    }
}

impl core::error::Error for Error {}

/// The statuses of `wardmote/status.h`.
fn checked(status: c_int) -> Result<(), Error> {
    match status {
        0 => Ok(()),
        1 | 2 => Err(Error::Level), // done, but nothing authenticates the frame
        -1 => Err(Error::Parameter),
        -2 | -7 | -13 => Err(Error::Malformed),
        -3 => Err(Error::TooLong),
        -4 => Err(Error::Counter),
        -6 | -8 => Err(Error::Level),
        -10 => Err(Error::Tag),
        other => Err(Error::Other(other)),
    }
}

unsafe extern "C" {
    fn wm_flat_init(key: *mut c_void, octets: *const u8);
    fn wm_flat_wipe(key: *mut c_void);
    fn wm_flat_seal(
        key: *const c_void,
        nonce: *const u8,
        a: *const u8,
        a_len: usize,
        m: *mut u8,
        m_len: usize,
        tag: *mut u8,
        tag_len: u8,
    ) -> c_int;
    fn wm_flat_open(
        key: *const c_void,
        nonce: *const u8,
        a: *const u8,
        a_len: usize,
        m: *mut u8,
        m_len: usize,
        tag: *const u8,
        tag_len: u8,
    ) -> c_int;
    fn wm_flat_secure(
        key: *const c_void,
        source: *const u8,
        level: u8,
        key_index: u8,
        counter: u32,
        frame: *mut u8,
        size: u8,
        len: *mut u8,
    ) -> c_int;
    fn wm_flat_unsecure(
        key: *const c_void,
        source: *const u8,
        frame: *mut u8,
        len: *mut u8,
        level: *mut u8,
        key_index: *mut u8,
        counter: *mut u32,
    ) -> c_int;
}

/// A key as the stack keeps it. `src/flat.c` asserts that it has room here.
struct Expanded([u64; 45]);

impl Expanded {
    fn new(octets: &[u8; 16]) -> Self {
        let mut key = Self([0; 45]);
        // SAFETY: the place has the size that flat.c asserts; `octets` has the 16 that are read.
        unsafe { wm_flat_init(key.0.as_mut_ptr().cast(), octets.as_ptr()) };
        key
    }

    fn as_ptr(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }
}

impl Drop for Expanded {
    fn drop(&mut self) {
        // SAFETY: as in `new`.
        unsafe { wm_flat_wipe(self.0.as_mut_ptr().cast()) };
    }
}

/// A nonce of CCM\*, never used twice under one key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Nonce(pub [u8; NONCE_OCTETS]);

/// A key for messages: AES-128 CCM\* (RFC 3610; IEEE 802.15.4 Annex B) with L = 2.
pub struct CcmKey(Expanded);

impl CcmKey {
    /// Expands the key.
    pub fn new(octets: &[u8; 16]) -> Self {
        Self(Expanded::new(octets))
    }

    /// Encrypts `message` in place and writes the tag.
    ///
    /// # Errors
    /// [`Error::Parameter`], with nothing changed: `tag` has not 4, 6, 8 … 16 octets, `message` over
    /// 65 535 or `associated` over 65 279.
    pub fn seal(
        &self,
        nonce: &Nonce,
        associated: &[u8],
        message: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let tag_len = length(tag)?;
        // SAFETY: every pointer is to as many octets as the length beside it says, the nonce's to 13;
        // `message` and `tag` are borrowed mutably, so that nothing overlaps them.
        checked(unsafe {
            wm_flat_seal(
                self.0.as_ptr(),
                nonce.0.as_ptr(),
                associated.as_ptr(),
                associated.len(),
                message.as_mut_ptr(),
                message.len(),
                tag.as_mut_ptr(),
                tag_len,
            )
        })
    }

    /// Compares the tag and decrypts `message` in place.
    ///
    /// # Errors
    /// [`Error::Tag`]: `message` is all zero. [`Error::Parameter`]: as for [`seal`](Self::seal).
    pub fn open(
        &self,
        nonce: &Nonce,
        associated: &[u8],
        message: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let tag_len = length(tag)?;
        // SAFETY: as in `seal`.
        checked(unsafe {
            wm_flat_open(
                self.0.as_ptr(),
                nonce.0.as_ptr(),
                associated.as_ptr(),
                associated.len(),
                message.as_mut_ptr(),
                message.len(),
                tag.as_ptr(),
                tag_len,
            )
        })
    }
}

/// The length as the stack takes it. A tag of 0 octets would authenticate nothing.
fn length(tag: &[u8]) -> Result<u8, Error> {
    match u8::try_from(tag.len()) {
        Ok(octets @ 4..) => Ok(octets),
        _ => Err(Error::Parameter),
    }
}

/// Security levels with a MIC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Level {
    /// MIC of 4 octets, payload in clear.
    Mic32 = 1,
    /// MIC of 8 octets, payload in clear.
    Mic64 = 2,
    /// MIC of 16 octets, payload in clear.
    Mic128 = 3,
    /// Payload encrypted, MIC of 4 octets.
    EncMic32 = 5,
    /// Payload encrypted, MIC of 8 octets.
    EncMic64 = 6,
    /// Payload encrypted, MIC of 16 octets.
    EncMic128 = 7,
}

impl Level {
    fn from_air(level: u8) -> Result<Self, Error> {
        Ok(match level {
            1 => Self::Mic32,
            2 => Self::Mic64,
            3 => Self::Mic128,
            5 => Self::EncMic32,
            6 => Self::EncMic64,
            7 => Self::EncMic128,
            _ => return Err(Error::Level),
        })
    }
}

/// How a frame was, or is to be, secured. KeyIdMode is 1.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Security {
    /// Its level.
    pub level: Level,
    /// KeyIndex, 1 to 255; 0 of a received frame that names its key otherwise.
    pub key_index: u8,
    /// Frame counter. A receiver accepts each only once: that is the caller's to check.
    pub counter: u32,
}

/// A key for frames: IEEE 802.15.4-2015, nonce of address, counter and level.
pub struct FrameKey(Expanded);

impl FrameKey {
    /// Expands the key.
    pub fn new(octets: &[u8; 16]) -> Self {
        Self(Expanded::new(octets))
    }

    /// Secures the frame in clear that is the first `len` octets of `buffer`, in place; the octets
    /// that it then has. `source` is the sender's extended address, most significant octet first,
    /// for frames that do not carry it.
    ///
    /// # Errors
    /// [`Error::TooLong`] where `buffer` has no room for header and MIC: 22 octets always suffice.
    /// After an error `buffer` holds the frame as it was, or zeros: nothing that looks secured.
    pub fn secure(
        &self,
        security: Security,
        source: Option<&[u8; 8]>,
        buffer: &mut [u8],
        len: usize,
    ) -> Result<usize, Error> {
        let size = buffer.len().min(FRAME_OCTETS);
        if len > size || (len + HEADER_OCTETS + MIC_OCTETS).min(FRAME_OCTETS) > size {
            return Err(Error::TooLong);
        }
        let (mut octets, size) = (narrow(len)?, narrow(size)?);
        // SAFETY: `buffer` has `size` octets and room for what the stack appends, which itself
        // refuses frames over FRAME_OCTETS; `source` is null or 8 octets.
        checked(unsafe {
            wm_flat_secure(
                self.0.as_ptr(),
                source.map_or(ptr::null(), |address| address.as_ptr()),
                security.level as u8,
                security.key_index,
                security.counter,
                buffer.as_mut_ptr(),
                size,
                &raw mut octets,
            )
        })?;
        Ok(usize::from(octets))
    }

    /// Unsecures a frame in place and removes its security header: the octets of the frame in clear,
    /// and how it was secured. The sender chose the level: compare it with the one that you want, for
    /// a MIC of 4 octets is guessed sooner than one of 16.
    ///
    /// # Errors
    /// [`Error::Tag`]: everything behind the header is zero. [`Error::Level`]: the frame is in clear,
    /// or has no MIC. Others: the frame is unchanged.
    pub fn unsecure(
        &self,
        source: Option<&[u8; 8]>,
        frame: &mut [u8],
    ) -> Result<(usize, Security), Error> {
        if frame.len() > FRAME_OCTETS {
            return Err(Error::TooLong);
        }
        let (mut octets, mut level, mut key_index, mut counter) = (narrow(frame.len())?, 0, 0, 0);
        // SAFETY: `frame` has as many octets as `octets` says, and becomes shorter only; `source` is
        // null or 8 octets.
        checked(unsafe {
            wm_flat_unsecure(
                self.0.as_ptr(),
                source.map_or(ptr::null(), |address| address.as_ptr()),
                frame.as_mut_ptr(),
                &raw mut octets,
                &raw mut level,
                &raw mut key_index,
                &raw mut counter,
            )
        })?;
        let security = Security {
            level: Level::from_air(level)?,
            key_index,
            counter,
        };
        Ok((usize::from(octets), security))
    }
}

fn narrow(octets: usize) -> Result<u8, Error> {
    u8::try_from(octets).map_err(|_| Error::TooLong)
}
