//! From JSON values to the types of contracts and back, without loss.

use std::fmt;

use serde_json::{Map, Value};

pub(crate) use crate::json::Json;
use crate::refusal::Refusal;
use crate::strict::read;
use crate::table::table;
use crate::validate::{judged, Judging, Violation};

/// A type that stands for a contract in one version.
pub trait Contract: Json {
    /// The contract that the type was made from, as `name@version`.
    const CONTRACT: &'static str;

    /// The value as this type. It must have the type's shape (required properties, types); whether it keeps
    /// the whole contract is told by [`Contract::violations`] and [`crate::validate`].
    fn decode(value: Value) -> Result<Self, Invalid> {
        let violations = judged(&value, table().contract(Self::CONTRACT), Judging::Shape);
        let invalid = Invalid {
            contract: Self::CONTRACT,
            violations,
        };
        if invalid.violations.is_empty() {
            Self::from_json(value).ok_or(invalid)
        } else {
            Err(invalid)
        }
    }

    /// The value with everything that was read. A number that JSON has not (NaN, infinity) becomes its name
    /// as text, so that no validator lets it pass.
    fn encode(&self) -> Value {
        self.to_json()
    }

    /// Every way in which it breaks its contract.
    fn violations(&self) -> Vec<Violation> {
        judged(
            &self.encode(),
            table().contract(Self::CONTRACT),
            Judging::Everything,
        )
    }

    /// Reads strict JSON text that keeps the contract.
    fn from_slice(raw: &[u8]) -> Result<Self, Error> {
        let value = read(raw)?;
        let violations = judged(
            &value,
            table().contract(Self::CONTRACT),
            Judging::Everything,
        );
        if violations.is_empty() {
            Ok(Self::decode(value)?)
        } else {
            Err(Error::Invalid(Invalid {
                contract: Self::CONTRACT,
                violations,
            }))
        }
    }
}

/// A value that is not what its contract asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The contract, as `name@version`.
    pub contract: &'static str,
    /// Every way in which it is not.
    pub violations: Vec<Violation>,
}

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the value breaks {}:", self.contract)?;
        for violation in self.violations.iter().take(5) {
            write!(formatter, "\n  {violation}")?;
        }
        match self.violations.len().saturating_sub(5) {
            0 => Ok(()),
            more => write!(formatter, "\n  and {more} more"),
        }
    }
}

impl std::error::Error for Invalid {}

/// Why a text is not a document of its contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// It is no strict JSON.
    Refused(Refusal),
    /// It breaks its contract.
    Invalid(Invalid),
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(refusal) => refusal.fmt(formatter),
            Error::Invalid(invalid) => invalid.fmt(formatter),
        }
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(refusal)
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Error::Invalid(invalid)
    }
}

/// The members of an object that is being read, each taken once.
pub(crate) struct Fields(Vec<(String, Option<Value>)>);

#[allow(dead_code)] // Not every folder of contracts has properties of each kind.
impl Fields {
    pub(crate) fn of(value: Value) -> Option<Self> {
        match value {
            Value::Object(members) => Some(Fields(
                members
                    .into_iter()
                    .map(|(key, member)| (key, Some(member)))
                    .collect(),
            )),
            _ => None,
        }
    }

    fn slot(&mut self, name: &str) -> Option<&mut Option<Value>> {
        self.0
            .iter_mut()
            .find(|(key, _)| key == name)
            .map(|(_, member)| member)
    }

    /// A required property.
    pub(crate) fn required<T: Json>(&mut self, name: &str) -> Option<T> {
        T::from_json(self.slot(name)?.take()?)
    }

    /// A property that may be absent or null; a null is left to be found among the rest.
    pub(crate) fn optional<T: Json>(&mut self, name: &str) -> Option<Option<T>> {
        match self.slot(name) {
            Some(member) if !matches!(member, Some(Value::Null) | None) => {
                T::from_json(member.take()?).map(Some)
            }
            _ => Some(None),
        }
    }

    /// A property that may be absent and may hold any value.
    pub(crate) fn any(&mut self, name: &str) -> Option<Option<Value>> {
        Some(self.slot(name).and_then(Option::take))
    }

    /// What was not taken.
    pub(crate) fn rest(&mut self) -> Map<String, Value> {
        let left = std::mem::take(&mut self.0);
        left.into_iter()
            .filter_map(|(key, member)| Some((key, member?)))
            .collect()
    }
}

/// Writes a property that may be absent; one that was read as null is null again.
#[allow(dead_code)]
pub(crate) fn put<T: Json>(
    members: &mut Map<String, Value>,
    name: &str,
    value: Option<&T>,
    extra: &Map<String, Value>,
) {
    if let Some(value) = value {
        members.insert(name.to_owned(), value.to_json());
    } else if extra.get(name).is_some_and(Value::is_null) {
        members.insert(name.to_owned(), Value::Null);
    }
}

/// The object with what no property names added.
pub(crate) fn with_extra(mut members: Map<String, Value>, extra: &Map<String, Value>) -> Value {
    for (key, value) in extra {
        if !members.contains_key(key) {
            members.insert(key.clone(), value.clone());
        }
    }
    Value::Object(members)
}

/// Makes a type the one of a contract, and lets `serde` read and write it.
macro_rules! contract {
    ($type:ident, $contract:literal) => {
        impl $crate::contract::Contract for $type {
            const CONTRACT: &'static str = $contract;
        }

        impl serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serde_core::Serialize::serialize(&$crate::contract::Json::to_json(self), serializer)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let value =
                    <serde_json::Value as serde_core::Deserialize>::deserialize(deserializer)?;
                $crate::contract::Contract::decode(value).map_err(serde_core::de::Error::custom)
            }
        }
    };
}

pub(crate) use contract;
