//! Functions against a pointwise oracle: an operation's result is evaluated on a box of points and compared with what the operation
//! means at each point.

use loopwright_presburger::{
    Aff, Comparison, Dim, Int, Map, MultiAff, MultiUnionPwAff, PwAff, PwMultiAff, Rat, Set, Space, Tuple, UnionMap, UnionPwAff,
    rat,
};
use proptest::prelude::*;

const PARAM: [i64; 3] = [-2, 0, 5];
const BOX: std::ops::RangeInclusive<i64> = -7..=7;

fn int(v: i64) -> Int {
    Int::from(v)
}

fn points() -> impl Iterator<Item = ([Int; 1], [Int; 2])> {
    PARAM.iter().flat_map(|&n| BOX.flat_map(move |i| BOX.map(move |j| ([int(n)], [int(i), int(j)]))))
}

fn space() -> Space {
    Space::set(&["n"], Tuple::named("S", &["i", "j"]))
}

/// A recipe of an expression: each step works on what was built so far.
#[derive(Debug, Clone)]
enum Step {
    Linear(i64, i64, i64, i64),
    Floor(i64),
    Mod(i64),
    Half,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (-3..4i64, -3..4i64, -1..2i64, -5..6i64).prop_map(|(a, b, c, d)| Step::Linear(a, b, c, d)),
        (1..7i64).prop_map(Step::Floor),
        (1..7i64).prop_map(Step::Mod),
        Just(Step::Half),
    ]
}

fn recipe() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..5)
}

fn linear(a: i64, b: i64, c: i64, d: i64) -> Aff {
    let s = space();
    let part = |e: Aff, k: i64| e.scale(&int(k));
    part(Aff::var(&s, Dim::SET, 0), a)
        .add(&part(Aff::var(&s, Dim::SET, 1), b))
        .add(&part(Aff::param(&s, "n"), c))
        .add_constant(&int(d))
}

fn build(recipe: &[Step]) -> Aff {
    recipe.iter().fold(Aff::zero(&space()), |e, s| match s {
        Step::Linear(a, b, c, d) => e.add(&linear(*a, *b, *c, *d)),
        Step::Floor(d) => e.scale_down(&int(*d)).floor(),
        Step::Mod(m) => e.modulo(&int(*m)),
        Step::Half => e.scale_down(&int(2)),
    })
}

fn value(recipe: &[Step], n: &Int, x: &[Int; 2]) -> Rat {
    let r = |v: &Int| rat::ratio(v, &Int::ONE);
    let k = |v: i64| rat::ratio(&int(v), &Int::ONE);
    recipe.iter().fold(k(0), |e, s| match s {
        Step::Linear(a, b, c, d) => e + k(*a) * r(&x[0]) + k(*b) * r(&x[1]) + k(*c) * r(n) + k(*d),
        Step::Floor(d) => (e / k(*d)).floor(),
        Step::Mod(m) => e.clone() - k(*m) * (e / k(*m)).floor(),
        Step::Half => e / k(2),
    })
}

fn compare(a: &Rat, op: Comparison, b: &Rat) -> bool {
    match op {
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Eq => a == b,
        Comparison::Ge => a >= b,
        Comparison::Gt => a > b,
        Comparison::Ne => a != b,
    }
}

const OPS: [Comparison; 6] = [Comparison::Lt, Comparison::Le, Comparison::Eq, Comparison::Ge, Comparison::Gt, Comparison::Ne];

fn contains(set: &Set, n: &Int, x: &[Int]) -> bool {
    set.align_params(&space()).contains_point(&[("n", n.clone())], x)
}

/// Pieces on half-spaces, with gaps.
fn pw(a: &[Step], b: &[Step], cut: &[Step], end: &[Step]) -> PwAff {
    let (cut, end) = (build(cut), build(end));
    let below = cut.neg_set();
    let above = cut.nonneg_set().intersect(&end.nonneg_set());
    PwAff::from_pieces(&build(a).space(), vec![(below, build(a)), (above, build(b))])
}

