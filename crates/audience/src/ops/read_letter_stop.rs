//! `GET /letters/{token}`: the page a letter's last link leads to. It asks; it changes nothing, because programs
//! that look through mail open every link.

use axum::extract::State;
use axum::response::Response;
use httpkit::{Path, Reply};

use crate::stop_page::Shown;
use crate::{Error, News, stop, store};

/// The page that asks whether to stop the letters of an organisation.
#[utoipa::path(get, path = "/letters/{token}", tag = "audience", params(("token" = String, Path)), responses(
    (status = 200, content_type = "text/html"), (status = 404, content_type = "text/html"),
))]
pub async fn read_letter_stop(State(news): State<News>, Path(token): Path<String>) -> Reply<Response> {
    let Some(stop) = stop::read(&news.signer, &token) else { return Ok(news.pages.unknown()) };
    let conn = news.db.read();
    let stopped = store::letter_stop::is_set(conn, stop.org, stop.person).await.map_err(Error::from)?;
    let organisation = news.orgs.organisation(conn, stop.org).await.map_err(Error::from)?;
    let shown = if stopped { Shown::Stopped } else { Shown::Asking };
    Ok(news.pages.page(organisation.as_ref(), &news.public, shown))
}
