//! Strict JSON: what it refuses, a reader in another language might read as something else.

use serde_json::{Map, Value};

use crate::refusal::{decoded, refusal, refuse_no_data, without_mark, Refusal};
use crate::strict_number::NOT_FINITE;
use crate::table::table;
use crate::text::visible;

/// The value of one strict JSON text in UTF-8; a byte order mark at its start is passed over.
///
/// Refused are duplicate keys, numbers that no double can hold, lone surrogates, bad UTF-8, more nesting than
/// the contracts allow, and an empty text. An integer keeps all its digits with the feature `exact`.
pub fn read(raw: &[u8]) -> Result<Value, Refusal> {
    let raw = without_mark(raw);
    refuse_no_data(raw)?;
    scan(raw, 1)
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

/// A text that is being read, and where.
pub(crate) struct Scanner<'a> {
    pub(crate) text: &'a str,
    line: usize,
    pub(crate) at: usize,
    depth: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn byte(&self, offset: usize) -> Option<u8> {
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
    pub(crate) fn word(&self) -> &'a str {
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

    pub(crate) fn cut_off(&self, at: usize, place: &str) -> Refusal {
        self.refusal(at, "truncated", format!("the text ends {place}"))
    }

    pub(crate) fn refusal(&self, at: usize, code: &'static str, message: String) -> Refusal {
        refusal((self.text, self.line), at, code, message)
    }
}