fn pw_value(a: &[Step], b: &[Step], cut: &[Step], end: &[Step], n: &Int, x: &[Int; 2]) -> Option<Rat> {
    let zero = rat::ratio(&int(0), &int(1));
    if value(cut, n, x) < zero {
        Some(value(a, n, x))
    } else if value(end, n, x) >= zero {
        Some(value(b, n, x))
    } else {
        None
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn expressions_mean_what_they_say(r in recipe()) {
        let e = build(&r);
        for (n, x) in points() {
            prop_assert_eq!(e.eval(&n, &x), Some(value(&r, &n[0], &x)), "{:?} at {:?} {:?}", e, n, x);
        }
    }

    #[test]
    fn comparisons_hold_where_they_should(r in recipe(), s in recipe(), op in 0..6usize) {
        let set = build(&r).compare(OPS[op], &build(&s));
        for (n, x) in points() {
            prop_assert_eq!(contains(&set, &n[0], &x), compare(&value(&r, &n[0], &x), OPS[op], &value(&s, &n[0], &x)));
        }
    }

    #[test]
    fn composition_is_substitution(r in recipe(), a in recipe(), b in recipe()) {
        let f = MultiAff::from_elements(&space(), space().tuple().clone(), vec![build(&a).floor(), build(&b).floor()]);
        let e = build(&r).pullback(&f);
        for (n, x) in points() {
            let y = [value(&a, &n[0], &x), value(&b, &n[0], &x)].map(|v| rat::integer(&v.floor()).unwrap());
            prop_assert_eq!(e.eval(&n, &x), Some(value(&r, &n[0], &y)));
        }
    }

    #[test]
    fn ceil_and_floor_enclose(r in recipe()) {
        let e = build(&r);
        for (n, x) in points() {
            prop_assert_eq!(e.ceil().eval(&n, &x), Some(value(&r, &n[0], &x).ceil()));
            prop_assert_eq!(e.floor().eval(&n, &x), Some(value(&r, &n[0], &x).floor()));
        }
    }

    #[test]
    fn graphs_relate_integer_values(r in recipe()) {
        let e = build(&r);
        let map = Map::from(&e);
        for (n, x) in points().step_by(7) {
            let v = value(&r, &n[0], &x);
            let image = map.align_params(&space()).contains_point(&[("n", n[0].clone())], &[x[0].clone(), x[1].clone(), rat::integer(&v.floor()).unwrap()]);
            prop_assert_eq!(image, v.is_integer());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn pieces_combine(a in recipe(), b in recipe(), c in recipe(), d in recipe(), cut in recipe(), end in recipe()) {
        let (p, q) = (pw(&a, &b, &cut, &end), pw(&c, &d, &end, &cut));
        let (sum, union_sum) = (p.add(&q), p.union_add(&q));
        let (min, union_max) = (p.min(&q), p.union_max(&q));
        let le = p.le_set(&q);
        let coalesced = union_sum.coalesce();
        prop_assert!(coalesced.is_equal(&union_sum));
        for (n, x) in points().step_by(3) {
            let u = pw_value(&a, &b, &cut, &end, &n[0], &x);
            let v = pw_value(&c, &d, &end, &cut, &n[0], &x);
            let both = u.clone().zip(v.clone());
            let one = u.clone().or(v.clone());
            prop_assert_eq!(p.eval(&n, &x), u);
            prop_assert_eq!(sum.eval(&n, &x), both.clone().map(|(u, v)| u + v));
            prop_assert_eq!(union_sum.eval(&n, &x), both.clone().map(|(u, v)| u + v).or(one.clone()));
            prop_assert_eq!(min.eval(&n, &x), both.clone().map(|(u, v)| u.min(v)));
            prop_assert_eq!(union_max.eval(&n, &x), both.clone().map(|(u, v)| u.max(v)).or(one));
            prop_assert_eq!(contains(&le, &n[0], &x), both.is_some_and(|(u, v)| u <= v));
        }
    }

    #[test]
    fn gists_agree_on_the_context(a in recipe(), b in recipe(), cut in recipe(), end in recipe()) {
        let p = pw(&a, &b, &cut, &end);
        let line = linear(1, -1, 0, 0).zero_set();
        let strip = linear(1, 0, 0, 0).nonneg_set().intersect(&linear(-1, 0, 0, 3).nonneg_set());
        for context in [line, strip] {
            let gist = p.gist(&context);
            for (n, x) in points().filter(|(n, x)| contains(&context, &n[0], x)) {
                prop_assert_eq!(gist.eval(&n, &x), p.eval(&n, &x));
            }
        }
    }

    #[test]
    fn pieces_compose(a in recipe(), b in recipe(), cut in recipe(), end in recipe(), f in recipe(), g in recipe()) {
        let p = pw(&a, &b, &cut, &end);
        let f_aff = MultiAff::from_elements(&space(), space().tuple().clone(), vec![build(&f), build(&g)]);
        let composed = p.pullback(&f_aff);
        for (n, x) in points().step_by(3) {
            let y = [value(&f, &n[0], &x), value(&g, &n[0], &x)];
            let want = match (rat::integer(&y[0]), rat::integer(&y[1])) {
                (Some(y0), Some(y1)) => pw_value(&a, &b, &cut, &end, &n[0], &[y0, y1]),
                _ => None,
            };
            prop_assert_eq!(composed.eval(&n, &x), want);
        }
    }

    #[test]
    fn relations_and_functions_are_inverse(a in recipe(), b in recipe(), cut in recipe(), end in recipe()) {
        let p = PwMultiAff::from(pw(&a, &b, &cut, &end).floor());
        let back = PwMultiAff::from_map(&Map::from(&p)).unwrap();
        prop_assert!(back.is_equal(&p), "{:?}\n{:?}", back, p);
    }
}

fn band() -> (Space, Space, MultiUnionPwAff) {
    let s = Space::set(&["n"], Tuple::named("S", &["i", "j"]));
    let t = Space::set(&["n"], Tuple::named("T", &["k"]));
    let member = |s_dim: usize, t_dim: usize| -> UnionPwAff {
        [PwAff::from(Aff::var(&s, Dim::SET, s_dim)), PwAff::from(Aff::var(&t, Dim::SET, t_dim))].into_iter().collect()
    };
    let band = MultiUnionPwAff::from_members(Some("L_0"), vec![member(0, 0), member(1, 0)]);
    (s, t, band)
}

fn at(band: &MultiUnionPwAff, tuple: &Tuple, x: &[i64]) -> Vec<String> {
    let coords: Vec<Int> = x.iter().map(|&v| int(v)).collect();
    let f = band.at(tuple).expect("the statement is in the band");
    let params = vec![int(100); f.space().dim(Dim::Param)];
    f.eval(&params, &coords).map_or(Vec::new(), |v| v.iter().map(ToString::to_string).collect())
}

#[test]
fn bands_tile_shift_and_filter() {
    let (s, t, band) = band();
    assert_eq!(band.n(), 2);
    assert_eq!(&**band.name().unwrap(), "L_0");
    let tiles = band.tile_starts(&[int(32), int(8)]);
    assert_eq!(at(&tiles, s.tuple(), &[70, 21]), ["64", "16"]);
    assert_eq!(at(&tiles, t.tuple(), &[-1]), ["-32", "-8"]);
    let shifted = band.shift_at(1, &Aff::var(&s, Dim::SET, 0));
    assert_eq!(at(&shifted, s.tuple(), &[3, 4]), ["3", "7"]);
    assert_eq!(at(&shifted, t.tuple(), &[5]), ["5", "5"]);
    let all = band.shift_all(0, &int(9)).shift_all_by_param(0, "n", &int(2));
    assert_eq!(at(&all, t.tuple(), &[5]), ["214", "5"]);
    let only = band.intersect_domain(&Set::universe(t.clone()).into());
    assert_eq!(only.statements(), [t.tuple()]);
    let joined = tiles.flat_range_product(&band);
    assert_eq!(at(&joined, s.tuple(), &[70, 21]), ["64", "16", "70", "21"]);
    let both = only.union_add(&band.intersect_domain(&Set::universe(s.clone()).into()));
    assert!(both.is_equal(&band));
}

#[test]
fn bands_are_relations() {
    let (_, _, band) = band();
    let tiles = band.tile_starts(&[int(32), int(8)]);
    let map = UnionMap::from(&tiles);
    assert!(map.is_single_valued());
    let back = MultiUnionPwAff::from_union_map(&map).unwrap();
    assert!(back.is_equal(&tiles));
    assert!(UnionMap::from(&back).is_equal(&map));
}

#[test]
fn several_images_are_refused() {
    let (s, _, _) = band();
    let everything = Map::universe(s.map_to(&s));
    assert!(PwMultiAff::from_map(&everything).unwrap_err().to_string().contains("several images"));
    let swap = MultiAff::from_elements(&s, s.tuple().clone(), vec![Aff::var(&s, Dim::SET, 1), Aff::var(&s, Dim::SET, 0)]);
    let two = Map::from(&swap).union(&Map::from(&MultiAff::identity(&s)));
    assert!(PwMultiAff::from_map(&two).is_err());
}

#[test]
fn products_of_two_variables_are_refused() {
    let s = space();
    let (i, j) = (Aff::var(&s, Dim::SET, 0), Aff::var(&s, Dim::SET, 1));
    assert!(i.mul(&j).is_err() && i.div(&j).is_err());
    assert_eq!(i.mul(&Aff::constant(&s, &int(3))).unwrap(), i.scale(&int(3)));
    assert!(i.div(&Aff::zero(&s)).unwrap().is_nan());
}

#[test]
fn truncated_division_is_that_of_c() {
    let e = PwAff::from(linear(1, 0, 0, 0));
    let (q, r) = (e.tdiv_q(&int(3)), e.tdiv_r(&int(3)));
    for i in -7..=7i64 {
        let at = |f: &PwAff| f.eval(&[int(0)], &[int(i), int(0)]).unwrap().to_string();
        assert_eq!((at(&q), at(&r)), ((i / 3).to_string(), (i % 3).to_string()));
    }
}

#[test]
fn products_of_unions_join_pairs_of_one_space() {
    let a: UnionMap = "{ S[i] -> [i] : i >= 0; S[i] -> [i, 1] : i < 0 }".parse().unwrap();
    let b: UnionMap = "{ S[i] -> [2, i] : i >= 0; S[i] -> [3] : i < 0 }".parse().unwrap();
    let f = |m: &UnionMap| loopwright_presburger::UnionPwMultiAff::from_union_map(m).unwrap();
    let expect: UnionMap = "{ S[i] -> [i, 2, i] : i >= 0; S[i] -> [i, 1, 3] : i < 0 }".parse().unwrap();
    assert!(UnionMap::from(&f(&a).flat_range_product(&f(&b))).is_equal(&expect));
}
