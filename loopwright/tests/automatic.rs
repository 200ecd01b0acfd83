//! Regions found without pragmas, from the file to the file: transformed ones compute the same, the rest stays byte for byte.

use loopwright::schedule_tree::Target;
use loopwright::{Budget, Move, Options, Program, Regions, Source, Step};
use loopwright_polybench_tests::{Dataset, kernels};
use std::process::Command;

fn automatic() -> Options {
    Options { regions: Regions::Automatic, ..Options::default() }
}

fn output_of(text: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), text).unwrap();
    let compiler = ["-O1", "-ffp-contract=off", "-fopenmp", "-o", "a", "a.c", "-lm"];
    let compiled = Command::new("cc").args(compiler).current_dir(dir.path()).output().unwrap();
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(dir.path().join("a")).output().unwrap();
    assert!(run.status.success(), "{text}");
    String::from_utf8(run.stdout).unwrap()
}

/// Tiles the outermost loops of every region whose number is in `chosen`, and compares what the programs print.
#[track_caller]
fn tiled(text: &str, regions: usize, chosen: &[usize]) -> String {
    let program = Program::open(Source::from_text("a.c", text), &automatic()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        program.scops().len(),
        regions,
        "{:?}",
        program.scops().iter().map(|s| &text[s.region.content.clone()]).collect::<Vec<_>>()
    );
    let mut state = program.original();
    for &scop in chosen {
        let first = state.moves(scop).unwrap().into_iter().find(|o| o.name == "TILE_1D").expect("a loop");
        state = program
            .apply(&state, &Step { scop, target: Target::Path(first.path), action: Move::new("TILE_1D", [3.into()]) })
            .unwrap();
        assert!(program.judge(&state, scop, &Budget::UNLIMITED).unwrap().legal);
    }
    let code = program.emit(&state, &Budget::UNLIMITED).unwrap();
    let mut rest = &code[..];
    let mut done = 0;
    for &scop in chosen {
        let content = &program.scops()[scop].region.content;
        for kept in text[done..content.start].split_inclusive('\n') {
            let at = rest.find(kept).unwrap_or_else(|| panic!("`{kept}` is lost or moved in\n{code}"));
            rest = &rest[at + kept.len()..];
        }
        done = content.end;
    }
    assert!(rest.ends_with(&text[done..]), "{code}");
    let expect = output_of(text);
    assert_eq!(output_of(&code), expect, "{code}");
    assert!(expect.len() > 5);
    code
}

/// A program whose `main` runs `body` between an initialization and a dump that are no regions.
fn main_with(body: &str) -> String {
    format!(
        "#include <stdio.h>\nvoid set(double *A) {{ int k = 0; while (k < 40) {{ A[k] = k * 0.7 + 1; k++; }} }}\n\
         void dump(double *A) {{ int k = 0; do printf(\"%a \", A[k]); while (++k < 40); }}\n\
         int f(double *A, int n) {{\n  int i, j, q = 2; double x = 0;\n{body}\n  return i + q + (x > 3);\n}}\n\
         int main(void) {{ double A[40]; set(A); printf(\"%d\\n\", f(A, 37)); dump(A); return 0; }}\n"
    )
}

#[track_caller]
fn check(body: &str, regions: usize) {
    let chosen: Vec<usize> = (0..regions).collect();
    tiled(&main_with(body), regions, &chosen);
    for one in chosen {
        tiled(&main_with(body), regions, &[one]);
    }
}

