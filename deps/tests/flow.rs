//! Value-based flow: by hand, against the last writer by enumeration, and isl's test inputs where that folder is present.

mod common;
mod programs;

use common::{map, tree};
use loopwright_deps::{AccessInfo, Accesses, Dependences, Flow, Kind};
use loopwright_presburger::{Int, Params, Point, Tuple, UnionMap};
use loopwright_schedule_tree::{Instance, Order, ScheduleTree};
use std::collections::BTreeSet;
use std::path::PathBuf;

// The folder of the conformance data, or `None` where it is absent.
fn folder() -> Option<PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let found = [root.join("../shared/conformance"), root.join("../../shared/conformance")].into_iter().find(|p| p.is_dir());
    if found.is_none() {
        println!("SKIPPED: there is no conformance data");
    }
    found
}

#[track_caller]
fn flow_of(text: &str) -> Flow {
    let info: AccessInfo = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let again: AccessInfo = info.to_string().parse().unwrap_or_else(|e| panic!("{e}\n{info}"));
    for (a, b) in [
        (&info.sink, &again.sink),
        (&info.must_source, &again.must_source),
        (&info.may_source, &again.may_source),
        (&info.kill, &again.kill),
    ] {
        assert!(a.is_equal(b), "{info}");
    }
    assert_eq!(again.schedule.to_string(), info.schedule.to_string());
    let flow = info.flow().unwrap_or_else(|e| panic!("{e}\n{info}"));
    assert_eq!(differences(&flow.to_string().parse().unwrap(), &flow), Vec::<String>::new(), "{flow}");
    flow
}

fn differences(found: &Flow, expect: &Flow) -> Vec<String> {
    let both = found.entries().into_iter().zip(expect.entries());
    both.filter(|((_, a), (_, b))| !a.is_equal(b)).map(|((key, a), (_, b))| format!("{key}: {a}, not {b}")).collect()
}

#[test]
fn conformance() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("flow")).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "ai"));
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let read = |extension: &str| std::fs::read_to_string(file.with_extension(extension)).unwrap();
        let differences = differences(&flow_of(&read("ai")), &read("flow").parse().unwrap());
        wrong.extend(differences.into_iter().map(|d| format!("{}: {d}", file.display())));
    }
    println!("{} files", files.len());
    assert_eq!(wrong, Vec::<String>::new());
}

// By hand: must, may, must_no_source, may_no_source.
#[track_caller]
fn check(info: &str, [must, may, none, no_must]: [&str; 4]) {
    let expect =
        Flow { must_dependence: map(must), may_dependence: map(may), must_no_source: map(none), may_no_source: map(no_must) };
    assert_eq!(differences(&flow_of(info), &expect), Vec::<String>::new(), "{info}");
}

