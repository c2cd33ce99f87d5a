//! Answers cases with the crate jsonschema and the bundles of the package.

mod cases;

use std::cell::RefCell;
use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::{json, Value};

fn main() -> std::io::Result<()> {
    let validators: RefCell<HashMap<String, Validator>> = RefCell::default();
    cases::answer_all(|contract, bytes| {
        let mut validators = validators.borrow_mut();
        let validator = validators.entry(contract.to_owned()).or_insert_with(|| {
            let bundle = evalcontract::bundle(contract).expect("a bundle of every contract");
            let schema: Value = serde_json::from_str(bundle).expect("bundles are JSON");
            jsonschema::draft202012::new(&schema).expect("bundles are schemas")
        });
        let value = evalcontract::read(bytes).expect("cases for the oracle are strict JSON");
        json!({"valid": validator.is_valid(&value)})
    })
}
