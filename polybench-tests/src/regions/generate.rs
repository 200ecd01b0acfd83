//! Random small regions of C: loops of all kinds over tiny arrays.
//!
//! Valid by construction. Every integer expression carries an interval of its values: no sum overflows, nothing unsigned wraps,
//! and every subscript is moved to start at 0 and its array made as large as its interval. Loops have few iterations; a `!=` ends
//! where its chain arrives. Floating-point values stay finite: they are averaged, not multiplied. Integers are computed as
//! unsigned and stored reduced.

use super::expression::*;
use super::{Parameter, Region, RegionArray};
use crate::Random;

/// The element types of arrays: C type, letter for the driver, size.
const ELEMENTS: [(&str, char); 8] = [
    ("double", 'd'),
    ("double", 'd'),
    ("float", 'f'),
    ("int", 'i'),
    ("unsigned", 'u'),
    ("short", 's'),
    ("unsigned char", 'b'),
    ("unsigned long", 'L'),
];

const COUNTERS: [CType; 8] = [INT, LONG, SHORT, UNSIGNED, UNSIGNED_CHAR, SIGNED_CHAR, UNSIGNED_SHORT, UNSIGNED_LONG];

struct Array {
    name: String,
    element: (&'static str, char),
    extents: Vec<i64>,
}

/// A scalar, outside or in the region.
#[derive(Clone)]
struct Scalar {
    name: String,
    kind: char,
}

struct Generator<'a> {
    random: &'a mut Random,
    params: Vec<Var>,
    /// Counters declared before the region, and whether something has used them.
    outside: Vec<(Var, bool)>,
    arrays: Vec<Array>,
    scalars: Vec<Scalar>,
    locals: Vec<Scalar>,
    counters: Vec<Var>,
    text: String,
    statements: usize,
    names: usize,
    /// How many iterations the loops around have at most.
    iterations: i64,
}

/// The region of a seed.
pub(super) fn region(random: &mut Random) -> Region {
    let mut params = Vec::new();
    for (name, ty, low, high) in
        [("n", INT, 0, 8), ("m", INT, -2, 6), ("l", LONG, 1, 7), ("p", UNSIGNED, 0, 7), ("h", SHORT, -3, 6)]
    {
        let rare = ty == UNSIGNED || ty == SHORT;
        if random.one_in(if rare { 5 } else { 2 }) {
            params.push(Var { name: name.into(), ty, low, high });
        }
    }
    let outside: Vec<(Var, bool)> = ["i", "j", "k"]
        .into_iter()
        .filter_map(|name| {
            let declared = random.one_in(2);
            declared.then(|| (Var { name: name.into(), ty: any_type(random), low: 0, high: 0 }, false))
        })
        .collect();
    let arrays: Vec<Array> = (0..random.between(1, 4))
        .map(|number| Array {
            name: format!("{}", char::from(b'A' + number as u8)),
            element: *random.pick(&ELEMENTS),
            extents: vec![1; *random.pick(&[1, 1, 1, 2, 2, 3])],
        })
        .collect();
    let scalars =
        (0..random.below(3)).map(|n| Scalar { name: format!("s{n}"), kind: *random.pick(&['d', 'd', 'i', 'u']) }).collect();
    let mut generator = Generator {
        random,
        params,
        outside,
        arrays,
        scalars,
        locals: Vec::new(),
        counters: Vec::new(),
        text: String::new(),
        statements: 0,
        names: 0,
        iterations: 1,
    };
    let nests = *generator.random.pick(&[1, 1, 1, 2, 2, 3]);
    for _ in 0..nests {
        generator.nest(1);
    }
    if generator.random.one_in(4) {
        generator.assignment(1);
    }
    generator.finish()
}

fn any_type(random: &mut Random) -> CType {
    if random.one_in(2) { INT } else { *random.pick(&COUNTERS) }
}

