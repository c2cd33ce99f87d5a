//! Answers the cases of tests/languages/protocol.py.

mod cases;

use evalcontract::{read, types, validate, validate_dataset, validate_item, Contract, Violation};
use serde_json::{json, Value};

include!("dispatch.rs");

fn main() -> std::io::Result<()> {
    cases::answer_all(|contract, bytes| {
        let value = match read(bytes) {
            Err(refusal) => return json!({"fault": refusal.code, "violations": [], "written": null}),
            Ok(value) => value,
        };
        let found = judged(contract, &value);
        let written = match contract {
            "@json" => Some(value.to_string()),
            "@item" | "@dataset" => None,
            _ if !found.is_empty() => None,
            _ => Some(rewritten(contract, value)),
        };
        let found: Vec<Value> = found
            .iter()
            .map(|violation| json!([violation.pointer, violation.keyword, violation.code, violation.message]))
            .collect();
        json!({"fault": null, "violations": found, "written": written})
    })
}

fn judged(contract: &str, value: &Value) -> Vec<Violation> {
    match contract {
        "@json" => Vec::new(),
        "@item" => validate_item(value, None).violations,
        "@dataset" => validate_dataset(value),
        _ => validate(value, contract).unwrap_or_else(|unknown| panic!("{unknown}")),
    }
}

/// The JSON text of a value that went through its type, once more by way of `serde`.
fn through<T: Contract + serde::Serialize + serde::de::DeserializeOwned>(value: Value) -> String {
    let typed = T::decode(value).unwrap_or_else(|invalid| panic!("{invalid}"));
    let text = serde_json::to_string(&typed).expect("a typed value can be written");
    let again: T = serde_json::from_str(&text).expect("what was written can be read");
    again.encode().to_string()
}
