//! `removals.jsonl`: what people withdrew or had erased, beside backups, so that an older one does not bring it back. This
//! crate knows the form of the list, and not what a removal is.

use std::path::Path;

use bytes::Bytes;
use futures::TryStreamExt as _;
use kernel::{Signer, Timestamp, from_iso};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use storage::{Key, StorageError};

use crate::{Error, Repository};

/// Number of the form that this version writes, and the newest that it reads.
const FORM: u32 = 1;
const SEAL_PURPOSE: &str = "backup-removals";
/// Longer lists are refused.
const LENGTH_MAX: u64 = 256 * 1024 * 1024;

/// The first line of a list.
#[derive(Serialize, Deserialize)]
struct Heading {
    form: u32,
    removals: usize,
    /// Proves that the holder of the secret wrote the list.
    seal: String,
}

impl Heading {
    fn line(&self) -> Vec<u8> {
        lines(std::slice::from_ref(self))
    }
}

/// Returns the values as JSON, one a line.
fn lines<T: Serialize>(all: &[T]) -> Vec<u8> {
    let mut text = Vec::new();
    for one in all {
        // A struct of texts and numbers can always be written.
        text.extend(serde_json::to_vec(one).unwrap_or_default());
        text.push(b'\n');
    }
    text
}

/// Returns a list as it is written.
fn sealed<T: Serialize>(all: &[T], signer: &Signer) -> Vec<u8> {
    let body = lines(all);
    let mut heading = Heading { form: FORM, removals: all.len(), seal: String::new() };
    let digest = signer.digest(SEAL_PURPOSE, &[heading.line().as_slice(), &body].concat());
    heading.seal = hex::encode(digest);
    [heading.line(), body].concat()
}

/// Reads a list, and checks that it was sealed with this secret. Fails with what is wrong with it.
fn parse<T: DeserializeOwned>(text: &[u8], signer: &Signer) -> Result<Vec<T>, String> {
    #[derive(Deserialize)]
    struct Form {
        form: u64,
    }
    let end = text.iter().position(|byte| *byte == b'\n').ok_or("it is empty or incomplete")?;
    let (first, body) = text.split_at(end + 1);
    let Form { form } = serde_json::from_slice(first).map_err(|_| "it does not name a form")?;
    if form > u64::from(FORM) {
        return Err(format!("it has form {form}, and this version of Vitrine reads form {FORM}"));
    }
    let changed = "it was changed, or belongs to an installation with another secret";
    let mut heading: Heading = serde_json::from_slice(first).map_err(|_| changed)?;
    let seal = hex::decode(std::mem::take(&mut heading.seal)).unwrap_or_default();
    if !signer.matches(SEAL_PURPOSE, &[heading.line().as_slice(), body].concat(), &seal) {
        return Err(changed.to_owned());
    }
    let rows = body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let all: Vec<T> = rows
        .map(serde_json::from_slice)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("it has a line that this version cannot read ({error})"))?;
    if all.len() == heading.removals { Ok(all) } else { Err(changed.to_owned()) }
}

/// Reads a copy of a list.
///
/// # Errors
/// [`Error::Removals`] if it cannot be read, was changed, or belongs to another installation.
pub fn read_removals<T: DeserializeOwned>(path: &Path, signer: &Signer) -> Result<Vec<T>, Error> {
    let text = std::fs::read(path).map_err(|error| Error::Read(path.to_owned(), error))?;
    parse(&text, signer).map_err(|problem| Error::Removals(path.display().to_string(), problem))
}

impl Repository {
    /// Returns the list of removals, if there is one.
    ///
    /// # Errors
    /// [`Error::Removals`] if it was changed or has another form, and errors of the place.
    pub async fn removals<T: DeserializeOwned>(&self, signer: &Signer) -> Result<Option<Vec<T>>, Error> {
        let key = Key::backups_removals();
        let wrong = |problem| Error::Removals(format!("{}/{key}", self.named()), problem);
        let object = match self.backups.open_object(&key, None).await {
            Ok(object) => object,
            Err(StorageError::Missing) => return Ok(None),
            Err(error) => return Err(self.failed(error)),
        };
        if object.len > LENGTH_MAX {
            return Err(wrong("it is too long".to_owned()));
        }
        let chunks: Vec<Bytes> = object.stream.try_collect().await.map_err(|error| self.failed(error))?;
        parse(&chunks.concat(), signer).map(Some).map_err(wrong)
    }

    /// Writes the list of removals in place of the one that is there.
    ///
    /// # Errors
    /// Fails if it cannot be written. The list that was there stays.
    pub async fn write_removals<T: Serialize>(&self, all: &[T], signer: &Signer) -> Result<(), Error> {
        let text = sealed(all, signer);
        self.backups.check_space(text.len() as u64).map_err(|error| self.failed(error))?;
        let written = self.backups.put(&Key::backups_removals(), text.into()).await;
        written.map_err(|error| self.failed(error))
    }

    /// Returns the time in the name of the oldest backup, if there is any. It is that of the first instant if a name has
    /// none.
    ///
    /// # Errors
    /// Fails if the repository cannot be read.
    pub async fn oldest(&self) -> Result<Option<Timestamp>, Error> {
        let names = self.parts().await?;
        Ok(names.keys().map(|name| made_at(name).unwrap_or(Timestamp::EPOCH)).min())
    }
}

/// Returns the time in the name of a backup.
fn made_at(name: &str) -> Option<Timestamp> {
    let mut parts = name.split('-').skip(1);
    let (day, time) = (parts.next()?, parts.next()?);
    let is_number = |text: &str, len| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(day, 8) || !is_number(time, 6) {
        return None;
    }
    let (year, month, day) = (&day[..4], &day[4..6], &day[6..]);
    from_iso(&format!("{year}-{month}-{day}T{}:{}:{}Z", &time[..2], &time[2..4], &time[4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_belongs_to_its_secret_and_shows_changes() {
        let signer = Signer::new(&[7; 32]);
        for all in [vec![], vec![1_u32, 22, 3]] {
            let text = sealed(&all, &signer);
            assert_eq!(parse::<u32>(&text, &signer), Ok(all));
            assert!(parse::<u32>(&text, &Signer::new(&[8; 32])).unwrap_err().contains("another secret"));
            for end in 0..text.len() {
                assert!(parse::<u32>(&text[..end], &signer).is_err(), "only {end} bytes");
            }
            for at in 0..text.len() {
                let mut changed = text.clone();
                changed[at] ^= 1;
                assert!(parse::<u32>(&changed, &signer).is_err(), "another byte {at}");
            }
        }
    }

    #[test]
    fn a_newer_form_and_unknown_lines_are_refused() {
        let signer = Signer::new(&[7; 32]);
        let newer = parse::<u32>(b"{\"form\":2,\"more\":true}\n", &signer).unwrap_err();
        assert!(newer.contains("it has form 2"), "{newer}");
        let unknown = parse::<u32>(&sealed(&["x"], &signer), &signer).unwrap_err();
        assert!(unknown.contains("cannot read"), "{unknown}");
        assert!(parse::<u32>(b"", &signer).is_err());
    }

    #[test]
    fn names_of_backups_tell_their_time() {
        let at = made_at("000017-20261125-030201").map(kernel::iso);
        assert_eq!(at.as_deref(), Some("2026-11-25T03:02:01.000Z"));
        for name in ["", "000017", "000017-20261125", "000017-2026112x-030201", "000017-20261125-0302011"] {
            assert_eq!(made_at(name), None, "{name}");
        }
    }
}
