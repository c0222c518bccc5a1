//! The provider calls about our own account there.

use crate::form::Form;
use crate::provider::PAGE_MAX;
use crate::read::{self, data, id_of};
use crate::{PaymentError, Provider, Source, WebhookEndpoint};

impl Provider {
    /// Returns whether the key takes real money.
    pub fn live_mode(&self) -> bool {
        self.live_mode
    }

    /// Returns where answers come from: the provider's account that the key belongs to, and its mode. `None` if the
    /// key may not read that account.
    pub async fn source(&self) -> Result<Option<Source>, PaymentError> {
        let account = self.account.get_or_try_init(|| async { self.read_account().await }).await?;
        let live_mode = self.live_mode;
        Ok(account.clone().map(|account| Source { account, live_mode }))
    }

    async fn read_account(&self) -> Result<Option<String>, PaymentError> {
        match self.client.get("account", &Form::default()).await {
            Ok(answer) => Ok(Some(id_of(&answer)?)),
            Err(error @ (PaymentError::NotFound | PaymentError::Refused { status: 403, .. })) => {
                tracing::warn!(%error, "the key may not read its account at the payment provider");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the webhook endpoints of the account.
    pub async fn webhook_endpoints(&self) -> Result<Vec<WebhookEndpoint>, PaymentError> {
        let query = Form::default().with("limit", PAGE_MAX.to_string());
        let answer = self.client.get("webhook_endpoints", &query).await?;
        Ok(data(&answer, "no list of webhook endpoints")?.iter().filter_map(read::webhook_endpoint).collect())
    }
}
