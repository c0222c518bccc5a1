//! The sign-in page, which accepts any name and email.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use httpkit::{Refusal, unexpected};
use minijinja::context;
use sea_orm::DbErr;

use super::answer::back;
use super::codes::Grant;
use super::keys::encoded;
use super::person::{Faults, Person};
use super::request::{Known, Mode, Refused, Request};
use super::{Issuer, Provider};
use crate::store::{self, Kind, NewObject};
use crate::stripe::Fields;

/// The form as typed so far.
struct Typed<'a> {
    name: &'a str,
    email: &'a str,
    verified: bool,
}

pub(super) async fn show(State(issuer): State<Issuer>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    match read(&issuer, &query) {
        Ok(request) => {
            let typed = Typed { name: "", email: &request.hint, verified: true };
            page(&issuer, StatusCode::OK, &query, &typed, &Faults::default())
        }
        Err(refused) => refuse(&issuer, refused),
    }
}

/// Handles the form. It is posted to the page's own address, so the request is parsed again and no state is
/// kept.
pub(super) async fn submit(State(issuer): State<Issuer>, RawQuery(query): RawQuery, body: Bytes) -> Response {
    let query = query.unwrap_or_default();
    let request = match read(&issuer, &query) {
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
        return back(&issuer, request.mode, &fields);
    }
    let text = |name: &str| fields.get(name).unwrap_or_default();
    let typed =
        Typed { name: text("name"), email: text("email"), verified: fields.get("email_verified").is_some() };
    match Person::new(typed.name, typed.email, typed.verified) {
        Err(faults) => page(&issuer, StatusCode::UNPROCESSABLE_ENTITY, &query, &typed, &faults),
        Ok(person) => match grant(&issuer, request, person).await {
            Ok(response) => response,
            Err(error) => Refusal(unexpected(&error)).into_response(),
        },
    }
}

fn read(issuer: &Issuer, query: &str) -> Result<Request, Refused> {
    let callback = issuer.callback();
    let known = Known { provider: issuer.provider, client_id: issuer.client_id(), callback: &callback };
    Request::read(query, &known)
}

fn refuse(issuer: &Issuer, refused: Refused) -> Response {
    match refused {
        Refused::Shown(why) => {
            let title = format!("{} cannot sign you in", issuer.provider.name());
            issuer.sandbox.pages().notice(StatusCode::BAD_REQUEST, &title, why, "Back", "/")
        }
        Refused::Told { error, why, mode, state } => {
            let fields = vec![("error", error.to_owned()), ("error_description", why.to_owned())];
            back(issuer, mode, &with_state(fields, state))
        }
    }
}

fn page(issuer: &Issuer, status: StatusCode, query: &str, typed: &Typed<'_>, faults: &Faults) -> Response {
    let name = issuer.provider.name();
    let values = context! {
        provider => name, path => issuer.provider.path(), query => query,
        name => typed.name, email => typed.email, verified => typed.verified,
        faults => context! { name => faults.name, email => faults.email },
    };
    issuer.sandbox.pages().show(status, "oidc_sign_in.html", &format!("Sign in with {name}"), values)
}

/// Issues a code and sends the browser back with it.
async fn grant(issuer: &Issuer, request: Request, person: Person) -> Result<Response, DbErr> {
    let ambient = &issuer.sandbox.parts().ambient;
    let code = encoded(&ambient.bytes::<32>());
    let mut fields = with_state(vec![("code", code.clone())], request.state.clone());
    let tells = request.asks("name") || request.asks("email");
    if issuer.provider == Provider::Apple && tells && is_first(issuer, &person).await? {
        fields.push(("user", person.user(|scope| request.asks(scope)).to_string()));
    }
    let mode: Mode = request.mode;
    issuer.openid().codes.keep(code, Grant { provider: issuer.provider, person, request }, ambient.now());
    Ok(back(issuer, mode, &fields))
}

/// Returns whether the address signs in for the first time, and records it. The record outlives restarts.
async fn is_first(issuer: &Issuer, person: &Person) -> Result<bool, DbErr> {
    let subject = person.subject(issuer.provider);
    let new = NewObject {
        id: format!("apple_{subject}"),
        kind: Kind::Person,
        owner: subject,
        reference: String::new(),
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
