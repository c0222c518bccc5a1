//! What every HTTP handler of Vitrine needs: problems as answers, extractors that explain themselves,
//! paging, request ids, security headers, the caller's address, and the accept loop.

mod address;
mod connections;
mod extract;
mod layers;
mod pace;
mod page;
mod permission;
mod refusal;
mod serve;
mod wire;

pub use address::{ClientAddress, TrustedHops};
pub use extract::{Body, Path, Query, RawBody};
pub use layers::{RequestId, RequestIds, security_headers, trace_requests};
pub use pace::{BodyPace, pace_bodies};
pub use page::{List, PageQuery, parse_time, parse_uid, search_text};
pub use permission::Permission;
pub use refusal::{Refusal, Reply, unexpected};
pub use serve::{ServeSettings, serve};
pub use wire::FilePart;

/// A router that writes the OpenAPI document while routes are added to it.
pub type Api = utoipa_axum::router::OpenApiRouter;
