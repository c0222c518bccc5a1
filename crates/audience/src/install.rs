//! The web app manifest of an organisation and its icons, with which people install the viewer app under the name and
//! in the colors of the organisation. Everything is under a path that only people inside the organisation are given.

mod manifest;

use content::Content;
use db::Db;
use http::StatusCode;
use httpkit::Api;
use kernel::{OrgId, PublicUrl, Signer, Uid};
use media::{IconShape, letter_icon};
use moka::future::Cache;
use orgs::{Organisation, Orgs};
use sha2::{Digest as _, Sha256};

use crate::{Error, ops};

use manifest::manifest;

const PURPOSE: &str = "install";
/// Icons that are kept in memory: making one from a logo starts a process.
const KEPT_ICONS: u64 = 200;

/// Handle to the manifests of organisations; clones share the same state.
#[derive(Clone)]
pub struct Install {
    pub(crate) db: Db,
    pub(crate) orgs: Orgs,
    public: PublicUrl,
    signer: Signer,
    content: Content,
    icons: Cache<(String, Icon), Vec<u8>>,
}

/// A file beside the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Icon {
    Small,
    Large,
    Maskable,
    /// For iOS, which reads no manifest.
    Apple,
}

impl Icon {
    pub const ALL: [Self; 4] = [Self::Small, Self::Large, Self::Maskable, Self::Apple];

    /// Returns the name of the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "icon-192.png",
            Self::Large => "icon-512.png",
            Self::Maskable => "maskable-512.png",
            Self::Apple => "apple-180.png",
        }
    }

    /// Returns its width and height in pixels.
    pub fn side(self) -> u32 {
        match self {
            Self::Small => 192,
            Self::Large | Self::Maskable => 512,
            Self::Apple => 180,
        }
    }

    /// Returns the share of the side that the logo may fill, in percent.
    fn fill_percent(self) -> u32 {
        if self == Self::Maskable { 60 } else { 80 }
    }
}

impl Install {
    /// Creates the handle.
    pub fn new(db: Db, orgs: Orgs, public: PublicUrl, signer: Signer, content: Content) -> Self {
        Self { db, orgs, public, signer, content, icons: Cache::new(KEPT_ICONS) }
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::install_routes().with_state(self.clone())
    }

    /// Returns the URL of the organisation's manifest.
    pub(crate) fn manifest_url(&self, organisation: &Organisation) -> String {
        self.url(organisation.uid, "manifest.webmanifest")
    }

    /// Returns the URL of the icon for devices that read no manifest.
    pub(crate) fn icon_url(&self, organisation: &Organisation) -> String {
        let name = format!("{}?v={}", Icon::Apple.name(), self.tag(organisation));
        self.url(organisation.uid, &name)
    }

    fn url(&self, org: OrgId, name: &str) -> String {
        let token = self.signer.sign(PURPOSE, org.as_bytes());
        self.public.at(&format!("/v1/install/{token}/{name}"))
    }

    /// Returns the organisation of a token, unless it is forged or the organisation is gone.
    pub(crate) fn org_of(&self, token: &str) -> Option<OrgId> {
        let bytes: [u8; 16] = self.signer.verify(PURPOSE, token)?.try_into().ok()?;
        Some(Uid::from_bytes(bytes).into())
    }

    /// Returns a tag that changes with everything that the icons are made from.
    pub(crate) fn tag(&self, organisation: &Organisation) -> String {
        let colours = orgs::brand(organisation, &self.public).colours();
        let initial = initial(&organisation.name).map(String::from).unwrap_or_default();
        let logo = organisation.logo.as_deref().unwrap_or_default();
        let parts = [logo, &colours.background, &colours.text, &initial].join("\n");
        hex::encode(&Sha256::digest(parts)[..8])
    }

    pub(crate) fn manifest_of(&self, organisation: &Organisation) -> serde_json::Value {
        let colours = orgs::brand(organisation, &self.public).colours();
        manifest(organisation, &colours.background, &self.tag(organisation))
    }

    /// Returns an icon in PNG: the logo on the brand color, or the initial of the name.
    pub(crate) async fn icon_of(&self, organisation: &Organisation, icon: Icon) -> Result<Vec<u8>, Error> {
        let key = (format!("{}-{}", organisation.uid, self.tag(organisation)), icon);
        let made = self.icons.try_get_with(key, self.draw(organisation, icon)).await;
        made.map_err(|error| {
            tracing::error!(%error, org = %organisation.uid, "an icon could not be made");
            Error::Problem(kernel::Problem::new(
                StatusCode::SERVICE_UNAVAILABLE.as_u16(),
                "icon_failed",
                "The icon could not be made. Please try again.",
            ))
        })
    }

    async fn draw(&self, organisation: &Organisation, icon: Icon) -> Result<Vec<u8>, String> {
        let colours = orgs::brand(organisation, &self.public).colours();
        let background = rgb(&colours.background);
        let shape = IconShape { side: icon.side(), background, fill_percent: icon.fill_percent() };
        if let Some(logo) = &organisation.logo
            && let Some(png) = self.content.icon_of(logo, shape).await.map_err(|error| error.to_string())?
        {
            return Ok(png);
        }
        letter_icon(initial(&organisation.name), rgb(&colours.text), shape).map_err(|error| error.to_string())
    }
}

/// Returns the first letter or digit of a name.
fn initial(name: &str) -> Option<char> {
    name.chars().find(|letter| letter.is_alphanumeric())
}

/// Returns the parts of `#rrggbb`. The colours of a brand are always valid.
fn rgb(colour: &str) -> [u8; 3] {
    let mut parts = [0; 3];
    let digits = colour.strip_prefix('#').unwrap_or(colour);
    if hex::decode_to_slice(digits, &mut parts).is_err() { [0; 3] } else { parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_is_the_first_letter_or_digit() {
        assert_eq!(initial("  «Äpfel» 3"), Some('Ä'));
        assert_eq!(initial("3 Birds"), Some('3'));
        assert_eq!(initial("-!"), None);
    }

    #[test]
    fn colours_are_read_in_parts() {
        assert_eq!(rgb("#ca4500"), [202, 69, 0]);
    }
}
