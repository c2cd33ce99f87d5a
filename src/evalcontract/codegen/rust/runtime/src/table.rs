//! The contracts, as rules to judge by.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::pattern::Pattern;
use crate::text::{double, short, short_list};

/// Every contract and schema type.
pub(crate) struct Table {
    pub(crate) max_depth: usize,
    pub(crate) types: Vec<SchemaType>,
    newest: HashMap<String, String>,
    contracts: HashMap<String, Schema>,
}

/// A schema type in one version, with the contracts of its two parts.
pub(crate) struct SchemaType {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) input: String,
    pub(crate) expected_output: String,
}

/// The rules of a contract or of a value, in the order in which they stand in its schema.
pub(crate) type Schema = Vec<Rule>;

/// A keyword with what it asks for.
pub(crate) enum Rule {
    Reference(String),
    Type {
        kinds: Vec<String>,
        expected: String,
    },
    Enum {
        members: Vec<Value>,
        expected: String,
    },
    All(Vec<Schema>),
    OrNull {
        schema: Schema,
        expected: String,
    },
    Properties(Vec<(String, Schema)>),
    Required(Vec<(String, String)>),
    Others {
        named: Vec<String>,
        schema: Schema,
    },
    Items(Schema),
    Length {
        keyword: &'static str,
        bound: usize,
    },
    Count {
        keyword: &'static str,
        bound: usize,
    },
    Minimum {
        bound: f64,
        expected: String,
    },
    Maximum {
        bound: f64,
        expected: String,
    },
    Pattern {
        pattern: Pattern,
        expected: String,
    },
}

/// The table of this package, read when it is first asked for.
pub(crate) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table::new(crate::data::TABLE))
}

impl Table {
    fn new(text: &str) -> Self {
        let whole: Value = serde_json::from_str(text).unwrap_or_default();
        let contracts = object(&whole["contracts"]);
        let strings = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Table {
            max_depth: whole["max_depth"].as_u64().unwrap_or(0) as usize,
            types: object(&whole["schema_types"])
                .into_iter()
                .flat_map(|(name, versions)| {
                    object(versions)
                        .into_iter()
                        .map(move |(version, pair)| SchemaType {
                            name: name.clone(),
                            version: version.clone(),
                            input: strings(&pair["input"]),
                            expected_output: strings(&pair["expected_output"]),
                        })
                })
                .collect(),
            newest: object(&whole["newest"])
                .into_iter()
                .map(|(name, version)| (name.clone(), strings(version)))
                .collect(),
            contracts: contracts
                .iter()
                .map(|(name, schema)| ((*name).clone(), rules(schema)))
                .collect(),
        }
    }

    /// `name@version` of a contract that is named with or without its version.
    pub(crate) fn resolve(&self, name: &str) -> Option<String> {
        let whole = match self.newest.get(name) {
            Some(version) => format!("{name}@{version}"),
            None => name.to_owned(),
        };
        self.contracts.contains_key(&whole).then_some(whole)
    }

    pub(crate) fn contract(&self, name: &str) -> &[Rule] {
        self.contracts.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.contracts.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }
}

