//! What `moves` offers: everything that other tools have available, and nothing that does not apply.

use loopwright::schedule_tree::{NodeKind, Offer};
use loopwright::{Registry, ScheduleTree};
use loopwright_polybench_tests::{Dataset, Kernel, kernels};
use serde_json::Value;
use std::path::Path;

fn trees(kernel: &Kernel) -> Vec<ScheduleTree> {
    let options = loopwright::Options { cc_args: kernel.cpp_arguments(Dataset::Mini), ..Default::default() };
    let source = loopwright::Source::read(&kernel.source_path()).unwrap();
    let extraction = loopwright::c_front::extract(&source, &options).unwrap_or_else(|e| panic!("{kernel}: {e}"));
    extraction.scops.into_iter().map(|s| s.schedule).collect()
}

/// Numbers below a bound, the same on every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u128) -> u128 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (u128::from(self.0) << 32 | u128::from(self.0 >> 32)) % bound
    }
}

// Draws from an offer as it stands, and cut to small arguments.
fn samples(offer: &Offer, draw: &mut Draw) -> Vec<loopwright::Step> {
    let offers = [offer.clone(), offer.clipped(-64, 64)];
    let of = |offer: &Offer| {
        let count = offer.count().unwrap_or(u128::MAX);
        offer.step(0, offer.nth(draw.below(count)).unwrap_or_else(|| panic!("{offer:?}")))
    };
    offers.iter().map(of).collect()
}

#[test]
fn every_sampled_move_applies() {
    let registry = Registry::standard();
    let mut draw = Draw(7);
    let mut applied = 0;
    for kernel in kernels() {
        for mut tree in trees(kernel) {
            for round in 0..6 {
                let offers = registry.offers(&tree);
                for offer in &offers {
                    if round > 0 && draw.below(4) > 0 {
                        continue;
                    }
                    for step in samples(offer, &mut draw) {
                        registry.step(&tree, &step).unwrap_or_else(|e| panic!("{kernel}: {step}: {e}\n{tree}"));
                        applied += 1;
                    }
                }
                let offer = &offers[draw.below(offers.len() as u128) as usize].clipped(-9, 9);
                let action = offer.nth(draw.below(offer.count().unwrap())).unwrap();
                tree = registry.step(&tree, &offer.step(0, action)).unwrap();
            }
        }
    }
    assert!(applied > 5_000, "{applied}");
}

#[test]
fn offers_what_others_have_available() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/conformance/scops");
    let Ok(entries) = std::fs::read_dir(&data) else {
        println!("SKIPPED: {} is absent", data.display());
        return;
    };
    let mut checked = 0;
    let mut missing = Vec::new();
    for entry in entries {
        let facts: Value = serde_json::from_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        let name = facts["kernel"].as_str().unwrap();
        let kernel = kernels().iter().find(|k| k.name == name).expect("one of the thirty");
        let offers = Registry::standard().offers(&trees(kernel)[0]);
        for (node, names) in facts["tadashi"]["available"].as_object().unwrap() {
            for transformation in names.as_array().unwrap() {
                let transformation = transformation.as_str().unwrap().to_uppercase();
                checked += 1;
                if !offers.iter().any(|o| o.node.to_string() == *node && o.name == transformation) {
                    missing.push(format!("{name}: {transformation} at node {node}"));
                }
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
    assert!(checked > 900, "{checked}");
}

#[test]
fn leaves_and_filters_offer_nothing() {
    let tree = &trees(&kernels()[0])[0];
    for offer in Registry::standard().offers(tree) {
        let kind = tree.node(&offer.path).unwrap().kind();
        assert!(matches!(kind, NodeKind::Band | NodeKind::Sequence | NodeKind::Set), "{offer:?}");
        assert_eq!(tree.number(&offer.path), Ok(offer.node));
    }
}
