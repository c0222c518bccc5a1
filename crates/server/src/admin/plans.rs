//! `vitrine admin org plan`.

use billing::{PurchaseChange, PurchaseHistory};
use kernel::{ProvisionId, Uid, iso};
use sea_orm::ActiveEnum as _;
use tokio::sync::mpsc::Sender;

use super::line::Line;
use super::plan_line::{PurchaseChangeLine, PurchaseLine};
use super::{Admin, CommandError, failed, send_line};

impl Admin {
    pub(super) async fn show_plan(&self, id: Uid, out: &Sender<Line>) -> Result<Line, CommandError> {
        let found = self.billing.purchase_histories(id).await?;
        if found.is_empty() {
            return failed(format!(
                "no purchase has the id {id}, or that organisation or billing account; a deleted organisation is no \
                 longer paid for, so use the id of its account"
            ));
        }
        let purchases = found.len() as u64;
        for purchase in found {
            let uid = purchase.uid;
            send_line(out, Line::Purchase(Box::new(purchase_line(&purchase)))).await?;
            for change in purchase.changes {
                send_line(out, Line::PurchaseChange(change_line(uid, change))).await?;
            }
        }
        Ok(Line::Purchases { purchases })
    }
}

fn purchase_line(purchase: &PurchaseHistory) -> PurchaseLine {
    PurchaseLine {
        uid: purchase.uid,
        account: purchase.account,
        org: purchase.org,
        plan: purchase.plan.clone(),
        state: purchase.state.to_value(),
        reason: purchase.reason.map(|reason| reason.to_value()),
        unpaid_since: purchase.unpaid_since.map(iso),
        status: purchase.status.map(|status| status.to_value()),
        asked: iso(purchase.asked_at),
        created: iso(purchase.created_at),
    }
}

fn change_line(purchase: ProvisionId, change: PurchaseChange) -> PurchaseChangeLine {
    PurchaseChangeLine {
        purchase,
        time: iso(change.at),
        from: change.from.to_value(),
        to: change.to.to_value(),
        reason: change.reason.map(|reason| reason.to_value()),
        cause: change.cause.to_value(),
        cause_id: change.cause_id,
        event: change.event,
    }
}
