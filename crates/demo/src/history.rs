//! Runs everything in the order of its time, and moves the server's clock along.

use std::collections::BTreeMap;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use kernel::{Clock as _, DAY, HOUR, Millis, SystemClock, Timestamp, iso};
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::{Api, Session, text};
use crate::catalog::Catalog;
use crate::media::{File, Media};
use crate::organisation::{self, Organisation, Tenant, invite};
use crate::people::{PROMOTED, Person};
use crate::viewing::{Contact, Join, Plan, Play, SCHOOL_OPENS, Watcher};
use crate::{Error, library};

/// How many people act at the same time where events are sent together.
const AT_ONCE: usize = 16;
/// Time before the end in which positions are saved.
const RESUMED: Millis = 14 * DAY;

/// Everything that is known before it begins.
pub struct Cast {
    pub catalog: Catalog,
    pub plan: Plan,
    pub people: Vec<Person>,
}

/// What was created.
pub struct Filled {
    pub company: Organisation,
    pub school: Organisation,
    pub catalog: Catalog,
    pub plan: Plan,
}

impl Filled {
    pub fn organisation(&mut self, tenant: Tenant) -> &mut Organisation {
        match tenant {
            Tenant::Company => &mut self.company,
            Tenant::School => &mut self.school,
        }
    }
}

/// One event of the history.
enum Event {
    Join(usize),
    Play(usize),
    StaffPlay(usize),
    Contact(usize),
    OpenSchool,
    CloseSchool,
    Promote,
    Remove,
    DeclineCard,
    InviteEarly,
    Invite,
}

/// A history under way.
struct History<'a> {
    api: &'a Api,
    media: &'a Media,
    cast: &'a Cast,
    first_day: Timestamp,
    company: Organisation,
    school: Option<Organisation>,
    viewers: Vec<Option<Session>>,
}

/// Founds the first organisation at the server's present time, runs the plan, and moves the clock to the present.
pub async fn run(
    api: &Api,
    media: &Media,
    cast: Cast,
    first_day: Timestamp,
    progress: &impl Fn(&str),
) -> Result<Filled, Error> {
    progress("founding Northwind Media");
    let mut company = organisation::found(api, media, Tenant::Company).await?;
    library::fill(api, media, &cast.catalog, &mut company).await?;
    let viewers = cast.people.iter().map(|_| None).collect();
    let mut history = History { api, media, cast: &cast, first_day, company, school: None, viewers };
    let (days, mut month) = (cast.plan.scale.days, 0);
    for Step { at, events } in steps(&cast.plan) {
        if at / (30 * DAY) >= month {
            month += 1;
            let last = days.min(month * 30);
            progress(&format!("{days} days of viewing: days {} to {last}", month * 30 - 29));
        }
        api.move_clock(first_day + at).await?;
        history.take(&events).await?;
    }
    api.move_clock(SystemClock.now()).await?;
    let History { mut company, school, .. } = history;
    let mut school = school.ok_or_else(no_school)?;
    // Signs them in again while jobs still send emails.
    for founder in [company.founder(), school.founder()] {
        api.get(founder, "/v1/profiles").await?;
    }
    let Cast { catalog, plan, .. } = cast;
    Ok(Filled { company, school, catalog, plan })
}

/// Events that are sent at the same time of the server.
struct Step {
    at: Millis,
    events: Vec<Event>,
}

/// Returns all events in steps: each by itself, or those of a period together, joins before what people watch.
fn steps(plan: &Plan) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (at, event) in events(plan) {
        let joins = |step: &Step| step.events.iter().any(|other| event.goes_with(other));
        let same = |step: &Step| {
            plan.scale.period.is_some_and(|period| step.at / period == at / period) && joins(step)
        };
        match steps.last_mut().filter(|step| same(step)) {
            Some(step) => {
                step.at = at;
                step.events.push(event);
            }
            None => steps.push(Step { at, events: vec![event] }),
        }
    }
    steps
}

