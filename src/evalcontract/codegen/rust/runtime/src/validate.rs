//! Verdicts: an interpreter of the keywords that contracts use. Nothing is compiled, nothing is fetched.

use std::collections::HashSet;
use std::fmt;

use serde_json::Value;

use crate::table::{is_member, table, Rule};
use crate::text::{actual, double, is_integer};

/// Whether a finding makes a value invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The value breaks its contract.
    Error,
    /// Something to know; the value is valid all the same.
    Advice,
}

/// One way in which a value breaks its contract, or an advice about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// A stable word for the kind of fault, the same in every language: `wrong-type`, `missing-property`.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: String,
    /// The JSON pointer of the value; for a missing property, of the place where it should be.
    pub pointer: String,
    /// The keyword of JSON Schema that refuses the value, where one does.
    pub keyword: Option<&'static str>,
    /// What the contract asks for.
    pub expected: Option<String>,
    /// What the value is instead.
    pub actual: Option<String>,
    /// Whether it is a fault.
    pub severity: Severity,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() {
            "(document)"
        } else {
            &self.pointer
        };
        write!(formatter, "{place}: {}", self.message)
    }
}

/// A contract that this package doesn't have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownContract {
    /// The name that was given.
    pub name: String,
}

impl fmt::Display for UnknownContract {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "there is no contract {:?}; there are {}",
            self.name,
            table().names().join(", ")
        )
    }
}

impl std::error::Error for UnknownContract {}

/// Every way in which a value breaks a contract, named `rag_input` (its newest version) or `rag_input@1.0`.
pub fn validate(value: &Value, contract: &str) -> Result<Vec<Violation>, UnknownContract> {
    match table().resolve(contract) {
        Some(name) => Ok(judged(value, table().contract(&name), Judging::Everything)),
        None => Err(UnknownContract {
            name: contract.to_owned(),
        }),
    }
}

/// A self-contained JSON Schema for other validators: of a contract, named with or without its version, of
/// whole items and datasets of a schema type (`rag_item@1.0`), or by declared type (`typed_dataset`).
pub fn bundle(name: &str) -> Option<&'static str> {
    let contract = table().resolve(name);
    crate::data::bundle(contract.as_deref().unwrap_or(name))
}

/// Whether a value keeps a contract.
pub fn is_valid(value: &Value, contract: &str) -> Result<bool, UnknownContract> {
    validate(value, contract).map(|found| found.is_empty())
}

/// What is looked at: everything, or only whether the value has the shape of a type.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Judging {
    Everything,
    Shape,
}

/// The violations, each place and keyword once.
pub(crate) fn judged(value: &Value, rules: &[Rule], judging: Judging) -> Vec<Violation> {
    let mut judge = Judge {
        judging,
        steps: Vec::new(),
        found: Vec::new(),
    };
    judge.check(rules, value);
    let mut seen = HashSet::new();
    judge
        .found
        .retain(|found| seen.insert((found.pointer.clone(), found.keyword)));
    judge.found
}

