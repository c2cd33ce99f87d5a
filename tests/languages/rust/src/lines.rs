//! Prints a line of JSON for each line of a JSON Lines file: `lines FILE LONGEST [DATASET_METADATA]`.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;

use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let metadata = arguments.get(3).map(|text| serde_json::from_str(text)).transpose()?;
    let source = BufReader::new(File::open(&arguments[1])?);
    for line in evalcontract::items(source, metadata).longest_line(arguments[2].parse()?) {
        let line = line?;
        let fault = line.item.as_ref().err().map(|refusal| (refusal.code, refusal.line, refusal.column, &refusal.message));
        let verdict = line.verdict.as_ref();
        let found: Vec<_> = verdict
            .iter()
            .flat_map(|verdict| &verdict.violations)
            .map(|violation| json!([violation.pointer, violation.keyword, violation.code, violation.message]))
            .collect();
        let contract = verdict.map(|verdict| &verdict.contract);
        println!("{}", json!({"line": line.number, "contract": contract, "fault": fault, "violations": found}));
    }
    Ok(())
}
