//! Completes the OpenAPI document with what the operations do not declare themselves.

use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

use crate::public;

const JSON: &str = "application/json";

/// Sets title, version and description, and adds the error responses that layers and extractors produce for
/// many operations.
pub fn complete(document: &mut OpenApi) {
    document.info.title = format!("{} API", kernel::PRODUCT);
    document.info.version = public::VERSION.to_owned();
    document.info.description =
        Some("Lists are {data:[…]}, errors are {status, code, message, fields}.".to_owned());
    document.info.license = None;
    document.info.contact = None;
    let calls = document.paths.paths.iter_mut().filter(|(path, _)| path.starts_with("/v1/"));
    for operation in calls.flat_map(|(_, item)| operations(item)) {
        declare(operation, "429");
        let takes_json = |body: &RefOr<RequestBody>| match body {
            RefOr::T(body) => body.content.contains_key(JSON),
            RefOr::Ref(_) => false,
        };
        if operation.request_body.as_ref().is_some_and(takes_json) {
            for status in ["400", "408", "413", "415"] {
                declare(operation, status);
            }
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// Adds an error response unless the operation declares the status itself.
fn declare(operation: &mut Operation, status: &str) {
    operation.responses.responses.entry(status.to_owned()).or_insert_with(|| error_response(status).into());
}

fn error_response(status: &str) -> Response {
    let description = match status {
        "400" => "invalid body",
        "408" => "the body arrived too slowly",
        "413" => "the body is too large",
        "415" => "the body is not application/json",
        _ => "too many requests; retry after the time in Retry-After",
    };
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    ResponseBuilder::new().description(description).content(JSON, problem).build()
}
