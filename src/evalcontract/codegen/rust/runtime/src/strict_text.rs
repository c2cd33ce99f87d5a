//! Strings of strict JSON, with their escapes.

use crate::refusal::Refusal;
use crate::strict::Scanner;
use crate::text::visible;

impl Scanner<'_> {
    pub(crate) fn string(&mut self) -> Result<String, Refusal> {
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
}
