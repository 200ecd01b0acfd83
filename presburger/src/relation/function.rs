//! Relations under functions: preimages.
//!
//! A function stands for its graph `{ x -> y : y = f(x) }`; an element whose value is no integer has no image.

use super::{Map, Set};
use crate::{UnionMap, UnionSet};

impl Set {
    /// `{ x : f(x) in self }` for a function with a domain tuple ([`crate::MultiAff`], [`crate::PwMultiAff`], ..).
    ///
    /// # Panics
    /// If the function's range tuple is not the set's tuple.
    #[track_caller]
    pub fn preimage<F>(&self, function: &F) -> Set
    where
        for<'a> Map: From<&'a F>,
    {
        Map::from(function).intersect_range(self).domain()
    }
}

impl Map {
    /// `{ x -> y : f(x) -> y in self }`
    ///
    /// # Panics
    /// If the function's range tuple is not the map's domain tuple.
    #[track_caller]
    pub fn preimage_domain<F>(&self, function: &F) -> Map
    where
        for<'a> Map: From<&'a F>,
    {
        Map::from(function).apply_range(self)
    }

    /// `{ x -> y : x -> f(y) in self }`
    ///
    /// # Panics
    /// If the function's range tuple is not the map's range tuple.
    #[track_caller]
    pub fn preimage_range<F>(&self, function: &F) -> Map
    where
        for<'a> Map: From<&'a F>,
    {
        self.apply_range(&Map::from(function).reverse())
    }
}

impl UnionSet {
    /// `{ x : f(x) in self }`
    pub fn preimage<F>(&self, function: &F) -> UnionSet
    where
        for<'a> UnionMap: From<&'a F>,
    {
        UnionMap::from(function).intersect_range(self).domain()
    }
}

impl UnionMap {
    /// `{ x -> y : f(x) -> y in self }`
    pub fn preimage_domain<F>(&self, function: &F) -> UnionMap
    where
        for<'a> UnionMap: From<&'a F>,
    {
        UnionMap::from(function).apply_range(self)
    }

    /// `{ x -> y : x -> f(y) in self }`
    pub fn preimage_range<F>(&self, function: &F) -> UnionMap
    where
        for<'a> UnionMap: From<&'a F>,
    {
        self.apply_range(&UnionMap::from(function).reverse())
    }

    /// `{ x -> y in self : f(x) = f(y) }`, as for a band's partial schedule ([`crate::MultiUnionPwAff`]).
    pub fn eq_at<F>(&self, function: &F) -> UnionMap
    where
        for<'a> UnionMap: From<&'a F>,
    {
        let f = UnionMap::from(function);
        self.intersect(&f.apply_range(&f.reverse()))
    }

    /// `{ x -> y in self : f(x) <lex f(y) }`
    pub fn lex_lt_at<F>(&self, function: &F) -> UnionMap
    where
        for<'a> UnionMap: From<&'a F>,
    {
        let f = UnionMap::from(function);
        self.intersect(&f.lex_lt_map(&f))
    }

    /// `{ x -> y in self : f(x) <=lex f(y) }`
    pub fn lex_le_at<F>(&self, function: &F) -> UnionMap
    where
        for<'a> UnionMap: From<&'a F>,
    {
        let f = UnionMap::from(function);
        self.intersect(&f.lex_le_map(&f))
    }

    /// `{ x -> y in self : f(x) >lex f(y) }`
    pub fn lex_gt_at<F>(&self, function: &F) -> UnionMap
    where
        for<'a> UnionMap: From<&'a F>,
    {
        let f = UnionMap::from(function);
        self.intersect(&f.lex_gt_map(&f))
    }

    /// `{ x -> y in self : f(x) >=lex f(y) }`
    pub fn lex_ge_at<F>(&self, function: &F) -> UnionMap
    where
        for<'a> UnionMap: From<&'a F>,
    {
        let f = UnionMap::from(function);
        self.intersect(&f.lex_ge_map(&f))
    }
}
