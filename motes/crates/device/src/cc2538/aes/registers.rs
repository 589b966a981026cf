//! The engine's registers.

use super::{Aes, Job, alg, ctrl, int};
use crate::Ps;
use crate::cc2538::{Cc2538Config, Written, not_modelled};
use crate::clock::NEVER;

constants! { u32:
    CH0_CTRL = 0x000,      CH0_EXTADDR = 0x004,   CH0_DMALENGTH = 0x00C, DMAC_STATUS = 0x018,
    DMAC_SWRES = 0x01C,    CH1_CTRL = 0x020,      CH1_EXTADDR = 0x024,   CH1_DMALENGTH = 0x02C,
    RUNPARAMS = 0x078,     PERSR = 0x07C,         DMAC_OPTIONS = 0x0F8,  DMAC_VERSION = 0x0FC,
    WRITE_AREA = 0x400,    WRITTEN_AREA = 0x404,  KEY_SIZE = 0x408,      READ_AREA = 0x40C,
    KEY2_0 = 0x500,        KEY3_3 = 0x51C,        IV_0 = 0x540,          IV_3 = 0x54C,
    AES_CTRL = 0x550,      C_LENGTH_0 = 0x554,    C_LENGTH_1 = 0x558,    AUTH_LENGTH = 0x55C,
    DATA_0 = 0x560,        DATA_3 = 0x56C,        TAG_0 = 0x570,         TAG_3 = 0x57C,
    HASH_FIRST = 0x600,    HASH_LAST = 0x66C,     ALG_SEL = 0x700,       PROT_EN = 0x704,
    SW_RESET = 0x740,      INT_CFG = 0x780,       INT_EN = 0x784,        INT_CLR = 0x788,
    INT_SET = 0x78C,       INT_STAT = 0x790,      OPTIONS = 0x7F8,       VERSION = 0x7FC,
}

const PORT_ERR: u32 = 1 << 17;
const PORT1_AHB_ERROR: u32 = 1 << 12;
const READ_BUSY: u32 = 1 << 31;

fn word(octets: &[u8; 16], offset: u32) -> u32 {
    let at = (offset & 0xC) as usize;
    u32::from_le_bytes([octets[at], octets[at + 1], octets[at + 2], octets[at + 3]])
}

impl Aes {
    /// Reads the register at `offset`.
    pub(in crate::cc2538) fn read(&mut self, offset: u32) -> Option<u32> {
        Some(match offset {
            CH0_CTRL => self.channels[0].control,
            CH0_EXTADDR => self.channels[0].address,
            CH0_DMALENGTH => self.channels[0].left,
            CH1_CTRL => self.channels[1].control,
            CH1_EXTADDR => self.channels[1].address,
            CH1_DMALENGTH => self.channels[1].left,
            DMAC_STATUS => self.dma_status(),
            RUNPARAMS => self.run_parameters,
            PERSR if self.bus_error => PORT1_AHB_ERROR,
            // Two channels, one port; EIP-101m and its complement (from memory).
            DMAC_OPTIONS => 0x0000_0202,
            DMAC_VERSION => 0x0101_2ED1,
            WRITE_AREA => self.store.selected.into(),
            WRITTEN_AREA => self.store.written.into(),
            KEY_SIZE => self.store.size(),
            READ_AREA => {
                self.read_area
                    | if self.job == Some(Job::KeyRead) {
                        READ_BUSY
                    } else {
                        0
                    }
            }
            IV_0..=IV_3 => {
                if offset == IV_3 && self.control & (ctrl::CCM | ctrl::CBC_MAC) == 0 {
                    self.saved = false;
                }
                word(&self.iv, offset)
            }
            AES_CTRL => self.aes_control(),
            C_LENGTH_0 | C_LENGTH_1 | AUTH_LENGTH => 0,
            TAG_0..=TAG_3 => {
                if offset == TAG_3 {
                    self.saved = false;
                }
                word(&self.tag, offset)
            }
            ALG_SEL => self.algorithm,
            PROT_EN => self.protection,
            INT_CFG => self.int_config,
            INT_EN => self.int_enable,
            INT_STAT => self.int_status,
            // EIP-120t with key store, AES, hash (from memory).
            OPTIONS => 0x0001_01EE,
            VERSION => 0x9110_8778,
            DMAC_SWRES | PERSR | KEY2_0..=KEY3_3 | DATA_0..=DATA_3 => 0,
            HASH_FIRST..=HASH_LAST | SW_RESET | INT_CLR | INT_SET => 0,
            _ => return None,
        })
    }

    fn dma_status(&self) -> u32 {
        let port = if self.bus_error { PORT_ERR } else { 0 };
        port | u32::from(self.channels[1].active()) << 1 | u32::from(self.channels[0].active())
    }

