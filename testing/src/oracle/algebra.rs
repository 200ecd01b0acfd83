//! Set algebra against points: formulas are read as sets and maps, and every operation is compared with what the formulas say at each
//! point of a box.

use super::Bytes;
use super::formula::Formula;
use loopwright_presburger::{Budget, BudgetSpent, Dim, Int, Kind, Map, OfMap, OfSet, Params, Point, Relation, Set, Val};
use std::collections::BTreeSet;
use std::str::FromStr;

/// Steps for all operations on one input; what is not known by then is not compared.
const STEPS: u64 = 500_000;
/// The values of both dimensions.
const REACH: i64 = 3;
/// The values of the parameter that are looked at.
const PARAM: i64 = 2;

/// The points `[p, x0, x1]` where something holds.
type Points = BTreeSet<Vec<i64>>;

fn box_of(dims: u32) -> Vec<Vec<i64>> {
    let step = |all: Vec<Vec<i64>>, reach: i64| -> Vec<Vec<i64>> {
        all.into_iter().flat_map(|x| (-reach..=reach).map(move |v| [&x[..], &[v]].concat())).collect()
    };
    (0..dims).fold(step(vec![Vec::new()], PARAM), |all, _| step(all, REACH))
}

fn points(formula: &Formula) -> Points {
    box_of(2).into_iter().filter(|x| formula.holds(x)).collect()
}

fn relation<K: Kind>(tuples: &str, formula: &Formula) -> Relation<K>
where
    Relation<K>: FromStr<Err: std::fmt::Display>,
{
    let names = ["p", "x0", "x1"].map(String::from);
    let text = format!("[p] -> {{ {tuples} : -{REACH} <= x0, x1 <= {REACH} and {} }}", formula.text(&names));
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn coordinates(point: &Point) -> Vec<i64> {
    let p = point.param("p").and_then(Int::to_i64);
    p.into_iter().chain(point.coords.iter().filter_map(Int::to_i64)).collect()
}

/// The results of operations against points. Every method answers with an error only when the budget is spent.
struct Check<'a> {
    input: String,
    budget: &'a Budget,
}

