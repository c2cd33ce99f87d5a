//! Numbers of strict JSON: what a double can hold.

use serde_json::{Number, Value};

use crate::refusal::Refusal;
use crate::strict::Scanner;
use crate::text::visible;

impl Scanner<'_> {
    pub(crate) fn number(&mut self) -> Result<Value, Refusal> {
        let start = self.at;
        let Some(end) = number_end(self.text.as_bytes(), start) else {
            return Err(self.not_a_number(start));
        };
        let digits = &self.text[start..end];
        if !digits.parse::<f64>().is_ok_and(f64::is_finite) {
            let shown = visible(digits, 40);
            let what = format!("{shown} is too large for a number: it would become Infinity");
            return Err(self.refusal(start, "not-finite", what));
        }
        self.at = end;
        match digits.parse::<Number>() {
            Ok(number) => Ok(Value::Number(number)),
            Err(_) => Err(self.not_a_number(start)),
        }
    }

    fn not_a_number(&self, start: usize) -> Refusal {
        if is_unfinished_number(&self.text.as_bytes()[start..]) {
            return self.cut_off(start, "inside a number");
        }
        let word = self.word();
        if NOT_FINITE.contains(&word) {
            return self.refusal(start, "not-finite", format!("{word} is not JSON"));
        }
        self.refusal(
            start,
            "syntax",
            format!("{} is not a JSON number", visible(word, 80)),
        )
    }
}

pub(crate) const NOT_FINITE: [&str; 8] = [
    "NaN",
    "-NaN",
    "Infinity",
    "-Infinity",
    "+Infinity",
    "nan",
    "inf",
    "-inf",
];

/// The offset behind the number that begins at `at`; None when what stands there is none.
fn number_end(text: &[u8], mut at: usize) -> Option<usize> {
    let digits = |mut from: usize| {
        let first = from;
        while text.get(from).is_some_and(u8::is_ascii_digit) {
            from += 1;
        }
        (from > first).then_some(from)
    };
    if text.get(at) == Some(&b'-') {
        at += 1;
    }
    at = if text.get(at) == Some(&b'0') {
        at + 1
    } else {
        digits(at)?
    };
    if text.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
        at = digits(at + 1 + signed)?;
    }
    let goes_on = text
        .get(at)
        .is_some_and(|found| found.is_ascii_alphanumeric() || b"+-._".contains(found));
    (!goes_on).then_some(at)
}

/// Whether the text ends where a number could go on: `-`, `1.`, `1e+`.
fn is_unfinished_number(text: &[u8]) -> bool {
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let skip = |text: &'_ [u8]| {
        text.iter()
            .take_while(|found| found.is_ascii_digit())
            .count()
    };
    let whole = skip(rest);
    rest = &rest[whole..];
    if whole == 0 {
        return rest.is_empty();
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        rest = &fraction[skip(fraction)..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        rest = match exponent {
            [b'-' | b'+', digits @ ..] => digits,
            digits => digits,
        };
    }
    rest.is_empty()
}
