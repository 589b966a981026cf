//! Lists the boards: one row of name and text for every file `boards/*.toml` of the repository.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let crate_folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let folder = crate_folder.join("../../../boards");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
    files.sort();
    let row = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        format!("    ({name:?}, include_str!({path:?})),\n")
    };
    let rows: String = files.iter().map(row).collect();
    let count = files.len();
    let text = format!(
        "/// Name and text of the data file of every board.\n\
         const FILES: [(&str, &str); {count}] = [\n{rows}];\n"
    );
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(target.join("boards.rs"), text)
}
