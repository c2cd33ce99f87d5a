// Reads a dataset, changes one field of one item, and writes the dataset. Arguments: source and target.
import { readFileSync, writeFileSync } from "node:fs";
import { decode, parse, stringify } from "evalcontract";

const dataset = decode(parse(readFileSync(process.argv[2])), "dataset");
dataset.items[0].item_id = "changed";
writeFileSync(process.argv[3], stringify(dataset, 2) + "\n");
