//! `GET /letters/{token}`: the unsubscribe page. It asks for confirmation and changes nothing, because mail
//! scanners open every link.

use axum::extract::State;
use axum::response::Response;
use httpkit::{Path, Reply};

use crate::stop_page::Shown;
use crate::{Error, News, stop, store};

/// Get the unsubscribe page
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
