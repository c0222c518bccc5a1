//! Fills a database with a year of viewing in 100 organisations, for part (l). Requests and views are written in bulk,
//! in the form in which the server stores them; everything that is derived from them is derived in SQL. A recount of an
//! organisation must then find no difference.

use db::search::folded;
use db::{Db, WriteTx};
use kernel::{Ambient, ConsentId, ContentId, DAY, HOUR, OrgId, PersonId, PlaylistId, ViewId, ViewerId};
use sea_orm::{ConnectionTrait as _, Statement, Value};
use server::compose;

use crate::BoxError;
use crate::people::{self, OWNER};

/// Organisations. The first one, which is measured, has half of all views.
pub const ORGS: usize = 100;
/// Another super admin of every organisation, because an address gets one link a minute.
pub const SECOND_OWNER: &str = "second@bench.example";
/// Content items and playlists of the measured organisation.
const CONTENTS: usize = 2_000;
const PLAYLISTS: usize = 20;
/// Content items and people of each of the others, which have one playlist.
const OTHER_CONTENTS: usize = 10;
const OTHER_PEOPLE: usize = 20;
/// Beats of each view, all in one request, and the time between them.
const BEATS: i64 = 20;
const STEP: i64 = 10_000;
/// Length of every video.
const LENGTH: i64 = 1_800_000;
/// Days of viewing.
pub const DAYS: i64 = 365;
/// Views written at once.
const CHUNK: usize = 2_048;

/// How much to fill in.
#[derive(Clone, Copy)]
pub struct Scale {
    /// Beats in all organisations.
    pub events: usize,
    /// Leads of the measured organisation.
    pub leads: usize,
}

/// An organisation as filled.
pub struct FilledOrg {
    pub uid: OrgId,
    /// The most watched item comes first.
    pub contents: Vec<ContentId>,
    /// The most watched playlist comes first.
    pub playlists: Vec<PlaylistId>,
    /// The busiest person of the measured organisation comes first.
    pub people: Vec<(PersonId, ViewerId)>,
}

/// A filled database.
pub struct Filled {
    /// The measured organisation comes first.
    pub orgs: Vec<FilledOrg>,
    /// Start of the first and end of the last day.
    pub start: i64,
    pub end: i64,
}

/// Fills an empty database.
pub async fn fill(url: &str, scale: Scale) -> Result<Filled, BoxError> {
    let db = Db::connect(url).await?;
    let ambient = Ambient::system();
    let old = compose::migrations().into_iter().filter(|step| !people::makes_people(step));
    db::migrate(&db, &ambient, &old.collect::<Vec<_>>()).await?;
    let end = ambient.now().ms() / DAY * DAY;
    let mut filled = Filled { orgs: Vec::with_capacity(ORGS), start: end - DAYS * DAY, end };
    let tx = db.write_tx().await?;
    for n in 0..ORGS {
        let (people, contents, playlists) = match n {
            0 => (scale.leads, CONTENTS, PLAYLISTS),
            _ => (OTHER_PEOPLE, OTHER_CONTENTS, 1),
        };
        filled.orgs.push(FilledOrg {
            uid: ambient.uid(),
            contents: (0..contents).map(|_| ambient.uid()).collect(),
            playlists: (0..playlists).map(|_| ambient.uid()).collect(),
            people: (0..people).map(|_| (ambient.uid(), ambient.uid())).collect(),
        });
    }
    write_people(&tx, &ambient, &filled.orgs).await?;
    write_leads(&tx, &filled).await?;
    tx.commit().await?;
    // The other steps make the rows by which people are found.
    db::migrate(&db, &ambient, &compose::migrations()).await?;
    let counts = write_views(&db, &filled, scale.events / BEATS as usize).await?;
    let tx = db.write_tx().await?;
    write_content(&tx, &filled.orgs, &counts).await?;
    tx.commit().await?;
    derive(&db).await?;
    if db.engine() == db::Engine::Postgres {
        db.read().execute_unprepared("ANALYZE").await?;
    }
    db.close().await;
    Ok(filled)
}

