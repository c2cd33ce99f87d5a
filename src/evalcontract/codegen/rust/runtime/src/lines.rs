//! JSON Lines: evaluation items one a line, read and judged one after the other.

use std::io::{self, BufRead, Read};

use serde_json::Value;

use crate::declared::{validate_item, Verdict};
use crate::refusal::{at_start, is_blank, refuse_no_data, without_mark, Refusal};
use crate::strict::scan;

const LONGEST: usize = 256 << 20;

/// A line that holds an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The number of the line, from 1; blank lines count.
    pub number: usize,
    /// The item, or why the line is no strict JSON; its position counts from the start of the file.
    pub item: Result<Value, Refusal>,
    /// What was found about the item; None when it can't be read.
    pub verdict: Option<Verdict>,
}

impl Line {
    /// Whether the line holds an item that keeps its contract.
    pub fn is_valid(&self) -> bool {
        self.verdict.as_ref().is_some_and(Verdict::is_valid)
    }
}

/// An iterator over the items of JSON Lines, which holds one line in memory.
///
/// Lines end at `\n` alone and blank ones are skipped. After a line that can't be read it goes on with the
/// next. A source without any item is a refusal, as is a line of more than 256 MiB.
pub struct Items<R> {
    source: R,
    dataset_metadata: Option<Value>,
    number: usize,
    started: bool,
    ended: bool,
    longest: usize,
    /// Whether the line is too long, so that there is only its beginning.
    cut: bool,
}

/// The items of JSON Lines, each judged by the schema type that it or the dataset's metadata declares.
pub fn items<R: BufRead>(source: R, dataset_metadata: Option<Value>) -> Items<R> {
    Items {
        source,
        dataset_metadata,
        number: 0,
        started: false,
        ended: false,
        longest: LONGEST,
        cut: false,
    }
}

impl<R: BufRead> Items<R> {
    /// The same with another limit to the length of a line in bytes.
    pub fn longest_line(mut self, bytes: usize) -> Self {
        self.longest = bytes;
        self
    }

    fn read_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let most = self.longest as u64 + 1;
        self.source
            .by_ref()
            .take(most)
            .read_until(b'\n', &mut line)?;
        self.cut = line.len() > self.longest && !line.ends_with(b"\n");
        if self.cut {
            let rest_is_blank = self.skip_line()?;
            self.cut = !(rest_is_blank && is_blank(&line));
        }
        Ok(line)
    }

    /// Whether what is skipped up to the end of the line is blank.
    fn skip_line(&mut self) -> io::Result<bool> {
        let mut blank = true;
        loop {
            let block = self.source.fill_buf()?;
            if block.is_empty() {
                return Ok(blank);
            }
            let end = block.iter().position(|&byte| byte == b'\n');
            let size = end.map_or(block.len(), |end| end + 1);
            blank = blank && is_blank(&block[..size]);
            self.source.consume(size);
            if end.is_some() {
                return Ok(blank);
            }
        }
    }

    /// A line that is refused as a whole.
    fn faulty(&self, code: &'static str, message: &str) -> Line {
        let mut refusal = at_start(code, message);
        refusal.line = self.number.max(1);
        self.refused(refusal)
    }

    fn refused(&self, refusal: Refusal) -> Line {
        Line {
            number: self.number,
            item: Err(refusal),
            verdict: None,
        }
    }

    fn judged(&mut self, line: &[u8]) -> Line {
        if self.cut {
            self.started = true;
            let what = format!("a line of more than {} bytes", grouped(self.longest));
            return self.faulty("too-long", &what);
        }
        let first = !std::mem::replace(&mut self.started, true);
        if first && opens_only(line) {
            self.ended = true;
            let what = "a JSON document over several lines, not JSON Lines";
            return self.faulty("not-json-lines", what);
        }
        match scan(line, self.number) {
            Err(refusal) => self.refused(refusal),
            Ok(item) => {
                let verdict = validate_item(&item, self.dataset_metadata.as_ref());
                Line {
                    number: self.number,
                    item: Ok(item),
                    verdict: Some(verdict),
                }
            }
        }
    }
}

/// A number with a comma before every three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut made = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            made.push(',');
        }
        made.push(digit);
    }
    made
}

/// Whether a line holds a bracket and nothing else, as the first of an indented document does.
fn opens_only(line: &[u8]) -> bool {
    let said = |byte: &&u8| !is_blank(&[**byte]);
    line.iter().filter(said).count() == 1 && line.iter().any(|byte| matches!(byte, b'{' | b'['))
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let line = match self.read_line() {
                Ok(line) => line,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            };
            if line.is_empty() {
                self.ended = true;
                return (!self.started)
                    .then(|| Ok(self.faulty("empty-file", "the file holds no data")));
            }
            self.number += 1;
            let line = if self.number == 1 {
                without_mark(&line)
            } else {
                &line
            };
            if !self.cut && is_blank(line) {
                continue;
            }
            if let (1, false, Err(refusal)) = (self.number, self.cut, refuse_no_data(line)) {
                self.started = true;
                self.ended = true;
                return Some(Ok(self.refused(refusal)));
            }
            return Some(Ok(self.judged(line)));
        }
        None
    }
}
