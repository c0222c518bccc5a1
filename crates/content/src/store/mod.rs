//! All SQL of this crate, one file per table or topic.
pub mod backup;
pub mod content;
pub mod creator;
pub mod deleted;
pub mod delivery;
pub mod draft;
pub mod embed;
pub mod grant;
pub mod image;
pub mod matching;
pub mod object;
pub mod processing_run;
pub mod purge;
pub mod references;
pub mod resumable;
pub mod storage_identity;
pub mod upload;
mod widths;
