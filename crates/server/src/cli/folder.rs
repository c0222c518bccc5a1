//! Restricts the permissions of data folders created by older versions or by hand.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use nix::errno::Errno;
use nix::unistd::{AccessFlags, access, geteuid};

use crate::{control, last_backup};

/// Permission bits of group and others.
const OTHERS: u32 = 0o077;
/// Names that Vitrine creates at the top of the data folder.
const OWN_NAMES: [&str; 12] = [
    "vitrine.db",
    "vitrine.db-wal",
    "vitrine.db-shm",
    "vitrine.lock",
    "vitrine.backup.lock",
    "vitrine.storage.lock",
    control::SOCKET,
    "secret",
    last_backup::FILE,
    "objects",
    "work",
    "cache",
];

/// Checks that this user may write to the data folder and to what Vitrine has created in it.
///
/// # Errors
/// Fails with a sentence that says whose it is, and what to do.
pub fn check_access(folder: &Path) -> Result<(), String> {
    let all = AccessFlags::R_OK | AccessFlags::W_OK;
    let inside = AccessFlags::X_OK | all;
    let own = OWN_NAMES.iter().map(|name| (folder.join(name), all));
    for (path, flags) in std::iter::once((folder.to_owned(), inside)).chain(own) {
        // What does not exist is created later.
        let Err(error @ (Errno::EACCES | Errno::EROFS)) = access(&path, flags) else { continue };
        let owner = fs::metadata(&path).ok().map(|meta| meta.uid());
        return Err(refusal(&path, folder, owner, geteuid().as_raw(), error));
    }
    Ok(())
}

fn refusal(path: &Path, folder: &Path, owner: Option<u32>, user: u32, error: Errno) -> String {
    let owner = owner.map_or_else(|| "another user".to_owned(), |owner| format!("user {owner}"));
    format!(
        "user {user} may not read and write {}, which belongs to {owner} ({}). Run Vitrine as that user, change the owner \
         with chown -R {user} {}, or choose another folder with VITRINE_DATA_DIR.",
        path.display(),
        error.desc(),
        folder.display(),
    )
}

/// Revokes other users' access to the folder and the database in it. If the folder contains anything else, it
/// may serve other users too; then only Vitrine's own files are restricted, and the log says what is left to
/// do.
pub fn restrict_to_owner(folder: &Path) {
    if let Err(error) = restrict(folder) {
        tracing::warn!(%error, "cannot restrict {} to this user", folder.display());
    }
}

fn restrict(folder: &Path) -> io::Result<()> {
    let folder = match folder.canonicalize() {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut has_only_own_files = true;
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        if OWN_NAMES.iter().any(|own| entry.file_name() == *own) {
            remove_access_of_others(&entry.path())?;
        } else {
            has_only_own_files = false;
        }
    }
    if has_only_own_files {
        return remove_access_of_others(&folder);
    }
    if fs::metadata(&folder)?.permissions().mode() & OTHERS != 0 {
        tracing::warn!("other users can read {}; restrict it with chmod 700", folder.display());
    }
    Ok(())
}

/// Removes the permissions of group and others. Symbolic links and their targets are left unchanged.
fn remove_access_of_others(path: &Path) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    let mode = meta.permissions().mode();
    if meta.is_symlink() || mode & OTHERS == 0 {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(mode & !OTHERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
            fs::set_permissions(folder.path().join(name), Permissions::from_mode(0o644)).unwrap();
        }
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        folder
    }

    #[test]
    fn a_folder_that_may_be_written_is_accepted_and_so_is_one_that_does_not_exist() {
        let folder = folder_with(&["vitrine.db"]);
        assert_eq!(check_access(folder.path()), Ok(()));
        assert_eq!(check_access(&folder.path().join("not/there")), Ok(()));
    }

    #[test]
    fn a_refusal_says_whose_file_it_is_and_what_to_do() {
        let folder = Path::new("/srv/vitrine");
        assert_eq!(
            refusal(&folder.join("vitrine.db"), folder, Some(0), 998, Errno::EACCES),
            "user 998 may not read and write /srv/vitrine/vitrine.db, which belongs to user 0 (Permission denied). Run \
             Vitrine as that user, change the owner with chown -R 998 /srv/vitrine, or choose another folder with \
             VITRINE_DATA_DIR."
        );
    }

    #[test]
    fn a_data_folder_of_an_older_version_is_restricted() {
        let folder = folder_with(&["vitrine.db", "vitrine.db-wal"]);
        restrict(folder.path()).unwrap();
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&folder.path().join("vitrine.db")), 0o600);
        assert_eq!(mode(&folder.path().join("vitrine.db-wal")), 0o600);
    }

    #[test]
    fn a_shared_folder_keeps_its_permissions_and_only_our_files_are_restricted() {
        let folder = folder_with(&["vitrine.db", "notes.txt"]);
        restrict(folder.path()).unwrap();
        assert_eq!(mode(folder.path()), 0o755);
        assert_eq!(mode(&folder.path().join("vitrine.db")), 0o600);
        assert_eq!(mode(&folder.path().join("notes.txt")), 0o644);
        restrict(&folder.path().join("not/there")).unwrap();
    }
}
