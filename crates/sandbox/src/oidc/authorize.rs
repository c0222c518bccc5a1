//! The sign-in page, which accepts any name and email.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use httpkit::{ApiError, unexpected};
use minijinja::context;
use sea_orm::DbErr;

use super::answer::respond;
use super::codes::Grant;
use super::keys::encoded;
use super::person::{FieldErrors, Person};
use super::request::{AuthorizeError, RegisteredClient, Request, ResponseMode};
use super::{Issuer, Provider};
use crate::store::{self, Kind, NewObject};
use crate::stripe::Fields;

/// The form as typed so far.
struct SignInForm<'a> {
    name: &'a str,
    email: &'a str,
    verified: bool,
}

pub(super) async fn show(State(issuer): State<Issuer>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    match parse(&issuer, &query) {
        Ok(request) => {
            let form =
                SignInForm { name: "", email: request.hint.as_deref().unwrap_or_default(), verified: true };
            page(&issuer, StatusCode::OK, &query, &form, &FieldErrors::default())
        }
        Err(refused) => refuse(&issuer, refused),
    }
}

/// Handles the form. It is posted to the page's own address, so the request is parsed again and no state is
/// kept.
pub(super) async fn submit(State(issuer): State<Issuer>, RawQuery(query): RawQuery, body: Bytes) -> Response {
    let query = query.unwrap_or_default();
    let request = match parse(&issuer, &query) {
        Ok(request) => request,
        Err(refused) => return refuse(&issuer, refused),
    };
    let fields = Fields::parse(&body);
    if fields.get("action") == Some("cancel") {
        let error = match issuer.provider {
            Provider::Google => "access_denied",
            Provider::Apple => "user_cancelled_authorize",
        };
        let fields = with_state(vec![("error", error.to_owned())], request.state);
        return respond(&issuer, request.mode, &fields);
    }
    let text = |name: &str| fields.get(name).unwrap_or_default();
    let form = SignInForm {
        name: text("name"),
        email: text("email"),
        verified: fields.get("email_verified").is_some(),
    };
    match Person::new(form.name, form.email, form.verified) {
        Err(errors) => page(&issuer, StatusCode::UNPROCESSABLE_ENTITY, &query, &form, &errors),
        Ok(person) => match grant(&issuer, request, person).await {
            Ok(response) => response,
            Err(error) => ApiError(unexpected(&error)).into_response(),
        },
    }
}

fn parse(issuer: &Issuer, query: &str) -> Result<Request, AuthorizeError> {
    let callback = issuer.callback();
    let client =
        RegisteredClient { provider: issuer.provider, client_id: issuer.client_id(), callback: &callback };
    Request::parse(query, &client)
}

fn refuse(issuer: &Issuer, refused: AuthorizeError) -> Response {
    match refused {
        AuthorizeError::ShownToUser(why) => {
            let title = format!("{} cannot sign you in", issuer.provider.name());
            issuer.sandbox.pages().notice(StatusCode::BAD_REQUEST, &title, why, "Back", "/")
        }
        AuthorizeError::SentToClient { error, why, mode, state } => {
            let fields = vec![("error", error.to_owned()), ("error_description", why.to_owned())];
            respond(issuer, mode, &with_state(fields, state))
        }
    }
}

fn page(
    issuer: &Issuer,
    status: StatusCode,
    query: &str,
    form: &SignInForm<'_>,
    errors: &FieldErrors,
) -> Response {
    let name = issuer.provider.name();
    let values = context! {
        provider => name, path => issuer.provider.path(), query => query,
        name => form.name, email => form.email, verified => form.verified,
        errors => context! { name => errors.name, email => errors.email },
    };
    issuer.sandbox.pages().render(status, "oidc_sign_in.html", &format!("Sign in with {name}"), values)
}

/// Issues a code and sends the browser back with it.
async fn grant(issuer: &Issuer, request: Request, person: Person) -> Result<Response, DbErr> {
    let ambient = &issuer.sandbox.deps().ambient;
    let code = encoded(&ambient.bytes::<32>());
    let mut fields = with_state(vec![("code", code.clone())], request.state.clone());
    let sends_user = request.has_scope("name") || request.has_scope("email");
    if issuer.provider == Provider::Apple && sends_user && is_first(issuer, &person).await? {
        fields.push(("user", person.user(|scope| request.has_scope(scope)).to_string()));
    }
    let mode: ResponseMode = request.mode;
    issuer.openid().codes.insert(code, Grant { provider: issuer.provider, person, request }, ambient.now());
    Ok(respond(issuer, mode, &fields))
}

/// Returns whether the address signs in for the first time, and records it. The record outlives restarts.
async fn is_first(issuer: &Issuer, person: &Person) -> Result<bool, DbErr> {
    let subject = person.subject(issuer.provider);
    let new = NewObject {
        id: format!("apple_{subject}"),
        kind: Kind::Person,
        owner: Some(subject),
        reference: None,
        body: serde_json::Value::Null,
        inner: serde_json::Value::Null,
        due: None,
    };
    let tx = issuer.sandbox.db().write_tx().await?;
    let first = store::insert_once(&tx, new, issuer.sandbox.now()).await?;
    tx.commit().await?;
    Ok(first)
}

fn with_state(mut fields: Vec<(&'static str, String)>, state: Option<String>) -> Vec<(&'static str, String)> {
    fields.extend(state.map(|state| ("state", state)));
    fields
}
