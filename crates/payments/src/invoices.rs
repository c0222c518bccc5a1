//! The provider calls about invoices: what is open, what is shown, and what is paid back.

use kernel::{Timestamp, Uid};
use serde_json::Value;

use crate::form::Form;
use crate::provider::PAGE_MAX;
use crate::read::{self, data, reference, seconds, segment, text};
use crate::{Card, Invoice, PaymentError, Provider, Refund};

/// An invoice that waits for its payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenInvoice {
    pub(crate) created: Timestamp,
    /// How often the provider has tried to take the payment.
    pub(crate) attempts: u32,
    /// When it tries again; `None` if it does not.
    pub(crate) next_attempt_at: Option<Timestamp>,
}

fn status(invoice: &Value) -> String {
    text(invoice, "/status").unwrap_or_default()
}

impl Provider {
    /// Returns the open invoices after the last paid one, newest first. Older ones that are still open do not count:
    /// the provider takes a subscription for paid once its latest invoice is.
    pub(crate) async fn open_since_paid(&self, subscription: &str) -> Result<Vec<OpenInvoice>, PaymentError> {
        let newest_first = self.invoices_of(subscription).await?;
        let since_paid = newest_first.iter().take_while(|invoice| status(invoice) != "paid");
        let open = since_paid.filter(|invoice| status(invoice) == "open");
        let open = open.filter_map(|invoice| {
            let attempts = invoice.pointer("/attempt_count").and_then(Value::as_u64).unwrap_or_default();
            Some(OpenInvoice {
                created: seconds(invoice, "/created")?,
                attempts: u32::try_from(attempts).unwrap_or(u32::MAX),
                next_attempt_at: seconds(invoice, "/next_payment_attempt"),
            })
        });
        Ok(open.collect())
    }

    /// Returns the last invoices of a subscription, newest first.
    async fn invoices_of(&self, subscription: &str) -> Result<Vec<Value>, PaymentError> {
        let query = Form::default().with("subscription", subscription).with("limit", PAGE_MAX.to_string());
        let answer = self.client.get("invoices", &query).await?;
        Ok(data(&answer, "no list of invoices")?.clone())
    }

    /// Voids the open invoices of a subscription, which can no longer be paid then.
    pub async fn void_open_invoices(&self, subscription: &str) -> Result<(), PaymentError> {
        for invoice in self.invoices_of(subscription).await? {
            if let Some(id) = text(&invoice, "/id").filter(|_| status(&invoice) == "open") {
                self.void_invoice(&id).await?;
            }
        }
        Ok(())
    }

    /// Voids an open invoice. Returns false if it is not open any more.
    pub async fn void_invoice(&self, id: &str) -> Result<bool, PaymentError> {
        let key = format!("void-{}", self.ambient.uid::<Uid>());
        let path = format!("invoices/{}/void", segment(id));
        match self.client.post(&path, &Form::default(), &key).await {
            Ok(_) => Ok(true),
            Err(PaymentError::Refused { status: 400, .. } | PaymentError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the last invoices of a customer, newest first, without drafts.
    pub async fn invoices(&self, customer: &str) -> Result<Vec<Invoice>, PaymentError> {
        let query = Form::default().with("customer", customer).with("limit", PAGE_MAX.to_string());
        let answer = self.client.get("invoices", &query).await?;
        Ok(data(&answer, "no list of invoices")?.iter().filter_map(read::invoice).collect())
    }

    /// Returns the card that pays: the one of the subscription, or else the customer's default one.
    pub async fn card(
        &self,
        customer: &str,
        subscription: Option<&str>,
    ) -> Result<Option<Card>, PaymentError> {
        let mut method = None;
        if let Some(id) = subscription {
            let answer = self.client.get(&format!("subscriptions/{}", segment(id)), &Form::default()).await?;
            method = reference(&answer, "default_payment_method");
        }
        if method.is_none() {
            let answer =
                self.client.get(&format!("customers/{}", segment(customer)), &Form::default()).await?;
            method = reference(&answer, "invoice_settings/default_payment_method");
        }
        let Some(method) = method else { return Ok(None) };
        let answer =
            self.client.get(&format!("payment_methods/{}", segment(&method)), &Form::default()).await?;
        Ok(read::card(&answer))
    }

    /// Cancels a subscription immediately, voids its open invoices and returns each payment, for a purchase that
    /// should not have been possible. Safe to repeat: a payment is returned once. Fails if a payment was made outside
    /// the provider, so that it cannot be returned.
    pub async fn cancel_and_refund(&self, id: &str) -> Result<Refund, PaymentError> {
        self.cancel(id).await?;
        let mut refund = Refund::NothingPaid;
        for invoice in self.invoices_of(id).await? {
            let Some(id) = text(&invoice, "/id") else { continue };
            let paid = invoice.pointer("/amount_paid").and_then(Value::as_i64).unwrap_or_default();
            match status(&invoice).as_str() {
                "open" => {
                    self.void_invoice(&id).await?;
                }
                "paid" if paid > 0 => {
                    self.refund_invoice(&id).await?;
                    refund = Refund::Returned;
                }
                _ => {}
            }
        }
        Ok(refund)
    }

    async fn refund_invoice(&self, invoice: &str) -> Result<(), PaymentError> {
        let query = Form::default().with("invoice", invoice).with("status", "paid");
        let answer = self.client.get("invoice_payments", &query).await?;
        let payments: Vec<(&str, String)> = data(&answer, "no list of payments")?
            .iter()
            .filter_map(|one| {
                let of = |kind: &'static str| reference(one, &format!("payment/{kind}")).map(|id| (kind, id));
                of("payment_intent").or_else(|| of("charge"))
            })
            .collect();
        if payments.is_empty() {
            return Err(PaymentError::Unreadable("a paid invoice without a payment that can be returned"));
        }
        for (kind, id) in payments {
            let form = Form::default().with(kind, id.clone());
            // A new key for each attempt: the provider repeats its first answer to a key for a day, failures too.
            let key = format!("refund-{id}-{}", self.ambient.uid::<Uid>());
            match self.client.post("refunds", &form, &key).await {
                Ok(_) => {}
                Err(PaymentError::Refused { code, .. }) if code == "charge_already_refunded" => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
