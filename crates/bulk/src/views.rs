//! Requests of players and the views in them.

use db::Db;
use kernel::{DAY, HOUR, ViewId, ViewerId};
use sea_orm::{DbErr, Value};

use crate::random::Random;
use crate::{DAYS, Filled, FilledOrg};

/// Beats of each view, all in one request, and the time between them.
pub const BEATS: i64 = 20;
const STEP: i64 = 10_000;
/// Length of every video.
pub const LENGTH: i64 = 1_800_000;
/// Views written at once.
const CHUNK: usize = 2_048;

/// A view to write.
pub struct View {
    org: usize,
    content: usize,
    /// `None` outside of playlists.
    playlist: Option<usize>,
    /// `None` without consent.
    person: Option<usize>,
    /// Name of someone without consent, device and country.
    seed: u64,
    uid: ViewId,
    at: i64,
    from: i64,
}

impl View {
    /// Invents the view with this number of so many.
    fn new(number: usize, count: usize, filled: &Filled, random: &mut Random) -> Self {
        let slot = filled.start + (number as i64) * (DAYS * DAY / count as i64);
        // It ends in the hour in which it begins.
        let at = slot / HOUR * HOUR + 10_000 + random.below(HOUR - BEATS * STEP - 10_000);
        let org = if number.is_multiple_of(2) {
            0
        } else {
            1 + random.below(filled.orgs.len() as i64 - 1) as usize
        };
        let FilledOrg { contents, people, playlists, .. } = &filled.orgs[org];
        // Few items have most of the views.
        let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
        let popular = (share.powi(3) * contents.len() as f64) as usize;
        // Every item of the first organisation is watched at least once.
        let content = if org == 0 && number / 2 < contents.len() { number / 2 } else { popular };
        let person = match number {
            _ if number.is_multiple_of(200) => Some(0),
            _ if number % 8 == 2 => None,
            _ => Some(random.below(people.len() as i64) as usize),
        };
        let uid = (at as u128) << 80 | 0x7 << 76 | 0x2 << 62 | number as u128;
        Self {
            org,
            content,
            playlist: (number % 4 != 3).then_some(content % playlists.len()),
            person,
            seed: random.next(),
            uid: ViewId::from_u128(uid),
            at,
            from: random.below((LENGTH - BEATS * STEP) / 20_000 + 1) * 20_000,
        }
    }

    fn viewer(&self, org: &FilledOrg) -> ViewerId {
        match self.person {
            Some(person) => org.people[person].1,
            // In the half of the id that distinguishes viewers.
            None => ViewerId::from_u128(u128::from(self.seed % 1_000) << 20 | (self.at / DAY) as u128),
        }
    }

    fn device(&self) -> &'static str {
        ["desktop", "mobile", "tablet"][self.seed as usize % 3]
    }

    fn country(&self) -> Option<&'static str> {
        [Some("DE"), Some("US"), Some("FR"), None][(self.seed >> 8) as usize % 4]
    }

    /// Returns the beats as they are stored with the request.
    fn events(&self, org: &FilledOrg) -> String {
        let text = |text: Option<String>| text.map_or("null".to_owned(), |text| format!("\"{text}\""));
        let beats: Vec<String> = (0..BEATS)
            .map(|n| {
                let (from, ago) = (self.from + n * STEP, (BEATS - 1 - n) * STEP);
                let credit = if n == 0 { 2_000 } else { STEP };
                format!("[{n},{from},{},1.0,\"playing\",{ago},{credit},0]", from + STEP)
            })
            .collect();
        format!(
            "{{\"v\":1,\"staff\":false,\"bot\":false,\"device\":\"{}\",\"country\":{},\"app\":null,\"views\":[\
             {{\"view\":\"{}\",\"content\":\"{}\",\"playlist\":{},\"kind\":\"video\",\"length\":{LENGTH},\
             \"draft\":false,\"beats\":[{}],\"counted\":{}}}],\"interactions\":[],\"visits\":[]}}",
            self.device(),
            text(self.country().map(str::to_owned)),
            self.uid,
            org.contents[self.content],
            text(self.playlist.map(|playlist| org.playlists[playlist].to_string())),
            beats.join(","),
            (BEATS - 2) * STEP,
        )
    }

    fn last(&self) -> i64 {
        self.at + (BEATS - 1) * STEP
    }

    /// Watch time: two seconds and the time between the beats.
    pub const CREDIT: i64 = 2_000 + (BEATS - 1) * STEP;

    fn request(&self, org: &FilledOrg) -> [Value; 7] {
        [
            org.uid.into(),
            (self.last() / DAY).into(),
            self.viewer(org).into(),
            i64::from(self.person.is_some()).into(),
            self.last().into(),
            self.events(org).into(),
            Value::String(None),
        ]
    }

    fn row(&self, org: &FilledOrg) -> [Value; 18] {
        let (at, last, to) = (self.at, self.last(), self.from + BEATS * STEP);
        [
            org.uid.into(),
            self.uid.into(),
            self.viewer(org).into(),
            org.contents[self.content].into(),
            self.playlist.map(|playlist| org.playlists[playlist]).into(),
            at.into(),
            at.into(),
            (at / HOUR * HOUR).into(),
            format!("0@{at}-{}@{last}+", BEATS - 1).into(),
            format!("{}-{last}", at - 2_000).into(),
            (BEATS * STEP).into(),
            Self::CREDIT.into(),
            0_i64.into(),
            format!("{}-{to}", self.from).into(),
            (to >= LENGTH).into(),
            Value::from("counted"),
            Value::from(self.device()),
            self.country().map(str::to_owned).into(),
        ]
    }
}

const REQUEST: &str = "event_batch (org, day, viewer, since, received_at, events, rejected)";
const VIEWING: &str = "viewing (org, uid, viewer, content, playlist, began_at, noted_at, hour, beats, watched, \
    claims_ms, credit_ms, over_ms, sections, is_finished, verdict, device, country)";

/// Writes requests and views, and returns the views of each content item.
pub async fn write(db: &Db, filled: &Filled, (count, seed): (usize, u64)) -> Result<Vec<Vec<i64>>, DbErr> {
    let mut counts: Vec<Vec<i64>> = filled.orgs.iter().map(|org| vec![0; org.contents.len()]).collect();
    let mut random = Random(seed);
    for first in (0..count).step_by(CHUNK) {
        let numbers = first..count.min(first + CHUNK);
        let views: Vec<View> = numbers.map(|number| View::new(number, count, filled, &mut random)).collect();
        for view in &views {
            counts[view.org][view.content] += 1;
        }
        let requests: Vec<_> = views.iter().map(|view| view.request(&filled.orgs[view.org])).collect();
        let rows: Vec<_> = views.iter().map(|view| view.row(&filled.orgs[view.org])).collect();
        let tx = db.write_tx().await?;
        db::rows::bulk_upsert(&tx, REQUEST, &requests, "").await?;
        db::rows::bulk_upsert(&tx, VIEWING, &rows, "").await?;
        tx.commit().await?;
    }
    Ok(counts)
}
