//! Runs everything in the order of its time, and moves the server's clock along.

use kernel::{Clock as _, DAY, HOUR, Millis, SystemClock, Timestamp, iso};
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::{Api, Session, text};
use crate::media::Media;
use crate::organisation::{self, Organisation, Tenant, invite};
use crate::people::{PROMOTED, VIEWERS};
use crate::viewing::{Contact, Join, Plan, Play, SCHOOL_OPENS, Watcher};
use crate::{DAYS, Error, library};

/// What was created.
pub struct Filled {
    pub company: Organisation,
    pub school: Organisation,
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
    first_day: Timestamp,
    company: Organisation,
    school: Option<Organisation>,
    viewers: Vec<Option<Session>>,
}

/// Founds the first organisation at the server's present time, runs the plan, and moves the clock to the present.
pub async fn run(
    api: &Api,
    media: &Media,
    plan: Plan,
    first_day: Timestamp,
    progress: &impl Fn(&str),
) -> Result<Filled, Error> {
    progress("founding Northwind Media");
    let mut company = organisation::found(api, media, Tenant::Company).await?;
    library::fill(api, media, &mut company).await?;
    let viewers = VIEWERS.iter().map(|_| None).collect();
    let mut history = History { api, media, first_day, company, school: None, viewers };
    let mut month = 0;
    for (at, event) in events(&plan) {
        if at / (30 * DAY) >= month {
            month += 1;
            progress(&format!("{DAYS} days of viewing: days {} to {}", month * 30 - 29, month * 30));
        }
        api.move_clock(first_day + at).await?;
        history.apply(&plan, &event).await?;
    }
    api.move_clock(SystemClock.now()).await?;
    let History { mut company, school, .. } = history;
    let mut school = school.ok_or_else(no_school)?;
    // Signs them in again while jobs still send emails.
    for founder in [company.founder(), school.founder()] {
        api.get(founder, "/v1/profiles").await?;
    }
    Ok(Filled { company, school, plan })
}

/// Returns all events in the order of their time since the first day.
fn events(plan: &Plan) -> Vec<(Millis, Event)> {
    let mut events = vec![
        (SCHOOL_OPENS * DAY, Event::OpenSchool),
        (41 * DAY + 10 * HOUR, Event::Promote),
        (58 * DAY, Event::CloseSchool),
        (66 * DAY + 10 * HOUR, Event::Remove),
        (70 * DAY, Event::DeclineCard),
        (79 * DAY + 9 * HOUR, Event::InviteEarly),
        (88 * DAY + 9 * HOUR, Event::Invite),
    ];
    events.extend(plan.joins.iter().enumerate().map(|(index, join)| (join.at, Event::Join(index))));
    events.extend(plan.plays.iter().enumerate().map(|(index, play)| (play.end(), Event::Play(index))));
    events.extend(plan.contacts.iter().enumerate().map(|(index, tap)| (tap.at, Event::Contact(index))));
    events.sort_by_key(|(at, _)| *at);
    events
}

impl History<'_> {
    async fn apply(&mut self, plan: &Plan, event: &Event) -> Result<(), Error> {
        let api = self.api;
        match *event {
            Event::Join(index) => self.join(&plan.joins[index]).await,
            Event::Play(index) => self.play(&plan.plays[index]).await,
            Event::Contact(index) => self.contact(&plan.contacts[index]).await,
            Event::OpenSchool => {
                let mut school = organisation::found(api, self.media, Tenant::School).await?;
                library::fill(api, self.media, &mut school).await?;
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
        let users = format!("/v1/organizations/{org}/users?limit=100");
        let users = self.api.get(self.company.founder(), &users).await?;
        let row = users["data"].as_array().and_then(|rows| rows.iter().find(|row| row["userId"] == *removed));
        let row = row.ok_or_else(|| Error::Unexpected(format!("{removed} is not among the users")))?;
        let path = format!("/v1/organizations/{org}/roles/{}", text(row, "membershipId")?);
        self.api.call_as(self.company.founder(), Method::DELETE, &path, None).await.map(drop)
    }

    async fn join(&mut self, join: &Join) -> Result<(), Error> {
        let organisation = organisation_of(&self.company, self.school.as_ref(), join.tenant)?;
        let known = self.viewers[join.viewer].take();
        let person = VIEWERS[join.viewer];
        let mut session = organisation::join(self.api, organisation, known, person, join.consent).await?;
        let visit =
            json!({ "kind": "visit", "id": id(join.at, join.viewer), "time": iso(self.first_day + join.at) });
        report(self.api, &mut session, &organisation.id, vec![visit]).await?;
        self.viewers[join.viewer] = Some(session);
        Ok(())
    }

    async fn play(&mut self, play: &Play) -> Result<(), Error> {
        let tenant = library::ITEMS[play.item].tenant;
        let organisation = organisation_of(&self.company, self.school.as_ref(), tenant)?;
        let (org, item) = (organisation.id.clone(), organisation.items[play.item].clone());
        let playlist = library::playlist_of(play.item).map(|index| organisation.playlists[index].clone());
        let beats = play.beats();
        let last = beats.len() - 1;
        let view = view_id(play.at, number(play));
        let events = beats.into_iter().enumerate().map(|(seq, (elapsed, from, to))| {
            json!({
                "kind": "beat", "id": id(play.at + elapsed, number(play)), "viewId": view, "seq": seq,
                "contentId": item, "playlistId": playlist, "from": from, "to": to, "rate": 1,
                "state": if seq == last { "ended" } else { "playing" },
                "time": iso(self.first_day + play.at + elapsed),
            })
        });
        let events = events.collect();
        let session = match play.watcher {
            Watcher::Viewer(viewer) => self.viewers[viewer].as_mut(),
            Watcher::Staff(member) => self.company.staff.get_mut(member),
        };
        report(self.api, session.ok_or_else(not_joined)?, &org, events).await
    }

    async fn contact(&mut self, contact: &Contact) -> Result<(), Error> {
        let playlist = self.company.playlists[0].clone();
        let tap = json!({
            "kind": "contact", "id": id(contact.at, contact.viewer), "playlistId": playlist,
            "time": iso(self.first_day + contact.at),
        });
        let session = self.viewers[contact.viewer].as_mut().ok_or_else(not_joined)?;
        report(self.api, session, &self.company.id, vec![tap]).await
    }
}

/// Distinguishes the watchers in ids.
fn number(play: &Play) -> usize {
    match play.watcher {
        Watcher::Viewer(viewer) => viewer,
        Watcher::Staff(member) => VIEWERS.len() + member,
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
