//! Which schema type applies to an item: its own, else that of its dataset.

use serde_json::Value;

use crate::declared::Origin;
use crate::table::{SchemaType, Table};
use crate::text::{cut, shown};
use crate::validate::{Severity, Violation};

const IN_ITEM: &str = "/metadata/raw_metadata";
const TYPE: &str = "input_schema_type";
const VERSION: &str = "input_schema_version";

/// The schema type of an item, who says so, and what is wrong with that.
pub(crate) struct Choice<'a> {
    pub(crate) schema_type: Option<&'a SchemaType>,
    pub(crate) origin: Origin,
    pub(crate) found: Vec<Violation>,
}

/// The choice for one item.
pub(crate) fn choose<'a>(
    table: &'a Table,
    item: &Value,
    dataset_metadata: Option<&Value>,
) -> Choice<'a> {
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
pub(crate) fn no_contract(name: &str) -> Violation {
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
