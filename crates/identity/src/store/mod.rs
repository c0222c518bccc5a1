//! All SQL of this crate, by table.
pub mod mailed_code;
pub mod password;
pub mod person;
pub mod provider_identity;
pub mod provider_sign_in;
pub mod session;
pub mod sign_in_attempt;
pub mod token_key;