fn object(value: &Value) -> Vec<(&String, &Value)> {
    value.as_object().into_iter().flatten().collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn rules(schema: &Value) -> Schema {
    let empty = Map::new();
    let whole = schema.as_object().unwrap_or(&empty);
    whole
        .iter()
        .filter_map(|(keyword, said)| rule(keyword, said, whole))
        .collect()
}

fn rule(keyword: &str, said: &Value, whole: &Map<String, Value>) -> Option<Rule> {
    let size = || said.as_f64().unwrap_or(0.0) as usize;
    let number = || said.as_f64().unwrap_or(f64::NAN);
    Some(match keyword {
        "$ref" => Rule::Reference(said.as_str()?.to_owned()),
        "type" => Rule::Type {
            kinds: kinds(said),
            expected: expected_type(whole),
        },
        "enum" => {
            let words: Vec<String> = list(said).iter().map(|member| short(member, 30)).collect();
            Rule::Enum {
                members: list(said).to_vec(),
                expected: short_list("one of ", &words),
            }
        }
        "allOf" => Rule::All(list(said).iter().map(rules).collect()),
        "anyOf" => Rule::OrNull {
            schema: rules(said.get(0)?),
            expected: alternatives(said),
        },
        "properties" => Rule::Properties(named_rules(said)),
        "required" => Rule::Required(
            list(said)
                .iter()
                .filter_map(Value::as_str)
                .map(|name| (name.to_owned(), required_type(whole, name)))
                .collect(),
        ),
        "additionalProperties" => Rule::Others {
            named: whole
                .get("properties")
                .map(object)
                .unwrap_or_default()
                .into_iter()
                .map(|(name, _)| name.clone())
                .collect(),
            schema: rules(said),
        },
        "items" => Rule::Items(rules(said)),
        "minLength" => Rule::Length {
            keyword: "minLength",
            bound: size(),
        },
        "maxLength" => Rule::Length {
            keyword: "maxLength",
            bound: size(),
        },
        "minItems" => Rule::Count {
            keyword: "minItems",
            bound: size(),
        },
        "maxItems" => Rule::Count {
            keyword: "maxItems",
            bound: size(),
        },
        "minimum" => Rule::Minimum {
            bound: number(),
            expected: format!("at least {}", short(said, 80)),
        },
        "maximum" => Rule::Maximum {
            bound: number(),
            expected: format!("at most {}", short(said, 80)),
        },
        "pattern" => Rule::Pattern {
            pattern: Pattern::new(said.as_str()?),
            expected: format!("text matching {}", said.as_str()?),
        },
        _ => return None,
    })
}

fn named_rules(said: &Value) -> Vec<(String, Schema)> {
    object(said)
        .into_iter()
        .map(|(name, schema)| (name.clone(), rules(schema)))
        .collect()
}

fn kinds(said: &Value) -> Vec<String> {
    match said {
        Value::String(one) => vec![one.clone()],
        several => list(several)
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
    }
}

/// The type that a schema asks for: `array of strings or null`.
fn expected_type(schema: &Map<String, Value>) -> String {
    let of = schema.get("items").map(|items| match items.get("type") {
        _ if items.get("$ref").is_some() => "object".to_owned(),
        Some(Value::String(name)) => name.clone(),
        _ => String::new(),
    });
    let names: Vec<String> = schema
        .get("type")
        .map(kinds)
        .unwrap_or_default()
        .into_iter()
        .map(|name| match &of {
            Some(of) if name == "array" && !of.is_empty() => format!("array of {of}s"),
            _ => name,
        })
        .collect();
    if names.is_empty() {
        "another value".to_owned()
    } else {
        names.join(" or ")
    }
}

fn alternatives(said: &Value) -> String {
    let mut types: Vec<String> = Vec::new();
    for branch in list(said).iter().filter_map(Value::as_object) {
        let name = if branch.contains_key("$ref") {
            "object".to_owned()
        } else {
            expected_type(branch)
        };
        if !types.contains(&name) {
            types.push(name);
        }
    }
    short_list("", &types).replace(", ", " or ")
}

fn required_type(schema: &Map<String, Value>, name: &str) -> String {
    match schema
        .get("properties")
        .and_then(|properties| properties.get(name))
    {
        Some(Value::Object(wanted)) if wanted.contains_key("$ref") => "object".to_owned(),
        Some(Value::Object(wanted)) if wanted.contains_key("type") => expected_type(wanted),
        _ => "a value".to_owned(),
    }
}

/// Whether a number is a member of an enumeration: `2.0` is where 2 is.
pub(crate) fn is_member(members: &[Value], value: &Value) -> bool {
    members.iter().any(|member| match (member, value) {
        (Value::Number(one), Value::Number(other)) => double(one) == double(other),
        _ => member == value,
    })
}
