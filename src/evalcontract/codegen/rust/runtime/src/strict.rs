//! Strict JSON: what it refuses, a reader in another language might read as something else.

use std::fmt;

use serde_json::{Map, Number, Value};

use crate::table::table;
use crate::text::visible;

/// Why a text is not strict JSON, and where: line and column count from 1, the column in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// A stable word for the kind of fault, the same in every language: `duplicate-key`, `lone-surrogate`.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Refusal {}

const BOM: &[u8] = b"\xef\xbb\xbf";
const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";

/// The value of one strict JSON text in UTF-8; a byte order mark at its start is passed over.
///
/// Refused are duplicate keys, numbers that no double can hold, lone surrogates, bad UTF-8, more nesting than
/// the contracts allow, and an empty text. An integer keeps all its digits with the feature `exact`.
pub fn read(raw: &[u8]) -> Result<Value, Refusal> {
    let raw = without_mark(raw);
    refuse_no_data(raw)?;
    scan(raw, 1)
}

pub(crate) fn without_mark(raw: &[u8]) -> &[u8] {
    raw.strip_prefix(BOM).unwrap_or(raw)
}

pub(crate) fn refuse_no_data(raw: &[u8]) -> Result<(), Refusal> {
    if is_blank(raw) {
        return Err(at_start("empty-file", "the file holds no data"));
    }
    if raw.starts_with(LFS) {
        let message = "the file is a Git LFS pointer, its data was not fetched";
        return Err(at_start("lfs-pointer", message));
    }
    Ok(())
}

pub(crate) fn at_start(code: &'static str, message: &str) -> Refusal {
    Refusal {
        code,
        message: message.to_owned(),
        line: 1,
        column: 1,
    }
}

pub(crate) fn is_blank(raw: &[u8]) -> bool {
    raw.iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The value of a text whose first line has this number.
pub(crate) fn scan(raw: &[u8], line: usize) -> Result<Value, Refusal> {
    let mut scanner = Scanner {
        text: decoded(raw, line)?,
        line,
        at: 0,
        depth: 0,
    };
    let value = scanner.value()?;
    match scanner.peek() {
        None => Ok(value),
        Some('\u{feff}') => Err(scanner.unexpected("the end")),
        Some(_) => {
            let word = visible(scanner.word(), 40);
            let what = format!("more after the end of the value: \"{word}\"");
            Err(scanner.refusal(scanner.at, "trailing-content", what))
        }
    }
}

fn decoded(raw: &[u8], line: usize) -> Result<&str, Refusal> {
    std::str::from_utf8(raw).map_err(|error| {
        let good = error.valid_up_to();
        let before = std::str::from_utf8(&raw[..good]).unwrap_or_default();
        if error.error_len().is_none() {
            return refusal(
                (before, line),
                good,
                "truncated",
                "the text ends inside a character".to_owned(),
            );
        }
        let what = match raw[good..] {
            [0xed, 0xa0..=0xbf, ..] => "a lone surrogate encoded as UTF-8".to_owned(),
            _ => format!("byte 0x{:02x} is not valid UTF-8 here", raw[good]),
        };
        refusal((before, line), good, "invalid-utf8", what)
    })
}

fn refusal(
    (text, line): (&str, usize),
    offset: usize,
    code: &'static str,
    message: String,
) -> Refusal {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |found| found + 1);
    Refusal {
        code,
        message,
        line: before.matches('\n').count() + line,
        column: before[line_start..].chars().count() + 1,
    }
}

