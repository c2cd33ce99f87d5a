//! Reads a dataset, changes the first item's `item_id` and writes the dataset back: `edit IN OUT`.

use std::error::Error;
use std::fs;

use evalcontract::types::Dataset;
use evalcontract::Contract;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let mut dataset = Dataset::from_slice(&fs::read(&arguments[1])?)?;
    dataset.items[0].item_id = "renamed".to_owned();
    fs::write(&arguments[2], serde_json::to_string_pretty(&dataset)? + "\n")?;
    Ok(())
}
