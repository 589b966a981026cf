//! Compiles the stack and the functions of `src/flat.c` with cargo's C compiler for the target.
//! WARDMOTE_STACK names another copy of `stack/`.

use std::env;
use std::path::{Path, PathBuf};

/// Every C file below a folder: small forms and the self-test hold no code unless they are wanted.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = folder
        .read_dir()
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "c") {
            found.push(path);
        }
    }
}

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let stack =
        env::var_os("WARDMOTE_STACK").map_or_else(|| here.join("../../stack"), PathBuf::from);
    let mut files = vec![here.join("src/flat.c")];
    for part in ["src", "small"] {
        sources(&stack.join(part), &mut files);
        println!("cargo:rerun-if-changed={}", stack.join(part).display());
    }
    files.sort();
    println!("cargo:rerun-if-env-changed=WARDMOTE_STACK");
    println!("cargo:rerun-if-changed={}", stack.join("include").display());
    println!("cargo:rerun-if-changed=src/flat.c");
    let mut build = cc::Build::new();
    build.std("c11").flag_if_supported("-ffreestanding");
    build.include(stack.join("include")).files(files);
    if env::var_os("CARGO_FEATURE_SMALL").is_some() {
        build.define("WM_FORM_SMALL", None);
    }
    build.compile("wardmote");
}
