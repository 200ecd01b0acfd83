//! Recursive descent over the tokens, in one pass without backtracking.
//!
//! Expressions and formulas share one precedence ladder, because `(` may open either:
//! `implies`, `or`, `and`, `not`, comparisons, sums, products, and then `mod`, `%` and `//`, which bind to the factor on their left
//! (`2x mod 4` is `2*(x mod 4)`, as in isl). Nesting is limited to [`MAX_DEPTH`], chains are loops.

use super::ast::*;
use super::lexer::{Compare, Tok, Token, Word, error_at, tokens};
use crate::{Int, ParseError};

/// The deepest nesting of parentheses, brackets, quantifiers and conditionals that is read.
pub(crate) const MAX_DEPTH: usize = 256;

type Result<T> = std::result::Result<T, ParseError>;

/// Where a comma continues the list on one side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Commas {
    /// In formulas: `0 <= i, j < n`
    List,
    /// In tuples, where only a right-hand side can be a list.
    ListAfterComparison,
    /// In lists of arguments.
    Separate,
}

enum Node<'a> {
    Expr(Expr<'a>),
    Formula(Formula<'a>),
    Vector(List<'a>),
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str) -> Result<Parser<'a>> {
        Ok(Parser { text, tokens: tokens(text)?, at: 0, depth: 0 })
    }

    fn peek(&self) -> Tok {
        self.tokens[self.at].tok
    }

    fn peek_at(&self, ahead: usize) -> Tok {
        self.tokens.get(self.at + ahead).map_or(Tok::End, |t| t.tok)
    }

    fn place(&self) -> usize {
        self.tokens[self.at].start
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.tok != Tok::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.peek() == tok;
        if found {
            self.at += 1;
        }
        found
    }

    fn slice(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }

    fn found(&self) -> String {
        let token = self.tokens[self.at];
        match token.tok {
            Tok::End => "the end of the text".into(),
            _ => format!("'{}'", self.slice(token).chars().take(40).collect::<String>()),
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        Err(error_at(self.text, self.place(), format!("expected {what}, found {}", self.found())))
    }

    fn error<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        Err(error_at(self.text, at, message))
    }

    fn expect(&mut self, tok: Tok, what: &str) -> Result<()> {
        if self.eat(tok) { Ok(()) } else { self.expected(what) }
    }

    pub(crate) fn expect_end(&self) -> Result<()> {
        if self.peek() == Tok::End { Ok(()) } else { self.expected("the end of the text") }
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error(
                self.place(),
                format!("nested deeper than {MAX_DEPTH} levels; name subexpressions with exists (e = ..: ..)"),
            );
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn is_function(word: Word) -> bool {
        use Word::*;
        matches!(word, Min | Max | Abs | Floor | Ceil | Floord | Ceild)
    }

    /// Whether the next token is a name: an identifier, or the name of a function that is not called.
    fn at_name(&self) -> bool {
        match self.peek() {
            Tok::Ident => true,
            Tok::Word(Word::Rat) => self.peek_at(1) != Tok::Colon,
            Tok::Word(w) => Self::is_function(w) && self.peek_at(1) != Tok::OpenParen,
            _ => false,
        }
    }

    fn name(&mut self) -> Name<'a> {
        let token = self.advance();
        Name { text: self.slice(token), at: token.start }
    }

    // ---- values -------------------------------------------------------------------------------------------------------------

    /// `[n, m = 3, k = 0:] ->`, if the text starts so.
    pub(crate) fn parameters(&mut self) -> Result<Vec<Entry<'a>>> {
        if !self.at_parameters() {
            return self.omega_parameters();
        }
        self.advance();
        let entries = self.entries()?;
        self.expect(Tok::CloseBracket, "',' or ']' after a parameter")?;
        self.expect(Tok::Arrow, "'->' after the parameters")?;
        Ok(entries)
    }

    /// `{ Sym = [n] [i] : .. }`, the Omega calculator's way to name parameters.
    fn omega_parameters(&mut self) -> Result<Vec<Entry<'a>>> {
        let at = |i: usize| self.tokens.get(self.at + i);
        let Some(word) = at(1).filter(|t| t.tok == Tok::Ident && self.slice(**t) == "Sym") else { return Ok(Vec::new()) };
        let brace = self.tokens[self.at];
        let opens =
            brace.tok == Tok::OpenBrace && self.peek_at(2) == Tok::Compare(Compare::Eq) && self.peek_at(3) == Tok::OpenBracket;
        if !opens || word.start < brace.end {
            return Ok(Vec::new());
        }
        self.at += 4;
        let entries = self.entries()?;
        self.expect(Tok::CloseBracket, "',' or ']' after a parameter")?;
        // The list is read; the members follow the brace.
        self.at -= 1;
        self.tokens[self.at] = brace;
        Ok(entries)
    }

    fn at_parameters(&self) -> bool {
        if self.peek() != Tok::OpenBracket {
            return false;
        }
        let mut depth = 0usize;
        for (i, token) in self.tokens[self.at..].iter().enumerate() {
            match token.tok {
                Tok::OpenBracket => depth += 1,
                Tok::OpenBrace if depth == 1 => return false,
                Tok::CloseBracket => {
                    depth -= 1;
                    if depth == 0 {
                        return self.tokens.get(self.at + i + 1).is_some_and(|t| t.tok == Tok::Arrow);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// `{ value member; value member }`
    pub(crate) fn braced_values(&mut self) -> Result<(usize, Vec<ValueMember<'a>>)> {
        let at = self.place();
        self.expect(Tok::OpenBrace, "'{'")?;
        let mut members = Vec::new();
        while !self.eat(Tok::CloseBrace) {
            members.push(self.value_member()?);
            if !self.eat(Tok::Semicolon) && self.peek() != Tok::CloseBrace {
                return self.expected("an operator, ':', ';' or '}'");
            }
        }
        Ok((at, members))
    }

    fn value_member(&mut self) -> Result<ValueMember<'a>> {
        let at = self.place();
        let mut tuple = None;
        if self.at_nested_tuple() {
            tuple = Some(self.tuple()?);
            self.expect(Tok::Arrow, "'->' between the domain and the value")?;
        }
        let value = self.expr(Commas::Separate)?;
        let formula = if self.eat(Tok::Colon) { Some(self.formula(Commas::List)?) } else { None };
        Ok(ValueMember { at, tuple, value, formula })
    }

    /// `{ member; member }`
    pub(crate) fn braced(&mut self) -> Result<Braced<'a>> {
        let at = self.place();
        self.expect(Tok::OpenBrace, "'{'")?;
        let mut members = Vec::new();
        loop {
            if self.eat(Tok::CloseBrace) {
                return Ok(Braced { at, members });
            }
            members.push(self.member()?);
            if !self.eat(Tok::Semicolon) && self.peek() != Tok::CloseBrace {
                return self.expected("';' or '}'");
            }
        }
    }

    fn member(&mut self) -> Result<Member<'a>> {
        let at = self.place();
        let rational = self.peek() == Tok::Word(Word::Rat) && self.peek_at(1) == Tok::Colon;
        if rational {
            self.at += 2;
        }
        let mut tuples = Vec::new();
        if self.peek() != Tok::Colon {
            tuples.push(self.tuple()?);
            if self.eat(Tok::Arrow) {
                tuples.push(self.tuple()?);
            }
        }
        let mut formula = None;
        if self.eat(Tok::Colon) {
            if !matches!(self.peek(), Tok::Semicolon | Tok::CloseBrace) {
                formula = Some(self.formula(Commas::List)?);
            }
        } else if !matches!(self.peek(), Tok::Semicolon | Tok::CloseBrace) {
            return self.expected(if tuples.len() == 1 { "'->', ':', ';' or '}'" } else { "':', ';' or '}'" });
        }
        Ok(Member { at, rational, tuples, formula })
    }

    fn tuple(&mut self) -> Result<TupleText<'a>> {
        self.enter()?;
        let name = if self.at_name() { Some(self.name()) } else { None };
        self.expect(Tok::OpenBracket, if name.is_some() { "'[' after a tuple's name" } else { "a tuple such as S[i, j]" })?;
        let body = if self.at_nested_tuple() {
            let first = self.tuple()?;
            self.expect(Tok::Arrow, "'->' inside a nested tuple")?;
            TupleBody::Pair(Box::new(first), Box::new(self.tuple()?))
        } else {
            TupleBody::Flat(self.entries()?)
        };
        self.expect(Tok::CloseBracket, "',' or ']'")?;
        self.leave();
        Ok(TupleText { name, body })
    }

    fn at_nested_tuple(&self) -> bool {
        self.peek() == Tok::OpenBracket || (self.at_name() && self.peek_at(1) == Tok::OpenBracket)
    }

    fn entries(&mut self) -> Result<Vec<Entry<'a>>> {
        let mut out = Vec::new();
        if self.peek() == Tok::CloseBracket {
            return Ok(out);
        }
        loop {
            out.push(self.entry()?);
            if !self.eat(Tok::Comma) {
                return Ok(out);
            }
        }
    }

    fn entry(&mut self) -> Result<Entry<'a>> {
        let at = self.place();
        let free = |p: &Parser<'a>| matches!(p.peek(), Tok::Comma | Tok::CloseBracket);
        let mut label = None;
        if self.peek() == Tok::Star {
            self.advance();
            return Ok(Entry { at, label, value: EntryValue::Free });
        }
        if self.at_name() && self.peek_at(1) == Tok::Compare(Compare::Eq) {
            label = Some(self.name());
            self.advance();
        }
        if self.eat(Tok::Colon) {
            let upper = if free(self) { None } else { Some(self.expr(Commas::ListAfterComparison)?) };
            return Ok(Entry { at, label, value: EntryValue::Range(None, upper) });
        }
        let mut pieces = Vec::new();
        loop {
            let value = self.expr(Commas::ListAfterComparison)?;
            let mut test = None;
            if self.eat(Tok::Colon) {
                if pieces.is_empty() && free(self) {
                    return Ok(Entry { at, label, value: EntryValue::Range(Some(value), None) });
                }
                let place = self.place();
                match self.top(Commas::ListAfterComparison)? {
                    Node::Expr(upper) if pieces.is_empty() && !matches!(upper, Expr::Indicator(_)) => {
                        return Ok(Entry { at, label, value: EntryValue::Range(Some(value), Some(upper)) });
                    }
                    node => test = Some(self.as_formula(node, place)?),
                }
            }
            pieces.push((value, test));
            if !self.eat(Tok::Semicolon) {
                return Ok(Entry { at, label, value: EntryValue::Pieces(pieces) });
            }
        }
    }

    /// `A[{..}, {..}]`, `[A[..] -> B[..]]`
    pub(crate) fn braced_tuple(&mut self) -> Result<BracedTuple<'a>> {
        self.enter()?;
        let name = if self.at_name() { Some(self.name()) } else { None };
        self.expect(Tok::OpenBracket, "a tuple such as L[{ S[i] -> [(i)] }]")?;
        let body = if self.at_nested_tuple() {
            let first = self.braced_tuple()?;
            self.expect(Tok::Arrow, "'->' inside a nested tuple")?;
            BracedBody::Pair(Box::new(first), Box::new(self.braced_tuple()?))
        } else {
            let mut elements = Vec::new();
            while self.peek() != Tok::CloseBracket {
                elements.push(self.braced()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            BracedBody::Flat(elements)
        };
        self.expect(Tok::CloseBracket, "',' or ']'")?;
        self.leave();
        Ok(BracedTuple { name, body })
    }

    /// `(A[..] : { domain })`, or the tuple alone; both may be preceded by parameters inside the parentheses.
    pub(crate) fn multi_union(&mut self) -> Result<(Vec<Entry<'a>>, BracedTuple<'a>, Option<Braced<'a>>)> {
        if !self.eat(Tok::OpenParen) {
            return Ok((Vec::new(), self.braced_tuple()?, None));
        }
        let mut inner = self.parameters()?;
        let tuple = self.braced_tuple()?;
        let mut domain = None;
        if self.eat(Tok::Colon) {
            inner.extend(self.parameters()?);
            domain = Some(self.braced()?);
        }
        self.expect(Tok::CloseParen, "')'")?;
        Ok((inner, tuple, domain))
    }

    // ---- formulas and expressions -------------------------------------------------------------------------------------------

    fn formula(&mut self, commas: Commas) -> Result<Formula<'a>> {
        let at = self.place();
        let node = self.top(commas)?;
        self.as_formula(node, at)
    }

    fn expr(&mut self, commas: Commas) -> Result<Expr<'a>> {
        let at = self.place();
        let node = self.top(commas)?;
        self.as_expr(node, at)
    }

    fn as_formula(&self, node: Node<'a>, at: usize) -> Result<Formula<'a>> {
        match node {
            Node::Formula(f) => Ok(f),
            Node::Expr(Expr::Indicator(f)) => Ok(*f),
            Node::Expr(_) if self.peek() == Tok::Comma => self.expected("a comparison (a list needs one)"),
            Node::Expr(_) => {
                self.error(at, format!("expected a condition such as i >= 0, found an expression before {}", self.found()))
            }
            Node::Vector(_) => self.error(at, "expected a condition, found a list; compare it with << or ="),
        }
    }

    fn as_expr(&self, node: Node<'a>, at: usize) -> Result<Expr<'a>> {
        match node {
            Node::Expr(e) => Ok(e),
            Node::Formula(f) => Ok(Expr::Indicator(Box::new(f))),
            Node::Vector(_) => self.error(at, "a list cannot be used as a number"),
        }
    }

    fn top(&mut self, commas: Commas) -> Result<Node<'a>> {
        let at = self.place();
        let mut node = self.disjunction(commas)?;
        if self.peek() == Tok::Implies {
            let mut parts = vec![self.as_formula(node, at)?];
            while self.eat(Tok::Implies) {
                let at = self.place();
                let part = self.disjunction(commas)?;
                parts.push(self.as_formula(part, at)?);
            }
            node = Node::Formula(Formula::Implies(parts));
        }
        if self.eat(Tok::Question) {
            self.enter()?;
            let test = self.as_formula(node, at)?;
            let then = self.expr(Commas::Separate)?;
            self.expect(Tok::Colon, "':' between the two values of '?'")?;
            let otherwise = self.expr(Commas::Separate)?;
            self.leave();
            node = Node::Expr(Expr::Cond(Box::new(test), Box::new(then), Box::new(otherwise)));
        }
        Ok(node)
    }

    fn disjunction(&mut self, commas: Commas) -> Result<Node<'a>> {
        let at = self.place();
        let node = self.conjunction(commas)?;
        if self.peek() != Tok::Or {
            return Ok(node);
        }
        let mut parts = vec![self.as_formula(node, at)?];
        while self.eat(Tok::Or) {
            let at = self.place();
            let part = self.conjunction(commas)?;
            parts.push(self.as_formula(part, at)?);
        }
        Ok(Node::Formula(Formula::Or(parts)))
    }

    fn conjunction(&mut self, commas: Commas) -> Result<Node<'a>> {
        let at = self.place();
        let node = self.negation(commas)?;
        if self.peek() != Tok::And {
            return Ok(node);
        }
        let mut parts = vec![self.as_formula(node, at)?];
        while self.eat(Tok::And) {
            let at = self.place();
            let part = self.negation(commas)?;
            parts.push(self.as_formula(part, at)?);
        }
        Ok(Node::Formula(Formula::And(parts)))
    }

    fn negation(&mut self, commas: Commas) -> Result<Node<'a>> {
        let start = self.at;
        while self.eat(Tok::Not) {}
        let odd = (self.at - start) % 2 == 1;
        let negated = self.at != start;
        let at = self.place();
        let node = if self.peek() == Tok::Word(Word::Exists) { self.exists()? } else { self.comparison(commas)? };
        if !negated {
            return Ok(node);
        }
        let inner = self.as_formula(node, at)?;
        Ok(Node::Formula(if odd { Formula::Not(Box::new(inner)) } else { inner }))
    }

    fn exists(&mut self) -> Result<Node<'a>> {
        let at = self.place();
        self.advance();
        self.enter()?;
        let mut open = self.eat(Tok::OpenParen);
        let mut names = Vec::new();
        loop {
            if !self.at_name() {
                return self.expected("the name of a quantified variable");
            }
            let name = self.name();
            let value = if self.eat(Tok::Compare(Compare::Eq)) {
                let place = self.place();
                let node = self.sum()?;
                Some(self.as_expr(node, place)?)
            } else {
                None
            };
            names.push((name, value));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if open && self.eat(Tok::CloseParen) {
            open = false;
        }
        self.expect(Tok::Colon, "',' or ':' after a quantified variable")?;
        let body = if open && self.peek() == Tok::CloseParen { Formula::True } else { self.formula(Commas::List)? };
        if open {
            self.expect(Tok::CloseParen, "')' after the quantified formula")?;
        }
        self.leave();
        Ok(Node::Formula(Formula::Exists(at, names, Box::new(body))))
    }

    fn comparison(&mut self, commas: Commas) -> Result<Node<'a>> {
        let at = self.place();
        let node = self.sum()?;
        let list_here = commas == Commas::List && self.peek() == Tok::Comma;
        if !list_here && !matches!(self.peek(), Tok::Compare(_)) {
            return Ok(node);
        }
        let first = self.operand(node, at, commas)?;
        let place = self.place();
        let mut rest = Vec::new();
        let commas = if commas == Commas::Separate { commas } else { Commas::List };
        while let Tok::Compare(op) = self.peek() {
            self.advance();
            let at = self.place();
            let node = self.sum()?;
            rest.push((op, self.operand(node, at, commas)?));
        }
        if rest.is_empty() {
            return self.expected("a comparison after a list");
        }
        Ok(Node::Formula(Formula::Chain(place, first, rest)))
    }

    /// The rest of one side of a comparison whose first expression is `node`.
    fn operand(&mut self, node: Node<'a>, at: usize, commas: Commas) -> Result<List<'a>> {
        if let Node::Vector(list) = node {
            return Ok(list);
        }
        let mut list = vec![self.as_expr(node, at)?];
        while commas == Commas::List && self.eat(Tok::Comma) {
            let at = self.place();
            let node = self.sum()?;
            list.push(self.as_expr(node, at)?);
        }
        Ok(list)
    }

    fn sum(&mut self) -> Result<Node<'a>> {
        let mut terms = Vec::new();
        let mut operator = Sign::Plus;
        loop {
            let mut sign = Sign::Plus;
            while let Tok::Minus | Tok::Plus = self.peek() {
                if self.advance().tok == Tok::Minus {
                    sign = sign.flipped();
                }
            }
            let at = self.place();
            let node = self.product(&mut sign)?;
            let next = self.peek();
            let more = matches!(next, Tok::Minus | Tok::Plus);
            if terms.is_empty() && !more && sign == Sign::Plus {
                return Ok(node);
            }
            let sign = if operator == Sign::Minus { sign.flipped() } else { sign };
            terms.push((sign, self.as_expr(node, at)?));
            if !more {
                return Ok(Node::Expr(Expr::Sum(terms)));
            }
            self.advance();
            operator = if next == Tok::Minus { Sign::Minus } else { Sign::Plus };
        }
    }

    fn starts_factor(&self) -> bool {
        match self.peek() {
            Tok::Ident | Tok::OpenParen | Tok::OpenBracket => true,
            Tok::Word(w) => Self::is_function(w),
            _ => false,
        }
    }

    fn number(&mut self, sign: &mut Sign) -> Result<Int> {
        let token = self.advance();
        let mut value: Int = self.slice(token).parse().or_else(|_| self.error(token.start, "not a number"))?;
        if self.eat(Tok::Caret) {
            if self.peek() != Tok::Number {
                return self.expected("a number as exponent");
            }
            value = Int::from(value.to_bigint().pow(self.exponent()?));
        }
        if *sign == Sign::Minus {
            value = -value;
            *sign = Sign::Plus;
        }
        Ok(value)
    }

    fn exponent(&mut self) -> Result<u32> {
        let token = self.advance();
        let exponent = self.slice(token).parse::<u32>().ok().filter(|&e| e <= 4096);
        exponent.map_or_else(|| self.error(token.start, "exponents up to 4096 are read"), Ok)
    }

    // A minus in front of a number belongs to the number: `-7 mod 4` is 1.
    fn product(&mut self, sign: &mut Sign) -> Result<Node<'a>> {
        let at = self.place();
        let mut factors = Vec::new();
        let first;
        let mut literal = true;
        if self.peek() == Tok::Number {
            let value = Expr::Number(self.number(sign)?);
            if self.starts_factor() {
                first = value;
                factors.push(Factor::Times(self.suffixed_expr()?));
                literal = false;
            } else {
                first = self.suffixes(value)?;
            }
        } else {
            let node = self.primary()?;
            if matches!(node, Node::Formula(_) | Node::Vector(_)) && !self.at_product_operator() {
                return Ok(node);
            }
            let value = self.as_expr(node, at)?;
            first = self.suffixes(value)?;
            literal = false;
        }
        while let Tok::Star | Tok::Slash = self.peek() {
            let times = self.advance().tok == Tok::Star;
            let mut sign = Sign::Plus;
            while self.eat(Tok::Minus) {
                sign = sign.flipped();
            }
            let value = if self.peek() == Tok::Number {
                let value = Expr::Number(self.number(&mut sign)?);
                if !(literal && times) && self.at_suffix() {
                    return self
                        .expected("an operator other than 'mod', '%' and '//' here (put parentheses around their left operand)");
                }
                value
            } else {
                let at = self.place();
                let node = self.primary()?;
                literal = false;
                self.as_expr(node, at)?
            };
            let mut value = self.suffixes(value)?;
            if sign == Sign::Minus {
                value = Expr::Sum(vec![(Sign::Minus, value)]);
            }
            if times {
                factors.push(Factor::Times(value));
                if literal && self.starts_factor() {
                    factors.push(Factor::Times(self.suffixed_expr()?));
                    literal = false;
                }
            } else {
                factors.push(Factor::Over(value));
                literal = false;
            }
        }
        Ok(Node::Expr(if factors.is_empty() { first } else { Expr::Product(at, Box::new(first), factors) }))
    }

    fn at_product_operator(&self) -> bool {
        matches!(self.peek(), Tok::Star | Tok::Slash) || self.at_suffix()
    }

    fn at_suffix(&self) -> bool {
        matches!(self.peek(), Tok::Percent | Tok::FloorDiv | Tok::Caret | Tok::Word(Word::Mod))
    }

    fn suffixed_expr(&mut self) -> Result<Expr<'a>> {
        let at = self.place();
        let node = self.primary()?;
        let value = self.as_expr(node, at)?;
        self.suffixes(value)
    }

    /// `value mod m`, `value % m`, `value // d`, `value^e`, any number of them.
    fn suffixes(&mut self, value: Expr<'a>) -> Result<Expr<'a>> {
        if !self.at_suffix() {
            return Ok(value);
        }
        let at = self.place();
        let mut factors = Vec::new();
        while self.at_suffix() {
            if self.eat(Tok::Caret) {
                if self.peek() != Tok::Number {
                    return self.expected("a number as exponent");
                }
                factors.push(Factor::Power(self.exponent()?));
                continue;
            }
            let divide = self.advance().tok == Tok::FloorDiv;
            let mut sign = if self.eat(Tok::Minus) { Sign::Minus } else { Sign::Plus };
            let place = self.place();
            let value = if self.peek() == Tok::Number {
                Expr::Number(self.number(&mut sign)?)
            } else {
                let node = self.primary()?;
                let value = self.as_expr(node, place)?;
                if sign == Sign::Minus { Expr::Sum(vec![(sign, value)]) } else { value }
            };
            factors.push(if divide { Factor::FloorDiv(value) } else { Factor::Mod(value) });
        }
        Ok(Expr::Product(at, Box::new(value), factors))
    }

    fn arguments(&mut self) -> Result<Vec<Expr<'a>>> {
        self.expect(Tok::OpenParen, "'('")?;
        let mut out = Vec::new();
        loop {
            out.push(self.expr(Commas::Separate)?);
            if !self.eat(Tok::Comma) {
                self.expect(Tok::CloseParen, "',' or ')'")?;
                return Ok(out);
            }
        }
    }

    fn one_argument(&mut self, at: usize, args: Vec<Expr<'a>>) -> Result<Box<Expr<'a>>> {
        let mut args = args;
        match (args.pop(), args.is_empty()) {
            (Some(arg), true) => Ok(Box::new(arg)),
            _ => self.error(at, "this function takes one argument"),
        }
    }

    fn primary(&mut self) -> Result<Node<'a>> {
        self.enter()?;
        let node = self.primary_inside()?;
        self.leave();
        Ok(node)
    }

    fn primary_inside(&mut self) -> Result<Node<'a>> {
        if self.at_name() {
            return Ok(Node::Expr(Expr::Name(self.name())));
        }
        let at = self.place();
        let expr = match self.peek() {
            Tok::Number => Expr::Number(self.number(&mut Sign::Plus.clone())?),
            Tok::Word(Word::True) => {
                self.advance();
                return Ok(Node::Formula(Formula::True));
            }
            Tok::Word(Word::False) => {
                self.advance();
                return Ok(Node::Formula(Formula::False));
            }
            Tok::Word(Word::NaN) => {
                self.advance();
                Expr::NaN
            }
            Tok::Word(Word::Infty) => {
                self.advance();
                Expr::Infty
            }
            Tok::Word(Word::Exists) => return self.exists(),
            Tok::Word(Word::Mod) => Expr::Name(self.name()),
            Tok::Word(word) if Self::is_function(word) => {
                self.advance();
                let args = self.arguments()?;
                match word {
                    Word::Min => Expr::Min(args),
                    Word::Max => Expr::Max(args),
                    Word::Abs => Expr::Abs(self.one_argument(at, args)?),
                    Word::Floor => Expr::Floor(self.one_argument(at, args)?),
                    Word::Ceil => Expr::Ceil(self.one_argument(at, args)?),
                    _ => {
                        let mut args = args.into_iter();
                        let (Some(num), Some(den), None) = (args.next(), args.next(), args.next()) else {
                            return self.error(at, "this function takes two arguments, as in floord(i, 2)");
                        };
                        let quotient = Box::new(Expr::Product(at, Box::new(num), vec![Factor::Over(den)]));
                        if word == Word::Floord { Expr::Floor(quotient) } else { Expr::Ceil(quotient) }
                    }
                }
            }
            Tok::OpenParen => {
                self.advance();
                let node = self.parenthesized()?;
                self.expect(Tok::CloseParen, "')'")?;
                return Ok(node);
            }
            Tok::OpenBracket => {
                self.advance();
                let mut list = vec![self.expr(Commas::Separate)?];
                while self.eat(Tok::Comma) {
                    list.push(self.expr(Commas::Separate)?);
                }
                self.expect(Tok::CloseBracket, "',' or ']'")?;
                match list.pop() {
                    Some(single) if list.is_empty() => Expr::Floor(Box::new(single)),
                    last => {
                        list.extend(last);
                        return Ok(Node::Vector(list));
                    }
                }
            }
            _ => return self.expected("an expression"),
        };
        Ok(Node::Expr(expr))
    }

    /// What stands between parentheses: any formula or expression, or pieces `e : p; f : q`.
    fn parenthesized(&mut self) -> Result<Node<'a>> {
        let at = self.place();
        let node = self.top(Commas::List)?;
        if !matches!(self.peek(), Tok::Colon | Tok::Semicolon) {
            return Ok(node);
        }
        let mut value = self.as_expr(node, at)?;
        let mut pieces = Vec::new();
        loop {
            let test = if self.eat(Tok::Colon) { Some(self.formula(Commas::List)?) } else { None };
            pieces.push((value, test));
            if !self.eat(Tok::Semicolon) {
                return Ok(Node::Expr(Expr::Pieces(pieces)));
            }
            value = self.expr(Commas::List)?;
        }
    }
}
