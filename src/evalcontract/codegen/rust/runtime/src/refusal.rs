//! Why a text is refused, and what is seen before a reader looks at its grammar.

use std::fmt;

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

pub(crate) fn decoded(raw: &[u8], line: usize) -> Result<&str, Refusal> {
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

pub(crate) fn refusal(
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
