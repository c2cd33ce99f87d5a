#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod choice;
mod contract;
mod data;
mod declared;
mod json;
mod lines;
mod pattern;
mod refusal;
mod strict;
mod strict_number;
mod strict_text;
mod table;
mod text;
#[rustfmt::skip]
pub mod types;
mod validate;

pub use contract::{Contract, Error, Invalid};
pub use declared::{validate_dataset, validate_item, Origin, Verdict};
pub use json::Json;
pub use lines::{items, Items, Line};
pub use refusal::Refusal;
pub use strict::read;
pub use validate::{bundle, is_valid, validate, Severity, UnknownContract, Violation};
