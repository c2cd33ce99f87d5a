//! Verdicts on whole items and datasets, which follow the schema type that they declare.

use std::collections::HashSet;

use serde_json::Value;

use crate::table::{table, Rule, SchemaType, Table};
use crate::text::{cut, shown};
use crate::validate::{judged, Judging, Severity, Violation};

const ITEM: &str = "evaluation_item";
const DATASET: &str = "dataset";
const IN_ITEM: &str = "/metadata/raw_metadata";
const TYPE: &str = "input_schema_type";
const VERSION: &str = "input_schema_version";

/// Who said which schema type an item follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The item itself.
    Item,
    /// The metadata of its dataset.
    Dataset,
    /// Nobody: only the envelope is checked.
    Envelope,
}

/// What was found about one item, and the contract that it was checked against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The schema type as `rag@1.0`, or the contract of the envelope.
    pub contract: String,
    /// Who said so.
    pub origin: Origin,
    /// The violations and advices.
    pub violations: Vec<Violation>,
}

impl Verdict {
    /// Whether no violation is an error.
    pub fn is_valid(&self) -> bool {
        self.violations
            .iter()
            .all(|found| found.severity == Severity::Advice)
    }
}

/// The verdict on an evaluation item by the schema type that it, or else its dataset, declares.
///
/// `dataset_metadata` is the `metadata` of the dataset, where there is one. An item that declares no type is
/// checked against the envelope; a type that is not known here is a violation.
pub fn validate_item(item: &Value, dataset_metadata: Option<&Value>) -> Verdict {
    let table = table();
    let Choice {
        schema_type,
        origin,
        mut found,
    } = choose(table, item, dataset_metadata);
    let Some(envelope) = table.resolve(ITEM) else {
        return Verdict {
            contract: ITEM.to_owned(),
            origin,
            violations: vec![no_contract(ITEM)],
        };
    };
    let mut rules = vec![Rule::Reference(envelope.clone())];
    let contract = match schema_type {
        None => envelope,
        Some(schema_type) => {
            let part = |name: &str, contract: &str| {
                (name.to_owned(), vec![Rule::Reference(contract.to_owned())])
            };
            rules.push(Rule::Properties(vec![
                part("input", &schema_type.input),
                part("expected_output", &schema_type.expected_output),
            ]));
            rules.push(Rule::Required(vec![(
                "expected_output".to_owned(),
                "object".to_owned(),
            )]));
            format!("{}@{}", schema_type.name, schema_type.version)
        }
    };
    found.extend(judged(item, &rules, Judging::Everything));
    found.extend(judged_twice(item));
    Verdict {
        contract,
        origin,
        violations: found,
    }
}

/// A ground truth judges a document once: what no schema can say.
fn judged_twice(item: &Value) -> Vec<Violation> {
    let rows = item.pointer("/expected_output/retrieval_ground_truth");
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for (number, row) in rows
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let Some(id) = row.get("document_id").and_then(Value::as_str) else {
            continue;
        };
        if !seen.insert(id) {
            found.push(Violation {
                code: "duplicate-judgement",
                message: format!("the ground truth judges document {} twice", shown(id)),
                pointer: format!("/expected_output/retrieval_ground_truth/{number}/document_id"),
                keyword: None,
                expected: Some("one judgement a document".to_owned()),
                actual: Some(shown(id)),
                severity: Severity::Error,
            });
        }
    }
    found
}

/// Every way in which a whole dataset breaks its contract and those of its items, by their declared schema type.
///
/// Pointers count from the top, each place and keyword comes once. Advices are among what is found.
pub fn validate_dataset(dataset: &Value) -> Vec<Violation> {
    let table = table();
    let Some(contract) = table.resolve(DATASET) else {
        return vec![no_contract(DATASET)];
    };
    let metadata = dataset.get("metadata");
    let items = dataset.get("items").and_then(Value::as_array);
    let mut found = Vec::new();
    for (number, item) in items.into_iter().flatten().enumerate() {
        for mut violation in validate_item(item, metadata).violations {
            violation.pointer = format!("/items/{number}{}", violation.pointer);
            found.push(violation);
        }
    }
    found.extend(judged(
        dataset,
        table.contract(&contract),
        Judging::Everything,
    ));
    let mut seen = HashSet::new();
    found.retain(|violation| {
        let rule = violation.keyword.unwrap_or(violation.code);
        seen.insert((violation.pointer.clone(), rule))
    });
    found
}

struct Choice<'a> {
    schema_type: Option<&'a SchemaType>,
    origin: Origin,
    found: Vec<Violation>,
}

