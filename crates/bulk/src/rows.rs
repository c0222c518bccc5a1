//! Rows of organisations, people, memberships and consents, as the server stores them.

use db::search::folded;
use kernel::{ConsentId, MembershipId, OrgId, PersonId};
use sea_orm::Value;

const FIRST_NAMES: [&str; 8] = ["Ada", "Grace", "Élodie", "Дмитрий", "Özgür", "Maria", "John", "Wei"];
const LAST_NAMES: [&str; 7] = ["Smith", "Lovelace", "Hopper", "Иванов", "García", "Müller", "Okafor"];

/// Returns the name of the person with this number; one has a name that no one else has.
pub fn name(n: usize, is_rare: bool) -> String {
    let first = FIRST_NAMES.get(n % FIRST_NAMES.len()).copied().unwrap_or_default();
    let last = LAST_NAMES.get(n % LAST_NAMES.len()).copied().unwrap_or_default();
    format!("{first} {}", if is_rare { "Quillfeather" } else { last })
}

/// Table and columns of an organisation.
pub const ORGANISATION: &str = "organisation (uid, name, description, logo, website, privacy, pinned_playlists, \
    theme_background, theme_primary, theme_secondary, theme_text, contact_email, contact_phone, standing, \
    created_at, modified_at)";

/// Returns a private organisation.
pub fn organisation(uid: OrgId, name: &str) -> [Value; 16] {
    let text = |text: &str| Value::from(text);
    [
        uid.into(),
        text(name),
        text(""),
        text(""),
        text(""),
        text("private"),
        serde_json::json!([]).into(),
        text(""),
        text("#ca4500"),
        text("#703cd2"),
        text("#ffffff"),
        text(""),
        text(""),
        text("active"),
        1.into(),
        1.into(),
    ]
}

/// Table and columns of a person.
pub const PERSON: &str = "person (uid, email, email_verified, display_name, first_name, last_name, phone_number, photo, \
    company, linked_in, job_title, business_area, created_at, display_name_folded, search_folded)";

/// Returns a person whose address is verified.
pub fn person(uid: PersonId, name: &str, email: &str, company: &str) -> [Value; 15] {
    let (first, last) = name.split_once(' ').unwrap_or((name, ""));
    let folded_name = folded(name);
    let search = format!("{folded_name}\n{email}\n{}\n{folded_name}", folded(company));
    let text = |text: &str| Value::from(text);
    [
        uid.into(),
        text(email),
        true.into(),
        text(name),
        text(first),
        text(last),
        text(""),
        text(""),
        text(company),
        text(""),
        text(""),
        text(""),
        1.into(),
        text(&folded_name),
        text(&search),
    ]
}

/// Table and columns of a membership.
pub const MEMBER: &str = "membership (uid, org, person, role, created_at)";

/// Returns a membership.
pub fn member(uid: MembershipId, org: OrgId, person: PersonId, role: &str) -> [Value; 5] {
    [uid.into(), org.into(), person.into(), Value::from(role), 1.into()]
}

/// Table and columns of an answer to the notice.
pub const CONSENT: &str =
    "consent (uid, org, person, consent, notice_version, notice_digest, method, created_at)";

/// Returns a given consent.
pub fn consent(uid: ConsentId, org: OrgId, person: PersonId) -> [Value; 8] {
    let text = |text: &str| Value::from(text);
    [
        uid.into(),
        org.into(),
        person.into(),
        true.into(),
        text("bench"),
        vec![0_u8; 32].into(),
        text("join"),
        1.into(),
    ]
}

/// Table and columns of the answer that holds.
pub const STANDING: &str =
    "consent_standing (org, person, record, consent, since, notice_version, method, created_at)";

/// Returns a consent that holds.
pub fn standing(record: ConsentId, org: OrgId, person: PersonId) -> [Value; 8] {
    let text = |text: &str| Value::from(text);
    [org.into(), person.into(), record.into(), true.into(), 1.into(), text("bench"), text("join"), 1.into()]
}
