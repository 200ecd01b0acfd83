//! Components in order: strongly connected components of "must come before", topologically sorted.
//!
//! Two statements that must each come before the other, at different times, share a loop. The result is stable: among
//! components without an order, the one with the smallest member comes first.

/// Groups `0..n` so that each group comes before the next wherever `before(i, j)` asks for it.
/// `before(i, j)`: some of i must come before some of j.
pub(crate) fn components<E>(n: usize, mut before: impl FnMut(usize, usize) -> Result<bool, E>) -> Result<Vec<Vec<usize>>, E> {
    let mut edge = vec![vec![false; n]; n];
    for (i, row) in edge.iter_mut().enumerate() {
        for (j, cell) in row.iter_mut().enumerate() {
            *cell = i != j && before(i, j)?;
        }
    }
    // reachability, then two are in one component if each reaches the other
    let mut reach = edge;
    for k in 0..n {
        let through = reach[k].clone();
        for row in &mut reach {
            if row[k] {
                for (cell, further) in row.iter_mut().zip(&through) {
                    *cell |= further;
                }
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut of = vec![usize::MAX; n];
    for i in 0..n {
        if of[i] == usize::MAX {
            let members: Vec<usize> = (i..n).filter(|&j| j == i || (reach[i][j] && reach[j][i])).collect();
            for &j in &members {
                of[j] = groups.len();
            }
            groups.push(members);
        }
    }
    let mut sorted = Vec::new();
    let mut done = vec![false; groups.len()];
    while sorted.len() < groups.len() {
        let free = |g: usize| !done[g] && (0..n).all(|i| of[i] == g || done[of[i]] || groups[g].iter().all(|&j| !reach[i][j]));
        // the condensation has no cycle, so there always is a next group
        let Some(next) = (0..groups.len()).find(|&g| free(g)) else { break };
        done[next] = true;
        sorted.push(groups[next].clone());
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n: usize, edges: &[(usize, usize)], expect: &[&[usize]]) {
        let got = components::<()>(n, |i, j| Ok(edges.contains(&(i, j)))).unwrap();
        assert_eq!(got, expect);
    }

    #[test]
    fn groups_are_sorted_and_stable() {
        check(0, &[], &[]);
        check(3, &[], &[&[0], &[1], &[2]]);
        check(3, &[(2, 0)], &[&[1], &[2], &[0]]);
        check(4, &[(0, 1), (1, 0), (2, 0)], &[&[2], &[0, 1], &[3]]);
        check(4, &[(0, 3), (3, 2), (2, 0), (1, 3)], &[&[1], &[0, 2, 3]]);
    }
}
