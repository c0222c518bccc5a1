//! What is opened before the feature crates: data folder, secret, clock and database.

use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use db::{Db, MigrateError};
use kernel::{Ambient, FollowingClock, Millis, OffsetClock, PublicUrl, Signer, SystemRandom};
use tokio_util::sync::CancellationToken;

use crate::settings::Settings;
use crate::{compose, database_clock};

type BoxError = Box<dyn std::error::Error>;

/// Resources opened before the feature crates.
pub struct Bootstrap {
    /// Validated settings.
    pub settings: Settings,
    /// Migrated database.
    pub db: Db,
    /// Migrations applied by this start.
    pub applied: Vec<String>,
    /// Clock, randomness and ids.
    pub ambient: Ambient,
    /// Public URL of the server.
    pub public: PublicUrl,
    /// The clock behind `ambient`, which the sandbox moves.
    pub clock: Arc<OffsetClock>,
    /// The clock behind that one, which follows the database's.
    pub following: Arc<FollowingClock>,
    /// Derives all keys.
    pub signer: Signer,
    /// Cancelled once this process is about to stop: it serves, but should get no further requests.
    pub draining: CancellationToken,
}

impl Bootstrap {
    /// Opens the data folder, the secret and the database, and migrates the database.
    ///
    /// # Errors
    /// Fails with a message that says what to do.
    pub async fn open(settings: Settings) -> Result<Self, BoxError> {
        Self::connect(settings).await?.prepare().await
    }

    /// Migrates the database, and moves the clock of a sandbox as before.
    pub(crate) async fn prepare(self) -> Result<Self, BoxError> {
        let bootstrap = self.migrated().await?;
        if bootstrap.settings.server.sandbox {
            let offset = sandbox::restore_clock(&bootstrap.db, &bootstrap.clock).await?;
            bootstrap.settings.check_clock(offset)?;
        }
        Ok(bootstrap)
    }

    /// Like [`Self::open`], for a sandbox whose database is new and whose clock starts `by` in the past.
    ///
    /// # Errors
    /// Fails with a message that says what to do, without changing a database that is not new.
    pub async fn open_in_the_past(settings: Settings, by: Millis) -> Result<Self, BoxError> {
        settings.check_clock(-by)?;
        let bootstrap = Self::open_new(settings).await?;
        sandbox::start_in_the_past(&bootstrap.db, &bootstrap.clock, by).await?;
        Ok(bootstrap)
    }

    /// Like [`Self::open`], for a database that is new.
    pub(crate) async fn open_new(settings: Settings) -> Result<Self, BoxError> {
        let opened = Self::connect(settings).await?;
        if !db::is_new(opened.db.read()).await? {
            return Err(opened.settings.database_in_use().into());
        }
        opened.migrated().await
    }

    /// Opens the data folder, the secret and the database.
    pub(crate) async fn connect(settings: Settings) -> Result<Self, BoxError> {
        let public = settings.public()?;
        let folder = &settings.server.data_dir;
        // Private to this user: it holds personal data and the secret.
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| format!("cannot create the data folder {}: {error}", folder.display()))?;
        let following = Arc::new(FollowingClock::default());
        let clock = Arc::new(OffsetClock::new(following.clone(), 0));
        let ambient = Ambient::new(clock.clone(), Arc::new(SystemRandom));
        let signer = Signer::new(&secret(&settings, &ambient)?);
        let options = db::ConnectOptions {
            connections: settings.server.database_connections,
            cache_mb: settings.server.database_cache_mb,
        };
        let db = Db::connect_with(&settings.database_url(), options).await?;
        database_clock::follow(&db, &following).await?;
        let (applied, draining) = (Vec::new(), CancellationToken::new());
        Ok(Self { settings, db, applied, ambient, public, clock, following, signer, draining })
    }

    async fn migrated(mut self) -> Result<Self, BoxError> {
        let steps = compose::migrations();
        self.applied = db::migrate(&self.db, &self.ambient, &steps).await.map_err(|error| match error {
            MigrateError::Unknown(steps) => self.settings.foreign_database(&steps).into(),
            MigrateError::Database(error) => BoxError::from(error),
        })?;
        Ok(self)
    }
}

/// Returns the keys of an installation that exists, without creating a secret.
///
/// # Errors
/// Fails with a message that says what to do if there is no secret.
pub(crate) fn existing_signer(settings: &Settings) -> Result<Signer, BoxError> {
    let path = settings.server.data_dir.join("secret");
    if settings.server.secret.bytes().is_none() && !path.exists() {
        let sentence = "VITRINE_SECRET is missing. Set it to the secret of the installation (in the sandbox: copy the \
                        file named secret from its data folder into this one).";
        return Err(sentence.into());
    }
    Ok(Signer::new(&secret(settings, &Ambient::system())?))
}

/// Returns the configured secret, or in the sandbox the one generated on the first start.
fn secret(settings: &Settings, ambient: &Ambient) -> Result<[u8; 32], BoxError> {
    if let Some(bytes) = settings.server.secret.bytes() {
        return Ok(bytes);
    }
    let path = settings.server.data_dir.join("secret");
    if !path.exists() {
        write_secret(&path, &STANDARD.encode(ambient.bytes::<32>()))?;
    }
    let text = std::fs::read_to_string(&path)?;
    let bytes = STANDARD.decode(text.trim()).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| format!("{} does not hold 32 bytes in base64", path.display()).into())
}

fn write_secret(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = std::fs::File::options().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
