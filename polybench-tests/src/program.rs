//! The one C file that holds the original and many variants: `driver.c`, then every text with its functions renamed.
//!
//! A text is included as it is, between `#define kernel_gemm harness_3_kernel_gemm` and `#undef kernel_gemm`, and likewise
//! for the other functions of a kernel's file and for every identifier that starts with `lw_` (the helpers that code
//! generation inserts). Messages of the compiler so keep the line numbers of the variant's own text.
//!
//! Only the original's `main` is used: it calls the kernel through a pointer that the driver sets. The variants' own
//! `main`, `init_array` and `print_array` are unused static functions, which the compiler drops before it optimizes; that
//! halves the time of a compilation.

use crate::{Error, Kernel};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const DRIVER: &str = include_str!("harness/driver.c");

/// Writes `original` and `variants` into files in `folder` and the program that runs them; returns the program's path.
pub(crate) fn write(folder: &Path, kernel: &Kernel, original: &str, variants: &[&str]) -> Result<PathBuf, Error> {
    let original = call_through_pointer(kernel, original);
    let mut program = String::from(DRIVER);
    let mut pointers = String::new();
    for (number, text) in std::iter::once(original.as_str()).chain(variants.iter().copied()).enumerate() {
        save(&folder.join(format!("v{number}.c")), text)?;
        let names = names_to_rename(kernel, text);
        for name in &names {
            let _ = writeln!(program, "#define {name} harness_{number}_{name}");
        }
        let storage = if number == 0 { "" } else { "static " };
        let _ = writeln!(program, "#define main {storage}harness_{number}_main");
        let _ = writeln!(program, "#include \"v{number}.c\"");
        for name in names.iter().map(String::as_str).chain(["main"]) {
            let _ = writeln!(program, "#undef {name}");
        }
        let _ = write!(pointers, "harness_{number}_{}, ", kernel.function());
    }
    let _ = write!(
        program,
        "static __typeof__(harness_kernel) const harness_kernels[] = {{ {pointers}}};
const int harness_kernel_count = {};
void harness_call(int number, char **argv)
{{
  harness_kernel = harness_kernels[number];
  harness_0_main(1, argv);
}}
",
        variants.len() + 1
    );
    let path = folder.join("program.c");
    save(&path, &program)?;
    Ok(path)
}

/// The original, its `main` calling `harness_kernel`, a pointer to functions of the kernel's type.
fn call_through_pointer(kernel: &Kernel, text: &str) -> String {
    let function = kernel.function();
    match text.split_once("int main(") {
        Some((before, main)) => format!(
            "{before}static __typeof__({function}) *harness_kernel;\nint main({}",
            main.replace(&format!("{function}("), "harness_kernel(")
        ),
        None => text.to_string(),
    }
}

pub(crate) fn save(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|e| Error::io(path, e))
}

fn names_to_rename(kernel: &Kernel, text: &str) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = identifiers(text).filter(|name| name.starts_with("lw_")).map(str::to_string).collect();
    names.extend(["init_array", "print_array"].map(str::to_string));
    names.insert(kernel.function());
    names
}

pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_found_wherever_they_stand() {
        let text = "static inline int lw_min(int a)\n#define lw_max(a,b)\nx=lw_floord(a-lw_x2);blw_no";
        let names = names_to_rename(crate::kernel("jacobi-1d").unwrap(), text);
        let expected = ["init_array", "kernel_jacobi_1d", "lw_floord", "lw_max", "lw_min", "lw_x2", "print_array"];
        assert!(names.iter().eq(expected));
    }
}
