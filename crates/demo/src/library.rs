//! Content and playlists of both organisations.

use kernel::{Millis, SECOND};
use serde_json::{Value, json};

use crate::Error;
use crate::api::{Api, PROCESSING_PATIENCE, Session, announced, text};
use crate::media::{File, Media};
use crate::organisation::{Organisation, Tenant};

/// A content item that is uploaded when its organisation is founded.
pub struct Item {
    pub tenant: Tenant,
    title: &'static str,
    description: &'static str,
    seconds: i64,
    /// How often it is chosen, relative to the others; 0 for one that is never watched.
    pub appeal: u32,
    source: Source,
}

/// Where an item's content comes from.
enum Source {
    File(fn(&Media) -> &File),
    Embed(&'static str),
}

impl Item {
    /// Returns the duration, or how long people look at most at something that does not play.
    pub fn length(&self) -> Millis {
        self.seconds * SECOND
    }
}

/// All items. The last one of the first organisation cannot be processed.
pub const ITEMS: [Item; 12] = [
    Item {
        tenant: Tenant::Company,
        title: "Q3 market outlook",
        description: "What moved markets this quarter, and what we expect of the next.",
        seconds: 100,
        appeal: 8,
        source: Source::File(|media| &media.outlook),
    },
    Item {
        tenant: Tenant::Company,
        title: "How to read a yield curve",
        description: "One minute that makes bond markets less mysterious.",
        seconds: 60,
        appeal: 6,
        source: Source::File(|media| &media.yield_curve),
    },
    Item {
        tenant: Tenant::Company,
        title: "Interview: Maya Roy",
        description: "The founder of Lantern Funds on patience.",
        seconds: 40,
        appeal: 4,
        source: Source::File(|media| &media.interview),
    },
    Item {
        tenant: Tenant::Company,
        title: "The weekly call",
        description: "Five minutes of questions from clients, answered.",
        seconds: 300,
        appeal: 3,
        source: Source::File(|media| &media.call),
    },
    Item {
        tenant: Tenant::Company,
        title: "Roadmap at a glance",
        description: "The next twelve months on one page.",
        seconds: 40,
        appeal: 2,
        source: Source::File(|media| &media.roadmap),
    },
    Item {
        tenant: Tenant::Company,
        title: "Annual report",
        description: "Figures, people and plans.",
        seconds: 240,
        appeal: 2,
        source: Source::File(|media| &media.report),
    },
    Item {
        tenant: Tenant::Company,
        title: "Behind the trading floor",
        description: "A tour, hosted on YouTube.",
        seconds: 0,
        appeal: 0,
        source: Source::Embed("https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
    },
    Item {
        tenant: Tenant::Company,
        title: "Recording of 12 May",
        description: "The camera lost power.",
        seconds: 0,
        appeal: 0,
        source: Source::File(|media| &media.cut_off),
    },
    Item {
        tenant: Tenant::School,
        title: "Safety on deck",
        description: "Watch this before your first day.",
        seconds: 30,
        appeal: 5,
        source: Source::File(|media| &media.safety),
    },
    Item {
        tenant: Tenant::School,
        title: "Knots in eight steps",
        description: "A handbook to print.",
        seconds: 300,
        appeal: 4,
        source: Source::File(|media| &media.handbook),
    },
    Item {
        tenant: Tenant::School,
        title: "Harbour radio",
        description: "How to speak on channel 16.",
        seconds: 150,
        appeal: 3,
        source: Source::File(|media| &media.radio),
    },
    Item {
        tenant: Tenant::School,
        title: "Chart of the bay",
        description: "Depths, lights and buoys.",
        seconds: 60,
        appeal: 2,
        source: Source::File(|media| &media.chart),
    },
];

/// A playlist; its items are positions in [`ITEMS`].
struct Playlist {
    title: &'static str,
    description: &'static str,
    privacy: &'static str,
    items: &'static [usize],
}

const COMPANY_PLAYLISTS: [Playlist; 3] = [
    Playlist {
        title: "Market briefings",
        description: "A short video every quarter, for everyone who decides.",
        privacy: "public",
        items: &[0, 1, 3],
    },
    Playlist {
        title: "Getting started",
        description: "Your first ten minutes with us.",
        privacy: "public",
        items: &[1, 2, 4, 6],
    },
    Playlist {
        title: "For shareholders",
        description: "Open to everyone with the link.",
        privacy: "unlisted",
        items: &[5, 4],
    },
];
const SCHOOL_PLAYLISTS: [Playlist; 1] = [Playlist {
    title: "First week",
    description: "Everything you need before you step on board.",
    privacy: "public",
    items: &[8, 9, 10, 11],
}];

/// The captions of the first video.
const CAPTIONS: &str = "WEBVTT\n\n00:00:01.000 --> 00:00:06.000\nThree things moved markets this quarter.\n\n\
00:00:07.000 --> 00:00:14.000\nRates, freight, and the weather in between.\n\n\
00:00:15.000 --> 00:00:24.000\nLet us look at each of them in turn.\n";

fn playlists(tenant: Tenant) -> &'static [Playlist] {
    match tenant {
        Tenant::Company => &COMPANY_PLAYLISTS,
        Tenant::School => &SCHOOL_PLAYLISTS,
    }
}

/// Returns the number of playlists that an organisation has.
pub fn playlist_count(tenant: Tenant) -> usize {
    playlists(tenant).len()
}

/// Returns the first playlist of the organisation that shows an item, by position.
pub fn playlist_of(item: usize) -> Option<usize> {
    playlists(ITEMS[item].tenant).iter().position(|playlist| playlist.items.contains(&item))
}

/// Uploads the content, waits until it is processed, and creates and pins the playlists.
pub async fn fill(api: &Api, media: &Media, organisation: &mut Organisation) -> Result<(), Error> {
    let tenant = organisation.tenant;
    for item in &ITEMS {
        let id =
            if item.tenant == tenant { create(api, media, organisation, item).await? } else { String::new() };
        organisation.items.push(id);
    }
    for id in organisation.items.clone().iter().filter(|id| !id.is_empty()) {
        processed(api, organisation.founder(), id).await?;
    }
    if tenant == Tenant::Company {
        let path = format!("/v1/content/{}/captions/en?label=English", organisation.items[0]);
        api.put(Some(organisation.founder()), &path, "text/vtt", CAPTIONS.as_bytes().to_vec()).await?;
    }
    let setup = tenant.setup();
    for playlist in playlists(tenant) {
        let items: Vec<&String> = playlist.items.iter().map(|&item| &organisation.items[item]).collect();
        let new = json!({ "orgId": organisation.id, "playlist": {
            "title": playlist.title, "description": playlist.description, "privacy": playlist.privacy, "items": items,
            "contact": { "email": format!("hello@{}", setup.domain) },
        } });
        let id = text(&api.post(organisation.founder(), "/v1/playlists", &new).await?, "uid")?;
        organisation.playlists.push(id);
    }
    let is_public = |(index, _): &(usize, &String)| playlists(tenant)[*index].privacy == "public";
    let pinned: Vec<&String> =
        organisation.playlists.iter().enumerate().filter(is_public).map(|(_, id)| id).collect();
    let change = json!({ "organisation": { "pinnedPlaylists": pinned } });
    let path = format!("/v1/organizations/{}", organisation.id);
    api.patch(organisation.founder(), &path, &change).await.map(drop)
}

async fn create(
    api: &Api,
    media: &Media,
    organisation: &mut Organisation,
    item: &Item,
) -> Result<String, Error> {
    let org = organisation.id.clone();
    let content = json!({ "title": item.title, "description": item.description, "privacy": "public" });
    match item.source {
        Source::File(file) => upload(api, organisation.founder(), &org, content, file(media)).await,
        Source::Embed(url) => {
            let mut content = content;
            content["url"] = url.into();
            let new = json!({ "content": content, "orgId": org, "file": null, "notifyUsers": false });
            text(&api.post(organisation.founder(), "/v1/content", &new).await?, "uid")
        }
    }
}

/// Uploads a video that will be announced to the app users by email once the server has processed it.
pub async fn announce(api: &Api, media: &Media, organisation: &mut Organisation) -> Result<(), Error> {
    let org = organisation.id.clone();
    let item = json!({ "title": "Board update", "description": "Fresh from this week's meeting.", "privacy": "public" });
    let new =
        json!({ "content": item, "orgId": org, "file": announced(&media.interview), "notifyUsers": true });
    send(api, organisation.founder(), new, &media.interview).await.map(drop)
}

async fn upload(
    api: &Api,
    by: &mut Session,
    org: &str,
    content: Value,
    file: &File,
) -> Result<String, Error> {
    let new = json!({ "content": content, "orgId": org, "file": announced(file), "notifyUsers": false });
    send(api, by, new, file).await
}

async fn send(api: &Api, by: &mut Session, new: Value, file: &File) -> Result<String, Error> {
    let created = api.post(by, "/v1/content", &new).await?;
    api.put(None, &text(&created["ingest"], "url")?, file.mime, file.bytes.clone()).await?;
    text(&created, "uid")
}

/// Waits until an item is processed, or cannot be.
async fn processed(api: &Api, by: &mut Session, id: &str) -> Result<(), Error> {
    api.wait_for("processed file", PROCESSING_PATIENCE, async || {
        let item = api.get(by, &format!("/v1/content/{id}")).await?;
        Ok(matches!(item["processing"].as_str(), Some("none" | "done" | "failed")).then_some(()))
    })
    .await
}
