//! `vitrine verify`: runs the checks of all crates.

use tokio::sync::mpsc::{self, Sender};

use super::line::Line;
use super::{Admin, CommandError, send_line};

impl Admin {
    pub(super) async fn verify(&self, deep: bool, out: &Sender<Line>) -> Result<Line, CommandError> {
        let (sender, mut findings) = mpsc::unbounded_channel();
        let check = async move {
            let queue = [self.jobs.verify(&self.kinds).await?, self.mailer.verify().await?];
            queue.into_iter().flatten().for_each(|finding| drop(sender.send(finding)));
            self.billing.verify().await?.into_iter().for_each(|finding| drop(sender.send(finding)));
            self.content.verify(deep, &sender).await?;
            Ok::<_, CommandError>(())
        };
        let forward = async {
            let mut count = 0;
            while let Some(finding) = findings.recv().await {
                count += 1;
                send_line(out, Line::Finding(finding)).await?;
            }
            Ok(count)
        };
        let ((), findings) = tokio::try_join!(check, forward)?;
        Ok(Line::Verified { findings })
    }
}
