//! The main job, shown on gemm.

use crate::Done;
use loopwright::{Budget, Options, Program, Source, Step};
use loopwright_polybench_tests::{CompareOptions, Compiler, Dataset, Threads, Variant, compare, kernel};

/// An illegal step on gemm: the accumulation cannot run backwards relative to the scaling by beta, nor in parallel over k.
const REFUSED: &str = r#"{"path": [0, 0, 1, 0], "move": ["SET_PARALLEL", 4]}"#;

/// Legal steps: split the nest, tile the accumulation, run row blocks in parallel.
const STEPS: [&str; 3] = [
    r#"{"path": [0, 0], "move": ["FULL_SPLIT"]}"#,
    r#"{"path": [0, 1, 0], "move": ["TILE_3D", 16, 16, 16]}"#,
    r#"{"path": [0, 1, 0], "move": ["SET_PARALLEL", 4]}"#,
];

pub fn run() -> Done {
    let kernel = kernel("gemm").ok_or("the kernel gemm is missing")?;
    let source = Source::read(&kernel.source_path())?;
    let options = Options { cc_args: kernel.cpp_arguments(Dataset::Mini), ..Options::default() };
    let program = Program::open(source, &options)?;
    let scop = &program.scops()[0];
    println!("# {}: {} statements", kernel.name, scop.statements.len());
    for s in &scop.statements {
        println!("  {} = {}", s.name, s.domain);
    }
    println!("\n# The schedule tree\n{}", program.original().trees()[0]);

    let refused: Step = step(REFUSED)?;
    let tried = program.apply(&program.original(), &refused)?;
    println!("# {refused}\n  {}\n", program.judge(&tried, 0, &Budget::UNLIMITED)?);

    let mut state = program.original();
    for text in STEPS {
        let step = step(text)?;
        state = program.apply(&state, &step)?;
        let answer = program.judge(&state, 0, &Budget::UNLIMITED)?;
        println!("# {step}\n  {answer}");
        if !answer.legal {
            return Err("a step of the demo is illegal".into());
        }
    }
    let code = program.emit(&state, &Budget::UNLIMITED)?;
    let folder = crate::root().join("target/demo");
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("gemm.c");
    std::fs::write(&file, &code)?;
    println!("\n# Written to {}", file.display());
    let region = code.split("#pragma scop").nth(1).and_then(|r| r.split("#pragma endscop").next()).unwrap_or("");
    println!("{}\n", region.trim_matches('\n'));

    let compiler = Compiler { threads: Threads::OpenMp(4), ..Compiler::default() };
    let outcome = compare(
        kernel,
        Dataset::Small,
        &[Variant::new("gemm", code)],
        &CompareOptions { compiler, ..CompareOptions::default() },
    )?;
    println!("# Compiled and run with 4 threads, every element compared bit for bit with the original: {}", outcome[0]);
    if outcome[0].is_same() { Ok(()) } else { Err("the numbers differ".into()) }
}

fn step(text: &str) -> Result<Step, Box<dyn std::error::Error>> {
    Ok(serde_json::from_str(text)?)
}
