//! Erasing a person everywhere, and exporting what is stored about a person. Each crate with such data takes part.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use db::WriteTx;
use kernel::{Email, OrgId, PersonId, Problem, Uid};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::{Map, Value};

use crate::model::Person;
use crate::{Error, Identity, store};

/// A person who is being erased.
#[derive(Clone, Debug)]
pub struct ErasedPerson {
    /// The person. When the transaction ends, nothing refers to this id any more but the list by which a restored backup
    /// is cut.
    pub person: PersonId,
    /// The id of a person without name and address, to whom rows that stay refer from now on. It is random and stored
    /// nowhere beside `person`.
    pub stand_in: PersonId,
    /// The person's address.
    pub email: Email,
    /// Other texts that identify the person: names and the phone number, without empty ones.
    pub texts: Vec<String>,
}

impl ErasedPerson {
    /// Returns a text without what identifies the person: nothing of it stays if it contains the address, or is one of
    /// the names or the phone number.
    pub fn redacted(&self, text: &str) -> Option<String> {
        let names_person = text.to_lowercase().contains(self.email.as_str())
            || self.texts.iter().any(|name| name.eq_ignore_ascii_case(text.trim()));
        names_person.then(String::new)
    }

    /// Redacts all texts of a JSON value. Returns whether there were any to redact.
    pub fn redact(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => match self.redacted(text) {
                Some(redacted) => {
                    *text = redacted;
                    true
                }
                None => false,
            },
            // All of them, not up to the first one.
            Value::Array(all) => all.iter_mut().fold(false, |any, one| self.redact(one) | any),
            Value::Object(all) => all.values_mut().fold(false, |any, one| self.redact(one) | any),
            _ => false,
        }
    }
}

/// Data stored about people by other crates.
#[async_trait::async_trait]
pub trait Erasure: Send + Sync + 'static {
    /// Returns why the person cannot be erased yet, and takes the locks of what it depends on. All crates are asked
    /// before any of them erases anything.
    async fn obstacle(&self, _tx: &WriteTx, _person: PersonId) -> Result<Option<Problem>, DbErr> {
        Ok(None)
    }

    /// Removes the rows that name the person, or changes them so that they name the stand-in.
    async fn erase(&self, tx: &WriteTx, erased: &ErasedPerson) -> Result<(), DbErr>;

    /// Returns what is stored about a person, as fields of the export.
    async fn export(
        &self,
        read: &DatabaseConnection,
        person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr>;

    /// Returns the id, the title and, if it has one, the kind of what the crate has among `ids` in the organisation and
    /// the person may see now. The export refers to the rest by id only.
    async fn titles(
        &self,
        _read: &DatabaseConnection,
        _org: OrgId,
        _person: PersonId,
        _ids: &[Uid],
    ) -> Result<Vec<Value>, DbErr> {
        Ok(Vec::new())
    }
}

impl Identity {
    /// Adds a crate that stores data about people. They are asked in this order.
    #[must_use]
    pub fn with_erasure(mut self, data: Arc<dyn Erasure>) -> Self {
        self.erasures.push(data);
        self
    }

    /// Erases a person: profile, sessions, ways to sign in and what other crates store go, in one transaction. `email` is the
    /// person's address, as a confirmation.
    ///
    /// # Errors
    /// [`Error::EmailDiffers`], or a problem that says what the person has to hand over first.
    pub async fn erase(&self, person: PersonId, email: &str) -> Result<(), Error> {
        let tx = self.db.write_tx().await?;
        self.erase_in(&tx, person, email).await?;
        Ok(tx.commit().await?)
    }

    /// Erases a person in the caller's transaction, as [`Self::erase`] does. Returns the id that stays in the person's
    /// place.
    ///
    /// # Errors
    /// In the same cases as [`Self::erase`].
    pub async fn erase_in(&self, tx: &WriteTx, person: PersonId, email: &str) -> Result<PersonId, Error> {
        let found = store::person::by_uid(tx, person).await?.ok_or(Error::SignedOut)?;
        let address = store::person::address(&found)?;
        if Email::parse(email).is_none_or(|sent| sent != address) {
            return Err(Error::EmailDiffers);
        }
        tx.lock(store::person::address_lock(&address)).await?;
        for data in &self.erasures {
            if let Some(problem) = data.obstacle(tx, person).await? {
                return Err(problem.into());
            }
        }
        self.erase_found(tx, &found, address).await
    }