fn choose<'a>(table: &'a Table, item: &Value, dataset_metadata: Option<&Value>) -> Choice<'a> {
    let in_item = item
        .get("metadata")
        .and_then(|metadata| metadata.get("raw_metadata"));
    let (item_type, item_version) = declared(in_item);
    let (dataset_type, dataset_version) = declared(dataset_metadata);
    let mut conflicts = disagreement(TYPE, item_type, dataset_type);
    if item_version.is_some_and(is_version) && dataset_version.is_some_and(is_version) {
        conflicts.extend(disagreement(VERSION, item_version, dataset_version));
    }
    let envelope = |found| Choice {
        schema_type: None,
        origin: Origin::Envelope,
        found,
    };
    if !conflicts.is_empty() {
        return envelope(conflicts);
    }
    let Some(name) = item_type.or(dataset_type) else {
        return envelope(Vec::new());
    };
    let (origin, place) = if item_type.is_some() {
        (Origin::Item, IN_ITEM)
    } else {
        (Origin::Dataset, "")
    };
    let versions: Vec<&SchemaType> = table
        .types
        .iter()
        .filter(|found| found.name == name)
        .collect();
    let Some(newest) = versions
        .iter()
        .max_by_key(|found| numbers(&found.version))
        .copied()
    else {
        let what = format!(
            "{} is not a known schema type; {}",
            shown(name),
            known(table)
        );
        return envelope(vec![unknown(
            table,
            "unknown-schema-type",
            what,
            format!("{place}/{TYPE}"),
            name,
        )]);
    };
    let chosen = |schema_type, found| Choice {
        schema_type: Some(schema_type),
        origin,
        found,
    };
    let Some(version) = item_version.or(dataset_version) else {
        return chosen(newest, Vec::new());
    };
    if let Some(exact) = versions.iter().find(|found| found.version == version) {
        return chosen(exact, Vec::new());
    }
    let Some((major, _)) = numbers(version) else {
        return chosen(newest, Vec::new());
    };
    let same_major = versions
        .iter()
        .filter(|found| numbers(&found.version).is_some_and(|(known, _)| known == major))
        .max_by_key(|found| numbers(&found.version));
    let place = format!("{place}/{VERSION}");
    let whole = format!("{name}@{version}");
    let Some(used) = same_major else {
        let what = format!(
            "{} is not a known version of a schema type; {}",
            shown(&whole),
            known(table)
        );
        return envelope(vec![unknown(
            table,
            "unknown-schema-version",
            what,
            place,
            &whole,
        )]);
    };
    let message = format!(
        "{whole} is not known here; checked against {name}@{}",
        used.version
    );
    let advice = Violation {
        code: "unknown-minor-version",
        message,
        pointer: place,
        keyword: None,
        expected: None,
        actual: None,
        severity: Severity::Advice,
    };
    chosen(used, vec![advice])
}

fn declared(holder: Option<&Value>) -> (Option<&str>, Option<&str>) {
    let text = |name| {
        holder
            .and_then(|holder| holder.get(name))
            .and_then(Value::as_str)
    };
    (text(TYPE), text(VERSION))
}

fn disagreement(field: &str, own: Option<&str>, of_dataset: Option<&str>) -> Vec<Violation> {
    match (own, of_dataset) {
        (Some(own), Some(of_dataset)) if own != of_dataset => vec![Violation {
            code: "declarations-disagree",
            message: format!(
                "the item declares {field} {}, its dataset declares {}",
                shown(own),
                shown(of_dataset)
            ),
            pointer: format!("{IN_ITEM}/{field}"),
            keyword: None,
            expected: Some(shown(of_dataset)),
            actual: Some(shown(own)),
            severity: Severity::Error,
        }],
        _ => Vec::new(),
    }
}

fn unknown(
    table: &Table,
    code: &'static str,
    message: String,
    pointer: String,
    name: &str,
) -> Violation {
    Violation {
        code,
        message,
        pointer,
        keyword: None,
        expected: Some(known(table)),
        actual: Some(shown(name)),
        severity: Severity::Error,
    }
}

/// The package was made from contracts of one's own alone, which describe no items.
fn no_contract(name: &str) -> Violation {
    Violation {
        code: "unknown-contract",
        message: format!("there is no contract {name} in this package"),
        pointer: String::new(),
        keyword: None,
        expected: None,
        actual: None,
        severity: Severity::Error,
    }
}

fn known(table: &Table) -> String {
    let names: Vec<String> = table
        .types
        .iter()
        .map(|found| format!("{}@{}", found.name, found.version))
        .collect();
    cut(&format!("known: {}", names.join(", ")), 80)
}

fn is_version(text: &str) -> bool {
    numbers(text).is_some()
}

fn numbers(version: &str) -> Option<(u32, u32)> {
    let number = |text: &str| {
        let plain =
            !text.is_empty() && text.len() <= 9 && text.bytes().all(|digit| digit.is_ascii_digit());
        (plain && (text == "0" || !text.starts_with('0')))
            .then(|| text.parse().ok())
            .flatten()
    };
    let (major, minor) = version.split_once('.')?;
    Some((number(major)?, number(minor)?))
}
