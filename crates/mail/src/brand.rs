//! An organisation's name, logo and colours in an email. Colours are made readable by WCAG contrast over
//! `#rrggbb` values, by the same rules as in the viewer app.

use kernel::Colour;
use minijinja::{Value, context};

use crate::texts::short;

/// Longest name of an organisation or a person, in characters: enough for a name, too short for an advertisement.
pub(crate) const NAME_MAX: usize = 60;

/// The two text colours that are tried on a background.
const DARK_TEXT: &str = "#18181e";
const LIGHT_TEXT: &str = "#ffffff";
/// Replaces a colour of the organisation that is invalid.
const DEFAULT_COLOUR: &str = "#ca4500";
/// The backgrounds of buttons, light and dark, and the border of a button that would be invisible on one of
/// them.
const SURFACES: [&str; 2] = ["#ffffff", "#17171c"];
const FALLBACK_BORDER: &str = "#8c8c94";
/// Minimum contrast of a shape.
const MIN_SHAPE_CONTRAST: f64 = 1.5;
/// Minimum contrast of text.
const MIN_TEXT_CONTRAST: f64 = 4.5;

/// How an organisation presents itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brand {
    /// Name of the organisation, as typed.
    pub name: String,
    /// Absolute address of the logo, if there is one.
    pub logo: Option<String>,
    /// Background colour, as `#rrggbb`.
    pub background: String,
    /// Text colour on the background.
    pub text: String,
    /// Button colour.
    pub button: String,
}

/// Colours with readable text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Background colour.
    pub background: String,
    /// Text colour on the background.
    pub text: String,
    /// Button colour.
    pub button: String,
    /// Text colour on a button.
    pub on_button: String,
    /// Border colour of a button.
    pub edge: String,
}

impl Brand {
    /// Returns the name, safe in the body of an email.
    pub(crate) fn shown_name(&self) -> String {
        short(&self.name, NAME_MAX)
    }

    /// Returns the values of the templates that show the brand.
    pub(crate) fn values(&self) -> Value {
        let colours = self.colours();
        context! {
            organisation => self.shown_name(), logo => self.logo.as_deref(),
            colours => context! {
                background => colours.background, on_background => colours.text,
                button => colours.button, on_button => colours.on_button, edge => colours.edge,
            },
        }
    }

    /// Returns the colours, replacing those that are invalid or unreadable.
    pub fn colours(&self) -> Colours {
        let background = colour(&self.background).unwrap_or_else(|| DEFAULT_COLOUR.to_owned());
        let button = colour(&self.button).unwrap_or_else(|| DEFAULT_COLOUR.to_owned());
        let wanted = colour(&self.text).filter(|text| contrast(text, &background) >= MIN_TEXT_CONTRAST);
        let text = wanted.unwrap_or_else(|| text_colour_on(&background).to_owned());
        let on_button = text_colour_on(&button).to_owned();
        let is_visible = SURFACES.iter().all(|surface| contrast(&button, surface) >= MIN_SHAPE_CONTRAST);
        let edge = if is_visible { button.clone() } else { FALLBACK_BORDER.to_owned() };
        Colours { background, text, button, on_button, edge }
    }
}

fn colour(text: &str) -> Option<String> {
    Colour::parse(text).map(|colour| colour.as_str().to_owned())
}

/// Returns the dark or the white text colour, whichever has more contrast.
fn text_colour_on(background: &str) -> &'static str {
    if contrast(LIGHT_TEXT, background) >= contrast(DARK_TEXT, background) { LIGHT_TEXT } else { DARK_TEXT }
}

/// Returns the WCAG contrast of two colours, 1 to 21.
fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let byte = colour.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
        let part = f64::from(byte) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brand(background: &str, text: &str, button: &str) -> Colours {
        let [background, text, button] = [background, text, button].map(str::to_owned);
        Brand { name: "Acme".into(), logo: None, background, text, button }.colours()
    }

    #[test]
    fn contrast_follows_wcag() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#ca4500", "#ffffff") - 4.81).abs() < 0.005);
    }

    #[test]
    fn text_is_readable_whatever_colours_were_chosen() {
        let own = brand("#102030", "#FFEECC", "#703cd2");
        assert_eq!((own.text.as_str(), own.on_button.as_str()), ("#ffeecc", LIGHT_TEXT));
        assert_eq!(own.edge, own.button);
        let pale = brand("#ffffff", "#fefefe", "#ffee00");
        assert_eq!(pale.edge, FALLBACK_BORDER, "yellow on white");
        assert_eq!((pale.text.as_str(), pale.on_button.as_str()), (DARK_TEXT, DARK_TEXT));
        let broken = brand("red;background:url(x)", "", "#12");
        assert_eq!((broken.background.as_str(), broken.button.as_str()), (DEFAULT_COLOUR, DEFAULT_COLOUR));
    }
}