struct Scanner<'a> {
    text: &'a str,
    line: usize,
    at: usize,
    depth: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        self.text.as_bytes().get(offset).copied()
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        while matches!(self.byte(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        self.rest().chars().next()
    }

    fn value(&mut self) -> Result<Value, Refusal> {
        match self.peek() {
            Some(opening @ ('{' | '[')) => {
                let deepest = table().max_depth;
                if self.depth >= deepest {
                    let what = format!("nested deeper than {deepest} levels");
                    return Err(self.refusal(self.at, "too-deep", what));
                }
                self.at += 1;
                self.depth += 1;
                let value = if opening == '{' {
                    self.object()
                } else {
                    self.array()
                };
                self.depth -= 1;
                value
            }
            Some('"') => self.string().map(Value::String),
            Some('-' | '0'..='9') => self.number(),
            _ => self.literal(),
        }
    }

    fn array(&mut self) -> Result<Value, Refusal> {
        let mut elements = Vec::new();
        if self.peek() == Some(']') {
            self.at += 1;
            return Ok(Value::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            if !self.goes_on(']')? {
                return Ok(Value::Array(elements));
            }
        }
    }

    fn object(&mut self) -> Result<Value, Refusal> {
        let inside = self.at;
        let mut members = Map::new();
        if self.peek() == Some('}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            let start = self.at_key()?;
            let key = self.string()?;
            if members.contains_key(&key) {
                return Err(self.duplicate(&key, inside, start));
            }
            members.insert(key, self.member()?);
            if !self.goes_on('}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    fn at_key(&mut self) -> Result<usize, Refusal> {
        match self.peek() {
            Some('"') => Ok(self.at),
            _ => Err(self.unexpected("a property name in double quotes")),
        }
    }

    /// The value behind a key.
    fn member(&mut self) -> Result<Value, Refusal> {
        if self.peek() != Some(':') {
            return Err(self.unexpected("':'"));
        }
        self.at += 1;
        self.value()
    }

    /// The refusal of a key at `start` that stands before in the object that begins at `inside`.
    fn duplicate(&self, key: &str, inside: usize, start: usize) -> Refusal {
        let mut again = Scanner {
            text: self.text,
            line: self.line,
            at: inside,
            depth: self.depth,
        };
        let mut first = start;
        while let Ok(place) = again.at_key() {
            if again.string().is_ok_and(|found| found == key) {
                first = place;
                break;
            }
            if again.member().is_err() || again.goes_on('}').is_err() {
                break;
            }
        }
        let first = self.refusal(first, "duplicate-key", String::new());
        let what = format!("duplicate key \"{}\"", visible(key, 80));
        let what = format!(
            "{what}, first at line {}, column {}",
            first.line, first.column
        );
        self.refusal(start, "duplicate-key", what)
    }

    /// Whether a comma follows; false behind the closing bracket.
    fn goes_on(&mut self, closing: char) -> Result<bool, Refusal> {
        match self.peek() {
            Some(',') => {
                let comma = self.at;
                self.at += 1;
                if self.peek() == Some(closing) {
                    return Err(self.refusal(
                        comma,
                        "syntax",
                        format!("a comma before '{closing}'"),
                    ));
                }
                Ok(true)
            }
            Some(found) if found == closing => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.unexpected(&format!("',' or '{closing}'"))),
        }
    }

    fn string(&mut self) -> Result<String, Refusal> {
        let start = self.at;
        let mut made = String::new();
        self.at += 1;
        loop {
            let plain = self
                .rest()
                .find(|found: char| found == '"' || found == '\\' || found < ' ')
                .unwrap_or(self.rest().len());
            made.push_str(&self.rest()[..plain]);
            self.at += plain;
            match self.byte(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(made);
                }
                Some(b'\\') => made.push(self.escape(start)?),
                Some(control) => {
                    let what = format!("a raw control character U+{control:04X} inside a string");
                    return Err(self.refusal(self.at, "syntax", what));
                }
                None => return Err(self.cut_off(start, "inside a string")),
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<char, Refusal> {
        let simple = match self.byte(self.at + 1) {
            Some(found @ (b'"' | b'\\' | b'/')) => char::from(found),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            None => return Err(self.cut_off(start, "inside a string")),
            Some(_) => {
                let found = self.rest().chars().nth(1).unwrap_or_default();
                let what = format!(
                    "an unknown escape \\{} in a string",
                    visible(found.encode_utf8(&mut [0; 4]), 1)
                );
                return Err(self.refusal(self.at, "syntax", what));
            }
        };
        self.at += 2;
        Ok(simple)
    }

    fn unicode_escape(&mut self, start: usize) -> Result<char, Refusal> {
        let high = self.unit(self.at, start)?;
        if let Some(found) = char::from_u32(high) {
            self.at += 6;
            return Ok(found);
        }
        let pair = self.at + 6;
        if high < 0xdc00 {
            let ends = pair == self.text.len() || &self.text[pair..] == "\\";
            if ends {
                return Err(self.cut_off(start, "inside a string"));
            }
            if self.byte(pair) == Some(b'\\') && self.byte(pair + 1) == Some(b'u') {
                let digits = &self.text.as_bytes()[pair + 2..];
                if digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit) {
                    return Err(self.cut_off(start, "inside a string"));
                }
                if let Some(low @ 0xdc00..=0xdfff) = self.digits(pair + 2) {
                    self.at += 12;
                    let point = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                    return Ok(char::from_u32(point).unwrap_or_default());
                }
            }
        }
        let what = format!(
            "a lone surrogate {} is half a character",
            &self.text[self.at..pair]
        );
        Err(self.refusal(self.at, "lone-surrogate", what))
    }

    /// The value of the escape `\uXXXX` at an offset.
    fn unit(&self, at: usize, start: usize) -> Result<u32, Refusal> {
        if let Some(found) = self.digits(at + 2) {
            return Ok(found);
        }
        let rest = &self.text.as_bytes()[at + 2..];
        if rest.len() < 4 && rest.iter().all(u8::is_ascii_hexdigit) {
            return Err(self.cut_off(start, "inside a string"));
        }
        let what = "\\u must be followed by four hexadecimal digits".to_owned();
        Err(self.refusal(at, "syntax", what))
    }

    fn digits(&self, at: usize) -> Option<u32> {
        let digits = self.text.as_bytes().get(at..at + 4)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }

    fn number(&mut self) -> Result<Value, Refusal> {
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

    fn literal(&mut self) -> Result<Value, Refusal> {
        for (word, value) in [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Null),
        ] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        let word = self.word();
        if NOT_FINITE.contains(&word) {
            return Err(self.refusal(self.at, "not-finite", format!("{word} is not JSON")));
        }
        let at_end = !word.is_empty() && word.len() == self.rest().len();
        if at_end
            && ["true", "false", "null"]
                .iter()
                .any(|name| name.starts_with(word))
        {
            return Err(self.cut_off(self.at, "inside a value"));
        }
        Err(self.unexpected("a value"))
    }

    /// The word or number that begins here, else the one character.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        let end = rest
            .bytes()
            .take(80)
            .position(|found| !(found.is_ascii_alphanumeric() || b"-+._".contains(&found)))
            .unwrap_or_else(|| rest.len().min(80));
        let first = rest.chars().next().map_or(0, char::len_utf8);
        &rest[..end.max(first)]
    }

    fn unexpected(&self, expected: &str) -> Refusal {
        match self.word() {
            "" => self.cut_off(self.at, &format!("where {expected} should be")),
            "\u{feff}" => {
                let what = "a byte order mark in the middle of the file".to_owned();
                self.refusal(self.at, "bom-in-the-middle", what)
            }
            word => {
                let what = format!("{expected} expected, found \"{}\"", visible(word, 40));
                self.refusal(self.at, "syntax", what)
            }
        }
    }

    fn cut_off(&self, at: usize, place: &str) -> Refusal {
        self.refusal(at, "truncated", format!("the text ends {place}"))
    }

    fn refusal(&self, at: usize, code: &'static str, message: String) -> Refusal {
        refusal((self.text, self.line), at, code, message)
    }
}

const NOT_FINITE: [&str; 8] = [
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