#[test]
fn branches_and_loops_without_braces() {
    check("  for (i = 0; i < n; i++) A[i] *= 2;", 1);
    check("  while (q-- > 0)\n    for (i = 0; i < n; i++) A[i] *= 2;", 1);
    check("  while (q-- > 0) for (i = 0; i < n; i++) A[i] *= 2; A[3] = 5;", 1);
    check("  do for (i = 0; i < n; i++) A[i] *= 2; while (q-- > 0);", 1);
    check("  if (A[0] > 3) for (i = 0; i < n; i++) A[i] *= 2; else for (i = 1; i < n; i++) A[i] *= 3;", 2);
    check(
        "  if (A[0] > 3) for (i = 0; i < n; i++) A[i] *= 2;\n  else if (A[1] > 1)\n    for (i = 1; i < n; i++)\n      A[i] *= 3;\n  else i = 7;",
        2,
    );
    check("  if (A[0] < 3) if (A[1] > 1) for (i = 1; i < n; i++) A[i] += 3; else i = 7;", 1);
    check("  switch (q) { case 2: for (i = 0; i < n; i++) A[i] *= 2; break; default: for (i = 0; i < 3; i++) A[i] = 2; }", 2);
    check("again: for (i = 0; i < n; i++) A[i] *= 2; if (A[3] < 100) goto again;", 1);
}

#[test]
fn places_on_a_line() {
    check("  /* a */ for (i = 0; i < n; i++) A[i] *= 2; // b\n  A[1] /= 3;", 1);
    check("  x = A[2]; for (i = 0; i < n; i++) { A[i] *= 2; } for (j = 0; j < n; j++) x += A[j]; /* c */ x = x > 5 ? 1 : x;", 1);
    check("  if (A[0] > 0) { for (i = 0; i < n; i++) A[i] *= 2; x = 1; }", 1);
    check("  { printf(\"x\"); for (i = 0; i < n; i++) A[i] *= 2; printf(\"y\"); }", 1);
    check("  i = 1; \\\n  for (i = 0; i < n; i++) A[i] *= 2; \\\n  printf(\"z\");", 1);
    check("  for (i = 0; i < n; i++)\r\n    A[i] *= 2;\r\n  printf(\"z\");\r\n", 1);
}

#[test]
fn variables_around() {
    // counters that are read afterwards, locals that shadow, scalars that are only known outside
    check("  for (i = 0; i < n; i += 5) A[i] = i;", 1);
    check("  int m = n - (int)A[0]; for (i = 0; i < m; i++) { double x = A[i]; A[i] = x * x; }", 1);
    check("  for (i = 0; i < n; i++) q = i - 30; printf(\"%d\", q); for (j = 0; j < q; j++) A[j] += q;", 2);
    check("  for (i = 0; i < q; i++) { printf(\"%d\", i); for (j = i; j < n; j++) A[j] += i; }", 1);
    check("  for (int k = 0; k < q; k++) { printf(\"%d\", k); for (int i = k; i < n; i++) A[i] += k; } i = 0;", 1);
    check(
        "#define M 9\n  printf(\"m\"); for (i = 0; i < M; i++) A[i] = M;\n#undef M\n#define M 12\n  printf(\"m\"); for (i = 0; i < M; i++) A[i] += M;",
        2,
    );
}

#[test]
fn regions_in_their_original_order_stay() {
    let text = main_with("  for (i = 0; i < n; i++) A[i] *= 2;\n  printf(\"-\");\n  for (i = 0; i < n; i++) A[i] += 2;");
    assert_eq!(tiled(&text, 2, &[]), text);
    assert!(tiled(&text, 2, &[1]).contains("  for (i = 0; i < n; i++) A[i] *= 2;\n"));
}

#[test]
fn kernels_without_their_pragmas_have_the_same_part() {
    for kernel in kernels() {
        let source = Source::read(&kernel.source_path()).unwrap();
        let cc_args = kernel.cpp_arguments(Dataset::Mini);
        let marked = loopwright::c_front::extract(&source, &Options { cc_args: cc_args.clone(), ..Options::default() }).unwrap();
        let bare = Source { text: source.text.replace("#pragma scop", "").replace("#pragma endscop", ""), ..source };
        let found = loopwright::c_front::extract(&bare, &Options { cc_args, ..automatic() }).unwrap();
        let part = found.scops.iter().find(|s| s.function == kernel.function()).unwrap_or_else(|| panic!("{kernel}"));
        let expect = &marked.scops[0];
        assert_eq!(part.schedule.to_string(), expect.schedule.to_string(), "{kernel}: {:?}", found.left_out);
        assert_eq!(part.statements.len(), expect.statements.len());
    }
}
