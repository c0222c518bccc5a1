//! Answers questions of one feature crate from another, and sets stand-ins in.

use billing::{Billing, Interval, Plans};
use content::{Content, EmbedLookup};
use db::WriteTx;
use kernel::OrgId;
use media::Media;
use sea_orm::{DatabaseConnection, DbErr};

use crate::settings::Settings;

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