    fn aes_control(&self) -> u32 {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        let idle = self.operation.is_none();
        let size = self.cipher.as_ref().map_or(0, |cipher| cipher.size());
        self.control
            | size << 3
            | flag(idle, ctrl::CONTEXT_READY)
            | flag(self.saved, ctrl::SAVED_CONTEXT_READY)
            | flag(!idle && self.job.is_none(), ctrl::INPUT_READY)
    }

    /// Writes the register at `offset`; `None`: there is none.
    pub(in crate::cc2538) fn write(
        &mut self,
        offset: u32,
        value: u32,
        now: Ps,
        config: &Cc2538Config,
    ) -> Written {
        match offset {
            CH0_CTRL => self.channels[0].control = value & 3,
            CH1_CTRL => self.channels[1].control = value & 3,
            CH0_EXTADDR => self.channels[0].address = value,
            CH1_EXTADDR => self.channels[1].address = value,
            CH0_DMALENGTH => self.channels[0].left = value & 0xFFFF,
            CH1_DMALENGTH => self.channels[1].left = value & 0xFFFF,
            DMAC_SWRES if value & 1 != 0 => self.reset_dma(),
            RUNPARAMS => self.run_parameters = value & 0xFF00,
            WRITE_AREA => self.store.selected = value as u8,
            WRITTEN_AREA => self.store.written &= !(value as u8),
            KEY_SIZE => self.store.set_size(value),
            READ_AREA => self.read_key(value & 0xF, now),
            IV_0..=IV_3 => {
                let at = (offset & 0xC) as usize;
                self.iv[at..at + 4].copy_from_slice(&value.to_le_bytes());
            }
            AES_CTRL if value & ctrl::GCM != 0 => return not_modelled("AES-GCM"),
            AES_CTRL if value & ctrl::OTHERS != 0 => {
                return not_modelled("another AES mode than ECB, CBC, CTR, CBC-MAC and CCM");
            }
            AES_CTRL => {
                self.control = value & ctrl::WRITABLE & !(ctrl::OUTPUT_READY | ctrl::INPUT_READY)
            }
            C_LENGTH_0 => self.c_length = self.c_length >> 32 << 32 | u64::from(value),
            C_LENGTH_1 => {
                self.c_length = u64::from(value & 0x1FFF_FFFF) << 32 | self.c_length & 0xFFFF_FFFF
            }
            AUTH_LENGTH => self.set_auth_length(value),
            DATA_0..=DATA_3 => return not_modelled("data of the AES engine through registers"),
            HASH_FIRST..=HASH_LAST => return not_modelled("the hash engine"),
            ALG_SEL if value & alg::HASH != 0 => return not_modelled("the hash engine"),
            ALG_SEL if value & alg::TAG != 0 => return not_modelled("reading a tag by DMA"),
            ALG_SEL => self.select(value & (alg::AES | alg::KEY_STORE)),
            PROT_EN => self.protection = value & 1,
            SW_RESET if value & 1 != 0 => self.reset(config),
            INT_CFG => self.int_config = value & 1,
            INT_EN => self.int_enable = value & (int::RESULT_AV | int::DMA_IN_DONE),
            INT_CLR => self.int_status &= !value,
            INT_SET => {
                self.int_status |= value & (int::RESULT_AV | int::DMA_IN_DONE) & self.int_enable
            }
            DMAC_SWRES | DMAC_STATUS | PERSR | DMAC_OPTIONS | DMAC_VERSION | KEY2_0..=KEY3_3 => {}
            TAG_0..=TAG_3 | SW_RESET | INT_STAT | OPTIONS | VERSION => {}
            _ => return None,
        }
        self.proceed(now);
        Some(Ok(()))
    }

    /// DMAC_SWRES: both channels off, errors forgotten.
    fn reset_dma(&mut self) {
        for channel in &mut self.channels {
            (channel.control, channel.left) = (0, 0);
        }
        self.bus_error = false;
        if self.job != Some(Job::KeyRead) {
            self.stop();
        }
    }

    /// KEY_STORE_READ_AREA: the key is loaded at once, if the path to the core is selected.
    fn read_key(&mut self, area: u32, now: Ps) {
        self.read_area = area;
        if self.algorithm == alg::AES && self.job.is_none() {
            self.cipher = None;
            self.operation = None;
            self.start(now, Job::KeyRead, self.timing.key_read);
        }
    }

    /// AUTH_LENGTH completes the context of CCM: B_0 can be worked on.
    fn set_auth_length(&mut self, value: u32) {
        self.a_length = value;
        if self.control & ctrl::CCM != 0 && self.algorithm == alg::AES && self.cipher.is_some() {
            self.begin();
        }
    }

    /// ALG_SEL: another path ends what goes on in the old one.
    fn select(&mut self, value: u32) {
        if value != self.algorithm {
            self.stop();
            self.due = NEVER;
        }
        self.algorithm = value;
    }
}
