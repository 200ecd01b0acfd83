#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| loopwright_testing::oracle::run("order", data));
