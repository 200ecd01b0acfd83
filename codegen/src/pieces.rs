//! Covering the values of a dimension by disjoint pieces in order: one loop will stand for each.
//!
//! How many pieces is a matter of options. Too many, or too much work to find them, and one loop has to do.

use loopwright_presburger::Set;

use crate::error::Error;
use crate::region;
use crate::scan::{Part, Scanner};

impl Scanner<'_> {
    /// The parts inside a piece of the dimension's values.
    pub(crate) fn within(&self, classes: &[&(Set, Vec<Part>)], piece: &Set, depth: usize) -> Result<Vec<Part>, Error> {
        let mut parts = Vec::new();
        for (values, members) in classes {
            if region::is_empty(&region::intersect(values, piece), self.budget)? {
                continue;
            }
            for part in members {
                let inner = region::dims(&part.region) - depth - 1;
                let piece = region::insert(piece, depth + 1, inner);
                parts.push(Part { region: region::intersect(&part.region, &piece), ..part.clone() });
            }
        }
        Ok(parts)
    }

    /// Disjoint pieces in order, or `None` where one loop is as good.
    pub(crate) fn split(&self, all: &Set, known: &Set, depth: usize) -> Result<Option<Vec<Set>>, Error> {
        const MOST: usize = 16;
        if all.n_basic() < 2 || all.n_basic() > MOST {
            return Ok(None);
        }
        match region::disjoint(all, MOST, self.budget)? {
            Some(pieces) => self.in_order(pieces, known, depth),
            None => Ok(None),
        }
    }

    pub(crate) fn in_order(&self, pieces: Vec<Set>, known: &Set, depth: usize) -> Result<Option<Vec<Set>>, Error> {
        let mut alive = Vec::new();
        for piece in pieces {
            if !region::is_empty(&region::intersect(&piece, known), self.budget)? {
                alive.push(piece);
            }
        }
        let groups = self.sorted(&alive, known, depth, |_, _| 1)?;
        if groups.len() < 2 {
            return Ok(None);
        }
        let mut merged = Vec::new();
        for group in groups {
            let mut piece = alive[group[0]].clone();
            for &k in &group[1..] {
                piece = region::union(&piece, &alive[k]);
            }
            merged.push(region::coalesce(&piece, self.budget)?);
        }
        Ok(Some(merged))
    }

    /// Pieces of `all` on which the set of classes is constant, in order. Where only the existence of inner iterations tells classes
    /// apart they are not separated: those loops are empty by themselves.
    pub(crate) fn separated(
        &self,
        classes: &[&(Set, Vec<Part>)],
        all: &Set,
        known: &Set,
        depth: usize,
    ) -> Result<Option<Vec<Set>>, Error> {
        const MOST: usize = 32;
        let mut pieces: Vec<Set> = Vec::new();
        for (_, parts) in classes {
            let mut values = region::intersect(all, &region::loose_prefix(&parts[0].region, depth + 1, self.budget)?);
            for part in &parts[1..] {
                let loose = region::loose_prefix(&part.region, depth + 1, self.budget)?;
                values = region::union(&values, &region::intersect(all, &loose));
            }
            let values = &region::coalesce(&values, self.budget)?;
            let mut rest = values.clone();
            let mut refined = Vec::new();
            for piece in &pieces {
                let both = region::coalesce(&region::intersect(piece, values), self.budget)?;
                if region::is_empty(&both, self.budget)? {
                    refined.push(piece.clone());
                    continue;
                }
                let only = region::coalesce(&region::subtract(piece, values, self.budget)?, self.budget)?;
                rest = region::subtract(&rest, piece, self.budget)?;
                refined.push(both);
                if !region::is_empty(&only, self.budget)? {
                    refined.push(only);
                }
            }
            let rest = region::coalesce(&rest, self.budget)?;
            if !region::is_empty(&rest, self.budget)? {
                refined.push(rest);
            }
            pieces = refined;
            if pieces.iter().map(Set::n_basic).sum::<usize>() > MOST {
                return Ok(None);
            }
        }
        let mut basics = Vec::new();
        for piece in &pieces {
            match region::disjoint(piece, MOST, self.budget)? {
                Some(pieces) => basics.extend(pieces),
                None => return Ok(None),
            }
        }
        self.in_order(basics, known, depth)
    }
}
