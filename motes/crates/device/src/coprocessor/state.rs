//! The registers of aes128_coprocessor.vhd, and what follows a status, the operands or a block.

use super::instruction::{
    CBC_DECRYPT, CCM_OPEN, CCM_SEAL, CTR_CRYPT, ECB_DECRYPT, KEY, MESSAGE_LEN, NOT_AUTHENTICATED,
    OK, PARAM, SECURITY, STATE, WIPE, is_ccm,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Clear,
    Instruction,
    Operands,
    Status,
    BlockIn,
    BlockOut,
    CounterIn,
    Increment,
    Stream,
    StreamOut,
    StartMac,
    AIn,
    MIn,
    MacOut,
    TagOut,
    TagIn,
    MessageOut,
}

/// The registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Now {
    pub phase: Phase,
    pub code: u8,
    pub status: u8,
    pub keyed: bool,
    pub decrypt: bool,
    pub endless: bool,
    pub tagged: bool,
    pub a_first: bool,
    pub last: bool,
    pub carry: bool,
    pub index: u8,
    pub a_len: u16,
    pub a_left: u16,
    pub m_len: u16,
    pub m_left: u16,
    pub tag_len: u8,
    pub different: u8,
    pub at: u16,
}

pub(super) const EMPTY: Now = Now {
    phase: Phase::Clear,
    code: 0,
    status: OK,
    keyed: false,
    decrypt: false,
    endless: false,
    tagged: false,
    a_first: false,
    last: false,
    carry: false,
    index: 0,
    a_len: 0,
    a_left: 0,
    m_len: 0,
    m_left: 0,
    tag_len: 0,
    different: 0,
    at: 0,
};

impl Now {
    fn lengths_right(&self) -> bool {
        if is_ccm(self.code) {
            return self.tag_len <= 16
                && self.tag_len & 1 == 0
                && self.tag_len != 2
                && (self.tag_len != 0 || self.a_len == 0)
                && self.a_len < 65280
                && (self.code == CCM_SEAL || usize::from(self.m_len) <= MESSAGE_LEN);
        }
        self.code == CTR_CRYPT || self.m_len & 15 == 0 || self.endless
    }

    pub fn finish(&mut self) {
        self.phase = Phase::Clear;
        self.at = 0;
    }

    /// What follows in CCM\* once the chain is up to date.
    pub fn go_on(&mut self) {
        self.index = 0;
        if self.a_left != 0 {
            self.phase = Phase::AIn;
        } else if self.m_left != 0 {
            self.phase = Phase::CounterIn;
        } else if self.tag_len != 0 {
            self.phase = Phase::CounterIn;
            self.last = true;
        } else if self.code == CCM_OPEN {
            self.phase = Phase::Status;
            self.status = NOT_AUTHENTICATED;
            self.tagged = true;
        } else {
            self.finish();
        }
    }

    pub fn after_status(&mut self, was: &Now) {
        self.index = 0;
        if was.tagged {
            self.at = 0;
            if was.status == SECURITY || was.m_len == 0 {
                self.finish();
            } else {
                self.phase = Phase::MessageOut;
            }
        } else if was.status != OK || matches!(was.code, KEY | WIPE) {
            self.phase = Phase::Instruction;
        } else if is_ccm(was.code) {
            if was.tag_len != 0 {
                self.phase = Phase::StartMac;
            } else {
                self.go_on();
            }
        } else if was.m_left == 0 {
            self.finish();
        } else if was.code == CTR_CRYPT {
            self.phase = Phase::CounterIn;
        } else {
            self.phase = Phase::BlockIn;
        }
    }

    /// The operands are complete.
    pub fn start(&mut self) {
        self.phase = Phase::Status;
        self.index = 0;
        self.endless = false;
        if self.code == KEY {
            self.keyed = true;
        } else {
            self.endless = !is_ccm(self.code) && self.m_len == u16::MAX;
            if !self.keyed {
                self.status = STATE;
            } else if !self.lengths_right() {
                self.status = PARAM;
            }
        }
        self.a_left = self.a_len;
        self.m_left = self.m_len;
        self.a_first = true;
        self.last = false;
        self.different = 0;
        self.at = 0;
        self.decrypt = matches!(self.code, ECB_DECRYPT | CBC_DECRYPT);
    }
}