impl Check<'_> {
    fn same<K: Kind>(&self, what: &str, got: &Relation<K>, expected: &Points) -> Result<(), BudgetSpent>
    where
        Relation<K>: std::fmt::Display,
    {
        let params: Params = format!("[p] -> {{ : -{PARAM} <= p <= {PARAM} }}").parse().expect("a text of ours");
        let listed = match got.intersect_params(&params).points_within(self.budget) {
            Ok(points) => points.iter().map(coordinates).collect::<Points>(),
            Err(loopwright_presburger::Error::Budget(spent)) => return Err(spent),
            Err(error) => panic!("{what}: {error}\n{}\n  gave {got}", self.input),
        };
        let more: Vec<_> = listed.difference(expected).take(3).collect();
        let fewer: Vec<_> = expected.difference(&listed).take(3).collect();
        assert!(
            more.is_empty() && fewer.is_empty(),
            "{what}: wrongly has {more:?}, lacks {fewer:?}\n{}\n  gave {got}",
            self.input
        );
        Ok(())
    }

    fn is(&self, what: &str, got: bool, expected: bool) {
        assert_eq!(got, expected, "{what}\n{}", self.input);
    }

    fn sets(&self, a: &(Set, Points), b: &(Set, Points)) -> Result<(), BudgetSpent> {
        let ((s, p), (t, q), budget) = (a, b, self.budget);
        let both: Points = p & q;
        self.same("read", s, p)?;
        self.same("union", &s.union(t), &(p | q))?;
        self.same("intersect", &s.intersect(t), &both)?;
        self.same("subtract", &s.subtract_within(t, budget)?, &(p - q))?;
        self.same("complement", &t.intersect(&s.complement_within(budget)?), &(q - p))?;
        self.same("coalesce", &s.union(t).coalesce_within(budget)?, &(p | q))?;
        self.same("gist", &s.gist_within(t, budget)?.intersect(t), &both)?;
        self.same("known divs", &s.with_known_divs_within(budget)?, p)?;
        self.same("equalities", &s.detect_equalities_within(budget)?, p)?;
        self.same("redundancies", &s.remove_redundancies_within(budget)?, p)?;
        let first = |points: &Points| points.iter().map(|x| x[..2].to_vec()).collect::<Points>();
        self.same("projection", &s.project_out(Dim::SET, 1, 1), &first(p))?;
        let best = |pick: fn(Vec<i64>, Vec<i64>) -> Vec<i64>| -> Points {
            let of = |v| p.iter().filter(|x| x[0] == v).cloned().reduce(pick);
            (-PARAM..=PARAM).filter_map(of).collect()
        };
        self.same("lexmin", &s.lexmin_within(budget)?, &best(std::cmp::min))?;
        self.same("lexmax", &s.lexmax_within(budget)?, &best(std::cmp::max))?;
        // Where a point speaks against it. If none does, other values of the parameter still may.
        let not = |against: &Points, answer: bool, what: &str| {
            if !against.is_empty() {
                self.is(what, answer, false);
            }
        };
        not(p, s.is_empty_within(budget)?, "is_empty");
        not(&(p - q), s.is_subset_within(t, budget)?, "is_subset");
        not(&both, s.is_disjoint_within(t, budget)?, "is_disjoint");
        let (s_cut, t_cut) = (self.cut(s), self.cut(t));
        self.is("is_empty in the box", s_cut.is_empty_within(budget)?, p.is_empty());
        self.is("is_subset in the box", s_cut.is_subset_within(&t_cut, budget)?, p.is_subset(q));
        self.is("is_equal in the box", s_cut.is_equal_within(&t_cut, budget)?, p == q);
        self.is("is_disjoint in the box", s_cut.is_disjoint_within(&t_cut, budget)?, both.is_empty());
        if let Some(point) = s_cut.sample_within(budget)? {
            self.is("sample", p.contains(&coordinates(&point)), true);
        }
        let hull: Set = s.simple_hull_within(budget)?.into();
        self.is("simple hull", s.is_subset_within(&hull, budget)?, true);
        let hull: Set = s.affine_hull_within(budget)?.into();
        self.is("affine hull", s.is_subset_within(&hull, budget)?, true);
        self.card(s, p)
    }

    fn cut(&self, set: &Set) -> Set {
        let params: Params = format!("[p] -> {{ : -{PARAM} <= p <= {PARAM} }}").parse().expect("a text of ours");
        set.intersect_params(&params)
    }

    fn card(&self, set: &Set, points: &Points) -> Result<(), BudgetSpent> {
        let card = set.card_within(self.budget)?;
        for v in -PARAM..=PARAM {
            let expected = points.iter().filter(|x| x[0] == v).count();
            // a set without the parameter has a card without it
            let params: Vec<Int> = card.space().param_ids().iter().map(|_| Int::from(v)).collect();
            let got = card.eval(&params, &[]);
            let expected = Val::from(i64::try_from(expected).expect("a small number"));
            assert_eq!(got, expected, "card at p = {v}\n{}\n  gave {card}", self.input);
        }
        Ok(())
    }

    fn maps(&self, a: &(Map, Points), b: &(Map, Points)) -> Result<(), BudgetSpent> {
        let ((m, p), (n, q), budget) = (a, b, self.budget);
        let each = |points: &Points, f: &dyn Fn(&[i64]) -> Vec<i64>| points.iter().map(|x| f(x)).collect::<Points>();
        self.same("read", m, p)?;
        self.same("domain", &m.domain(), &each(p, &|x| vec![x[0], x[1]]))?;
        self.same("range", &m.range(), &each(p, &|x| vec![x[0], x[2]]))?;
        self.same("reverse", &m.reverse(), &each(p, &|x| vec![x[0], x[2], x[1]]))?;
        self.same("deltas", &m.deltas(), &each(p, &|x| vec![x[0], x[2] - x[1]]))?;
        let composed: Points = p
            .iter()
            .flat_map(|x| q.iter().filter(move |y| x[0] == y[0] && x[2] == y[1]).map(move |y| vec![x[0], x[1], y[2]]))
            .collect();
        self.same("apply_range", &m.apply_range(n), &composed)?;
        let image: Points = p
            .iter()
            .flat_map(|x| q.iter().filter(move |y| x[0] == y[0] && x[1] == y[1]).map(move |y| vec![x[0], x[2], y[2]]))
            .collect();
        self.same("apply_domain", &m.apply_domain(n), &image.iter().map(|x| vec![x[0], x[2], x[1]]).collect())?;
        let best = |pick: fn(i64, i64) -> i64| -> Points {
            let of = |x: &Vec<i64>| p.iter().filter(|y| y[..2] == x[..]).map(|y| y[2]).reduce(pick).map(|v| vec![x[0], x[1], v]);
            box_of(1).iter().filter_map(of).collect()
        };
        self.same("map lexmin", &m.lexmin_within(budget)?, &best(i64::min))?;
        self.same("map lexmax", &m.lexmax_within(budget)?, &best(i64::max))?;
        let single = p.iter().all(|x| p.iter().all(|y| x[..2] != y[..2] || x == y));
        if !single {
            self.is("is_single_valued", m.is_single_valued_within(budget)?, false);
        }
        Ok(())
    }
}

/// Two sets, and two maps, of two formulas.
pub fn algebra(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let formulas = [0, 1].map(|_| Formula::decode(&mut bytes, 3, 3));
    let names = ["p", "x0", "x1"].map(String::from);
    let input = formulas.iter().map(|f| f.text(&names)).collect::<Vec<_>>().join("\n");
    let budget = Budget::steps(STEPS);
    let check = Check { input, budget: &budget };
    let [p, q] = formulas.each_ref().map(points);
    let sets = formulas.each_ref().map(|f| relation::<OfSet>("[x0, x1]", f));
    let [s, t] = sets;
    let maps = formulas.each_ref().map(|f| relation::<OfMap>("[x0] -> [x1]", f));
    let [m, n] = maps;
    let spent = check.sets(&(s, p.clone()), &(t, q.clone())).and_then(|()| check.maps(&(m, p), &(n, q)));
    // what is too much work is not compared
    let _: Result<(), BudgetSpent> = spent;
}
