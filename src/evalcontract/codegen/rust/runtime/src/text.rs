//! Values as they stand in messages: bounded, safe to print, the same words in every language.

use serde_json::{Number, Value};

const LIMIT: usize = 80;

/// As much of a text as `limit` characters hold, with a mark that there is more.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit - 1).chain(['…']).collect()
}

/// Text from outside with what can't be printed as an escape.
pub(crate) fn visible(text: &str, limit: usize) -> String {
    cut(text, limit)
        .chars()
        .fold(String::new(), |mut made, found| {
            if is_printable(found) {
                made.push(found);
            } else {
                made.push_str(&format!("\\u{:04x}", u32::from(found)));
            }
            made
        })
}

/// A value's type and, where that is short, the value.
pub(crate) fn actual(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => format!("boolean {truth}"),
        Value::Number(number) if is_whole_literal(number) => {
            format!("integer {}", short(value, LIMIT))
        }
        Value::Number(_) => format!("number {}", short(value, LIMIT)),
        Value::String(_) => format!("string {}", short(value, LIMIT - 7)),
        Value::Array(elements) => format!("array of {}", elements.len()),
        Value::Object(members) if members.is_empty() => "empty object".to_owned(),
        Value::Object(members) => {
            let keys: Vec<&str> = members.keys().take(LIMIT).map(String::as_str).collect();
            cut(
                &visible(&format!("object with {}", keys.join(", ")), 2000),
                LIMIT,
            )
        }
    }
}

/// A value as JSON, at most `limit` characters; an array or object by what it holds.
pub(crate) fn short(value: &Value, limit: usize) -> String {
    match value {
        Value::String(text) => {
            let start: String = text.chars().take(limit + 1).collect();
            cut(&Value::String(start).to_string(), limit)
        }
        Value::Number(number) => cut(&numeral(number), limit),
        Value::Array(_) | Value::Object(_) => actual(value),
        _ => value.to_string(),
    }
}

/// A name in quotes, as messages show it.
pub(crate) fn shown(name: &str) -> String {
    let name: String = name.chars().take(LIMIT + 1).collect();
    let quote = if name.contains('\'') && !name.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut made = String::from(quote);
    for found in name.chars() {
        match found {
            '\\' => made.push_str("\\\\"),
            '\n' => made.push_str("\\n"),
            '\r' => made.push_str("\\r"),
            '\t' => made.push_str("\\t"),
            _ if found == quote => made.extend(['\\', quote]),
            _ if is_printable(found) => made.push(found),
            _ => made.push_str(&match u32::from(found) {
                point @ 0..=0xff => format!("\\x{point:02x}"),
                point @ 0x100..=0xffff => format!("\\u{point:04x}"),
                point => format!("\\U{point:08x}"),
            }),
        }
    }
    made.push(quote);
    cut(&made, LIMIT)
}

/// `prefix` and as many words as fit into one short line.
pub(crate) fn short_list(prefix: &str, words: &[String]) -> String {
    cut(&format!("{prefix}{}", words.join(", ")), LIMIT)
}

/// Whether a number is written without a fraction and an exponent.
pub(crate) fn is_whole_literal(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || !number.to_string().contains(['.', 'e', 'E'])
}

/// The double nearest to a number.
pub(crate) fn double(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Whether a number is an integer: `2.0` is one.
pub(crate) fn is_integer(number: &Number) -> bool {
    is_whole_literal(number) || double(number).fract() == 0.0
}

fn numeral(number: &Number) -> String {
    if is_whole_literal(number) {
        let digits = number.to_string();
        return if digits == "-0" {
            "0".to_owned()
        } else {
            digits
        };
    }
    let scientific = format!("{:e}", double(number));
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&power) {
        let sign = if power < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", power.abs());
    }
    let plain = format!("{}", double(number));
    if plain.contains('.') {
        plain
    } else {
        plain + ".0"
    }
}

/// Whether a character has a shape of its own: no control, no format, no unusual space.
fn is_printable(found: char) -> bool {
    if found == '"' || found == '\'' || found == '\\' {
        return true;
    }
    // Behind another character, so that a combining mark is not escaped for standing alone.
    !format!("a{found}")
        .escape_debug()
        .to_string()
        .contains('\\')
}
