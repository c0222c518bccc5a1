//! `vitrine admin org`, `content` and `storage usage`.

use ::orgs::{AdminRecord, Initiator, OrgSummary};
use kernel::{ContentId, OrgId, Uid, iso};
use sea_orm::ActiveEnum as _;
use tokio::sync::mpsc::Sender;

use super::line::{Line, OrgLine, Usage};
use super::{Admin, CommandError, PAGE, failed, send_line};

impl Admin {
    pub(super) async fn list_organisations(&self, out: &Sender<Line>) -> Result<Line, CommandError> {
        let (mut after, mut organisations) = (OrgId::nil(), 0);
        loop {
            let page = self.orgs.all(after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(Line::Organisations { organisations }) };
            after = last.uid;
            for org in page {
                organisations += 1;
                send_line(out, Line::Organisation(org_line(org))).await?;
            }
        }
    }

    pub(super) async fn delete_organisation(
        &self,
        org: OrgId,
        name: String,
        cancel_plan: bool,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        match self.orgs.delete_as_operator(org, &name, cancel_plan, record).await {
            Ok(()) => Ok(Line::Deleted { uid: org, name }),
            Err(::orgs::Error::NotFound) => failed(format!("no billing account has an organisation {org}")),
            Err(::orgs::Error::NameDiffers) => failed(format!("the name of {org} is not {name}")),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn restore(
        &self,
        organisation: &str,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        let org = match organisation.parse::<OrgId>() {
            Ok(org) => org,
            Err(_) => match self.orgs.deleted_named(organisation).await?.as_slice() {
                [only] => only.uid,
                [] => {
                    return failed(format!(
                        "no organisation named {organisation} was deleted within 30 days"
                    ));
                }
                several => {
                    let ids: Vec<String> = several.iter().map(|one| one.uid.to_string()).collect();
                    return failed(format!("several have this name; use one of the ids {}", ids.join(", ")));
                }
            },
        };
        match self.orgs.restore(Initiator::Operator(record), org).await {
            Ok(restored) => Ok(Line::Restored { uid: restored.uid, name: restored.name }),
            Err(::orgs::Error::NotFound) => {
                failed(format!("no organisation {org} was deleted within 30 days"))
            }
            Err(::orgs::Error::NoFreeProvision) => {
                failed("its account has no plan without an organisation; buy one first".to_owned())
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn usage(&self, out: &Sender<Line>) -> Result<Line, CommandError> {
        let (mut after, mut organisations, mut charged, mut stored) = (OrgId::nil(), 0, 0, 0);
        loop {
            let page = self.orgs.all(after, PAGE).await?;
            let Some(last) = page.last() else {
                return Ok(Line::UsageTotal { organisations, charged, stored });
            };
            after = last.uid;
            for org in page {
                let used = self.content.storage_use(self.db.read(), org.uid).await?;
                // The operator decides about the archive, so no plan is charged for it.
                let of_org = used.stored + self.analytics.archived_bytes(org.uid).await?;
                organisations += 1;
                charged += used.charged;
                stored += of_org;
                let line = Usage { org: org.uid, name: org.name, charged: used.charged, stored: of_org };
                send_line(out, Line::Usage(line)).await?;
            }
        }
    }

    pub(super) async fn reprocess(
        &self,
        content: ContentId,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        match self.requeue(content, Some(content.into()), record).await {
            Ok(_) => Ok(Line::ReprocessDone { items: 1 }),
            Err(content::Error::NotFound) => failed(format!("there is no item {content}")),
            Err(content::Error::ProcessingState(_)) => {
                failed(format!("the item {content} is being processed, or has no file to process"))
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn reprocess_failed(
        &self,
        org: Option<OrgId>,
        record: &AdminRecord,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        let (mut after, mut items) = (ContentId::nil(), 0);
        loop {
            let page = self.content.failed(org, after, PAGE).await?;
            let Some((_, last)) = page.last() else { return Ok(Line::ReprocessDone { items }) };
            after = *last;
            for (_, uid) in page {
                match self.requeue(uid, org.map(Uid::from), record).await {
                    Ok(title) => {
                        items += 1;
                        send_line(out, Line::Reprocessed { uid, title }).await?;
                    }
                    // Deleted or queued by someone else since the page was read.
                    Err(content::Error::NotFound | content::Error::ProcessingState(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }
}

impl Admin {
    /// Queues a file for processing. Returns the title of its item.
    async fn requeue(
        &self,
        item: ContentId,
        target: Option<Uid>,
        record: &AdminRecord,
    ) -> Result<String, content::Error> {
        let tx = self.db.write_tx().await?;
        let title = self.content.reprocess(&tx, item).await?;
        self.orgs.record_admin(&tx, record, target, 1).await?;
        tx.commit().await?;
        Ok(title)
    }
}

fn org_line(org: OrgSummary) -> OrgLine {
    OrgLine {
        uid: org.uid,
        name: org.name,
        standing: org.standing.to_value(),
        people: org.people,
        created: iso(org.created_at),
        deleted: org.deleted_at.map(iso),
    }
}
