//! SPDX-License-Identifier: BSD-3-Clause
//! Gives the extension a digest of the sources it is built from, so that measured figures can name
//! the instrument that measured them, whatever compiler built it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the instrument is made of, below the root of the repository.
const SOURCES: [&str; 2] = ["motes", "Cargo.lock"];
const KINDS: [&str; 3] = ["rs", "toml", "lock"];
const FNV_OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
        collect(&root.join(source), &mut files)?;
    }
    files.sort();
    let mut digest = FNV_OFFSET;
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file);
        digest = fnv1a(digest, name.to_string_lossy().as_bytes());
        digest = fnv1a(digest, &fs::read(&file)?);
    }
    println!("cargo::rustc-env=MOTES_SOURCES={digest:032x}");
    Ok(())
}

/// Adds `path`, or every source below it, to `files`.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path
        .extension()
        .is_some_and(|kind| KINDS.iter().any(|known| kind == *known))
    {
        files.push(path.to_path_buf());
    }
    Ok(())
}

/// The 128-bit FNV-1a hash of what `digest` covers and `octets` behind it.
fn fnv1a(digest: u128, octets: &[u8]) -> u128 {
    octets.iter().fold(digest, |hash, octet| {
        (hash ^ u128::from(*octet)).wrapping_mul(FNV_PRIME)
    })
}
