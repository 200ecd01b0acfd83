//! Random regions: the generator's C is free of undefined behavior, and the comparison sees what differs.

use loopwright_polybench_tests::{Compiler, Outcome, Region, RegionVariants, Threads, compare_regions, region};

fn itself(region: &Region) -> RegionVariants<'_> {
    (region, vec![region.text.as_str()])
}

/// The outcome of a region's own text with a part replaced, for the first region of seed 3 that has the part.
#[track_caller]
fn replaced(from: &str, to: &str) -> Outcome {
    let region = (0..200).map(|n| region(3, n)).find(|r| r.text.contains(from)).expect("a region with that text");
    let text = region.text.replacen(from, to, 1);
    compare_regions(&[(&region, vec![text.as_str()])], &Compiler::default()).unwrap().remove(0).remove(0)
}

#[test]
fn regions_are_free_of_undefined_behavior() {
    let regions: Vec<Region> = (0..60).map(|n| region(1, n)).collect();
    let batch: Vec<RegionVariants<'_>> = regions.iter().map(itself).collect();
    let arguments = ["-fsanitize=undefined,address", "-fno-sanitize-recover"].map(str::to_string).to_vec();
    let compiler = Compiler { arguments, optimization: loopwright_polybench_tests::Optimization::O1, ..Compiler::default() };
    for (region, outcomes) in regions.iter().zip(compare_regions(&batch, &compiler).unwrap()) {
        assert_eq!(outcomes, [Outcome::Same], "{}", region.text);
    }
}

#[test]
fn regions_give_the_same_with_other_options() {
    let regions: Vec<Region> = (100..140).map(|n| region(1, n)).collect();
    let batch: Vec<RegionVariants<'_>> = regions.iter().map(itself).collect();
    let compiler = Compiler { threads: Threads::OpenMpEach(&[1, 4]), ..Compiler::default() };
    let outcomes = compare_regions(&batch, &compiler).unwrap();
    assert!(outcomes.iter().all(|o| *o == [Outcome::Same]));
}

#[test]
fn differences_and_faults_are_seen() {
    assert!(matches!(replaced("#pragma endscop\n  counters[0] =", "  counters[0] = 1 +"), Outcome::Different { .. }));
    assert!(matches!(replaced("#pragma endscop", "}"), Outcome::CompileError { .. }));
    assert!(matches!(replaced("#pragma scop", "  *(volatile int *) 8 = 1;"), Outcome::Crash { .. }));
    assert!(matches!(replaced("#pragma scop", "  counters[-1] = 1;"), Outcome::Different { .. }));
}
