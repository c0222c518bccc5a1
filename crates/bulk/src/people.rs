//! Organisations, their people and their leads.

use db::WriteTx;
use kernel::{Ambient, ConsentId, DAY, OrgId, PersonId};
use sea_orm::{DbErr, Value};

use crate::random::Random;
use crate::{DAYS, Filled, FilledOrg, OWNER, SECOND_OWNER, rows};

/// Writes organisations with members who consented, and their owner.
pub async fn write(tx: &WriteTx, ambient: &Ambient, orgs: &[FilledOrg]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 16]> =
        orgs.iter().zip(1..).map(|(org, n)| rows::organisation(org.uid, &title(n))).collect();
    db::rows::bulk_upsert(tx, rows::ORGANISATION, &rows, "").await?;
    let owner: PersonId = ambient.uid();
    let second: PersonId = ambient.uid();
    let mut persons = vec![
        rows::person(owner, "Olga Owner", OWNER, "Bench"),
        rows::person(second, "Otto Owner", SECOND_OWNER, "Bench"),
    ];
    let (mut members, mut consents, mut standings, mut names) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for org in orgs {
        members.push(rows::member(ambient.uid(), org.uid, owner, "superAdmin"));
        members.push(rows::member(ambient.uid(), org.uid, second, "superAdmin"));
        for (n, (uid, viewer)) in org.people.iter().enumerate() {
            let name = rows::name(n, n == org.people.len() / 2);
            persons.push(rows::person(*uid, &name, &email(org.uid, n), "Northern Bench"));
            members.push(rows::member(ambient.uid(), org.uid, *uid, "user"));
            let record: ConsentId = ambient.uid();
            consents.push(rows::consent(record, org.uid, *uid));
            standings.push(rows::standing(record, org.uid, *uid));
            names.push([org.uid.into(), (*uid).into(), Value::from(1_i64), (*viewer).into()]);
        }
    }
    db::rows::bulk_upsert(tx, rows::PERSON, &persons, "").await?;
    db::rows::bulk_upsert(tx, rows::MEMBER, &members, "").await?;
    db::rows::bulk_upsert(tx, rows::CONSENT, &consents, "").await?;
    db::rows::bulk_upsert(tx, rows::STANDING, &standings, "").await?;
    db::rows::bulk_upsert(tx, "viewer_key (org, person, since, viewer)", &names, "").await?;
    Ok(())
}

/// Returns the name of the organisation with this number, from 1.
pub fn title(n: usize) -> String {
    format!("Organisation {n}")
}

/// Returns the address of a person.
pub fn email(org: OrgId, n: usize) -> String {
    format!("p{n}@{org}.example")
}

/// Writes the leads of the first organisation: one in 100 is hot, one in ten warm.
pub async fn write_leads(tx: &WriteTx, filled: &Filled) -> Result<(), DbErr> {
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
