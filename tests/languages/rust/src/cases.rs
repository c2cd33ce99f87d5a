//! Cases from standard input, answers to standard output: see tests/languages/protocol.py.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// Answers each case; `answer` takes a contract and the bytes of a text.
pub fn answer_all(answer: impl Fn(&str, &[u8]) -> Value) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let case: Value = serde_json::from_str(&line?)?;
        let text = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        let mut answered = answer(&text("contract"), &decoded(&text("bytes")));
        answered["id"] = case["id"].clone();
        writeln!(out, "{answered}")?;
    }
    out.flush()
}

/// The bytes that a text in base64 stands for.
fn decoded(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut made, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in text.chars().filter_map(|found| DIGITS.find(found)) {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            made.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    made
}
