//! `POST /letters/{token}`: unsubscribes a person from an organisation's announcements, or subscribes again
//! (one-click unsubscribe of RFC 8058).

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use httpkit::{Path, Reply};

use crate::stop::Stop;
use crate::stop_page::{AGAIN, Shown};
use crate::{Error, News, stop, store};

/// Unsubscribe from announcements
///
/// Mail programs send `List-Unsubscribe=One-Click`. The body `letters=again`, sent by a button on the page,
/// subscribes again. Any other body unsubscribes.
#[utoipa::path(post, path = "/letters/{token}", tag = "audience", params(("token" = String, Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"), responses(
    (status = 200, content_type = "text/html"), (status = 404, content_type = "text/html"),
))]
pub async fn stop_letters(
    State(news): State<News>,
    Path(token): Path<String>,
    form: Bytes,
) -> Reply<Response> {
    let Some(stop) = stop::read(&news.signer, &token) else { return Ok(news.pages.unknown()) };
    let again = *form == *AGAIN.as_bytes();
    change(&news, stop, again).await?;
    let organisation = news.orgs.organisation(news.db.read(), stop.org).await.map_err(Error::from)?;
    let shown = if again { Shown::Again } else { Shown::Stopped };
    Ok(news.pages.page(organisation.as_ref(), &news.public, shown))
}

async fn change(news: &News, stop: Stop, again: bool) -> Result<(), Error> {
    let tx = news.db.write_tx_on(stop.person).await?;
    if again {
        store::letter_stop::clear(&tx, stop.org, stop.person).await?;
    } else {
        store::letter_stop::set(&tx, stop.org, stop.person, news.ambient.now()).await?;
    }
    Ok(tx.commit().await?)
}
