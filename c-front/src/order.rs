//! The original order as a schedule tree.
//!
//! One band of one member for each loop, `-i` for a decreasing one; a sequence or set only over two or more children, each a
//! filter. Bands are labelled `L_0`, `L_1`, .. in the order of the text.

use crate::extract::Order;
use lang_c::span::Span;
use loopwright_presburger::{Aff, Dim, Id, MultiUnionPwAff, PwAff, Set, Space, Tuple, UnionPwAff, UnionSet};
use loopwright_schedule_tree::{Band, Error, Node, ScheduleTree};
use loopwright_scop::Statement;

/// The schedule tree of an order, and the headers of its loops by the number of the band's label.
///
/// # Errors
/// When the tree nests too deeply.
pub fn schedule(order: &Order, statements: &[Statement]) -> Result<(ScheduleTree, Vec<Span>), Error> {
    let domain: UnionSet = statements.iter().map(|s| s.domain.clone()).collect();
    let mut loops = Vec::new();
    let root = tree(order, statements, &mut loops);
    Ok((ScheduleTree::new(Node::domain(domain, root))?, loops))
}

/// The statements of an order, in program order.
fn members(order: &Order) -> Vec<usize> {
    match order {
        Order::Statement(s) => vec![*s],
        Order::Loop(_, _, _, body) => members(body),
        Order::Sequence(parts) | Order::Choice(parts) => parts.iter().flat_map(members).collect(),
    }
}

fn tree(order: &Order, statements: &[Statement], loops: &mut Vec<Span>) -> Node {
    match order {
        Order::Statement(_) => Node::Leaf,
        Order::Loop(depth, sign, header, body) => {
            let label = format!("L_{}", loops.len());
            loops.push(*header);
            let mut schedule = UnionPwAff::new();
            for s in members(body) {
                let space = statements[s].domain.space().clone();
                let counter = Aff::var(&space, Dim::SET, *depth);
                schedule.insert(PwAff::from(if *sign < 0 { counter.neg() } else { counter }));
            }
            let range = Space::set(&[], Tuple::anonymous(1).with_name(Some(Id::from(label))));
            let band = Band::new(MultiUnionPwAff::new(&range, vec![schedule]));
            Node::band(band, tree(body, statements, loops))
        }
        Order::Sequence(parts) => Node::sequence(children(parts, statements, loops)),
        Order::Choice(parts) => Node::set(children(parts, statements, loops)),
    }
}

fn children(parts: &[Order], statements: &[Statement], loops: &mut Vec<Span>) -> Vec<(UnionSet, Node)> {
    let filter = |part: &Order| members(part).iter().map(|s| Set::universe(statements[*s].domain.space().clone())).collect();
    parts.iter().map(|part| (filter(part), tree(part, statements, loops))).collect()
}
