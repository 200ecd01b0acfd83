//! Runs the operations of a workload file and compares with the expected text. (Development tool.)
use loopwright_presburger::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Clone)]
enum V { S(Set), M(Map) }
fn parse(t: &str) -> Result<V, String> {
    match t.parse::<Set>() { Ok(s) => Ok(V::S(s)), Err(e) => t.parse::<Map>().map(V::M).map_err(|f| format!("{e} / {f}: {t}")) }
}
enum R { B(bool), V(V), Skip }

macro_rules! both { ($v:expr, $x:ident => $e:expr) => { match $v { V::S($x) => V::S($e), V::M($x) => V::M($e) } } }

fn run(op: &str, a: &[V], args: &[Value], b: &Budget) -> Result<R, BudgetSpent> {
    use V::*;
    Ok(match (op, a) {
        ("is_empty", [S(x)]) => R::B(x.is_empty_within(b)?), ("is_empty", [M(x)]) => R::B(x.is_empty_within(b)?),
        ("is_subset", [S(x), S(y)]) => R::B(x.is_subset_within(y, b)?), ("is_subset", [M(x), M(y)]) => R::B(x.is_subset_within(y, b)?),
        ("is_equal", [S(x), S(y)]) => R::B(x.is_equal_within(y, b)?), ("is_equal", [M(x), M(y)]) => R::B(x.is_equal_within(y, b)?),
        ("is_disjoint", [S(x), S(y)]) => R::B(x.is_disjoint_within(y, b)?), ("is_disjoint", [M(x), M(y)]) => R::B(x.is_disjoint_within(y, b)?),
        ("is_single_valued", [M(x)]) => R::B(x.is_single_valued_within(b)?),
        ("is_injective", [M(x)]) => R::B(x.is_injective_within(b)?),
        ("coalesce", [v]) => R::V(both!(v, x => x.coalesce_within(b)?)),
        ("lexmin", [v]) => R::V(both!(v, x => x.lexmin_within(b)?)),
        ("lexmax", [v]) => R::V(both!(v, x => x.lexmax_within(b)?)),
        ("complement", [v]) => R::V(both!(v, x => x.complement_within(b)?)),
        ("compute_divs", [v]) => R::V(both!(v, x => x.with_known_divs_within(b)?)),
        ("remove_redundancies", [v]) => R::V(both!(v, x => x.remove_redundancies_within(b)?)),
        ("detect_equalities", [v]) => R::V(both!(v, x => x.detect_equalities_within(b)?)),
        ("affine_hull", [v]) => R::V(both!(v, x => x.affine_hull_within(b)?.into())),
        ("simple_hull", [v]) => R::V(both!(v, x => x.simple_hull_within(b)?.into())),
        ("subtract", [S(x), S(y)]) => R::V(S(x.subtract_within(y, b)?)), ("subtract", [M(x), M(y)]) => R::V(M(x.subtract_within(y, b)?)),
        ("intersect", [S(x), S(y)]) => R::V(S(x.intersect(y))), ("intersect", [M(x), M(y)]) => R::V(M(x.intersect(y))),
        ("union", [S(x), S(y)]) => R::V(S(x.union(y))), ("union", [M(x), M(y)]) => R::V(M(x.union(y))),
        ("gist", [S(x), S(y)]) => R::V(S(x.gist_within(y, b)?)), ("gist", [M(x), M(y)]) => R::V(M(x.gist_within(y, b)?)),
        ("apply_range", [M(x), M(y)]) => R::V(M(x.apply_range(y))),
        ("intersect_domain", [M(x), S(y)]) => R::V(M(x.intersect_domain(y))),
        ("intersect_range", [M(x), S(y)]) => R::V(M(x.intersect_range(y))),
        ("domain", [M(x)]) => R::V(S(x.domain())), ("range", [M(x)]) => R::V(S(x.range())),
        ("deltas", [M(x)]) => R::V(S(x.deltas())), ("reverse", [M(x)]) => R::V(M(x.reverse())),
        ("project_out", [v]) => {
            let kind = match args[1].as_str().unwrap() { "in" => Dim::In, "param" => Dim::Param, _ => Dim::Out };
            let (f, n) = (args[2].as_u64().unwrap() as usize, args[3].as_u64().unwrap() as usize);
            R::V(both!(v, x => x.project_out(kind, f, n)))
        }
        _ => R::Skip,
    })
}

