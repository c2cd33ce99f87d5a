//! Values of JSON as types, and back.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use crate::text::is_whole_literal;

/// What can stand in a document: types of contracts, and what their properties hold.
pub trait Json: Sized {
    /// The value as this type; None when it is of another type.
    fn from_json(value: Value) -> Option<Self>;

    /// The value as JSON.
    fn to_json(&self) -> Value;
}

impl Json for Value {
    fn from_json(value: Value) -> Option<Self> {
        Some(value)
    }

    fn to_json(&self) -> Value {
        self.clone()
    }
}

impl Json for String {
    fn from_json(value: Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    fn to_json(&self) -> Value {
        Value::String(self.clone())
    }
}

impl Json for bool {
    fn from_json(value: Value) -> Option<Self> {
        value.as_bool()
    }

    fn to_json(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Json for i64 {
    fn from_json(value: Value) -> Option<Self> {
        match value {
            Value::Number(number) => integer(&number),
            _ => None,
        }
    }

    fn to_json(&self) -> Value {
        Value::Number((*self).into())
    }
}

impl Json for f64 {
    fn from_json(value: Value) -> Option<Self> {
        value.as_f64()
    }

    fn to_json(&self) -> Value {
        match Number::from_f64(*self) {
            Some(number) => Value::Number(number),
            None => Value::String(self.to_string()),
        }
    }
}

impl<T: Json> Json for Vec<T> {
    fn from_json(value: Value) -> Option<Self> {
        match value {
            Value::Array(elements) => elements.into_iter().map(T::from_json).collect(),
            _ => None,
        }
    }

    fn to_json(&self) -> Value {
        Value::Array(self.iter().map(T::to_json).collect())
    }
}

impl<T: Json> Json for BTreeMap<String, T> {
    fn from_json(value: Value) -> Option<Self> {
        match value {
            Value::Object(members) => members
                .into_iter()
                .map(|(key, member)| Some((key, T::from_json(member)?)))
                .collect(),
            _ => None,
        }
    }

    fn to_json(&self) -> Value {
        Value::Object(
            self.iter()
                .map(|(key, member)| (key.clone(), member.to_json()))
                .collect(),
        )
    }
}

impl Json for Map<String, Value> {
    fn from_json(value: Value) -> Option<Self> {
        match value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    fn to_json(&self) -> Value {
        Value::Object(self.clone())
    }
}

impl<T: Json> Json for Box<T> {
    fn from_json(value: Value) -> Option<Self> {
        T::from_json(value).map(Box::new)
    }

    fn to_json(&self) -> Value {
        self.as_ref().to_json()
    }
}

/// The integer that a number is, however it is written; None for any other and beyond 64 bits.
pub(crate) fn integer(number: &Number) -> Option<i64> {
    if is_whole_literal(number) {
        return number.as_i64();
    }
    let double = number.as_f64()?;
    let within = double.fract() == 0.0 && double.abs() < 9_223_372_036_854_775_808.0;
    within.then_some(double as i64)
}
