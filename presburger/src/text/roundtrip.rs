//! Round trips of every type and a corpus of texts.

use crate::*;

fn trip<T: std::str::FromStr<Err = Error> + std::fmt::Display>(text: &str, expect: &str) -> Result<(), String> {
    let value: T = text.parse().map_err(|e| format!("{text}: {e}"))?;
    let printed = value.to_string();
    if printed != expect {
        return Err(format!("{text}\n   printed {printed}\n  expected {expect}"));
    }
    let again: T = printed.parse().map_err(|e| format!("{printed}: {e}"))?;
    if again.to_string() == printed { Ok(()) } else { Err(format!("{printed} came back as {again}")) }
}

macro_rules! trips {
    ($($name:ident: $ty:ty { $($text:literal => $expect:literal;)* })*) => {$(
        #[test]
        fn $name() {
            let failed: Vec<String> = [$(trip::<$ty>($text, $expect)),*].into_iter().filter_map(Result::err).collect();
            assert!(failed.is_empty(), "{}", failed.join("\n"));
        }
    )*};
}
trips! {
    sets: Set {
        "{ [i] : 0 <= i < 10 }" => "{ [i] : 0 <= i <= 9 }";
        "[m, n] -> { S[i, j] : 0 <= i < n and j = 2i + 1 and m > 3 }" => "[m, n] -> { S[i, j = 1 + 2i] : m >= 4 and 0 <= i < n }";
        "{ [i] : i mod 2 = 0 }" => "{ [i] : (i) mod 2 = 0 }";
        "{ [i] : (i + 3) mod 5 = 1 }" => "{ [i] : (2 + i) mod 5 = 0 }";
        "{ [i] : exists (e : i = 3e) }" => "{ [i] : (i) mod 3 = 0 }";
        "{ [i] : i mod 5 >= 2 }" => "{ [i] : i >= 2 + 5*floor((i)/5) }";
        "{ [i] : exists (e, f : i = 7e + 8f and e >= 0 and f >= 0) }" => "{ [i] : exists (e0: (i + e0) mod 8 = 0 and e0 >= 0 and 7e0 <= i) }";
        "{ [i] : exists (e, f : i = 7e = 8f and e >= 0 and f >= 0) }" => "{ [i] : (i) mod 7 = 0 and (i) mod 8 = 0 and i >= 0 }";
        "{ [i] : i <= 4*floor(i/5) + 2 and i <= 6*floor(i/7) + 2 }" => "{ [i] : i <= 2 + 6*floor((i)/7) and i <= 2 + 4*floor((i)/5) }";
        "{ [i] : i <= 6*floor(i/7) + 2 and i <= 4*floor(i/5) + 2 }" => "{ [i] : i <= 2 + 6*floor((i)/7) and i <= 2 + 4*floor((i)/5) }";
        "{ [i] : exists (a, b, c : 3a - b = i and a >= 0 and b >= 0 and 5c - 2a = i) }" => "{ [i] : exists (e0: (i + 2e0) mod 5 = 0 and 3e0 >= i and e0 >= 0) }";
        "{ [*, 3, i, *] : i > 2 }" => "{ [i0, 3, i, i3] : i >= 3 }";
        "{ A[B[i] -> [j]] : i = j }" => "{ A[B[i] -> [j = i]] }";
        "{ [i] : false }" => "{ [i] : false }";
        "{ S[] }" => "{ S[] }";
        "{ [i] : i != 3 }" => "{ [i] : i >= 4; [i] : i <= 2 }";
        "{ \"odd name\"[i] }" => "{ \"odd name\"[i] }";
    }
    maps: Map {
        "{ S[i, j] -> A[i + 1, *] : i > 0 }" => "{ S[i, j] -> A[1 + i, o1] : i >= 1 }";
        "{ [i, i] -> [i] }" => "{ [i, i] -> [i] }";
        "[n] -> { [i] -> [i'] : i << i' and i' <= n }" => "[n] -> { [i] -> [i'] : i < i' <= n }";
    }
    params: Params {
        "[n] -> { : n > 0 }" => "[n] -> { : n >= 1 }";
        "{ : }" => "{ : }";
        "[m, n = 3] -> { : false }" => "[m, n] -> { : false }";
    }
    unions: UnionMap {
        "{ }" => "{ }";
        "[n] -> { T[i] -> [i]; S[j] -> [0, j] : j < n }" => "[n] -> { S[j] -> [0, j] : j < n; T[i] -> [i] }";
    }
    union_sets: UnionSet {
        "[n] -> { T[]; S[j] : j < n }" => "[n] -> { S[j] : j < n; T[] }";
    }
    affs: Aff {
        "{ S[i] -> [floor(i/2) + 1] }" => "{ S[i] -> [(1 + floor((i)/2))] }";
        "[n] -> { [n] }" => "[n] -> { [(n)] }";
        "{ [i] -> [(2i + 1)/4] }" => "{ [i] -> [(1 + 2i)/4] }";
        "{ [i] -> [NaN] }" => "{ [i] -> [NaN] }";
    }
    multi_affs: MultiAff {
        "{ S[i] -> A[i, -i, [i/3]] }" => "{ S[i] -> A[(i), (-i), (floor((i)/3))] }";
        "{ A[B[] -> C[]] -> D[E[] -> F[]] }" => "{ A[B[] -> C[]] -> D[E[] -> F[]] }";
    }
    pw_affs: PwAff {
        "{ [i] -> [i > 0 ? 4 : 5] }" => "{ [i] -> [(4)] : i >= 1; [i] -> [(5)] : i <= 0 }";
        "{ [i] -> [i] : i >= 0 and (i < 10 or i > 20) }" => "{ [i] -> [(i)] : (0 <= i <= 9) or (i >= 21) }";
        "{ [i] -> [abs(i)] }" => "{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i <= -1 }";
        "{ [i] -> [0] : false }" => "{ [i] -> [(0)] : false }";
        "[n] -> { [n] : n >= 0; [-n] : n < 0 }" => "[n] -> { [(n)] : n >= 0; [(-n)] : n <= -1 }";
    }
    pw_multi_affs: PwMultiAff {
        "{ S[i] -> A[i, 0] : i > 0; S[i] -> A[0, i] : i < 0 }" => "{ S[i] -> A[(i), (0)] : i >= 1; S[i] -> A[(0), (i)] : i <= -1 }";
        "{ [a] -> [b = a] : a >= 0 }" => "{ [a] -> [(a)] : a >= 0 }";
    }
    multi_pw_affs: MultiPwAff {
        "{ [i] -> [(i : i >= 0; 0 : i < 0), (2)] }" => "{ [i] -> [((i) : i >= 0; (0) : i <= -1), (2)] }";
        "{ A[x, y] -> B[] : x + y >= 0 }" => "{ A[x, y] -> B[] : y >= -x }";
        "{ A[x] -> B[1] : x >= 5 }" => "{ A[x] -> B[((1) : x >= 5)] }";
    }
    union_pw: UnionPwMultiAff {
        "{ T[j] -> A[2j]; S[i] -> A[i] }" => "{ S[i] -> A[(i)]; T[j] -> A[(2j)] }";
    }
    union_pw_affs: UnionPwAff {
        "{ [4] }" => "{ [(4)] }";
        "{ S[i] -> [i]; S[i] -> [1] : i > 3 }" => "{ S[i] -> [(1 + i)] : i >= 4; S[i] -> [(i)] : i <= 3 }";
    }
    qpolynomials: QPolynomial {
        "{ [i] -> i * (i + 1) / 2 }" => "{ [i] -> (1/2 * i + 1/2 * i^2) }";
        "[n] -> { [i] -> n*i^2 - [i/2]^3 + 2i mod 3 }" => "[n] -> { [i] -> (2 * i - 6 * floor((i)/3) + n * i^2 - floor((i)/2)^3) }";
        "[n] -> { -n^2 }" => "[n] -> { -n^2 }";
        "{ S[i, j] -> (i - j)^2 }" => "{ S[i, j] -> (-2 * i * j + i^2 + j^2) }";
        "{ [i] -> infty }" => "{ [i] -> infty }";
        "{ [i] -> -infty }" => "{ [i] -> -infty }";
        "{ [i] -> i * NaN }" => "{ [i] -> NaN }";
        "{ [i] -> i - i }" => "{ [i] -> 0 }";
    }
    pw_qpolynomials: PwQPolynomial {
        "[n] -> { [i] -> i^2 : 0 <= i < n }" => "[n] -> { [i] -> i^2 : 0 <= i < n }";
        "{ [x] -> x; [x] -> x^2 : x > 0 }" => "{ [x] -> (x + x^2) : x >= 1; [x] -> x : x <= 0 }";
        "[n] -> { 3 : n >= 5; n * n/2 : n < 5 }" => "[n] -> { 3 : n >= 5; 1/2 * n^2 : n <= 4 }";
        "{ [x=2:9, y] -> floor((x + 1)/4)^3 - floor((2x)/3)^2 }" => "{ [x, y] -> (2 * x * floor((2 + x)/3) - x^2 - floor((2 + x)/3)^2 + floor((1 + x)/4)^3) : 2 <= x <= 9 }";
        "[n] -> { }" => "[n] -> { 0 }";
        "{ [[x] -> [y]] -> 1 : x = 2y }" => "{ [[x] -> [y]] -> 1 : 2y = x }";
    }
    union_pw_qpolynomials: UnionPwQPolynomial {
        "{ B[] -> 3; A[x] -> x^2; A[x] -> -1 : x = 3 }" => "{ A[x] -> (-1 + x^2) : x = 3; A[x] -> x^2 : (x <= 2) or (x >= 4); B[] -> 3 }";
    }
    folds: PwFold {
        "{ [x] -> max(1, x^2, 0, x * x) : x >= 0; [x] -> max(x) : x < 3 }" => "{ [x] -> max(1, x^2) : x >= 0; [x] -> max(x) : x <= -1 }";
        "[n] -> { min(n, 3) }" => "[n] -> { min(3, n) }";
        "{ max(1) : false }" => "{ max(0) : false }";
    }
    bands: MultiUnionPwAff {
        "L_0[{ S[i] -> [(i)]; T[j] -> [(j)] }]" => "L_0[{ S[i] -> [(i)]; T[j] -> [(j)] }]";
        "[n] -> [{ S[i] -> [n - i] }, { }]" => "[n] -> [{ S[i] -> [(n - i)] }, { }]";
        "[n] -> (A[] : { S[x] : x > n; T[y] : y >= 0 })" => "[n] -> (A[] : { S[x] : x > n; T[y] : y >= 0 })";
        "[n] -> (A[] : [m, n] -> { S[x] : m > n })" => "[m, n] -> (A[] : { S[x] : n < m })";
        "[B[{ A[] -> [1] }] -> C[]]" => "[B[{ A[] -> [(1)] }] -> C[]]";
    }
}

