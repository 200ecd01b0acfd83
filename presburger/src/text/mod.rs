//! isl notation: one grammar in, one printer out.