/// A JSON pointer with one more step.
pub(crate) fn step(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

struct Judge {
    judging: Judging,
    steps: Vec<String>,
    found: Vec<Violation>,
}

impl Judge {
    fn check(&mut self, rules: &[Rule], value: &Value) {
        for rule in rules {
            match rule {
                Rule::Reference(name) => self.check(table().contract(name), value),
                Rule::All(parts) => parts.iter().for_each(|part| self.check(part, value)),
                Rule::OrNull { schema, expected } => match value {
                    Value::Null => {}
                    Value::Object(_) => self.check(schema, value),
                    _ => self.add("type", "wrong-type", expected, value),
                },
                Rule::Properties(properties) => self.check_properties(properties, value),
                Rule::Required(names) => self.check_required(names, value),
                Rule::Others { named, schema } => {
                    for (key, member) in value.as_object().into_iter().flatten() {
                        if !named.contains(key) {
                            self.inside(key, schema, member);
                        }
                    }
                }
                Rule::Items(schema) => {
                    for (index, element) in value.as_array().into_iter().flatten().enumerate() {
                        self.inside(&index.to_string(), schema, element);
                    }
                }
                Rule::Type { kinds, expected } => {
                    if !self.has_type(kinds, value) {
                        self.add("type", "wrong-type", expected, value);
                    }
                }
                _ if self.judging == Judging::Shape => {}
                bound => self.check_bound(bound, value),
            }
        }
    }

    fn check_bound(&mut self, rule: &Rule, value: &Value) {
        match (rule, value) {
            (Rule::Enum { members, expected }, _) if !is_member(members, value) => {
                self.add("enum", "not-allowed", expected, value);
            }
            (Rule::Length { keyword, bound }, Value::String(text)) => {
                self.check_size(keyword, *bound, text.chars().count(), "character", value);
            }
            (Rule::Count { keyword, bound }, Value::Array(elements)) => {
                self.check_size(keyword, *bound, elements.len(), "item", value);
            }
            (Rule::Minimum { bound, expected }, Value::Number(number))
                if double(number) < *bound =>
            {
                self.add("minimum", "too-small", expected, value);
            }
            (Rule::Maximum { bound, expected }, Value::Number(number))
                if double(number) > *bound =>
            {
                self.add("maximum", "too-large", expected, value);
            }
            (Rule::Pattern { pattern, expected }, Value::String(text)) if !pattern.is_in(text) => {
                self.add("pattern", "pattern-mismatch", expected, value);
            }
            _ => {}
        }
    }

    fn check_size(
        &mut self,
        keyword: &'static str,
        bound: usize,
        size: usize,
        thing: &str,
        value: &Value,
    ) {
        let least = keyword.starts_with("min");
        if (least && size >= bound) || (!least && size <= bound) {
            return;
        }
        let code = match keyword {
            "minLength" => "too-short",
            "maxLength" => "too-long",
            "minItems" => "too-few-items",
            _ => "too-many-items",
        };
        let word = if least { "at least" } else { "at most" };
        let plural = if bound == 1 { "" } else { "s" };
        self.add(
            keyword,
            code,
            &format!("{word} {bound} {thing}{plural}"),
            value,
        );
    }

    fn check_properties(&mut self, properties: &[(String, Vec<Rule>)], value: &Value) {
        let Value::Object(members) = value else {
            return;
        };
        for (name, schema) in properties {
            if let Some(member) = members.get(name) {
                self.inside(name, schema, member);
            }
        }
    }

    fn check_required(&mut self, names: &[(String, String)], value: &Value) {
        let Value::Object(members) = value else {
            return;
        };
        for (name, expected) in names {
            if !members.contains_key(name) {
                self.steps.push(name.clone());
                self.add("required", "missing-property", expected, value);
                self.steps.pop();
            }
        }
    }

    fn inside(&mut self, key: &str, schema: &[Rule], value: &Value) {
        self.steps.push(key.to_owned());
        self.check(schema, value);
        self.steps.pop();
    }

    fn has_type(&self, kinds: &[String], value: &Value) -> bool {
        kinds.iter().any(|kind| match (kind.as_str(), value) {
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("string", Value::String(_))
            | ("array", Value::Array(_))
            | ("object", Value::Object(_))
            | ("number", Value::Number(_)) => true,
            ("integer", Value::Number(number)) => {
                is_integer(number)
                    && (self.judging == Judging::Everything
                        || crate::json::integer(number).is_some())
            }
            _ => false,
        })
    }

    fn add(&mut self, keyword: &'static str, code: &'static str, expected: &str, value: &Value) {
        let missing = keyword == "required";
        let got = if missing {
            "nothing".to_owned()
        } else {
            actual(value)
        };
        let message = match self.steps.last() {
            Some(name) if missing => format!("{name} is required but missing, expected {expected}"),
            _ => format!("expected {expected}, got {got}"),
        };
        self.found.push(Violation {
            code,
            message,
            pointer: self.steps.iter().map(|key| step(key)).collect(),
            keyword: Some(keyword),
            expected: Some(expected.to_owned()),
            actual: Some(got),
            severity: Severity::Error,
        });
    }
}
