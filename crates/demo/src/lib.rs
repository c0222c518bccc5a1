#![doc = include_str!("../README.md")]

mod api;
mod catalog;
mod courses;
mod device;
mod history;
mod library;
mod media;
mod organisation;
mod people;
mod report;
mod size;
mod viewing;

use kernel::{DAY, Millis, Timestamp};

pub use api::COUNTRY_HEADER;
pub use media::Media;
pub use report::Report;
pub use size::Size;

use api::Api;
use catalog::Catalog;
use history::Filled;

/// Days before the viewing begins, in which the first organisation is founded.
const LEAD: i64 = 2;

/// Where to create the demo.
pub struct Options {
    /// Address of the server: `http://127.0.0.1:8080`.
    pub origin: String,
    /// Host and port of the public URL, which the server expects in requests.
    pub host: String,
    /// Seed of everything that varies.
    pub seed: u64,
    /// How much to create.
    pub size: Size,
}

/// Reason the demo could not be created.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server refused a call.
    #[error("{call} was answered with {status}: {body}")]
    Refused {
        /// Method and path.
        call: String,
        /// HTTP status.
        status: u16,
        /// Body of the response.
        body: String,
    },
    /// The server cannot be reached.
    #[error(transparent)]
    Http(#[from] reqwest::Error),
    /// The server answered with something unexpected.
    #[error("{0}")]
    Unexpected(String),
    /// A file could not be created.
    #[error("{0}")]
    Media(String),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A screen shows other numbers than it must.
    #[error("the numbers are not what they must be:\n  {}", .0.join("\n  "))]
    Differs(Vec<String>),
}

/// Returns how far before `now` the server's clock must start.
pub fn head_start(now: Timestamp, size: Size) -> Millis {
    now - first_day(now, size) + LEAD * DAY
}

/// Returns the beginning of the first day of viewing.
fn first_day(now: Timestamp, size: Size) -> Timestamp {
    Timestamp::from_ms((now.days() - size.scale().days) * DAY)
}

/// A filled sandbox.
pub struct Demo {
    api: Api,
    media: Media,
    filled: Filled,
    seed: u64,
}

/// Fills the sandbox, whose clock must be [`head_start`] behind `now`, and moves its clock to the present.
/// `progress` receives a sentence at each step.
///
/// # Errors
/// Fails if a call fails. What was created until then stays.
pub async fn fill(
    options: &Options,
    media: Media,
    now: Timestamp,
    progress: impl Fn(&str),
) -> Result<Demo, Error> {
    let api = Api::new(&options.origin, &options.host)?;
    api.read_clock().await?;
    let scale = options.size.scale();
    let catalog = Catalog::new(&scale);
    let plan = viewing::plan(options.seed, scale, &catalog.items);
    let cast = history::Cast { catalog, plan, people: people::viewers(&scale) };
    let filled = history::run(&api, &media, cast, first_day(now, options.size), &progress).await?;
    Ok(Demo { api, media, filled, seed: options.seed })
}

impl Demo {
    /// Compares every screen's numbers with the plan, and uploads a video that the server has to process once
    /// it runs again. Call it when no job is due or running.
    ///
    /// # Errors
    /// Fails if a number differs, or if a call fails.
    pub async fn finish(&mut self) -> Result<Report, Error> {
        let report = report::read(&self.api, &mut self.filled, self.seed).await?;
        library::announce(&self.api, &self.media, &mut self.filled.company).await?;
        Ok(report)
    }
}