#[test]
fn the_complement_of_a_quantified_formula() {
    let set: Set = "{ [i] : not exists (e : i = 2e) }".parse().unwrap();
    assert!(set.is_equal(&"{ [i] : i mod 2 = 1 }".parse().unwrap()));
    let nested: Set = "{ [i] : exists (a : 0 <= a < 3 and not exists (b : i = 3b + a)) }".parse().unwrap();
    assert!(nested.is_equal(&"{ [i] }".parse().unwrap()));
}

/// A few characters that stand for numbers of millions of digits are an error at once.
#[track_caller]
fn too_long<T: std::str::FromStr<Err = Error> + std::fmt::Debug>(text: &str) {
    let message = text.parse::<T>().unwrap_err().to_string();
    assert!(message.contains("too long"), "{message}");
}

#[test]
fn a_power_of_a_power_in_a_set_is_too_long() {
    too_long::<Set>("{ [i] : i = 2^4096^4096 }");
}

#[test]
fn a_power_of_a_power_in_a_polynomial_is_too_long() {
    too_long::<QPolynomial>("{ 138759545556335329^2829^28 }");
}

#[test]
fn a_long_coefficient_to_a_power_is_too_long() {
    too_long::<QPolynomial>("{ [x] -> (138759545556335329^1000 * x)^28 }");
}
