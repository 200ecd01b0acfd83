//! Questions about sets with several existentials that are slow to make explicit, but have a quick answer.

use loopwright_presburger::Set;

const PACKED: &str = "{ [r, c] : exists a, b, k, q : 0 <= r < 2048 and 0 <= c < 4096 and 0 <= b < 64 and 0 <= k < 64 and \
    2048a <= c - 2048 and c - 2077 - 2048a <= 30k and 30k <= c - 2048 - 2048a and r - 32b + 30k - 2 <= 2048q and 2048q <= r - 32b + 30k }";

#[track_caller]
fn check(a: &str, b: &str, subset: bool) {
    let [a, b]: [Set; 2] = [a, b].map(|t| t.parse().unwrap());
    assert_eq!(a.is_subset(&b), subset, "{a:?} in {b:?}");
}

#[test]
fn an_element_outside_is_found_without_eliminating() {
    check("{ [r, c] : 0 <= r < 2048 and 0 <= c < 4096 }", PACKED, false);
    check(PACKED, "{ [r, c] : 0 <= r < 2048 and 0 <= c < 4096 }", true);
    check(PACKED, "{ [r, c] : 0 <= r < 2048 and 0 <= c < 1919 }", false);
    check("{ [x] : 0 <= x <= 20 }", "{ [x] : exists a, b : x = 3a + 5b and 0 <= a, b <= 9 }", false);
    check("{ [x] : 8 <= x <= 20 }", "{ [x] : exists a, b : x = 3a + 5b and 0 <= a, b <= 9 }", true);
}
