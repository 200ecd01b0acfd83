//! Text that is preprocessed already: the same scops without a compiler, and places in the text as given.

use loopwright_c_front::{Error, Extraction, Input, Options, Regions, Source, extract};

const TEXT: &str = "# 1 \"a.c\"\nvoid f(int n, double *a) { /* one\n two */\n#pragma scop\n  for (int i = 0; /* ü */ i < n; i++)\n    a[i] = 2 * a[i]; // twice\n#pragma endscop\n}\n";

fn read(text: &str, regions: Regions) -> Result<Extraction, Error> {
    let options = Options { cc: "no-such-compiler".into(), input: Input::Preprocessed, regions, ..Options::default() };
    extract(&Source::from_text("a.i", text), &options)
}

#[track_caller]
fn refused(text: &str, expect: &str) {
    let error = read(text, Regions::Marked).unwrap_err().to_string();
    assert!(error.starts_with(expect), "{error}");
}

#[test]
fn the_same_as_through_the_compiler() {
    let with = extract(&Source::from_text("a.i", &TEXT[TEXT.find('\n').unwrap() + 1..]), &Options::default()).unwrap();
    for regions in [Regions::Marked, Regions::Automatic] {
        let without = read(TEXT, regions).unwrap();
        assert_eq!(without.scops.len(), 1);
        assert_eq!(without.scops[0].schedule, with.scops[0].schedule);
        assert_eq!(without.source.text, TEXT);
    }
}

#[test]
fn refusals() {
    refused("#define N 3\nint x;\n", "a.i:1:1: error: a directive in preprocessed text");
    refused("int x;\n  #include <math.h>\n", "a.i:2:3: error: a directive");
    refused(&TEXT.replace("2 * a[i]", "a[a[i]]"), "a.i:6:");
    refused("void f(void) {\n#pragma scop\n}\n", "a.i:2:1");
}
