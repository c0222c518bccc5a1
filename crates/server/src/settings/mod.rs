//! Settings: defaults, then `vitrine.toml`, then `VITRINE_*`. Each crate owns its part.

mod example;
mod load;
mod secret_files;
mod server;
mod service_links;

use std::path::Path;

use backup::BackupSettings;
use content::ContentSettings;
use identity::SignInSettings;
use kernel::{Millis, PublicUrl};
use mail::MailSettings;
use media::MediaSettings;
use payments::PaymentsSettings;
use serde::{Deserialize, Serialize};
use storage::StorageSettings;

pub use example::{example, merged};
pub use load::SettingsError;
pub use server::{MasterSecret, ServerSettings};

/// All settings of the program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Addresses, secrets, limits, links.
    pub server: ServerSettings,
    /// Object storage.
    pub storage: StorageSettings,
    /// Outgoing email.
    pub mail: MailSettings,
    /// External sign-in providers.
    pub sign_in: SignInSettings,
    /// Payment provider.
    pub payments: PaymentsSettings,
    /// Media tools and their confinement.
    pub media: MediaSettings,
    /// Uploads and delivery.
    pub content: ContentSettings,
    /// Scheduled backups.
    pub backup: BackupSettings,
}

impl Settings {
    /// Loads the settings from the file, if given, and the environment.
    ///
    /// # Errors
    /// Fails with a message that names the setting.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        load::load(file, std::env::vars())
    }

    /// Returns the public URL; by default the listen address.
    ///
    /// # Errors
    /// Fails if the setting is not a valid URL.
    pub fn public(&self) -> Result<PublicUrl, SettingsError> {
        let text = match self.server.public_url.as_str() {
            "" => format!("http://{}", self.server.listen),
            text => text.to_owned(),
        };
        PublicUrl::parse(&text).ok_or_else(|| {
            SettingsError::Invalid(format!(
                "VITRINE_PUBLIC_URL must consist of scheme, host and port only, such as \
                 https://video.example.com, but is {text:?}."
            ))
        })
    }

    /// Checks everything that can be checked without starting.
    ///
    /// # Errors
    /// Fails on the first problem, with a message that says what to do.
    pub fn check(&self) -> Result<(), SettingsError> {
        let public = self.public()?;
        let sandbox = self.server.sandbox;
        if sandbox {
            sandbox::check(&public.origin()).map_err(SettingsError::Invalid)?;
        }
        if !sandbox && !public.is_secure() && !public.is_loopback() {
            return Err(SettingsError::Invalid(
                "VITRINE_PUBLIC_URL must begin with https:// unless it is a loopback address: sign-in links \
                 and cookies would be sent unencrypted."
                    .to_owned(),
            ));
        }
        self.server.check(sandbox)?;
        self.storage.check().map_err(|error| SettingsError::Invalid(error.clone()))?;
        self.mail.check(sandbox).map_err(SettingsError::Invalid)?;
        self.sign_in.check().map_err(SettingsError::Invalid)?;
        self.payments.check(sandbox).map_err(SettingsError::Invalid)?;
        self.media.check().map_err(SettingsError::Invalid)?;
        self.content.check().map_err(SettingsError::Invalid)?;
        self.backup.check().map_err(SettingsError::Invalid)
    }

    /// Returns the number of loops for ffmpeg jobs; by default one for each media tool that may run at the
    /// same time.
    pub fn heavy_workers(&self) -> usize {
        match self.server.heavy_workers {
            0 => self.media.tools_at_once(),
            set => set,
        }
    }

    /// Returns the database URL; by default a file in the data folder.
    pub fn database_url(&self) -> String {
        match self.server.database_url.as_str() {
            "" => format!("sqlite://{}", self.server.data_dir.join("vitrine.db").display()),
            url => url.to_owned(),
        }
    }

    /// Returns the sentence for a database that another version created. It names the data folder, or the URL
    /// of the database without its password and parameters.
    pub fn foreign_database(&self, unknown: &[String]) -> String {
        let (database, empty) = self.named_database();
        let steps = unknown.join(", ");
        format!(
            "{database} was created by another version of Vitrine: this version does not know the migration \
             {steps}. Use that version, or start with {empty}."
        )
    }

    /// Returns the sentence for a command that needs a new database.
    pub fn database_in_use(&self) -> String {
        let (database, empty) = self.named_database();
        format!("{database} is already in use. Nothing was changed; use {empty}.")
    }

    /// Returns whether a real provider takes payments in the sandbox, so that its clock must be right.
    pub fn needs_real_time(&self) -> bool {
        self.server.sandbox && self.payments.mode(true) == payments::Mode::Stripe
    }

    /// Checks that the sandbox's clock may be off by this much.
    ///
    /// # Errors
    /// Fails with a sentence that says what to do if a real provider takes the payments: plans would end at the wrong
    /// time.
    pub fn check_clock(&self, offset: Millis) -> Result<(), String> {
        if offset == 0 || !self.needs_real_time() {
            return Ok(());
        }
        let (database, empty) = self.named_database();
        Err(format!(
            "The sandbox's clock was moved in {database}, but VITRINE_BILLING=stripe takes payments with the right \
             time only. Use {empty}, or set VITRINE_BILLING=sandbox."
        ))
    }

    /// Returns the name of the database, and what to use instead of it.
    pub fn named_database(&self) -> (String, &'static str) {
        match self.server.database_url.as_str() {
            "" => {
                let folder = self.server.data_dir.display();
                (format!("the data folder {folder}"), "an empty folder (VITRINE_DATA_DIR)")
            }
            url => {
                let url = url.split('?').next().unwrap_or_default();
                (format!("the database {}", server::masked(url)), "an empty database and data folder")
            }
        }
    }
}
