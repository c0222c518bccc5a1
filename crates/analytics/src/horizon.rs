//! The time zone of reports, and how far back the plan of an organisation shows them.

use kernel::OrgId;

use crate::definitions::zone::Zone;
use crate::series::{Range, VisibleRange};
use crate::store::zone_cut;
use crate::{Analytics, Error};

impl Analytics {
    /// Returns the time zone of an organisation's reports.
    pub(crate) async fn zone(&self, org: OrgId) -> Result<Zone, Error> {
        Ok(zone_cut::zone(self.deps.db.read(), org).await?)
    }

    /// Returns the time zone of an organisation's reports, and the part of the range and of the one before that its plan
    /// shows.
    pub(crate) async fn shown(&self, org: OrgId, range: Range) -> Result<(Zone, VisibleRange), Error> {
        let (zone, months) = futures::try_join!(self.zone(org), self.months(org))?;
        let shown = self.shown_in(&zone, range, months);
        Ok((zone, shown))
    }

    /// Returns how many months of reports the plan of an organisation shows; `None` if it shows all.
    pub(crate) async fn months(&self, org: OrgId) -> Result<Option<u32>, Error> {
        match &self.deps.horizon {
            Some(horizon) => Ok(horizon.months(self.deps.db.read(), org).await?),
            None => Ok(None),
        }
    }

    /// Returns the part of a range and of the one before that a plan shows.
    pub(crate) fn shown_in(&self, zone: &Zone, range: Range, months: Option<u32>) -> VisibleRange {
        let first = months.and_then(|months| zone.months_before(self.deps.ambient.now(), months));
        range.shown_since(first)
    }
}
