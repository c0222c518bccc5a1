//! Answers questions of one feature crate from another, and sets stand-ins in.

use billing::{Billing, Interval, Plans};
use content::{Content, EmbedLookup};
use db::WriteTx;
use identity::SignInSettings;
use kernel::{OrgId, Secret, Signer};
use media::Media;
use sandbox::OpenIdClients;
use sea_orm::{DatabaseConnection, DbErr};

use crate::bootstrap::Bootstrap;
use crate::settings::Settings;

type BoxError = Box<dyn std::error::Error>;

/// Adapter from billing's plan limits to content's quota.
pub struct PlanQuota(pub Billing);

#[async_trait::async_trait]
impl content::Quota for PlanQuota {
    async fn limits(&self, tx: &WriteTx, org: OrgId) -> Result<content::Limits, DbErr> {
        let limits = self.0.limits_of(tx, org).await?;
        Ok(content::Limits {
            file_bytes: limits.file_bytes.unwrap_or(u64::MAX),
            total_bytes: limits.storage_bytes,
        })
    }

    async fn sharing(&self, tx: &WriteTx, org: OrgId) -> Result<Vec<OrgId>, DbErr> {
        self.0.sharing_storage(tx, org).await
    }
}

/// Reports to billing how much an organisation stores.
pub struct ContentStorage(pub Content);

#[async_trait::async_trait]
impl billing::StorageUse for ContentStorage {
    async fn charged(&self, read: &DatabaseConnection, org: OrgId) -> Result<u64, DbErr> {
        Ok(self.0.storage_use(read, org).await?.charged)
    }
}

/// Tells analytics how far back a plan shows numbers.
pub struct ShownMonths(pub Billing);

#[async_trait::async_trait]
impl analytics::Horizon for ShownMonths {
    async fn months(&self, read: &DatabaseConnection, org: OrgId) -> Result<Option<u32>, DbErr> {
        Ok(self.0.limits_of(read, org).await?.analytics_months)
    }
}

/// Returns what the plans cost in the sandbox.
pub fn sandbox_prices(plans: &Plans) -> Vec<sandbox::Price> {
    let price = |plan: &billing::Plan| sandbox::Price {
        plan: plan.id.clone(),
        title: plan.title.clone(),
        amount: plan.sandbox_price.into(),
        currency: plan.sandbox_currency.clone(),
        months: if plan.interval == Interval::Month { 1 } else { 12 },
    };
    plans.all().iter().map(price).collect()
}

/// Logs what the media tools cannot do on this machine. The first question runs them, which takes a fraction
/// of a second, so it must not delay a start.
pub fn warn_about_media(media: &Media) {
    let video = media.missing().or_else(|| media.confinement_warning());
    let documents = media.missing_for_documents().or_else(|| media.confinement_warning_for_documents());
    for warning in video.into_iter().chain(documents) {
        tracing::warn!("{warning}");
    }
}

/// Creates the sandbox's sign-in providers and enters them into the settings where no real provider is
/// configured.
pub fn stand_in_openid(
    bootstrap: &Bootstrap,
    sign_in: &mut SignInSettings,
) -> Result<OpenIdClients, BoxError> {
    let google_secret = Secret::new(derived(&bootstrap.signer, "sandbox-google"));
    let (clients, apple_key) = OpenIdClients::fresh(google_secret)?;
    if sign_in.oidc_google_client_id.is_empty() {
        sign_in.oidc_google_issuer = bootstrap.public.at("/sandbox/oidc/google");
        sign_in.oidc_google_client_id.clone_from(&clients.google.client_id);
        sign_in.oidc_google_client_secret = clients.google.client_secret.clone();
    }
    if sign_in.oidc_apple_client_id.is_empty() {
        sign_in.oidc_apple_issuer = bootstrap.public.at("/sandbox/oidc/apple");
        sign_in.oidc_apple_client_id.clone_from(&clients.apple.client_id);
        sign_in.oidc_apple_team_id.clone_from(&clients.apple.team_id);
        sign_in.oidc_apple_key_id.clone_from(&clients.apple.key_id);
        sign_in.apple_key = apple_key;
    }
    Ok(clients)
}

/// Returns a key that belongs to the server's secret, in hexadecimal digits.
pub fn derived(signer: &Signer, purpose: &str) -> String {
    hex::encode(signer.derive(purpose))
}

/// Returns what asks the video hosts, unless it is off. In the sandbox, the stand-in answers for them.
pub fn embed_lookup(settings: &Settings) -> Result<Option<EmbedLookup>, String> {
    match (settings.content.embed_lookups, settings.server.sandbox) {
        (false, _) => Ok(None),
        (true, false) => EmbedLookup::new().map(Some),
        (true, true) => {
            EmbedLookup::stand_in(&format!("http://{}/sandbox/videos", settings.server.listen)).map(Some)
        }
    }
}