impl Generator<'_> {
    fn line(&mut self, level: usize, text: &str) {
        self.text += &"  ".repeat(level);
        self.text += text;
        self.text.push('\n');
    }

    fn scope(&self) -> Scope<'_> {
        Scope { counters: &self.counters, params: &self.params }
    }

    /// `f` with what is in scope.
    fn make<T>(&mut self, f: impl FnOnce(&Scope<'_>, &mut Random) -> T) -> T {
        let mut random = self.random.clone();
        let made = f(&self.scope(), &mut random);
        *self.random = random;
        made
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// One or more statements, with loops while they are not nested deeply.
    fn block(&mut self, level: usize) {
        let locals = self.locals.len();
        self.text.truncate(self.text.trim_end_matches('\n').len());
        self.text += " {\n";
        for _ in 0..*self.random.pick(&[1, 1, 2, 2, 3]) {
            self.statement(level);
        }
        self.locals.truncate(locals);
        self.line(level - 1, "}");
    }

    fn statement(&mut self, level: usize) {
        let deep = self.counters.len() >= 4 || self.iterations > 400 || self.statements > 7;
        match self.random.below(12) {
            0..=3 if !deep => self.nest(level),
            4..=5 if level < 6 => self.guard(level),
            6 => self.local(level),
            _ => self.assignment(level),
        }
    }

    fn guard(&mut self, level: usize) {
        let condition = self.make(|scope, random| scope.condition(random));
        self.line(level, &format!("if ({condition})"));
        self.block(level + 1);
        if self.random.one_in(3) {
            self.line(level, "else");
            self.block(level + 1);
        }
    }

    /// A scalar of the block, with its first value.
    fn local(&mut self, level: usize) {
        let (ty, kind) = *self.random.pick(&[("double", 'd'), ("int", 'i'), ("unsigned", 'u')]);
        let name = self.fresh("t");
        let value = self.value(kind);
        if self.random.one_in(2) {
            self.line(level, &format!("{ty} {name} = {value};"));
        } else {
            self.line(level, &format!("{ty} {name};"));
            self.line(level, &format!("{name} = {value};"));
        }
        self.statements += 1;
        self.locals.push(Scalar { name, kind });
        self.assignment(level);
    }

    /// A loop and its body.
    fn nest(&mut self, level: usize) {
        let width = if self.iterations > 60 { 4 } else { 9 };
        let (counter, first, condition, step) = self.header(width);
        let declared = if counter.1 { format!("{} ", counter.0.ty.name) } else { String::new() };
        self.line(level, &format!("for ({declared}{} = {first}; {condition}; {step})", counter.0.name));
        let before = self.iterations;
        self.iterations *= (counter.0.high - counter.0.low + 1).max(1);
        self.counters.push(counter.0);
        if self.random.one_in(4) && self.counters.len() < 3 {
            self.nest(level + 1);
        } else if self.random.one_in(5) {
            self.assignment(level + 1);
        } else {
            self.block(level + 1);
        }
        self.counters.pop();
        self.iterations = before;
    }

    /// A counter with its values in the body and whether the header declares it; first value, condition, step.
    fn header(&mut self, width: i64) -> ((Var, bool), String, String, String) {
        let step = *self.random.pick(&[1, 1, 1, 1, 2, 3]);
        let (low, high) = self.make(|scope, random| {
            let low = match random.below(4) {
                0..=1 => Expression::constant(random.between(-2, 3)),
                _ => scope.narrow(random, 1, width),
            };
            let cap = Expression::constant(low.low + width);
            let high = match random.below(6) {
                0 => Expression::constant(low.low + random.between(0, width)),
                _ => scope.narrow(random, 2, 14),
            };
            let high = if high.high > cap.high { high.minimum(&cap).filter(|e| e.ty.signed).unwrap_or(cap) } else { high };
            let low =
                if random.one_in(8) { low.maximum(&Expression::constant(random.between(-1, 2))).unwrap_or(low) } else { low };
            (low, high)
        });
        let smallest = low.low;
        let largest = high.high.max(low.high);
        let (counter, declared) = self.counter(smallest - step - 1, largest + step + 1);
        let name = counter.name.clone();
        // a comparison with an unsigned operand is one of unsigned values: the counter, which goes from one bound to the other,
        // and both bounds must not be negative then
        let negative = low.low < 0 || high.low < 0;
        let safe = |e: &Expression| !negative || (e.ty.signed && counter.ty.signed);
        let low = if safe(&low) { low } else { Expression::constant(low.low) };
        let high = if safe(&high) { high } else { Expression::constant(largest) };
        let steps = |sign: char, random: &mut Random| match (step, random.below(3)) {
            (1, 0) => format!("{sign}{sign}{name}"),
            (1, _) => format!("{name}{sign}{sign}"),
            (_, 0) => format!("{name} = {name} {sign} {step}"),
            _ => format!("{name} {sign}= {step}"),
        };
        let in_body = |low: i64, high: i64| Var { low, high: high.max(low), ..counter.clone() };
        let random = &mut *self.random;
        let decreasing = random.one_in(4) && (counter.ty.signed || (step == 1 && smallest >= 1));
        if decreasing {
            // from `high` down to `low`, or to one above
            let (operator, least) = if counter.ty.signed && random.one_in(2) { (">=", low.low) } else { (">", low.low + 1) };
            let var = in_body(least.min(high.high), high.high);
            return ((var, declared), high.text, format!("{name} {operator} {}", low.text), steps('-', random));
        }
        let up = steps('+', random);
        match random.below(8) {
            0 => {
                // `!=` with a bound that the chain meets
                let count = random.between(0, width / step);
                let bound = low.plus_constant(count * step).filter(|b| safe(b));
                match bound {
                    Some(bound) => {
                        let var = in_body(low.low, low.high + (count * step - 1).max(0));
                        ((var, declared), low.text, format!("{name} != {}", bound.text), up)
                    }
                    None => {
                        let (text, high) = (low.text.clone(), high.text);
                        ((in_body(low.low, largest), declared), text, format!("{name} < {high}"), up)
                    }
                }
            }
            1..=2 => ((in_body(low.low, high.high), declared), low.text, format!("{name} <= {}", high.text), up),
            3 => {
                let cap = random.between(smallest.max(0), largest.max(0) + 1);
                let condition = format!("{name} < {} && {name} <= {cap}", high.text);
                ((in_body(low.low, (high.high - 1).min(cap)), declared), low.text, condition, up)
            }
            4 => ((in_body(low.low, high.high - 1), declared), low.text, format!("{} > {name}", high.text), up),
            _ => ((in_body(low.low, high.high - 1), declared), low.text, format!("{name} < {}", high.text), up),
        }
    }

    /// A counter whose type holds these values, and whether the loop declares it.
    fn counter(&mut self, low: i64, high: i64) -> (Var, bool) {
        let holds = |ty: CType| {
            let room = 1i64 << (ty.bits.min(40) - 1);
            if ty.signed { -room <= low && high < room } else { low >= 0 && high < room }
        };
        let used: Vec<&str> = self.counters.iter().map(|c| c.name.as_str()).collect();
        let free: Vec<usize> = (0..self.outside.len())
            .filter(|&i| holds(self.outside[i].0.ty) && !used.contains(&self.outside[i].0.name.as_str()))
            .collect();
        if !free.is_empty() && !self.random.one_in(3) {
            let chosen = *self.random.pick(&free);
            self.outside[chosen].1 = true;
            return (Var { low, high, ..self.outside[chosen].0.clone() }, false);
        }
        let ty = any_type(self.random);
        let ty = if holds(ty) { ty } else { INT };
        let name = self.fresh("c");
        (Var { name, ty, low, high }, true)
    }

    fn assignment(&mut self, level: usize) {
        self.statements += 1;
        let scalars: Vec<Scalar> = self.scalars.iter().chain(&self.locals).cloned().collect();
        let (target, kind) = if !scalars.is_empty() && self.random.one_in(5) {
            let s = self.random.pick(&scalars);
            (s.name.clone(), s.kind)
        } else {
            let number = self.random.below(self.arrays.len());
            (self.element(number), self.arrays[number].element.1)
        };
        let line = match (kind, self.random.below(5)) {
            ('d' | 'f', 0) => format!("{target} += 0.125 * {} + {};", self.number(), self.random.between(-4, 9)),
            ('d' | 'f', 1) => format!("{target} = 0.5 * {target} - {};", self.number()),
            ('u' | 'L' | 'b', 0) => {
                let operator = *self.random.pick(&["+=", "-=", "^=", "+="]);
                format!("{target} {operator} {};", self.value(kind))
            }
            ('i' | 's', 0) => format!("{target} += {};", self.value(kind)),
            _ => format!("{target} = {};", self.value(kind)),
        };
        self.line(level, &line);
    }

    /// An element of an array, at subscripts that fit; the array grows to hold it.
    fn element(&mut self, number: usize) -> String {
        let mut text = self.arrays[number].name.clone();
        for dimension in 0..self.arrays[number].extents.len() {
            let width = if self.arrays[number].extents.len() > 1 { 14 } else { 40 };
            let depth = *self.random.pick(&[0, 0, 1, 1, 2]);
            let slack = if self.random.one_in(4) { self.random.between(0, 2) } else { 0 };
            let e = self.make(|scope, random| scope.narrow(random, depth, width));
            let wanted = if e.low < 0 || (e.low > 4 && slack == 0) { slack - e.low } else { 0 };
            let moved = e.plus_constant(wanted).filter(|m| m.low >= 0).or_else(|| (e.low >= 0).then(|| e.clone()));
            let e = moved.unwrap_or(Expression::constant(0));
            let extent = &mut self.arrays[number].extents[dimension];
            *extent = (*extent).max(e.high + 1);
            let inner = e.text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).filter(|t| !t.contains(['(', ')']));
            text += &format!("[{}]", inner.unwrap_or(&e.text));
        }
        text
    }

    /// Something to read: an element or a scalar, with its kind; only integers where asked for.
    fn read(&mut self, integers: bool) -> Option<(String, char)> {
        let wanted = |kind: char| !integers || !matches!(kind, 'd' | 'f');
        let scalars: Vec<Scalar> = self.scalars.iter().chain(&self.locals).filter(|s| wanted(s.kind)).cloned().collect();
        let arrays: Vec<usize> = (0..self.arrays.len()).filter(|&i| wanted(self.arrays[i].element.1)).collect();
        if !scalars.is_empty() && (arrays.is_empty() || self.random.one_in(4)) {
            let s = self.random.pick(&scalars);
            return Some((s.name.clone(), s.kind));
        }
        if arrays.is_empty() {
            return None;
        }
        let number = *self.random.pick(&arrays);
        Some((self.element(number), self.arrays[number].element.1))
    }

    /// A value for a target of a kind.
    fn value(&mut self, kind: char) -> String {
        match kind {
            'd' | 'f' => self.floating(),
            'u' | 'L' => self.unsigned(),
            'b' => format!("{} & 255", self.unsigned()),
            _ => match self.random.below(3) {
                0 => format!("{} % 1000", self.unsigned()),
                1 => format!("(int)({} % 1000u)", self.unsigned()),
                _ => self.signed(),
            },
        }
    }

    /// An expression of a counter's or a parameter's value.
    fn number(&mut self) -> String {
        let e = self.make(|scope, random| scope.affine(random, 1));
        if self.random.one_in(4) { format!("({} - 5)", e.text) } else { e.text }
    }

    fn floating(&mut self) -> String {
        let first = self.read(false).map_or_else(|| "1.5".to_string(), |(text, _)| text);
        let second = self.read(false).map_or_else(|| "2.5".to_string(), |(text, _)| text);
        match self.random.below(6) {
            0 => format!("0.5 * {first} + {} * 0.3", self.number()),
            1 => {
                let condition = self.make(|scope, random| scope.condition(random));
                format!("{condition} ? 0.25 * {first} + 1.0 : 0.5 * {second} - {}", self.number())
            }
            2 => format!("{first} < {second} ? {second} * 0.5 : {first} - {}", self.number()),
            3 => format!("0.75 * {first} - 0.2 * {second}"),
            4 => {
                let third = self.read(false).map_or_else(|| "0.5".to_string(), |(text, _)| text);
                format!("({first} + {second} + {third}) / 3.0 + {}", self.number())
            }
            _ => format!("0.25 * {first} + 0.5 * {second} + 0.01 * {}", self.number()),
        }
    }

    /// Computed as unsigned: it wraps.
    fn unsigned(&mut self) -> String {
        let first = self.read(true).map_or_else(|| "3u".to_string(), |(text, _)| text);
        let second = self.read(true).map_or_else(|| "11u".to_string(), |(text, _)| text);
        match self.random.below(4) {
            0 => format!("((unsigned){first} * 5u + (unsigned)({}))", self.number()),
            1 => {
                let condition = self.make(|scope, random| scope.condition(random));
                format!("({condition} ? (unsigned){first} + 7u : (unsigned){second} * 3u)")
            }
            2 => format!("((unsigned){first} ^ ((unsigned){second} + (unsigned){}))", self.number()),
            _ => format!("((unsigned){first} * 3u + (unsigned){second} + 1u)"),
        }
    }

    /// Small and signed.
    fn signed(&mut self) -> String {
        let (first, kind) = self.read(true).unwrap_or(("7".into(), 'i'));
        let first = if matches!(kind, 'u' | 'L') { format!("(int)({first} % 100)") } else { format!("{first} % 100") };
        let number = self.number();
        match self.random.below(3) {
            0 => format!("{first} - (int)({number}) * 3"),
            1 => format!("{first} + (int)({number}) / 2"),
            _ => first,
        }
    }

    /// The function around the region, its arrays and parameters.
    fn finish(self) -> Region {
        let mut arguments: Vec<String> = self.params.iter().map(|p| format!("{} {}", p.ty.name, p.name)).collect();
        let mut arrays = Vec::new();
        for array in &self.arrays {
            let extents: String = array.extents.iter().map(|e| format!("[{e}]")).collect();
            arguments.push(format!("{} {}{extents}", array.element.0, array.name));
            let count = array.extents.iter().product::<i64>();
            arrays.push(RegionArray {
                name: array.name.clone(),
                element: array.element.0,
                kind: array.element.1,
                extents: array.extents.clone(),
                count: usize::try_from(count).unwrap_or(1),
            });
        }
        let mut before = String::new();
        let mut after = String::new();
        let mut results = 0;
        for (number, scalar) in self.scalars.iter().enumerate() {
            let ty = match scalar.kind {
                'd' => "double",
                'i' => "int",
                _ => "unsigned",
            };
            before += &format!("  {ty} {} = {number} + 3;\n", scalar.name);
            after += &format!("  scalars[{number}] = {};\n", scalar.name);
        }
        for (number, (counter, used)) in self.outside.iter().enumerate() {
            before += &format!("  {} {} = {};\n", counter.ty.name, counter.name, 40 + number);
            // some are not read afterwards
            if *used && !self.names.wrapping_add(number).is_multiple_of(3) {
                after += &format!("  counters[{results}] = (long){};\n", counter.name);
                results += 1;
            }
        }
        arguments.push("double scalars[4]".into());
        arguments.push("long counters[4]".into());
        let fixed = |name: &str, element, kind| RegionArray { name: name.into(), element, kind, extents: vec![4], count: 4 };
        arrays.push(fixed("scalars", "double", 'd'));
        arrays.push(fixed("counters", "long", 'l'));
        let text = format!(
            "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\nvoid {}({})\n{{\n{before}#pragma scop\n{}#pragma endscop\n{after}}}\n",
            super::FUNCTION,
            arguments.join(", "),
            self.text
        );
        let values = |p: &Var, random: &mut Random| Parameter {
            ty: p.ty.name,
            values: vec![random.between(p.low, p.high), p.high, p.low],
        };
        let random = self.random;
        let params = self.params.iter().map(|p| values(p, random)).collect();
        Region { text, params, arrays }
    }
}
