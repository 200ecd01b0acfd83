//! The one C file that holds the original and many variants: `driver.c`, then every text with its functions renamed.
//!
//! A text is included as it is, between `#define main harness_3_main` and `#undef main`, and likewise for the other
//! functions of a kernel's file and for every identifier that starts with `lw_` (the helpers that code generation
//! inserts). Messages of the compiler so keep the line numbers of the variant's own text.

use crate::{Error, Kernel};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const DRIVER: &str = include_str!("harness/driver.c");

/// Writes `original` and `variants` into files in `folder` and the program that runs them; returns the program's path.
pub(crate) fn write(
    folder: &Path,
    kernel: &Kernel,
    original: &str,
    variants: &[&str],
) -> Result<PathBuf, Error> {
    let mut program = String::from(DRIVER);
    let mut entries = String::new();
    for (number, text) in std::iter::once(&original).chain(variants).enumerate() {
        let file = folder.join(format!("v{number}.c"));
        save(&file, text)?;
        let names = names_to_rename(kernel, text);
        for name in &names {
            let _ = writeln!(program, "#define {name} harness_{number}_{name}");
        }
        let _ = writeln!(program, "#include \"v{number}.c\"");
        for name in &names {
            let _ = writeln!(program, "#undef {name}");
        }
        let _ = write!(entries, "harness_{number}_main, ");
    }
    let _ = writeln!(
        program,
        "harness_entry *const harness_entries[] = {{ {entries}}};\nconst int harness_entry_count = {};",
        variants.len() + 1
    );
    let path = folder.join("program.c");
    save(&path, &program)?;
    Ok(path)
}

pub(crate) fn save(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|e| Error::io(path, e))
}

fn names_to_rename(kernel: &Kernel, text: &str) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = identifiers(text)
        .filter(|name| name.starts_with("lw_"))
        .map(str::to_string)
        .collect();
    names.extend(["main", "init_array", "print_array"].map(str::to_string));
    names.insert(kernel.function());
    names
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_found_wherever_they_stand() {
        let text =
            "static inline int lw_min(int a)\n#define lw_max(a,b)\nx=lw_floord(a-lw_x2);blw_no";
        let names = names_to_rename(crate::kernel("jacobi-1d").unwrap(), text);
        let expected = [
            "init_array",
            "kernel_jacobi_1d",
            "lw_floord",
            "lw_max",
            "lw_min",
            "lw_x2",
            "main",
            "print_array",
        ];
        assert!(names.iter().eq(expected));
    }
}
