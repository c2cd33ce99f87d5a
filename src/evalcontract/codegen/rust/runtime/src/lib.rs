#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod contract;
mod data;
mod declared;
mod lines;
mod pattern;
mod strict;
mod table;
mod text;
#[rustfmt::skip]
pub mod types;
mod validate;

pub use contract::{Contract, Error, Invalid, Json};
pub use declared::{validate_dataset, validate_item, Origin, Verdict};
pub use lines::{items, Items, Line};
pub use strict::{read, Refusal};
pub use validate::{bundle, is_valid, validate, Severity, UnknownContract, Violation};