/// Returns all events in the order of their time since the first day.
fn events(plan: &Plan) -> Vec<(Millis, Event)> {
    let late = |day: i64| plan.scale.late_day(day) * DAY;
    let mut events = vec![
        (late(SCHOOL_OPENS), Event::OpenSchool),
        (late(41) + 10 * HOUR, Event::Promote),
        (late(58), Event::CloseSchool),
        (late(66) + 10 * HOUR, Event::Remove),
        (late(70), Event::DeclineCard),
        (late(79) + 9 * HOUR, Event::InviteEarly),
        (late(88) + 9 * HOUR, Event::Invite),
    ];
    events.extend(plan.joins.iter().enumerate().map(|(index, join)| (join.at, Event::Join(index))));
    events.extend(plan.plays.iter().enumerate().map(|(index, play)| match play.watcher {
        Watcher::Viewer(_) => (play.end(), Event::Play(index)),
        Watcher::Staff(_) => (play.end(), Event::StaffPlay(index)),
    }));
    events.extend(plan.contacts.iter().enumerate().map(|(index, tap)| (tap.at, Event::Contact(index))));
    events.sort_by_key(|(at, _)| *at);
    events
}

impl Event {
    /// Returns whether both may be sent at the same time.
    fn goes_with(&self, other: &Self) -> bool {
        matches!(
            (self, other),
            (Self::Join(_), Self::Join(_))
                | (Self::Play(_) | Self::Contact(_), Self::Play(_) | Self::Contact(_))
        )
    }

    /// Returns the app user who acts, by position among all people.
    fn viewer(&self, plan: &Plan) -> Option<usize> {
        match *self {
            Self::Join(index) => Some(plan.joins[index].viewer),
            Self::Contact(index) => Some(plan.contacts[index].viewer),
            Self::Play(index) => match plan.plays[index].watcher {
                Watcher::Viewer(viewer) => Some(viewer),
                Watcher::Staff(_) => None,
            },
            _ => None,
        }
    }
}

