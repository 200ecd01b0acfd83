//! Formulas become systems of constraints.

use crate::formula::{Atom, Formula, Lin, Overflow, Var};
use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Budget, BudgetSpent, Columns, Div, Id, Int, System};

/// The systems of a formula over `columns`: one for each disjunct. Counter `d` is the tuple dimension `d`, domain and range of a
/// map counted through.
///
/// # Errors
/// [`Unlowered`], when cases or the budget run out.
///
/// # Panics
/// If the formula mentions a parameter that is not among `params` or a dimension beyond the columns.
pub fn systems(formula: &Formula, params: &[Id], columns: Columns, budget: &Budget) -> Result<Vec<System>, Unlowered> {
    let disjuncts = formula.disjuncts()?;
    let lowered = disjuncts.iter().map(|atoms| {
        budget.spend(atoms.len() as u64 * columns.len() as u64)?;
        Ok(conjunction(atoms, params, columns))
    });
    lowered.collect()
}

/// Why a formula did not become systems.
#[derive(Debug)]
pub enum Unlowered {
    /// Numbers or cases out of reach.
    Overflow(Overflow),
    /// The budget is spent.
    Budget,
}

impl From<Overflow> for Unlowered {
    fn from(overflow: Overflow) -> Unlowered {
        Unlowered::Overflow(overflow)
    }
}

impl From<BudgetSpent> for Unlowered {
    fn from(_: BudgetSpent) -> Unlowered {
        Unlowered::Budget
    }
}

/// The system of a conjunction.
fn conjunction(atoms: &[Atom], params: &[Id], columns: Columns) -> System {
    let mut lowering = Lowering { params, system: System::universe(columns), divs: Vec::new() };
    for atom in atoms {
        match atom {
            Atom::Ge(lin) => {
                let row = lowering.row(lin);
                lowering.system.push_ineq(row);
            }
            Atom::Eq(lin) => {
                let row = lowering.row(lin);
                lowering.system.push_eq(row);
            }
        }
    }
    lowering.system
}

struct Lowering<'a> {
    params: &'a [Id],
    system: System,
    // The divisions that have a column, in order.
    divs: Vec<(Lin, i128)>,
}

impl Lowering<'_> {
    fn column(&mut self, var: &Var) -> usize {
        let columns = self.system.columns();
        match var {
            Var::Param(name) => {
                1 + self.params.binary_search_by(|p| (**p).cmp(name)).expect("every parameter of a formula is declared")
            }
            Var::Dim(d) => {
                let column = 1 + columns.params + d;
                assert!(column < columns.first_div(), "dimension {d} is beyond the tuple");
                column
            }
            Var::Floor(inner, d) => {
                let known = self.divs.iter().position(|(lin, den)| lin == &**inner && den == d);
                let index = known.unwrap_or_else(|| {
                    let num = self.row(inner);
                    self.system.push_div(Some(Div { num, den: Int::from(*d) }));
                    self.divs.push(((**inner).clone(), *d));
                    self.divs.len() - 1
                });
                columns.first_div() + index
            }
        }
    }

    fn row(&mut self, lin: &Lin) -> Row {
        // columns first: they may add divisions, which widen the row
        let terms: Vec<(usize, i128)> = lin.terms.iter().map(|(var, c)| (self.column(var), *c)).collect();
        let mut row = Row::zero(self.system.columns().len());
        row.set(0, Int::from(lin.constant));
        for (column, c) in terms {
            row.set(column, Int::from(c));
        }
        row
    }
}
