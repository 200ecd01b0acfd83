//! Functions against a pointwise oracle: an operation's result is evaluated on a box of points and compared with what the operation
//! means at each point.

use loopwright_presburger::{
    Aff, Comparison, Dim, Int, Map, MultiAff, MultiUnionPwAff, PwAff, Rat, Set, Space, Tuple, UnionMap, UnionPwAff, rat,
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
fn products_of_two_variables_are_refused() {
    let s = space();
    let (i, j) = (Aff::var(&s, Dim::SET, 0), Aff::var(&s, Dim::SET, 1));
    assert!(i.mul(&j).is_err() && i.div(&j).is_err());
    assert_eq!(i.mul(&Aff::constant(&s, &int(3))).unwrap(), i.scale(&int(3)));
    assert!(i.div(&Aff::zero(&s)).unwrap().is_nan());
}