/// Writes organisations with members who consented, and their owner.
async fn write_people(tx: &WriteTx, ambient: &Ambient, orgs: &[FilledOrg]) -> Result<(), BoxError> {
    let rows: Vec<[Value; 16]> = orgs.iter().map(|org| people::organisation(org.uid)).collect();
    db::rows::bulk_upsert(tx, people::ORGANISATION, &rows, "").await?;
    tx.execute_unprepared("INSERT INTO zone_cut (org, time_zone) SELECT uid, time_zone FROM organisation")
        .await?;
    let owner: PersonId = ambient.uid();
    let second: PersonId = ambient.uid();
    let mut persons = vec![
        people::person(owner, "Olga Owner", OWNER, "Bench"),
        people::person(second, "Otto Owner", SECOND_OWNER, "Bench"),
    ];
    let (mut members, mut consents, mut standings, mut names) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for org in orgs {
        members.push(people::member(ambient.uid(), org.uid, owner, "superAdmin"));
        members.push(people::member(ambient.uid(), org.uid, second, "superAdmin"));
        for (n, (uid, viewer)) in org.people.iter().enumerate() {
            let name = people::name(n, n == org.people.len() / 2);
            persons.push(people::person(*uid, &name, &email(org.uid, n), "Northern Bench"));
            members.push(people::member(ambient.uid(), org.uid, *uid, "user"));
            let record: ConsentId = ambient.uid();
            consents.push(people::consent(record, org.uid, *uid));
            standings.push(people::standing(record, org.uid, *uid));
            names.push([org.uid.into(), (*uid).into(), Value::from(1_i64), (*viewer).into()]);
        }
    }
    db::rows::bulk_upsert(tx, people::PERSON, &persons, "").await?;
    db::rows::bulk_upsert(tx, "membership (uid, org, person, role, created_at)", &members, "").await?;
    db::rows::bulk_upsert(tx, people::CONSENT, &consents, "").await?;
    db::rows::bulk_upsert(tx, people::STANDING, &standings, "").await?;
    db::rows::bulk_upsert(tx, "viewer_key (org, person, since, viewer)", &names, "").await?;
    Ok(())
}

/// Returns the address of a person.
pub fn email(org: OrgId, n: usize) -> String {
    format!("p{n}@{org}.example")
}

/// Writes the leads of the measured organisation: one in 100 is hot, one in ten warm.
async fn write_leads(tx: &WriteTx, filled: &Filled) -> Result<(), BoxError> {
    let Some(org) = filled.orgs.first() else { return Ok(()) };
    let mut random = Random(7);
    let mut tally = [("hot", 0_i64), ("warm", 0), ("cold", 0)];
    let mut rows: Vec<[Value; 11]> = Vec::with_capacity(org.people.len());
    for (n, (person, _)) in org.people.iter().enumerate() {
        let (level, score) = match n {
            _ if n % 100 == 0 => (0, 50 + random.below(50)),
            _ if n % 10 == 0 => (1, 25 + random.below(25)),
            _ => (2, 1 + random.below(24)),
        };
        let (temperature, count) = &mut tally[level];
        *count += 1;
        let created = filled.start + random.below((DAYS - 1) * DAY);
        let seen = created + random.below(filled.end - created);
        rows.push([
            org.uid.into(),
            (*person).into(),
            1_i64.into(),
            (score as f64).into(),
            (filled.end / DAY).into(),
            score.into(),
            Value::from(*temperature),
            seen.into(),
            created.into(),
            seen.into(),
            true.into(),
        ]);
    }
    let columns = "lead (org, person, since, points, day, score, temperature, modified_at, created_at, last_seen_at, shown)";
    db::rows::bulk_upsert(tx, columns, &rows, "").await?;
    let rows = tally.map(|(temperature, count)| [org.uid.into(), Value::from(temperature), count.into()]);
    db::rows::bulk_upsert(tx, "lead_tally (org, temperature, leads)", &rows, "").await?;
    Ok(())
}

