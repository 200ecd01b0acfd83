//! A statement's text with holes for the counters and for the accesses.
//!
//! The text exists in up to two forms. The *expanded* form is made of the tokens after preprocessing and always exists. The
//! *kept* form is the user's own text, macros as written; it exists where putting it back is proven to mean the same: every
//! counter stands in it as a token of its own, and no macro in it makes a counter, a string or a pasted token from one.
//! A body is rendered from the kept form where there is one and no access is replaced, so that the program stays the same
//! under other macro definitions than those it was read with.

use std::fmt;

/// A piece of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// A use of the counter of this dimension; rendered `((T)(index))` with the counter's declared type `T`, a variable of that type as it is.
    Counter(usize),
    /// The name of an array or scalar; local ones may be declared under another name than the source's.
    Array(String),
    /// An access at this site: the pieces of its whole text, `A[i][j]`.
    Access(usize, Vec<Piece>),
}

/// What stands for a counter in the rendered text of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Index {
    /// A C expression: cast to the counter's declared type.
    Expression(String),
    /// A variable and its C type: cast only to another type.
    Variable {
        /// Its name.
        name: String,
        /// Its type, as C spells it.
        ty: String,
    },
}

impl From<&str> for Index {
    fn from(expression: &str) -> Index {
        Index::Expression(expression.into())
    }
}

/// The text of a statement, its final `;` included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    expanded: Vec<Piece>,
    kept: Option<Vec<Piece>>,
    // The declared C type of the counter of each dimension.
    types: Vec<String>,
}

impl Body {
    /// A body from its pieces after preprocessing, and the declared C type of each counter.
    pub fn new(expanded: Vec<Piece>, types: Vec<String>) -> Body {
        Body { expanded, kept: None, types }
    }

    /// This body with the user's own text as its kept form.
    pub fn with_kept(self, kept: Vec<Piece>) -> Body {
        Body { kept: Some(kept), ..self }
    }

    /// The pieces after preprocessing.
    pub fn expanded(&self) -> &[Piece] {
        &self.expanded
    }

    /// The pieces of the user's own text, where it can be put back.
    pub fn kept(&self) -> Option<&[Piece]> {
        self.kept.as_deref()
    }

    /// The text at the given counter values: `indices[d]` stands for the counter of dimension `d`.
    ///
    /// ```
    /// use loopwright_scop::{Body, Index, Piece};
    /// let body = Body::new(vec![Piece::Text("x = ".into()), Piece::Counter(0), Piece::Text(";".into())], vec!["int".into()]);
    /// assert_eq!(body.render(&["c0 + 1".into()]), "x = ((int)(c0 + 1));");
    /// assert_eq!(body.render(&[Index::Variable { name: "c0".into(), ty: "int".into() }]), "x = c0;");
    /// ```
    ///
    /// # Panics
    /// If there are fewer indices than counters.
    #[track_caller]
    pub fn render(&self, indices: &[Index]) -> String {
        self.check(indices);
        let mut out = String::new();
        self.write(self.kept.as_ref().unwrap_or(&self.expanded), indices, &|_, _| None, &mut out);
        out
    }

    /// The text with some accesses replaced: `replace(site, text)` gets the rendered text of the access at a site and answers
    /// what stands there instead, or `None` to leave it. Inner accesses are asked first.
    ///
    /// # Panics
    /// If there are fewer indices than counters.
    #[track_caller]
    pub fn render_with(&self, indices: &[Index], replace: &dyn Fn(usize, &str) -> Option<String>) -> String {
        self.check(indices);
        let mut out = String::new();
        self.write(&self.expanded, indices, replace, &mut out);
        out
    }

    #[track_caller]
    fn check(&self, indices: &[Index]) {
        assert!(indices.len() >= self.types.len(), "{} indices for {} counters", indices.len(), self.types.len());
    }

    fn write(&self, pieces: &[Piece], indices: &[Index], replace: &dyn Fn(usize, &str) -> Option<String>, out: &mut String) {
        for piece in pieces {
            match piece {
                Piece::Text(text) | Piece::Array(text) => out.push_str(text),
                Piece::Counter(dim) => match (&indices[*dim], &self.types[*dim]) {
                    (Index::Variable { name, ty }, declared) if ty == declared => out.push_str(name),
                    (Index::Variable { name: text, .. } | Index::Expression(text), declared) => {
                        out.push_str(&format!("(({declared})({text}))"));
                    }
                },
                Piece::Access(site, inner) => {
                    let mut text = String::new();
                    self.write(inner, indices, replace, &mut text);
                    out.push_str(&replace(*site, &text).unwrap_or(text));
                }
            }
        }
    }
}

/// Shows the body with the counters of dimension `d` as `$d`.
impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn show(pieces: &[Piece], f: &mut fmt::Formatter<'_>) -> fmt::Result {
            pieces.iter().try_for_each(|piece| match piece {
                Piece::Text(text) | Piece::Array(text) => f.write_str(text),
                Piece::Counter(dim) => write!(f, "${dim}"),
                Piece::Access(_, inner) => show(inner, f),
            })
        }
        show(self.kept.as_ref().unwrap_or(&self.expanded), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(s: &str) -> Piece {
        Piece::Text(s.into())
    }

    #[test]
    fn render_forms() {
        let access = Piece::Access(0, vec![Piece::Array("A".into()), text("["), Piece::Counter(0), text("]")]);
        let body = Body::new(vec![access.clone(), text(" = 0.0;")], vec!["long".into()]);
        let kept = body.clone().with_kept(vec![access, text(" = SCALAR_VAL(0.0);")]);
        let at = ["i".into()];
        let (long, int) =
            (Index::Variable { name: "c".into(), ty: "long".into() }, Index::Variable { name: "c".into(), ty: "int".into() });
        assert_eq!(body.render(&[long]), "A[c] = 0.0;");
        assert_eq!(body.render(&[int]), "A[((long)(c))] = 0.0;");
        assert_eq!(body.render(&at), "A[((long)(i))] = 0.0;");
        assert_eq!(kept.render(&at), "A[((long)(i))] = SCALAR_VAL(0.0);");
        assert_eq!(kept.render_with(&at, &|site, text| (site == 0 && text.starts_with('A')).then(|| "P".into())), "P = 0.0;");
        assert_eq!(kept.to_string(), "A[$0] = SCALAR_VAL(0.0);");
    }
}
