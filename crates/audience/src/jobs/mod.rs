//! One file per job.

mod keep_news;
mod look_for_news;
mod tell_users;

use ::jobs::{Handlers, Lane};
use kernel::HOUR;

pub use keep_news::run as keep;
pub use look_for_news::LookForNews;
pub use tell_users::TellUsers;

use crate::News;

/// Registers the handlers of the announcement jobs.
pub fn register(news: &News, handlers: &mut Handlers) {
    let looker = news.clone();
    handlers.on(Lane::Quick, move |job: LookForNews| look_for_news::run(looker.clone(), job));
    let teller = news.clone();
    handlers.on(Lane::Quick, move |job: TellUsers| tell_users::run(teller.clone(), job));
    let keeper = news.clone();
    handlers.every("keep_news", HOUR, Lane::Quick, move || keep(keeper.clone()));
}
