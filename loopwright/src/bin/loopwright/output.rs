//! Reading and writing of files: - is standard input or output, and an output file appears whole or not at all.

use crate::Failure;
use std::io::{Read, Write};
use std::path::Path;

/// The bytes of a file or of standard input.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|e| Failure::input(format!("cannot read standard input: {e}")))?;
        return Ok(bytes);
    }
    std::fs::read(path).map_err(|e| Failure::input(format!("cannot read {}: {e}", path.display())))
}

/// The text of a file or of standard input.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?)
        .map_err(|e| Failure::input(format!("{}: not UTF-8 at byte {}", path.display(), e.utf8_error().valid_up_to())))
}

/// Writes a text to a temporary file beside `path` and renames it.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::input(format!("cannot write {}: {e}", path.display()));
    if path == Path::new("-") {
        return print(text);
    }
    // A device or a pipe cannot be replaced by a rename.
    if path.metadata().is_ok_and(|m| !m.is_file()) {
        return std::fs::write(path, text).map_err(failed);
    }
    let dir = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".loopwright").tempfile_in(dir).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    keep_permissions(path, &file).map_err(failed)?;
    file.persist(path).map_err(|e| failed(e.error))?;
    Ok(())
}

/// The permissions of the file that is replaced, or those that a new file gets.
#[cfg(unix)]
fn keep_permissions(path: &Path, file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = match path.metadata() {
        Ok(old) => old.permissions(),
        Err(_) => std::fs::Permissions::from_mode(0o644),
    };
    file.as_file().set_permissions(permissions)
}

#[cfg(not(unix))]
fn keep_permissions(_: &Path, _: &tempfile::NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

/// Prints to standard output; a closed pipe is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::input(format!("cannot write standard output: {e}"))),
        _ => Ok(()),
    }
}