    /// Erases a person who was erased before, and whom a restored backup still has, also if something should be handed over
    /// first. Returns false if there is no such person.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn erase_again(&self, tx: &WriteTx, person: PersonId) -> Result<bool, Error> {
        let Some(found) = store::person::by_uid(tx, person).await? else { return Ok(false) };
        let address = store::person::address(&found)?;
        tx.lock(store::person::address_lock(&address)).await?;
        self.erase_found(tx, &found, address).await?;
        Ok(true)
    }

    /// Erases a person whose address is locked. Returns the id that stays in the person's place.
    async fn erase_found(&self, tx: &WriteTx, found: &Person, address: Email) -> Result<PersonId, Error> {
        let (person, stand_in): (_, PersonId) = (found.uid, self.ambient.uid());
        store::person::insert_stand_in(tx, stand_in, self.ambient.now()).await?;
        let erased = ErasedPerson { person, stand_in, texts: identifying_texts(found), email: address };
        for data in &self.erasures {
            data.erase(tx, &erased).await?;
        }
        mail::erase_recipient(tx, &erased.email).await?;
        store::mailed_code::remove_all(tx, &erased.email).await?;
        store::provider_sign_in::remove_all(tx, &erased.email).await?;
        store::provider_identity::remove_all(tx, person).await?;
        store::password::remove(tx, person).await?;
        store::session::remove_all(tx, person).await?;
        store::person::remove(tx, person).await?;
        self.login_throttle.clear_account(tx, &erased.email).await?;
        Ok(stand_in)
    }

    /// Returns what other crates store about a person.
    pub(crate) async fn export(&self, person: PersonId) -> Result<Map<String, Value>, DbErr> {
        let mut all = Map::new();
        for data in &self.erasures {
            for (name, value) in data.export(self.db.read(), person).await? {
                all.insert(name.to_owned(), value);
            }
        }
        let mut titles = Vec::new();
        for (org, ids) in references(&all) {
            let ids: Vec<Uid> = ids.into_iter().collect();
            for ids in ids.chunks(IDS_MAX) {
                for data in &self.erasures {
                    titles.extend(data.titles(self.db.read(), org, person, ids).await?);
                }
            }
        }
        all.insert("titles".to_owned(), Value::Array(titles));
        Ok(all)
    }
}

/// Ids of one query: both engines limit the values of a statement.
const IDS_MAX: usize = 500;

/// The fields that refer to an item or a playlist. The target of a change may be something else, which has no title.
const REFERENCES: [&str; 4] = ["contentId", "playlistId", "item", "target"];

/// Returns the ids of items and playlists in an export, by their organisation.
fn references(all: &Map<String, Value>) -> BTreeMap<OrgId, BTreeSet<Uid>> {
    let mut found = BTreeMap::new();
    for value in all.values() {
        collect(value, None, &mut found);
    }
    found
}

/// Collects the ids in a value. A value without an organisation belongs to the one around it.
fn collect(value: &Value, org: Option<OrgId>, found: &mut BTreeMap<OrgId, BTreeSet<Uid>>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect(value, org, found)),
        Value::Object(fields) => {
            let own = fields.get("orgId").and_then(Value::as_str).and_then(|id| id.parse().ok());
            let org = own.or(org);
            let ids = REFERENCES.iter().filter_map(|name| fields.get(*name)?.as_str()?.parse::<Uid>().ok());
            if let Some(org) = org {
                found.entry(org).or_default().extend(ids);
            }
            fields.values().for_each(|value| collect(value, org, found));
        }
        _ => {}
    }
}

/// Returns the names of a person, alone and together, and the phone number.
fn identifying_texts(person: &Person) -> Vec<String> {
    let part = |text: &Option<String>| text.clone().unwrap_or_default();
    let (first, last) = (part(&person.first_name), part(&person.last_name));
    let full = format!("{first} {last}").trim().to_owned();
    let texts =
        [part(&person.display_name), first, last, full, part(&person.phone_number), part(&person.phone_e164)];
    texts.into_iter().filter(|text| !text.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_an_export_refers_to_is_found_by_organisation() {
        let [acme, beta] = [1, 2].map(OrgId::from_u128);
        let [talk, list, other, made] = [7, 8, 9, 10].map(Uid::from_u128);
        let all = json!({
            "positions": [{ "orgId": acme, "contentId": talk, "playlistId": list }, { "contentId": other }],
            "auditEntries": [{ "orgId": acme, "target": made }, { "orgId": null, "target": other }],
            "organizations": [{ "orgId": beta, "leadReasons": [{ "item": other }, { "item": null }] }],
        });
        let found = references(all.as_object().unwrap());
        assert_eq!(found, BTreeMap::from([(acme, [talk, list, made].into()), (beta, [other].into())]));
    }

    #[test]
    fn texts_with_the_address_and_texts_that_are_a_name_are_redacted() {
        let erased = ErasedPerson {
            person: PersonId::from_u128(1),
            stand_in: PersonId::from_u128(2),
            email: Email::parse("ada@example.com").unwrap(),
            texts: vec!["Ada".into(), "Ada Lovelace".into()],
        };
        let mut value = json!({
            "email": "Ada@Example.com", "title": "About Ada", "count": 3,
            "list": ["ada lovelace", { "to": "Ada <ada@example.com>" }, "Bob"],
        });
        assert!(erased.redact(&mut value));
        let expected =
            json!({ "email": "", "title": "About Ada", "count": 3, "list": ["", { "to": "" }, "Bob"] });
        assert_eq!(value, expected);
        assert!(!erased.redact(&mut value.clone()) || value != expected, "a second time changes nothing");
    }
}