impl History<'_> {
    /// Sends the events of a step. App users act at the same time; what one of them does stays in order.
    async fn take(&mut self, events: &[Event]) -> Result<(), Error> {
        let mut of_viewers: BTreeMap<usize, Vec<&Event>> = BTreeMap::new();
        for event in events {
            match event.viewer(&self.cast.plan) {
                Some(viewer) => of_viewers.entry(viewer).or_default().push(event),
                None => self.apply(event).await?,
            }
        }
        let sessions: Vec<_> = of_viewers
            .into_iter()
            .map(|(viewer, events)| (viewer, self.viewers[viewer].take(), events))
            .collect();
        let this = &*self;
        let acting = stream::iter(sessions).map(|(viewer, session, events)| async move {
            Ok::<_, Error>((viewer, this.act(session, events).await?))
        });
        let acted: Vec<_> = acting.buffer_unordered(AT_ONCE).try_collect().await?;
        for (viewer, session) in acted {
            self.viewers[viewer] = session;
        }
        Ok(())
    }

    /// Sends the events of one app user.
    async fn act(&self, mut session: Option<Session>, events: Vec<&Event>) -> Result<Option<Session>, Error> {
        let plan = &self.cast.plan;
        for event in events {
            match *event {
                Event::Join(index) => session = Some(self.join(&plan.joins[index], session.take()).await?),
                Event::Play(index) => {
                    self.play(&plan.plays[index], session.as_mut().ok_or_else(not_joined)?).await?;
                }
                Event::Contact(index) => {
                    self.contact(&plan.contacts[index], session.as_mut().ok_or_else(not_joined)?).await?;
                }
                _ => {}
            }
        }
        Ok(session)
    }

    /// Applies what staff and the organisations do.
    async fn apply(&mut self, event: &Event) -> Result<(), Error> {
        let api = self.api;
        match *event {
            Event::Join(_) | Event::Play(_) | Event::Contact(_) => Ok(()),
            Event::StaffPlay(index) => {
                let play = &self.cast.plan.plays[index];
                let Watcher::Staff(member) = play.watcher else { return Ok(()) };
                let (org, events) = self.beats(play)?;
                report(api, self.company.staff.get_mut(member).ok_or_else(not_joined)?, &org, events).await
            }
            Event::OpenSchool => {
                let mut school = organisation::found(api, self.media, Tenant::School).await?;
                library::fill(api, self.media, &self.cast.catalog, &mut school).await?;
                self.school = Some(school);
                Ok(())
            }
            // Everyone has joined. The link ends, members stay.
            Event::CloseSchool => {
                let school = self.school.as_mut().ok_or_else(no_school)?;
                let path = format!("/v1/organizations/{}", school.id);
                let change = json!({ "organisation": { "privacy": "unlisted" } });
                api.patch(school.founder(), &path, &change).await.map(drop)
            }
            // The team leader becomes a manager.
            Event::Promote => {
                let give = json!({ "userId": self.company.staff[PROMOTED].uid, "role": "manager" });
                let path = format!("/v1/organizations/{}/roles", self.company.id);
                api.post(self.company.founder(), &path, &give).await.map(drop)
            }
            Event::Remove => self.remove_last_staff_member().await,
            Event::DeclineCard => {
                let school = self.school.as_ref().ok_or_else(no_school)?;
                let path = format!("/sandbox/api/subscriptions/{}", school.provision);
                api.call(Method::POST, &path, Some(&json!({ "outcome": "fail" }))).await.map(drop)
            }
            Event::InviteEarly => self.invite(&["lucia.ferri@northwind.example"], "teamUser").await,
            Event::Invite => {
                self.invite(&["joel.park@northwind.example", "ana.duarte@northwind.example"], "teamLeader")
                    .await
            }
        }
    }

    async fn invite(&mut self, emails: &[&str], role: &str) -> Result<(), Error> {
        let org = self.company.id.clone();
        invite(self.api, self.company.founder(), &org, emails, role).await
    }

    /// The last of the staff leaves the company.
    async fn remove_last_staff_member(&mut self) -> Result<(), Error> {
        let removed = self.company.staff.pop().ok_or_else(not_joined)?.uid;
        let org = self.company.id.clone();
        let staff = format!("/v1/organizations/{org}/users/staff?limit=100");
        let staff = self.api.get(self.company.founder(), &staff).await?;
        let row = staff["data"].as_array().and_then(|rows| rows.iter().find(|row| row["userId"] == *removed));
        let row = row.ok_or_else(|| Error::Unexpected(format!("{removed} is not among the staff")))?;
        let path = format!("/v1/organizations/{org}/roles/{}", text(row, "uid")?);
        self.api.call_as(self.company.founder(), Method::DELETE, &path, None).await.map(drop)
    }

    async fn join(&self, join: &Join, session: Option<Session>) -> Result<Session, Error> {
        let organisation = organisation_of(&self.company, self.school.as_ref(), join.tenant)?;
        let person = self.cast.people[join.viewer];
        let mut session = organisation::join(self.api, organisation, session, person, join.consent).await?;
        let visit =
            json!({ "kind": "visit", "id": id(join.at, join.viewer), "time": iso(self.first_day + join.at) });
        report(self.api, &mut session, &organisation.id, vec![visit]).await?;
        Ok(session)
    }

    async fn play(&self, play: &Play, session: &mut Session) -> Result<(), Error> {
        let (org, events) = self.beats(play)?;
        report(self.api, session, &org, events).await?;
        self.save_position(play, session, &org).await
    }

    /// Saves where the player stopped, as the viewer app does, if it is recent enough to be resumed.
    async fn save_position(&self, play: &Play, session: &mut Session, org: &str) -> Result<(), Error> {
        let (catalog, plan) = (&self.cast.catalog, &self.cast.plan);
        let item = &catalog.items[play.item];
        let has_played = item.source.file(self.media).is_some_and(File::plays);
        let (Some(playlist), Some(&(_, position))) = (catalog.playlist_of(play.item), play.sections.last())
        else {
            return Ok(());
        };
        if !has_played || play.at < plan.scale.days * DAY - RESUMED {
            return Ok(());
        }
        let organisation = organisation_of(&self.company, self.school.as_ref(), play.tenant)?;
        let saved = json!({
            "contentId": organisation.items[play.item], "playlistId": organisation.playlists[playlist],
            "position": position, "length": item.length(), "time": iso(self.first_day + play.end()),
        });
        let path = format!("/v1/organizations/{org}/users/me/progress");
        let body = json!({ "items": [saved] });
        self.api.call_as(session, Method::PUT, &path, Some(&body)).await.map(drop)
    }

    /// Returns the organisation in which someone watches, and what the player reports.
    fn beats(&self, play: &Play) -> Result<(String, Vec<Value>), Error> {
        let organisation = organisation_of(&self.company, self.school.as_ref(), play.tenant)?;
        let (item, what) = (&organisation.items[play.item], &self.cast.catalog.items[play.item]);
        let pages = what.source.file(self.media).and_then(|file| file.pages);
        let playlist = self.cast.catalog.playlist_of(play.item).map(|index| &organisation.playlists[index]);
        let beats = play.beats();
        let last = beats.len() - 1;
        let person = self.number(play);
        let view = view_id(play.at, person);
        let events = beats.into_iter().enumerate().map(|(seq, (elapsed, from, to))| {
            let page = pages.map(|pages| what.page_at(from, pages));
            let (from, to) = page.map_or((from, to), |page| (page, page));
            json!({
                "kind": "beat", "id": id(play.at + elapsed, person), "viewId": view, "seq": seq,
                "contentId": item, "playlistId": playlist, "from": from, "to": to, "rate": 1, "pages": pages,
                "state": if seq == last { "ended" } else { "playing" },
                "time": iso(self.first_day + play.at + elapsed),
            })
        });
        Ok((organisation.id.clone(), events.collect()))
    }

    async fn contact(&self, contact: &Contact, session: &mut Session) -> Result<(), Error> {
        let tap = json!({
            "kind": "contact", "id": id(contact.at, contact.viewer), "playlistId": self.company.playlists[0],
            "time": iso(self.first_day + contact.at),
        });
        report(self.api, session, &self.company.id, vec![tap]).await
    }

    /// Distinguishes the watchers in ids.
    fn number(&self, play: &Play) -> usize {
        match play.watcher {
            Watcher::Viewer(viewer) => viewer,
            Watcher::Staff(member) => self.cast.people.len() + member,
        }
    }
}

