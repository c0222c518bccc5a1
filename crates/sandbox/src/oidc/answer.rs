//! Sends the answer to the client: by a redirect, or by a page whose form submits itself.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use minijinja::context;
use minijinja::value::Value;

use super::Issuer;
use super::request::ResponseMode;

/// Address of the form's script. The content security policy forbids inline scripts.
pub(super) const SCRIPT: &str = "/sandbox/oidc/answer.js";

/// Sends the browser to the callback with these fields.
pub(super) fn respond(issuer: &Issuer, mode: ResponseMode, fields: &[(&'static str, String)]) -> Response {
    let target = issuer.callback();
    match mode {
        ResponseMode::Query => {
            let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            let headers =
                [(header::LOCATION, format!("{target}?{query}")), (header::CACHE_CONTROL, "no-store".into())];
            (StatusCode::FOUND, headers).into_response()
        }
        ResponseMode::FormPost => {
            let fields: Vec<Value> = fields
                .iter()
                .map(|(name, value)| context! { name => *name, value => value.as_str() })
                .collect();
            let values = context! {
                provider => issuer.provider.name(), target => target, fields => fields, script => SCRIPT,
            };
            issuer.sandbox.pages().render(StatusCode::OK, "oidc_answer.html", "Signing in", values)
        }
    }
}

/// Serves the script that submits the form.
pub(super) async fn script() -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];
    (kind, include_str!("answer.js"))
}
