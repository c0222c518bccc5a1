//! `POST /auth/oidc/redeem`: exchanges the result of a provider sign-in for a session.

use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use db::WriteTx;
use httpkit::{ApiResult, Body};
use kernel::{Email, Patch, Problem};
use mail::EmailMessage;
use serde::Deserialize;

use crate::client_info::ClientInfo;
use crate::codes;
use crate::model::{Person, ProfileChange};
use crate::openid::{Claims, ProviderName};
use crate::refresh::App;
use crate::session_start::{self, NewSession};
use crate::store::provider_sign_in as pending_sign_in;
use crate::{Error, Identity, SessionOut, confirmation, store};

/// The code from the popup, and the secret whose hash was sent as challenge.
#[derive(Deserialize, utoipa::ToSchema)]
pub struct ProviderRedeemIn {
    code: String,
    secret: String,
    /// The app to sign in to; each has its own session.
    #[serde(default)]
    app: App,
}

/// Sign in through a provider
///
/// An existing account with the same address is linked only if the provider has verified the address. If it
/// was not verified here before, everything set up in the account until then is deleted.
#[utoipa::path(post, path = "/auth/oidc/redeem", tag = "identity", request_body = ProviderRedeemIn, responses(
    (status = 200, body = SessionOut), (status = 400, body = Problem), (status = 409, body = Problem),
    (status = 429, body = Problem),
))]
pub async fn redeem_provider_sign_in(
    State(identity): State<Identity>,
    client: ClientInfo,
    Body(input): Body<ProviderRedeemIn>,
) -> ApiResult<NewSession> {
    Ok(redeem(&identity, &input, &client).await?)
}

async fn redeem(
    identity: &Identity,
    input: &ProviderRedeemIn,
    client: &ClientInfo,
) -> Result<NewSession, Error> {
    let challenge = URL_SAFE_NO_PAD.encode(codes::hash(&input.secret));
    let code = codes::hash(&input.code);
    let tx = identity.db.write_tx().await?;
    let row = pending_sign_in::use_up(&tx, &code, &challenge, identity.ambient.now()).await?;
    let answer = row.map(pending_sign_in::answer).transpose()?.flatten();
    let (provider, claims) = answer.ok_or(Error::DeadSignIn)?;
    let (person, is_new) = match person_of(identity, &tx, provider, &claims).await {
        Ok(found) => found,
        // Nothing else was written yet. The commit makes sure that the code is used up.
        Err(error @ (Error::NoAddress(_) | Error::UnverifiedByProvider(_))) => {
            tx.commit().await?;
            return Err(error);
        }
        Err(error) => return Err(error),
    };
    session_start::open(identity, tx, (&person, is_new), client, input.app).await
}

/// Returns the person linked to an identity, linking or creating one if necessary, and whether it was
/// created.
async fn person_of(
    identity: &Identity,
    tx: &WriteTx,
    provider: ProviderName,
    claims: &Claims,
) -> Result<(Person, bool), Error> {
    let now = identity.ambient.now();
    let email = claims.email.as_deref().and_then(Email::parse);
    lock(tx, claims, email.as_ref()).await?;
    if let Some(uid) = store::provider_identity::person_of(tx, claims).await? {
        let mut person = store::person::by_uid(tx, uid).await?.ok_or(Error::DeadSignIn)?;
        let is_verified_now = claims.is_verified && email.is_some_and(|email| email.as_str() == person.email);
        if is_verified_now && !person.is_verified {
            // An unverified address has a single sign-in method, so this identity created the person.
            session_start::confirm(identity, tx, &mut person).await?;
        }
        return Ok((person, false));
    }
    let email = email.ok_or(Error::NoAddress(provider))?;
    let (person, is_new) = match store::person::by_email(tx, &email).await? {
        Some(_) if !claims.is_verified => return Err(Error::UnverifiedByProvider(provider)),
        Some(mut person) => {
            if session_start::mark_verified(identity, tx, &mut person).await?.password {
                session_start::notify_password_removed(identity, tx, &person).await?;
            }
            (person, false)
        }
        None => (create_person(identity, tx, &email, claims).await?, true),
    };
    store::provider_identity::insert(tx, provider, claims, person.uid, now).await?;
    notify(identity, tx, provider, &person, is_new).await?;
    Ok((person, is_new))
}

/// Locks everything that decides whose identity this is: first the identity, so that no other request links
/// it; then the addresses of the linked person and of the claims, so that no other request verifies one of
/// them. The addresses are locked in sorted order to prevent deadlocks.
async fn lock(tx: &WriteTx, claims: &Claims, email: Option<&Email>) -> Result<(), Error> {
    tx.lock(store::person::lock_id(&format!("{} {}", claims.issuer, claims.subject))).await?;
    let linked = match store::provider_identity::person_of(tx, claims).await? {
        Some(uid) => store::person::by_uid(tx, uid).await?,
        None => None,
    };
    let linked = linked.map(|person| store::person::lock_id(&person.email));
    let mut locks: Vec<_> = linked.into_iter().chain(email.map(store::person::address_lock)).collect();
    locks.sort();
    locks.dedup();
    for subject in locks {
        tx.lock(subject).await?;
    }
    Ok(())
}

/// Notifies an existing person of the new sign-in method. Asks a new person to confirm an address that the
/// provider has not verified.
async fn notify(
    identity: &Identity,
    tx: &WriteTx,
    provider: ProviderName,
    person: &Person,
    is_new: bool,
) -> Result<(), Error> {
    if !is_new {
        return identity
            .enqueue_email(tx, person, &EmailMessage::ProviderAdded { provider: provider.title() })
            .await;
    }
    if person.is_verified {
        return Ok(());
    }
    confirmation::send_first(identity, tx, &store::person::address(person)?).await
}

/// Creates a person with the name shared by the provider.
async fn create_person(
    identity: &Identity,
    tx: &WriteTx,
    email: &Email,
    claims: &Claims,
) -> Result<Person, Error> {
    let (uid, now) = (identity.ambient.uid(), identity.ambient.now());
    let person = store::person::insert(tx, uid, email, claims.is_verified, now).await?;
    let non_empty = |text: &String| (!text.is_empty()).then(|| text.clone());
    let names = ProfileChange {
        first_name: non_empty(&claims.first_name),
        last_name: non_empty(&claims.last_name),
        display_name: non_empty(&claims.display_name).map_or(Patch::Absent, Patch::Value),
        ..ProfileChange::default()
    };
    Ok(store::person::change(tx, uid, names, now).await?.unwrap_or(person))
}
