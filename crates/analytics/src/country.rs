//! The country of a request: from a header that a trusted proxy sets, else from a file with the countries of addresses.

use std::net::IpAddr;
use std::path::Path;

use http::HeaderMap;
use maxminddb::{MaxMindDbError, PathElement, Reader, WithinOptions, path};

use crate::definitions::countries::known_code;

/// Networks of a file that are looked at to see whether it has countries at all.
const NETWORKS_TRIED: usize = 1000;

/// A file that has the countries of addresses cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CountryFileError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(#[from] MaxMindDbError),
    /// The file is about something else.
    #[error("it is of the type {0} and has no countries")]
    NoCountries(String),
}

/// A file in the MMDB format that has the countries of addresses, kept in memory.
#[derive(Debug)]
pub struct CountryFile(Reader<Vec<u8>>);

impl CountryFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Fails if it cannot be read or has no countries.
    pub fn open(path: &Path) -> Result<Self, CountryFileError> {
        let reader = Reader::open_readfile(path)?;
        for network in reader.networks(WithinOptions::default())?.take(NETWORKS_TRIED) {
            let address = network?.network()?.ip();
            if country_in(&reader, address)?.is_some() {
                return Ok(Self(reader));
            }
        }
        Err(CountryFileError::NoCountries(reader.metadata().database_type.clone()))
    }

    /// Returns the ISO 3166 code of the country of an address, if it is known.
    fn country_of(&self, address: IpAddr) -> Option<String> {
        let found = country_in(&self.0, address);
        found.inspect_err(|error| tracing::warn!(%error, "the file of countries is damaged")).ok().flatten()
    }
}

fn country_in(reader: &Reader<Vec<u8>>, address: IpAddr) -> Result<Option<String>, MaxMindDbError> {
    let found = reader.lookup(address)?;
    // Publishers put the code in different places.
    let places: [&[PathElement<'_>]; 2] = [&path!["country", "iso_code"], &path!["country_code"]];
    for place in places {
        if let Some(code) = found.decode_path::<&str>(place)?.and_then(known_code) {
            return Ok(Some(code));
        }
    }
    Ok(None)
}

/// Tells the countries of requests.
#[derive(Debug, Default)]
pub struct Countries {
    /// Header that a trusted proxy sets.
    pub header: Option<String>,
    /// Used without the header, or if it has no country.
    pub file: Option<CountryFile>,
}

impl Countries {
    /// Returns the ISO 3166 code of the country of a request, if it is known.
    pub(crate) fn of(&self, headers: &HeaderMap, address: IpAddr) -> Option<String> {
        let header = self.header.as_ref().and_then(|name| headers.get(name)?.to_str().ok());
        let file = || self.file.as_ref()?.country_of(address);
        header.and_then(known_code).or_else(file)
    }
}
