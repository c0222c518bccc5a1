#![doc = include_str!("../README.md")]

mod address;
mod conditional;
mod connections;
mod csv;
mod error;
mod extract;
#[doc(hidden)]
pub mod fuzzing;
mod json;
mod layers;
mod pace;
mod page;
mod permission;
mod sendfile;
mod serve;
mod unread;

pub use address::{ClientAddress, TrustedHops};
pub use conditional::is_not_modified;
pub use csv::csv_file;
pub use error::{ApiError, ApiResult, unexpected};
pub use extract::{Body, Path, Query, RawBody, is_about_data, read_json};
pub use json::LongJson;
pub use layers::{RequestId, RequestTracing, security_headers, trace_requests};
pub use pace::{BodyPace, pace_bodies};
pub use page::{List, PageQuery, parse_org_id, parse_time, parse_uid, search_text};
pub use permission::Permission;
pub use sendfile::FilePart;
pub use serve::{ServeSettings, serve};

/// Router that builds the OpenAPI document as routes are added.
pub type Api = utoipa_axum::router::OpenApiRouter;
