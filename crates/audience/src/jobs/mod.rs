//! One file per job.

mod check_announcements;
mod send_announcement;
mod start_announcements;

use ::jobs::{Handlers, Queue};
use kernel::HOUR;

pub use check_announcements::run as check;
pub use send_announcement::SendAnnouncement;
pub use start_announcements::StartAnnouncements;

use crate::Announcements;

/// Registers the handlers of the announcement jobs.
pub fn register(announcements: &Announcements, handlers: &mut Handlers) {
    let handle = announcements.clone();
    handlers.on(Queue::Quick, move |job: StartAnnouncements| start_announcements::run(handle.clone(), job));
    let handle = announcements.clone();
    handlers.on(Queue::Quick, move |job: SendAnnouncement| send_announcement::run(handle.clone(), job));
    let handle = announcements.clone();
    let asked = announcements.clone();
    let has_work = move || check_announcements::has_work(asked.clone());
    handlers.every_if("check_announcements", HOUR, Queue::Quick, has_work, move || check(handle.clone()));
}
