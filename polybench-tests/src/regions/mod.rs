//! Random small regions of C, and many variants of many regions compared bit for bit with one call of the compiler.
//!
//! [`region`] makes a region from a seed: a C file with one function. [`compare_regions`] puts the functions of a batch and of their
//! variants into one program, which runs each variant on three sets of parameter values and compares all arrays, the values of
//! scalars and of counters after the region included.

mod expression;
mod generate;

use crate::compiler::Compiled;
use crate::program::{identifiers, save};
use crate::{Compiler, Error, Outcome, Random};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// The name of the function in every region's file.
const FUNCTION: &str = "region_function";

/// A region of C in a function of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The C file: no includes, one function, one region.
    pub text: String,
    params: Vec<Parameter>,
    arrays: Vec<RegionArray>,
}

/// A parameter of the function: its type and the values of the runs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parameter {
    ty: &'static str,
    values: Vec<i64>,
}

/// An array that the function gets.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RegionArray {
    name: String,
    element: &'static str,
    kind: char,
    extents: Vec<i64>,
    count: usize,
}

/// The region of a seed and a number: loops of all kinds over tiny arrays, free of undefined behavior.
///
/// ```
/// use loopwright_polybench_tests::region;
/// assert_eq!(region(1, 7), region(1, 7));
/// assert!(region(1, 7).text.contains("#pragma scop"));
/// ```
pub fn region(seed: u64, number: usize) -> Region {
    generate::region(&mut Random::labeled(seed, "region", number))
}

/// A region and the texts to compare with its own.
pub type RegionVariants<'a> = (&'a Region, Vec<&'a str>);

/// Compares every variant with its region's own text; the answers are in the order of the regions and variants.
///
/// # Errors
/// When there is no compiler, when a region's own text does not compile or run, or when temporary files cannot be written. A fault
/// of a variant is an [`Outcome`].
pub fn compare_regions(batch: &[RegionVariants<'_>], compiler: &Compiler) -> Result<Vec<Vec<Outcome>>, Error> {
    match together(batch, compiler)? {
        Ok(outcomes) => Ok(outcomes),
        // each region, and then each variant, in a program of its own
        Err(message) => match batch {
            [] => Ok(Vec::new()),
            [(region, variants)] => match variants.as_slice() {
                [] => Err(Error::DoesNotCompile { kernel: region.text.clone(), message }),
                [_] => {
                    compare_regions(&[(*region, Vec::new())], compiler)?;
                    Ok(vec![vec![Outcome::CompileError { message }]])
                }
                many => {
                    let alone = many.iter().map(|v| compare_regions(&[(*region, vec![*v])], compiler));
                    Ok(vec![alone.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().flatten().collect()])
                }
            },
            many => {
                let (first, second) = many.split_at(many.len() / 2);
                Ok([compare_regions(first, compiler)?, compare_regions(second, compiler)?].concat())
            }
        },
    }
}

const DRIVER: &str = include_str!("../harness/regions.c");

/// CPU time of one variant, all its runs together.
const TIMEOUT: Duration = Duration::from_secs(5);

/// One program; the inner error is that it does not compile.
fn together(batch: &[RegionVariants<'_>], compiler: &Compiler) -> Result<Result<Vec<Vec<Outcome>>, String>, Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let source = folder.path().join("regions.c");
    save(&source, &program(batch))?;
    let binary = folder.path().join("regions");
    if let Compiled::Failed(message) = compiler.build::<&str>(&[], &source, &binary)? {
        return Ok(Err(message));
    }
    let mut outcomes: Vec<Vec<Outcome>> = batch.iter().map(|(_, variants)| vec![Outcome::Same; variants.len()]).collect();
    for &threads in compiler.threads.counts() {
        let output = compiler.run_command(&binary, threads).arg(TIMEOUT.as_millis().to_string()).output();
        let output = output.map_err(|e| Error::io(&binary, e))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let answers: Vec<(usize, usize, Outcome)> = text.lines().filter_map(answer).collect();
        if !output.status.success() || answers.len() != outcomes.iter().map(Vec::len).sum::<usize>() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let message = format!("{}, {} answers, {errors}", output.status, answers.len());
            return Err(Error::RunFailed { kernel: "regions".into(), message });
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        for (region, variant, mut outcome) in answers {
            if let Outcome::Crash { reason } = &mut outcome {
                *reason += &format!(" {}", errors.lines().take(3).collect::<Vec<_>>().join(" "));
            }
            let place = &mut outcomes[region][variant - 1];
            if place.is_same() {
                *place = outcome;
            }
        }
    }
    Ok(Ok(outcomes))
}

/// A line of the driver: `REGION VARIANT STATUS TEXT`.
fn answer(line: &str) -> Option<(usize, usize, Outcome)> {
    let (region, rest) = line.split_once(' ')?;
    let variant = rest.split(' ').next()?.parse().ok()?;
    Some((region.parse().ok()?, variant, crate::compare::outcome(rest)?))
}

/// The program: the driver, every text under a name of its own, and the tables that the driver reads.
fn program(batch: &[RegionVariants<'_>]) -> String {
    let mut program = String::from(DRIVER);
    let mut table = String::new();
    for (number, (region, variants)) in batch.iter().enumerate() {
        let mut pointers = String::new();
        for (variant, text) in std::iter::once(region.text.as_str()).chain(variants.iter().copied()).enumerate() {
            let helpers = identifiers(text).filter(|name| name.starts_with("lw_"));
            let names: BTreeSet<&str> = helpers.chain([FUNCTION]).collect();
            for name in &names {
                let _ = writeln!(program, "#define {name} r{number}_{variant}_{name}");
            }
            let _ = writeln!(program, "{}", text.replacen("\nvoid ", "\nstatic void ", 1));
            for name in &names {
                let _ = writeln!(program, "#undef {name}");
            }
            let _ = write!(pointers, "r{number}_{variant}_{FUNCTION}, ");
        }
        program += &caller(number, region, &pointers);
        let _ = writeln!(
            table,
            "  {{ {}, {}, {}, r{number}_arrays, r{number}_call }},",
            variants.len() + 1,
            region.tuples(),
            region.arrays.len()
        );
    }
    let _ = write!(
        program,
        "const struct harness_region harness_regions[] = {{\n{table}  {{ 0, 0, 0, 0, 0 }} }};\nconst int harness_region_count = {};\n",
        batch.len()
    );
    program
}

fn caller(number: usize, region: &Region, pointers: &str) -> String {
    let mut arguments = Vec::new();
    for p in &region.params {
        let values: Vec<String> = p.values.iter().map(i64::to_string).collect();
        arguments.push(format!("((const {}[]) {{ {} }})[tuple]", p.ty, values.join(", ")));
    }
    arguments.extend((0..region.arrays.len()).map(|i| format!("arrays[{i}]")));
    let mut out = String::new();
    let _ = writeln!(out, "static const struct harness_array r{number}_arrays[] = {{");
    for a in &region.arrays {
        let _ = writeln!(out, "  {{ \"{}\", '{}', sizeof({}), {} }},", a.name, a.kind, a.element, a.count);
    }
    let _ = writeln!(out, "}};\nstatic void r{number}_call(int variant, int tuple, void **arrays)\n{{");
    let _ = writeln!(out, "  static __typeof__(r{number}_0_{FUNCTION}) *const functions[] = {{ {pointers}}};");
    let _ = writeln!(out, "  functions[variant]({});\n}}", arguments.join(", "));
    out
}

impl Region {
    /// How many sets of parameter values there are.
    fn tuples(&self) -> usize {
        self.params.first().map_or(1, |p| p.values.len())
    }
}