#[test]
fn by_hand() {
    // The last of n writes, if there is one.
    check(
        "sink: [n] -> { S[] -> a[] }\nmust_source: [n] -> { T[i] -> a[] : 0 <= i < n }\nschedule_map: { T[i] -> [0, i]; S[] -> [1, 0] }",
        [
            "[n] -> { T[n - 1] -> [S[] -> a[]] : n >= 1 }",
            "[n] -> { T[n - 1] -> [S[] -> a[]] : n >= 1 }",
            "[n] -> { S[] -> a[] : n <= 0 }",
            "[n] -> { S[] -> a[] : n <= 0 }",
        ],
    );
    // A sum: each step reads the value of the step before.
    check(
        "sink: { S[i] -> s[] : 0 <= i < 9 }\nmust_source: { S[i] -> s[] : 0 <= i < 9 }\nschedule_map: { S[i] -> [i] }",
        [
            "{ S[i] -> [S[i + 1] -> s[]] : 0 <= i < 8 }",
            "{ S[i] -> [S[i + 1] -> s[]] : 0 <= i < 8 }",
            "{ S[0] -> s[] }",
            "{ S[0] -> s[] }",
        ],
    );
    // Children of a set are in no order: neither hides the other.
    check(
        r#"
sink: { S[] -> a[] }
must_source: { T[] -> a[]; U[] -> a[] }
schedule:
  domain: "{ S[]; T[]; U[] }"
  child:
    sequence:
    - filter: "{ T[]; U[] }"
      child:
        set:
        - filter: "{ T[] }"
        - filter: "{ U[] }"
    - filter: "{ S[] }"
"#,
        ["{ }", "{ T[] -> [S[] -> a[]]; U[] -> [S[] -> a[]] }", "{ }", "{ }"],
    );
    // Instances at equal times neither: only one of its kind is certain.
    check(
        "sink: [n] -> { S[] -> a[] }\nmust_source: [n] -> { T[i] -> a[] : 0 <= i < n }\nschedule_map: { T[i] -> [0]; S[] -> [1] }",
        [
            "[n] -> { T[0] -> [S[] -> a[]] : n = 1 }",
            "[n] -> { T[i] -> [S[] -> a[]] : 0 <= i < n }",
            "[n] -> { S[] -> a[] : n <= 0 }",
            "[n] -> { S[] -> a[] : n <= 0 }",
        ],
    );
    // A reversed loop, and instances that the schedule does not run.
    check(
        "sink: { S[] -> a[]; X[] -> a[] }\nmust_source: { T[i] -> a[]; X[] -> a[] }\nschedule_map: { T[i] -> [0, -i] : 3 <= i < 7; S[] -> [1, 0] }",
        ["{ T[3] -> [S[] -> a[]] }", "{ T[3] -> [S[] -> a[]] }", "{ }", "{ }"],
    );
    // A kill ends what may have been written before, and what was there before the program.
    check(
        "sink: { S[] -> a[]; S[] -> b[] }\nmay_source: { T[] -> a[] }\nkill: { K[] -> a[] }\nschedule_map: { T[] -> [0]; K[] -> [1]; S[] -> [2] }",
        ["{ }", "{ }", "{ S[] -> b[] }", "{ S[] -> b[] }"],
    );
}

#[track_caller]
fn refused(info: &str, expect: &str) {
    assert_eq!(info.parse::<AccessInfo>().unwrap_err().to_string(), expect);
}

#[test]
fn refusals() {
    refused("kill: { }", "line 1, column 1: the key `sink` is missing");
    refused("sink: { S[] -> a[] }", "line 1, column 1: one of the keys `schedule` and `schedule_map` is missing");
    refused(
        "sink: { S[] -> a[] }\nschedule_map: { S[] -> [0]; T[] -> [0, 1] }",
        "the schedule map is no order: times are in [i0] and in [i0, i1]; give all statements times of one length",
    );
    refused(
        "sink: { S[] -> a[] }\nsource: { }",
        "line 2, column 1: `source` is none of the keys sink, must_source, may_source, kill, schedule_map, schedule",
    );
}

/// An access of one instance: statement, coordinates, array, element.
type Access = (String, Vec<Int>, String, Vec<Int>);

fn leaves(tuple: &Tuple, coords: &mut std::slice::Iter<Int>, out: &mut Vec<(String, Vec<Int>)>) {
    if let Some((a, b)) = tuple.unwrapped() {
        leaves(a, coords, out);
        leaves(b, coords, out);
    } else {
        out.push((tuple.name().unwrap().to_string(), coords.take(tuple.len()).cloned().collect()));
    }
}

// The pairs of a relation at parameter values, flattened: statement, array, or source, statement, array.
fn enumerated(relation: &UnionMap, at: &Params) -> BTreeSet<Vec<(String, Vec<Int>)>> {
    let points: Vec<Point> = relation.intersect_params(at).wrap().points().unwrap();
    let flat = points.iter().map(|p| {
        let mut out = Vec::new();
        leaves(p.space.tuple(), &mut p.coords.iter(), &mut out);
        out
    });
    flat.collect()
}

fn accesses(relation: &UnionMap, at: &Params, schedule: &ScheduleTree) -> BTreeSet<Access> {
    let domain = schedule.domain().unwrap();
    let found = enumerated(&relation.intersect_domain(domain), at).into_iter();
    found.map(|pair| (pair[0].0.clone(), pair[0].1.clone(), pair[1].0.clone(), pair[1].1.clone())).collect()
}

fn instance(access: &Access) -> Instance {
    Instance { statement: access.0.as_str().into(), coordinates: access.1.clone() }
}

