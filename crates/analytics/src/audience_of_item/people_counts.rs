//! Numbers of different people. No async, no SQL, no HTTP.

use super::{Audience, DEVICE_SETS};
use crate::seen_parts::{PartCounts, SeenParts};

/// Numbers of different people. They are kept while viewers are added: what is known of a viewer is at hand then.
#[derive(Clone, Debug, Default)]
pub struct PeopleCounts {
    pub parts: PartCounts,
    /// By the bits of their devices.
    pub devices: [usize; DEVICE_SETS],
    /// By the number of the country, as far as anyone is from one.
    pub countries: Vec<usize>,
}

impl PeopleCounts {
    pub fn add(&mut self, parts: SeenParts, devices: u8, country: Option<u16>) {
        self.parts.add(parts);
        self.devices[usize::from(devices) % DEVICE_SETS] += 1;
        if let Some(country) = country {
            self.add_country(country);
        }
    }

    pub fn change_devices(&mut self, before: u8, after: u8) {
        self.devices[usize::from(before) % DEVICE_SETS] -= 1;
        self.devices[usize::from(after) % DEVICE_SETS] += 1;
    }

    pub fn add_country(&mut self, country: u16) {
        *self.country_mut(country) += 1;
    }

    /// Returns the number of people from a country.
    pub fn country_mut(&mut self, country: u16) -> &mut usize {
        let country = usize::from(country);
        if self.countries.len() <= country {
            self.countries.resize(country + 1, 0);
        }
        &mut self.countries[country]
    }

    /// Takes the people of an audience back, whose countries have the same numbers. Returns `None` if they were not counted.
    pub fn remove_all(&mut self, audience: &Audience) -> Option<()> {
        audience.parts_of_people().for_each(|parts| self.parts.remove(parts));
        let other = &audience.counts;
        for (count, fewer) in self.devices.iter_mut().zip(other.devices) {
            *count = count.checked_sub(fewer)?;
        }
        for (country, fewer) in (0..).zip(&other.countries) {
            let count = self.country_mut(country);
            *count = count.checked_sub(*fewer)?;
        }
        Some(())
    }
}
