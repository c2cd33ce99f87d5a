//! Verdicts on whole items and datasets, which follow the schema type that they declare.

use std::collections::HashSet;

use serde_json::Value;

use crate::choice::{choose, no_contract, Choice};
use crate::table::{table, Rule};
use crate::text::shown;
use crate::validate::{judged, Judging, Severity, Violation};

const ITEM: &str = "evaluation_item";
const DATASET: &str = "dataset";

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
