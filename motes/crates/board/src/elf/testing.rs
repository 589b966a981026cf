//! An executable for tests.

/// An executable with one code segment of `code` at `address` and one function symbol `main`
/// over it.
pub(crate) fn executable(machine: u16, address: u32, code: &[u8], flags: u32) -> Vec<u8> {
    let (phoff, data_at) = (52_u32, 84_u32);
    let names = b"\0.symtab\0.strtab\0.text\0";
    let strings = b"\0main\0";
    let symbols_at = data_at + code.len() as u32;
    let strings_at = symbols_at + 32;
    let names_at = strings_at + strings.len() as u32;
    let shoff = names_at + names.len() as u32;
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |file: &mut Vec<u8>, values: &[u16]| {
        values.iter().for_each(|v| file.extend(v.to_le_bytes()))
    };
    let word = |file: &mut Vec<u8>, values: &[u32]| {
        values.iter().for_each(|v| file.extend(v.to_le_bytes()))
    };
    half(&mut file, &[2, machine]);
    word(&mut file, &[1, address, phoff, shoff, 0]);
    half(&mut file, &[52, 32, 1, 40, 5, 4]);
    let size = code.len() as u32;
    word(
        &mut file,
        &[1, data_at, address, address, size, size, flags, 1],
    );
    file.extend(code);
    word(&mut file, &[0, 0, 0, 0, 1, address, size]);
    half(&mut file, &[0x12, 1]);
    file.extend(strings);
    file.extend(names);
    word(&mut file, &[0; 10]);
    word(&mut file, &[17, 1, 6, address, data_at, size, 0, 0, 1, 0]);
    word(&mut file, &[1, 2, 0, 0, symbols_at, 32, 3, 1, 4, 16]);
    word(
        &mut file,
        &[9, 3, 0, 0, strings_at, strings.len() as u32, 0, 0, 1, 0],
    );
    word(
        &mut file,
        &[0, 3, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0],
    );
    file
}
