//! People.

use std::collections::HashMap;

use db::search::{contains, folded};
use db::set_if_some;
use db::{none_if_empty, set_text};
use kernel::{Email, Patch, PersonId, Timestamp, Uid};
use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait as _, LockType};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder as _,
    QuerySelect,
};
use sha2::{Digest as _, Sha256};

use crate::entity::person::{ActiveModel, Column, Entity, Model};
use crate::model::{Person, ProfileChange, SearchTexts};

impl From<Model> for Person {
    fn from(row: Model) -> Self {
        Self {
            uid: row.uid,
            email: row.email,
            display_name: none_if_empty(row.display_name),
            first_name: none_if_empty(row.first_name),
            last_name: none_if_empty(row.last_name),
            phone_number: none_if_empty(row.phone_number),
            phone_e164: row.phone_e164,
            photo: none_if_empty(row.photo),
            company: none_if_empty(row.company),
            linked_in: none_if_empty(row.linked_in),
            address: row.address,
            job_title: none_if_empty(row.job_title),
            business_area: none_if_empty(row.business_area),
            created_at: row.created_at,
            is_verified: row.email_verified,
        }
    }
}

/// Parses the stored address of a person.
pub fn address(person: &Person) -> Result<Email, DbErr> {
    Email::parse(&person.email).ok_or_else(|| db::unreadable("person", "email", person.uid))
}

/// Returns the lock that serialises requests about one address, known or not.
pub fn address_lock(email: &Email) -> Uid {
    lock_id(email.as_str())
}

/// Returns the lock that serialises requests about one thing, identified by text.
pub fn lock_id(key: &str) -> Uid {
    let mut half = [0; 16];
    half.copy_from_slice(&Sha256::digest(key)[..16]);
    Uid::from_bytes(half)
}

/// Returns the person with this address.
pub async fn by_email(conn: &impl ConnectionTrait, email: &Email) -> Result<Option<Person>, DbErr> {
    Ok(Entity::find().filter(Column::Email.eq(email.as_str())).one(conn).await?.map(Into::into))
}

/// Returns the people with these addresses, in no particular order.
pub async fn by_emails(conn: &impl ConnectionTrait, emails: &[&Email]) -> Result<Vec<Person>, DbErr> {
    let emails = emails.iter().map(|email| email.as_str());
    let rows = Entity::find().filter(Column::Email.is_in(emails)).all(conn).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Returns the person with this id.
pub async fn by_uid(conn: &impl ConnectionTrait, uid: PersonId) -> Result<Option<Person>, DbErr> {
    Ok(Entity::find_by_id(uid).one(conn).await?.map(Into::into))
}

/// Returns the people with these ids, in no particular order.
pub async fn by_uids(conn: &impl ConnectionTrait, uids: &[PersonId]) -> Result<Vec<Person>, DbErr> {
    if uids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = Entity::find().filter(Column::Uid.is_in(uids.iter().copied())).all(conn).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Returns a page of all people, oldest first, without the stand-ins of those who were erased. With `search`, only those
/// whose name, address or company contains it.
pub async fn all(
    conn: &impl ConnectionTrait,
    search: Option<&str>,
    after: PersonId,
    limit: u64,
) -> Result<Vec<Person>, DbErr> {
    let mut query = Entity::find().filter(Column::Uid.gt(after)).filter(Column::SearchFolded.ne(""));
    if let Some(search) = search {
        query = query.filter(Expr::col(Column::SearchFolded).like(contains(search)));
    }
    let rows = query.order_by_asc(Column::Uid).limit(limit).all(conn).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Adds a person with an empty profile.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: PersonId,
    email: &Email,
    is_verified: bool,
    now: Timestamp,
) -> Result<Person, DbErr> {
    let search_folded = search_text(["", email.as_str(), "", ""]);
    let row = ActiveModel {
        uid: Set(uid),
        email: Set(email.as_str().to_owned()),
        email_verified: Set(is_verified),
        created_at: Set(now),
        display_name_folded: Set(String::new()),
        search_folded: Set(search_folded),
        ..empty_profile()
    };
    Ok(row.insert(tx).await?.into())
}

/// Adds a person without name and address, to whom rows refer whose person was erased. No email can be sent there, so no
/// one can sign in as this person.
pub async fn insert_stand_in(tx: &impl ConnectionTrait, uid: PersonId, now: Timestamp) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(uid),
        email: Set(format!("{}@erased.invalid", uid.uid().as_simple())),
        email_verified: Set(false),
        created_at: Set(now),
        display_name_folded: Set(String::new()),
        search_folded: Set(String::new()),
        ..empty_profile()
    };
    Entity::insert(row).exec_without_returning(tx).await.map(drop)
}

/// Removes a person to whom nothing refers any more.
pub async fn remove(tx: &impl ConnectionTrait, uid: PersonId) -> Result<(), DbErr> {
    Entity::delete_by_id(uid).exec(tx).await.map(drop)
}

