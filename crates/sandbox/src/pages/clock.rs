//! The page of the test clock.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use httpkit::ApiError;
use minijinja::context;

use super::readable;
use crate::Sandbox;
use crate::api::{days, problem};
use crate::stripe::Fields;

pub(super) async fn show(State(sandbox): State<Sandbox>) -> Response {
    page(&sandbox, StatusCode::OK, "1", None)
}

pub(super) async fn submit(State(sandbox): State<Sandbox>, body: Bytes) -> Response {
    let fields = Fields::parse(&body);
    let input = fields.get("days").unwrap_or_default().trim().to_owned();
    let Some(by) = input.replace(',', ".").parse().ok().and_then(days) else {
        let why = "Enter a number of days from 0 to 3660.";
        return page(&sandbox, StatusCode::UNPROCESSABLE_ENTITY, &input, Some(why));
    };
    match crate::clock::advance(&sandbox, by).await {
        Ok(()) => Redirect::to("/sandbox/clock").into_response(),
        Err(refused) => ApiError(problem(refused)).into_response(),
    }
}

fn page(sandbox: &Sandbox, status: StatusCode, input: &str, error: Option<&str>) -> Response {
    let values = context! { now => readable(sandbox.now()), days => input, error => error };
    sandbox.pages().render(status, "clock.html", "Clock", values)
}