/// Returns the id of an event, which differs for each time and person.
fn id(at: Millis, person: usize) -> String {
    uid(at, 2 * person)
}

/// Returns the id of a view, which also differs from those of events.
fn view_id(at: Millis, person: usize) -> String {
    uid(at, 2 * person + 1)
}

fn uid(at: Millis, number: usize) -> String {
    let at = u128::try_from(at).unwrap_or_default();
    kernel::Uid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | (at << 16) | number as u128)
        .to_string()
}

/// Sends events as the viewer app does.
async fn report(api: &Api, session: &mut Session, org: &str, events: Vec<Value>) -> Result<(), Error> {
    let sent = events.len();
    let answer = api.post(session, "/v1/events", &json!({ "orgId": org, "events": events })).await?;
    if answer["accepted"] == sent {
        return Ok(());
    }
    Err(Error::Unexpected(format!("events were rejected: {answer}")))
}

fn organisation_of<'a>(
    company: &'a Organisation,
    school: Option<&'a Organisation>,
    tenant: Tenant,
) -> Result<&'a Organisation, Error> {
    match tenant {
        Tenant::Company => Ok(company),
        Tenant::School => school.ok_or_else(no_school),
    }
}

fn no_school() -> Error {
    Error::Unexpected("the second organisation does not exist yet".into())
}

fn not_joined() -> Error {
    Error::Unexpected("a person watches before joining".into())
}