fn main() {
    let file = std::env::args().nth(1).unwrap();
    let only = std::env::args().nth(2).unwrap_or_default();
    let limit: u64 = std::env::args().nth(3).map_or(2_000_000, |s| s.parse().unwrap());
    let mut stats: BTreeMap<String, (usize, usize, usize, usize, f64, f64, f64)> = BTreeMap::new();
    let mut slow: Vec<(f64, f64, String)> = Vec::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let e: Value = serde_json::from_str(line).unwrap();
        let op = e["op"].as_str().unwrap();
        let id = e["id"].to_string();
        if !(only.is_empty() || only == op || only == id) { continue }
        let args = e["args"].as_array().unwrap();
        let parsed: Result<Vec<V>, String> = args.iter().filter(|v| v.as_str().is_some_and(|s| s.contains('{'))).map(|v| parse(v.as_str().unwrap())).collect();
        let parsed = match parsed { Ok(p) => p, Err(err) => { println!("PARSE {id} {err}"); continue } };
        if only == id { println!("{e:#}"); }
        let start = Instant::now();
        let out = std::panic::catch_unwind(|| run(op, &parsed, args, &Budget::steps(limit).until(move || start.elapsed().as_secs() >= 5)));
        let us = start.elapsed().as_secs_f64() * 1e6;
        let theirs = e["us"].as_f64().unwrap_or(1.0);
        let s = stats.entry(op.to_string()).or_default();
        let verdict = match out {
            Err(_) => { println!("PANIC {id} {op} {}", args[0].to_string().chars().take(300).collect::<String>()); 2 }
            Ok(Err(_)) => { println!("BUDGET {id} {op} us {us:.0} isl {theirs}"); 3 }
            Ok(Ok(R::Skip)) => continue,
            Ok(Ok(R::B(b))) => if Some(b) == e["expected"].as_bool() { 0 } else { println!("WRONG {id} {op} got {b} {}", e["args"].to_string().chars().take(600).collect::<String>()); 1 },
            Ok(Ok(R::V(v))) => {
                if only == id { match &v { V::S(x) => println!("{x:?}"), V::M(x) => println!("{x:?}") } }
                let b = Budget::steps(20_000_000).until(move || start.elapsed().as_secs() >= 20);
                let expected = match e["expected"].as_str().map(parse) { Some(Ok(x)) => x, Some(Err(err)) => { println!("PARSE {id} {err}"); continue } None => continue };
                let same = match (op, &v, &expected, parsed.as_slice()) {
                    ("gist", V::S(g), _, [V::S(a), V::S(c)]) => g.intersect(c).is_equal_within(&a.intersect(c), &b),
                    ("gist", V::M(g), _, [V::M(a), V::M(c)]) => g.intersect(c).is_equal_within(&a.intersect(c), &b),
                    ("simple_hull", V::S(g), _, [V::S(a)]) => Ok(g.n_basic() == 1 && a.is_subset(g) && (!a.is_bounded() || g.is_bounded())),
                    ("simple_hull", V::M(g), _, [V::M(a)]) => Ok(g.n_basic() == 1 && a.is_subset(g) && (!a.is_bounded() || g.is_bounded())),
                    (_, V::S(x), V::S(y), _) => x.is_equal_within(y, &b),
                    (_, V::M(x), V::M(y), _) => x.is_equal_within(y, &b),
                    _ => Ok(false),
                };
                match same { Ok(true) => 0, Ok(false) => { println!("WRONG {id} {op} {}", e["args"].to_string().chars().take(600).collect::<String>()); 1 } Err(_) => { println!("UNCHECKED {id} {op}"); 0 } }
            }
        };
        match verdict { 0 => s.0 += 1, 1 => s.1 += 1, 2 => s.2 += 1, _ => s.3 += 1 }
        s.4 += us; s.5 += theirs; s.6 += (us / theirs).ln();
        if us > 20_000.0 { slow.push((us, theirs, format!("{id} {op}"))); }
    }
    slow.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (us, theirs, what) in slow.iter().take(25) { println!("slow {what}: {us:.0} us, isl {theirs}"); }
    for (op, s) in &stats {
        let n = (s.0 + s.1 + s.2 + s.3) as f64;
        println!("{op}: right {} wrong {} panic {} budget {} total ms {:.1} isl {:.1} ratio geo {:.2}", s.0, s.1, s.2, s.3, s.4 / 1e3, s.5 / 1e3, (s.6 / n).exp());
    }
}
