//! Instructions, statuses and lengths, as in coprocessor_pkg.vhd.

constants! { pub u8:
    KEY = 0x01,          WIPE = 0x02,
    ECB_ENCRYPT = 0x10,  ECB_DECRYPT = 0x11,
    CBC_ENCRYPT = 0x20,  CBC_DECRYPT = 0x21,
    CTR_CRYPT = 0x30,    CCM_SEAL = 0x40,     CCM_OPEN = 0x41,
    OK = 0x00,           NOT_AUTHENTICATED = 0x02,
    PARAM = 0xFF,        SECURITY = 0xF6,     STATE = 0xF5,
}
/// Octets of a message of `CCM_OPEN`.
pub const MESSAGE_LEN: usize = 512;

pub fn operands_of(code: u8) -> u8 {
    match code {
        KEY => 16,
        ECB_ENCRYPT | ECB_DECRYPT => 2,
        _ => 18,
    }
}

pub fn is_ccm(code: u8) -> bool {
    matches!(code, CCM_SEAL | CCM_OPEN)
}

pub fn keeps_message(code: u8, status: u8) -> bool {
    code == 0 || code == WIPE || code == CCM_OPEN && status == SECURITY
}

pub fn is_known(code: u8) -> bool {
    matches!(
        code,
        KEY | WIPE
            | ECB_ENCRYPT
            | ECB_DECRYPT
            | CBC_ENCRYPT
            | CBC_DECRYPT
            | CTR_CRYPT
            | CCM_SEAL
            | CCM_OPEN
    )
}