// The definition, over all instances: what is wrong with the flow at these parameter values.
fn against_enumeration(info: &AccessInfo, flow: &Flow, params: &[(&str, Int)]) -> Vec<String> {
    let at: Params = params.iter().fold("{ : }".parse().unwrap(), |all: Params, (name, value)| {
        all.intersect(&format!("[{name}] -> {{ : {name} = {value} }}").parse().unwrap())
    });
    let [sinks, must, may, kill] =
        [&info.sink, &info.must_source, &info.may_source, &info.kill].map(|a| accesses(a, &at, &info.schedule));
    let before = |a: &Access, b: &Access| info.schedule.order(&instance(a), &instance(b), params).unwrap() == Order::Before;
    let definite: BTreeSet<&Access> = must.union(&kill).collect();
    let writes: BTreeSet<&Access> = must.union(&may).collect();
    let all: BTreeSet<&Access> = definite.union(&writes).copied().collect();
    let mut expect = [const { BTreeSet::new() }; 4];
    for sink in &sinks {
        let earlier = |a: &Access| a.2 == sink.2 && a.3 == sink.3 && before(a, sink);
        let hidden = |a: &Access| definite.iter().any(|d| earlier(d) && before(a, d));
        let reaching: Vec<&Access> = all.iter().copied().filter(|a| earlier(a) && !hidden(a)).collect();
        let pair = vec![(sink.0.clone(), sink.1.clone()), (sink.2.clone(), sink.3.clone())];
        for source in reaching.iter().filter(|a| writes.contains(*a)) {
            let triple: Vec<_> = [(source.0.clone(), source.1.clone())].into_iter().chain(pair.clone()).collect();
            if reaching.len() == 1 && must.contains(*source) {
                expect[0].insert(triple.clone());
            }
            expect[1].insert(triple);
        }
        if reaching.is_empty() {
            expect[2].insert(pair.clone());
        }
        if !definite.iter().any(|d| earlier(d)) {
            expect[3].insert(pair);
        }
    }
    let found = flow.entries().into_iter().zip(expect);
    found
        .filter(|((_, found), expect)| enumerated(found, &at) != *expect)
        .map(|((key, found), expect)| format!("{key} at {params:?}: {:?}, not {expect:?}", enumerated(found, &at)))
        .collect()
}

// Trees over S, T and U with one or two dimensions, of shapes that decide the order at different places.
const TREES: [&str; 5] = [
    r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i < n and 0 <= j <= i; U[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i, j] -> [(i)]; U[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ U[i] }"
    - filter: "{ S[i, j]; T[i, j] }"
      child:
        schedule: "[{ S[i, j] -> [(j)]; T[i, j] -> [(j)] }]"
"#,
    r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i < n and 0 <= j <= i; U[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S[i, j]; U[i] }"
    child:
      schedule: "[{ S[i, j] -> [(i)]; U[i] -> [(-i + 2)] }, { S[i, j] -> [(-j)]; U[i] -> [(0)] }]"
  - filter: "{ T[i, j] }"
    child:
      schedule: "[{ T[i, j] -> [(i - j)] }]"
"#,
    r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i < n and 0 <= j <= i; U[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i, j] -> [(floor(i/2))]; T[i, j] -> [(floor(j/2))]; U[i] -> [(floor(i/2))] }]"
  child:
    set:
    - filter: "{ S[i, j]; U[i] }"
      child:
        sequence:
        - filter: "{ S[i, j] }"
          child:
            schedule: "[{ S[i, j] -> [(i + j)] }]"
        - filter: "{ U[i] }"
    - filter: "{ T[i, j] }"
      child:
        schedule: "[{ T[i, j] -> [(i)] }]"
"#,
    r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i < n and 0 <= j <= i; U[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S[i, j] : j = 0; U[i] : i >= 1 }"
    child:
      schedule: "[{ S[i, j] -> [(i)]; U[i] -> [(i)] }]"
  - filter: "{ S[i, j] : j > 0; T[i, j] }"
    child:
      schedule: "[{ S[i, j] -> [(j)]; T[i, j] -> [(j)] }, { S[i, j] -> [(i)]; T[i, j] -> [(i)] }]"
      child:
        sequence:
        - filter: "{ T[i, j] }"
        - filter: "{ S[i, j] }"
  - filter: "{ U[i] : i <= 0 }"
"#,
    r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j] : 0 <= i < n and 0 <= j <= i; U[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i, j] -> [(i + j)]; T[i, j] -> [(2j)]; U[i] -> [(i)] }, { S[i, j] -> [(i)]; T[i, j] -> [(i)]; U[i] -> [(1)] }]"
