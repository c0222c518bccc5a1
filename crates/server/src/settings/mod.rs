//! Settings: defaults, then `vitrine.toml`, then `VITRINE_*`. Each room keeps its own part.

mod example;
mod load;
mod server;

use std::path::Path;

use content::ContentSettings;
use identity::SignInSettings;
use kernel::PublicUrl;
use mail::MailSettings;
use media::MediaSettings;
use payments::PaymentsSettings;
use storage::StorageSettings;

pub use example::{example, merged};
pub use load::SettingsError;
pub use server::{MasterSecret, ServerSettings};

/// All settings of the program.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Addresses, secrets, limits, links.
    pub server: ServerSettings,
    /// Where objects are kept.
    pub storage: StorageSettings,
    /// How mail leaves.
    pub mail: MailSettings,
    /// Who else tells who people are.
    pub sign_in: SignInSettings,
    /// Who takes the money.
    pub payments: PaymentsSettings,
    /// ffmpeg and its walls.
    pub media: MediaSettings,
    /// Uploads and files.
    pub content: ContentSettings,
}

impl Settings {
    /// Reads the file, if there is one, and the environment.
    ///
    /// # Errors
    /// A sentence that names the setting and where it stands.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        load::load(file, std::env::vars())
    }

    /// The public address; by default the one listened on.
    ///
    /// # Errors
    /// When it is no address.
    pub fn public(&self) -> Result<PublicUrl, SettingsError> {
        let text = match self.server.public_url.as_str() {
            "" => format!("http://{}", self.server.listen),
            text => text.to_owned(),
        };
        PublicUrl::parse(&text).ok_or_else(|| {
            SettingsError::Wrong(format!(
                "VITRINE_PUBLIC_URL must be scheme, host and port alone, such as https://video.example.com, but is \
                 {text:?}."
            ))
        })
    }

    /// Checks everything that can be checked without starting.
    ///
    /// # Errors
    /// The first thing that is wrong, with what to do.
    pub fn check(&self) -> Result<(), SettingsError> {
        let public = self.public()?;
        let sandbox = self.server.sandbox;
        if sandbox {
            sandbox::check(&public.origin()).map_err(SettingsError::Wrong)?;
        }
        if !sandbox && !public.is_secure() && !public.is_loopback() {
            return Err(SettingsError::Wrong(
                "VITRINE_PUBLIC_URL must begin with https:// outside this machine: sign-in links and cookies \
                 would travel in the clear."
                    .to_owned(),
            ));
        }
        self.server.check(sandbox)?;
        self.storage.check().map_err(|error| SettingsError::Wrong(error.to_string()))?;
        self.mail.check(sandbox).map_err(SettingsError::Wrong)?;
        self.sign_in.check().map_err(SettingsError::Wrong)?;
        self.payments.check(sandbox).map_err(SettingsError::Wrong)?;
        self.media.check().map_err(SettingsError::Wrong)?;
        self.content.check().map_err(SettingsError::Wrong)
    }

    /// Loops for ffmpeg jobs; by default one for each media tool that may run at the same time.
    pub fn heavy_workers(&self) -> usize {
        match self.server.heavy_workers {
            0 => self.media.tools_at_once(),
            set => set,
        }
    }

    /// The database's address; by default a file in the data folder.
    pub fn database_url(&self) -> String {
        match self.server.database_url.as_str() {
            "" => format!("sqlite://{}", self.server.data_dir.join("vitrine.db").display()),
            url => url.to_owned(),
        }
    }
}
