//! `vitrine admin person`.

use identity::Person;
use kernel::{Email, PersonId, iso};
use orgs::AdminRecord;
use tokio::sync::mpsc::Sender;

use super::line::{Line, PersonLine, SessionLine};
use super::{Admin, CommandError, PAGE, failed, send_line};

impl Admin {
    pub(super) async fn list_people(
        &self,
        search: Option<&str>,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        let (mut after, mut people) = (PersonId::nil(), 0);
        loop {
            let page = self.identity.all_people(search, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(Line::People { people }) };
            after = last.uid;
            for person in page {
                people += 1;
                let line = PersonLine {
                    uid: person.uid,
                    email: person.email,
                    name: person.display_name,
                    verified: person.is_verified,
                    created: iso(person.created_at),
                };
                send_line(out, Line::Person(line)).await?;
            }
        }
    }

    pub(super) async fn create_person(
        &self,
        address: &str,
        link: bool,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        let Some(email) = Email::parse(address) else {
            return failed(format!("{address} is not an email address"));
        };
        let tx = self.db.write_tx().await?;
        let (person, is_new) = self.identity.create_person(&tx, &email).await?;
        let link = match link.then_some(self.identity.sign_in_link(&tx, &email)) {
            None => None,
            Some(link) => match link.await {
                Ok(link) => Some(link),
                Err(identity::Error::TooManyEmails(seconds)) => {
                    return failed(format!("too many links to {address}; the next one in {seconds} seconds"));
                }
                Err(error) => return Err(error.into()),
            },
        };
        let changes = u64::from(is_new) + u64::from(link.is_some());
        self.orgs.record_admin(&tx, record, Some(person.uid.into()), changes).await?;
        tx.commit().await?;
        Ok(Line::PersonCreated { uid: person.uid, is_new, link })
    }

    pub(super) async fn list_sessions(
        &self,
        address: &str,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        let Some(person) = self.person(address).await? else { return unknown(address) };
        let open = self.identity.sessions_of(person.uid).await?;
        let sessions = open.len() as u64;
        for session in open {
            let line = SessionLine {
                app: session.app,
                device: session.device,
                address: session.client_address,
                created: iso(session.created_at),
                seen: iso(session.last_seen_at),
            };
            send_line(out, Line::Session(line)).await?;
        }
        Ok(Line::Sessions { sessions })
    }

    pub(super) async fn end_sessions(
        &self,
        address: &str,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        let Some(person) = self.person(address).await? else { return unknown(address) };
        let tx = self.db.write_tx_on(person.uid).await?;
        let sessions = self.identity.end_sessions_of(&tx, person.uid).await?;
        self.orgs.record_admin(&tx, record, Some(person.uid.into()), sessions).await?;
        tx.commit().await?;
        Ok(Line::SessionsEnded { sessions })
    }

    pub(super) async fn erase_person(
        &self,
        address: &str,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        let Some(person) = self.person(address).await? else { return unknown(address) };
        let tx = self.db.write_tx().await?;
        match self.identity.erase_in(&tx, person.uid, &person.email).await {
            Ok(stand_in) => {
                self.orgs.record_admin(&tx, record, Some(stand_in.into()), 1).await?;
                tx.commit().await?;
                Ok(Line::Erased { uid: person.uid })
            }
            // What the person has to hand over first, addressed to the person.
            Err(identity::Error::Problem(problem)) => {
                failed(format!("{address} cannot be erased yet: \"{}\"", problem.message))
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn person(&self, address: &str) -> Result<Option<Person>, CommandError> {
        let Some(email) = Email::parse(address) else { return Ok(None) };
        let mut found = self.identity.people_by_email(self.db.read(), &[&email]).await?;
        Ok(found.pop())
    }
}

fn unknown(address: &str) -> Result<Line, CommandError> {
    failed(format!("no person has the address {address}"))
}