/// A view to write.
struct View {
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
        let org = if number.is_multiple_of(2) { 0 } else { 1 + random.below(ORGS as i64 - 1) as usize };
        let FilledOrg { contents, people, playlists, .. } = &filled.orgs[org];
        // Few items have most of the views.
        let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
        let popular = (share.powi(3) * contents.len() as f64) as usize;
        // Every item of the measured organisation is watched at least once.
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
    const CREDIT: i64 = 2_000 + (BEATS - 1) * STEP;

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
async fn write_views(db: &Db, filled: &Filled, count: usize) -> Result<Vec<Vec<i64>>, BoxError> {
    let mut counts: Vec<Vec<i64>> = filled.orgs.iter().map(|org| vec![0; org.contents.len()]).collect();
    let mut random = Random(1);
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

const CONTENT: &str = "content (uid, org, title, title_folded, description, preview, privacy, origin, kind, link, \
    source, media_type, duration_ms, processing, views, watch_ms, notify, created_by, created_at, modified_at)";
const PLAYLIST: &str = "playlist (uid, org, title, title_folded, description, preview, privacy, contact_email, \
    contact_phone, items, watch_ms, created_at, modified_at)";

/// Writes content items with their counters, and playlists.
async fn write_content(tx: &WriteTx, orgs: &[FilledOrg], counts: &[Vec<i64>]) -> Result<(), BoxError> {
    let text = |text: &str| Value::from(text);
    let (mut contents, mut playlists, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for (org, counts) in orgs.iter().zip(counts) {
        for (n, (uid, count)) in org.contents.iter().zip(counts).enumerate() {
            let title = format!("Video {n}");
            contents.push([
                (*uid).into(),
                org.uid.into(),
                text(&title),
                text(&folded(&title)),
                text(""),
                text(""),
                text("public"),
                text("native"),
                text("video"),
                text(""),
                (*uid).uid().into(),
                text("video/mp4"),
                LENGTH.into(),
                text("done"),
                (*count).into(),
                (*count * View::CREDIT).into(),
                false.into(),
                org.people[0].0.into(),
                1_i64.into(),
                1_i64.into(),
            ]);
        }
        for (n, uid) in org.playlists.iter().enumerate() {
            let of: Vec<ContentId> =
                org.contents.iter().copied().skip(n).step_by(org.playlists.len()).collect();
            let title = format!("Playlist {n}");
            playlists.push([
                (*uid).into(),
                org.uid.into(),
                text(&title),
                text(&folded(&title)),
                text(""),
                text(""),
                text("public"),
                text(""),
                text(""),
                serde_json::to_value(&of)?.into(),
                0_i64.into(),
                1_i64.into(),
                1_i64.into(),
            ]);
            items.extend(of.into_iter().map(|content| [content.into(), (*uid).into(), org.uid.into()]));
        }
    }
    db::rows::bulk_upsert(tx, CONTENT, &contents, "").await?;
    db::rows::bulk_upsert(tx, PLAYLIST, &playlists, "").await?;
    db::rows::bulk_upsert(tx, "playlist_item (content, playlist, org)", &items, "").await?;
    Ok(())
}

/// What is derived from the views. $1 is the id that stands for no playlist. The index is only for these statements.
const DERIVED: [&str; 20] = [
    "CREATE UNIQUE INDEX fill_key ON viewer_key (org, viewer)",
    "INSERT INTO watch_hour SELECT org, org, hour, SUM(credit_ms), 0, COUNT(*) FROM viewing GROUP BY org, hour",
    "INSERT INTO watch_hour SELECT org, content, hour, SUM(credit_ms), 0, COUNT(*) FROM viewing \
     GROUP BY org, content, hour",
    "INSERT INTO watch_hour SELECT org, playlist, hour, SUM(credit_ms), 0, COUNT(*) FROM viewing \
     WHERE playlist IS NOT NULL GROUP BY org, playlist, hour",
    "INSERT INTO watch_day SELECT org, 'organisation', hour / 86400000 * 86400000, org, SUM(credit_ms), 0, COUNT(*) \
     FROM viewing GROUP BY 1, 3",
    "INSERT INTO watch_day SELECT org, 'content', hour / 86400000 * 86400000, content, SUM(credit_ms), 0, COUNT(*) \
     FROM viewing GROUP BY 1, 3, 4",
    "INSERT INTO watch_day SELECT org, 'playlist', hour / 86400000 * 86400000, playlist, SUM(credit_ms), 0, COUNT(*) \
     FROM viewing WHERE playlist IS NOT NULL GROUP BY 1, 3, 4",
    "INSERT INTO watch_period SELECT org, list, item, day / 2419200000 * 2419200000, SUM(watch_ms), SUM(late_ms), \
     SUM(views) FROM watch_day WHERE list <> 'organisation' GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_playlist SELECT org, playlist, SUM(credit_ms), 0, COUNT(*) FROM viewing \
     WHERE playlist IS NOT NULL GROUP BY org, playlist",
    "INSERT INTO watch_playlist_content SELECT org, playlist, hour / 86400000 * 86400000, content, SUM(credit_ms), 0, \
     COUNT(*) FROM viewing WHERE playlist IS NOT NULL GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_slot SELECT org, hour / 2419200000 * 2419200000, hour % 604800000, SUM(watch_ms) \
     FROM watch_hour WHERE subject = org GROUP BY 1, 2, 3",
    "INSERT INTO watch_playlist_period SELECT org, playlist, day / 2419200000 * 2419200000, content, SUM(watch_ms), \
     SUM(late_ms), SUM(views) FROM watch_playlist_content GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_person SELECT v.org, k.person, k.since, v.hour, v.content, COALESCE(v.playlist, $1), \
     SUM(v.credit_ms), COUNT(*), 0 FROM viewing v JOIN viewer_key k ON k.org = v.org AND k.viewer = v.viewer \
     GROUP BY 1, 2, 3, 4, 5, 6",
    "INSERT INTO view_unpacked SELECT DISTINCT org, content, hour / 86400000 * 86400000 FROM viewing",
    "INSERT INTO view_unpacked SELECT DISTINCT org, playlist, hour / 86400000 * 86400000 FROM viewing \
     WHERE playlist IS NOT NULL",
    "INSERT INTO total_unpacked SELECT org, uid, views, watch_ms FROM content WHERE views > 0",
    "INSERT INTO activity SELECT v.org, k.person, k.since, v.began_at, v.uid, 'view', v.content, v.playlist \
     FROM viewing v JOIN viewer_key k ON k.org = v.org AND k.viewer = v.viewer",
    "INSERT INTO coverage SELECT v.org, v.viewer, v.content, MAX(v.sections), 0.1, MAX(v.hour) / 86400000 \
     FROM viewing v JOIN viewer_key k ON k.org = v.org AND k.viewer = v.viewer GROUP BY 1, 2, 3",
    "INSERT INTO visitor SELECT org, person, since, MAX(hour), MAX(hour) / 86400000, '' FROM watch_person \
     GROUP BY org, person, since",
    "DROP INDEX fill_key",
];

async fn derive(db: &Db) -> Result<(), BoxError> {
    for sql in DERIVED {
        let tx = db.write_tx().await?;
        let values: Vec<Value> = if sql.contains("$1") { vec![PlaylistId::nil().into()] } else { Vec::new() };
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
        tx.execute_raw(statement).await.map_err(|error| format!("{sql}: {error}"))?;
        tx.commit().await?;
    }
    Ok(())
}

/// The same numbers in every run (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: i64) -> i64 {
        (self.next() % end.max(1) as u64) as i64
    }
}