"#,
];

// Pseudo-random numbers below `bound`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    // A union of up to `count` accesses of one array.
    fn accesses(&mut self, count: u64) -> UnionMap {
        (0..self.below(count + 1)).fold(UnionMap::empty(), |all, _| {
            let of_two = ["i", "j", "i + j", "i - 1", "j + 1", "0", "floor(i/2)", "n - j", "2i"];
            let access = match self.below(3) {
                0 => format!("S[i, j] -> a[{}]", self.pick(&of_two)),
                1 => format!("T[i, j] -> a[{}]", self.pick(&of_two)),
                _ => format!("U[i] -> a[{}]", self.pick(&["i", "i + 1", "0", "floor(i/2)", "n - i"])),
            };
            let condition = self.pick(&["", " : i >= 1", " : i mod 2 = 0", " : i <= 1"]);
            all.union(&map(&format!("[n] -> {{ {access}{condition} }}")))
        })
    }
}

#[test]
fn of_random_accesses() {
    let mut random = Random(11);
    for round in 0..60 {
        let schedule = tree(TREES[round % TREES.len()]);
        let info = AccessInfo {
            sink: random.accesses(2),
            must_source: random.accesses(2),
            may_source: random.accesses(2),
            kill: random.accesses(1),
            schedule,
        };
        let flow = info.flow().unwrap_or_else(|e| panic!("{e}\n{info}"));
        for n in [0, 1, 3] {
            let wrong = against_enumeration(&info, &flow, &[("n", Int::from(n))]);
            assert_eq!(wrong, Vec::<String>::new(), "round {round}\n{info}\n{flow}");
        }
    }
}

// Value-based dependences by kind, all of them among the memory-based ones, with the same parallel loops.
#[track_caller]
fn values(accesses: &Accesses, schedule: &ScheduleTree, memory: &Dependences) -> Dependences {
    let all: Params = "{ : }".parse().unwrap();
    let values = Dependences::value_based_from_within(accesses, schedule, &all, &Default::default()).unwrap();
    for kind in Kind::ALL {
        assert!(values.relation(kind).is_subset(&memory.relation(kind)), "{kind}");
    }
    let parallel = |d: &Dependences| -> Vec<bool> { d.loops(schedule).unwrap().iter().map(|l| l.is_parallel()).collect() };
    assert_eq!(parallel(&values), parallel(memory));
    assert_eq!(values.permutable(schedule).unwrap(), memory.permutable(schedule).unwrap());
    values
}

#[test]
fn of_small_programs() {
    for (_, program) in programs::all() {
        let values = values(&program.accesses, &program.original, &program.dependences);
        let Accesses { reads, writes } = &program.accesses;
        let info = AccessInfo { must_source: writes.clone(), ..AccessInfo::new(reads.clone(), program.original.clone()) };
        let flow = info.flow().unwrap();
        assert!(flow.pairs().is_equal(&values.raw()));
    }
}

#[track_caller]
fn raw(program: common::Program, expect: &str) {
    let values = values(&program.accesses, &program.original, &program.dependences);
    let found = values.raw();
    assert!(found.is_equal(&map(expect)), "{found}");
}

#[test]
fn last_writers() {
    raw(programs::diagonal(), "[n] -> { S[i, j] -> S[i + 1, j - 1] : 1 <= i < n - 1 and 2 <= j < n }");
    raw(programs::scalar(), "[n] -> { S[i] -> T[i] : 0 <= i < n }");
    raw(programs::decreasing(), "[n] -> { S[i] -> S[i - 1] : 1 <= i < n - 1 }");
}

#[test]
fn kernels() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("scops")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for file in files {
        let facts: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let text = |path: &str| facts.pointer(path).unwrap().as_str().unwrap();
        let schedule = tree(text("/tadashi/schedule_yaml"));
        let accesses = Accesses { reads: map(text("/pet/may_reads")), writes: map(text("/pet/may_writes")) };
        let memory = Dependences::analyze(&accesses, &schedule, &"{ : }".parse().unwrap()).unwrap();
        let clock = std::time::Instant::now();
        values(&accesses, &schedule, &memory);
        println!("{} {:?}", file.file_name().unwrap().display(), clock.elapsed());
    }
}