/// Returns the columns of an empty profile.
fn empty_profile() -> ActiveModel {
    ActiveModel {
        display_name: Set(String::new()),
        first_name: Set(String::new()),
        last_name: Set(String::new()),
        phone_number: Set(String::new()),
        phone_e164: Set(None),
        photo: Set(String::new()),
        company: Set(String::new()),
        linked_in: Set(String::new()),
        address: Set(None),
        job_title: Set(String::new()),
        business_area: Set(String::new()),
        terms_accepted_at: Set(None),
        ..Default::default()
    }
}

/// Returns the text a person is searched by: display name, email, company and full name, folded, a line each.
fn search_text(texts: [&str; 4]) -> String {
    texts.map(folded).join("\n")
}

/// Updates the folded texts for searching from the row.
async fn fold(tx: &impl ConnectionTrait, row: Model) -> Result<Model, DbErr> {
    let full_name = format!("{} {}", row.first_name, row.last_name);
    let all = search_text([&row.display_name, &row.email, &row.company, &full_name]);
    let name = folded(&row.display_name);
    if (&name, &all) == (&row.display_name_folded, &row.search_folded) {
        return Ok(row);
    }
    let folded = ActiveModel {
        uid: Unchanged(row.uid),
        display_name_folded: Set(name),
        search_folded: Set(all),
        ..Default::default()
    };
    folded.update(tx).await
}

/// Keeps a person's profile from changing until the transaction ends, so that copies of its texts are made one after
/// the other. SQLite has one writer anyway.
pub async fn lock(tx: &impl ConnectionTrait, uid: PersonId) -> Result<(), DbErr> {
    let query = Entity::find_by_id(uid).select_only().column(Column::Uid).lock(LockType::NoKeyUpdate);
    query.into_tuple::<PersonId>().one(tx).await?;
    Ok(())
}

/// Returns the texts by which these people are found.
pub async fn search_texts(
    conn: &impl ConnectionTrait,
    people: &[PersonId],
) -> Result<HashMap<PersonId, SearchTexts>, DbErr> {
    let rows: Vec<(PersonId, String, String)> = Entity::find()
        .select_only()
        .columns([Column::Uid, Column::DisplayNameFolded, Column::SearchFolded])
        .filter(Column::Uid.is_in(people.iter().copied()))
        .into_tuple()
        .all(conn)
        .await?;
    let texts =
        rows.into_iter().map(|(uid, display_name, profile)| (uid, SearchTexts { display_name, profile }));
    Ok(texts.collect())
}

/// Marks a person's address as verified.
pub async fn verify(tx: &impl ConnectionTrait, uid: PersonId) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::EmailVerified, Expr::value(true))
        .filter(Column::Uid.eq(uid))
        .exec(tx)
        .await?;
    Ok(())
}

/// Clears the profile and marks the address as verified, so the person starts afresh.
pub async fn reset(tx: &impl ConnectionTrait, uid: PersonId) -> Result<Person, DbErr> {
    let row = ActiveModel { uid: Unchanged(uid), email_verified: Set(true), ..empty_profile() };
    Ok(fold(tx, row.update(tx).await?).await?.into())
}

/// Changes a profile. Returns `None` if the person does not exist.
pub async fn change(
    tx: &impl ConnectionTrait,
    uid: PersonId,
    change: ProfileChange,
    now: Timestamp,
) -> Result<Option<Person>, DbErr> {
    let row = ActiveModel {
        uid: Unchanged(uid),
        display_name: set_text(change.display_name),
        first_name: set_if_some(change.first_name),
        last_name: set_if_some(change.last_name),
        phone_number: set_if_some(change.phone_number),
        phone_e164: set_if_some(change.phone_e164),
        photo: set_text(change.photo),
        company: set_text(change.company),
        linked_in: set_text(change.linked_in),
        address: match change.address {
            Patch::Absent => NotSet,
            Patch::Null => Set(None),
            Patch::Value(address) => Set(Some(address)),
        },
        job_title: set_text(change.job_title),
        business_area: set_text(change.business_area),
        terms_accepted_at: if change.accepts_terms { Set(Some(now)) } else { NotSet },
        ..Default::default()
    };
    if !row.is_changed() {
        return by_uid(tx, uid).await;
    }
    match row.update(tx).await {
        Ok(row) => Ok(Some(fold(tx, row).await?.into())),
        Err(DbErr::RecordNotUpdated) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the given paths that are someone's photo.
pub async fn photos_in_use(conn: &impl ConnectionTrait, paths: &[String]) -> Result<Vec<String>, DbErr> {
    Entity::find()
        .select_only()
        .column(Column::Photo)
        .filter(Column::Photo.is_in(paths))
        // The condition of the index.
        .filter(Expr::cust("photo <> ''"))
        .into_tuple()
        .all(conn)
        .await
}
