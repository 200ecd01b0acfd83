//! Prints the loops of a schedule tree (`.st`) or of a schedule map with context and options (`.in`) as C.

use std::process::ExitCode;

use loopwright_codegen::{
    Ast, Error, Options, PrintOptions, Unrolling, arguments, generate, generate_from_map, helpers_used, print_c, read_triple,
};

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: ast FILE.st | FILE.in");
        return ExitCode::from(2);
    };
    match run(&file) {
        Ok(ast) => {
            let helpers = helpers_used(&ast);
            if !helpers.is_empty() {
                print!("// helpers\n{helpers}// end\n");
            }
            print!("{}", print_c(&ast, &PrintOptions::default(), |name, indices| format!("{name}({});", arguments(indices))));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(file: &str) -> Result<Ast, Error> {
    let text = std::fs::read_to_string(file).map_err(|e| Error::Input(e.to_string()))?;
    if file.ends_with(".in") {
        let options = Options { unroll: Unrolling::Preferred, ..Options::default() };
        let (schedule, context, styles) = read_triple(&text)?;
        return generate_from_map(&schedule, &context, &styles, &options);
    }
    let tree = text.parse().map_err(|e| Error::Input(format!("{e}")))?;
    generate(&tree, &Options::default())
}
