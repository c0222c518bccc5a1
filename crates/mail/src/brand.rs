//! An organisation's name, logo and colours in a letter, made readable: WCAG contrast over `#rrggbb` values, by the
//! rules of the viewer app.

use kernel::Colour;

/// The two inks every colour is tried with.
const INK: &str = "#18181e";
const PAPER: &str = "#ffffff";
/// Where the colour that an organisation chose is none.
const GROUND: &str = "#ca4500";
/// What buttons stand on, in light and in dark, and the edge of one that nobody would see there.
const SURFACES: [&str; 2] = ["#ffffff", "#17171c"];
const EDGE: &str = "#8c8c94";
/// The least contrast of a shape.
const SEEN: f64 = 1.5;
/// The least contrast of words.
const LEGIBLE: f64 = 4.5;

/// How an organisation presents itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brand {
    /// Its name, as it was typed.
    pub name: String,
    /// The absolute address of its logo, or empty.
    pub logo: String,
    /// Background, as `#rrggbb`.
    pub background: String,
    /// Text on the background.
    pub text: String,
    /// Buttons.
    pub button: String,
}

/// Colours on which words can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The background.
    pub background: String,
    /// Words on the background.
    pub text: String,
    /// A button.
    pub button: String,
    /// Words on a button.
    pub on_button: String,
    /// The edge of a button.
    pub edge: String,
}

impl Brand {
    /// The colours; one that is none, or cannot be read where it stands, gives way to one that can.
    pub fn colours(&self) -> Colours {
        let background = colour(&self.background).unwrap_or_else(|| GROUND.to_owned());
        let button = colour(&self.button).unwrap_or_else(|| GROUND.to_owned());
        let wanted = colour(&self.text).filter(|text| contrast(text, &background) >= LEGIBLE);
        let text = wanted.unwrap_or_else(|| ink_on(&background).to_owned());
        let on_button = ink_on(&button).to_owned();
        let is_seen = SURFACES.iter().all(|surface| contrast(&button, surface) >= SEEN);
        let edge = if is_seen { button.clone() } else { EDGE.to_owned() };
        Colours { background, text, button, on_button, edge }
    }
}

fn colour(text: &str) -> Option<String> {
    Colour::parse(text).map(|colour| colour.as_str().to_owned())
}

/// Dark or white, whichever is easier to read on the ground.
fn ink_on(ground: &str) -> &'static str {
    if contrast(PAPER, ground) >= contrast(INK, ground) { PAPER } else { INK }
}

/// WCAG contrast of two colours, 1 to 21.
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
        Brand { name: "Acme".into(), logo: String::new(), background, text, button }.colours()
    }

    #[test]
    fn contrast_is_that_of_the_web() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#ca4500", "#ffffff") - 4.81).abs() < 0.005);
    }

    #[test]
    fn words_can_be_read_whatever_was_chosen() {
        let own = brand("#102030", "#FFEECC", "#703cd2");
        assert_eq!((own.text.as_str(), own.on_button.as_str()), ("#ffeecc", PAPER));
        assert_eq!(own.edge, own.button);
        let pale = brand("#ffffff", "#fefefe", "#ffee00");
        assert_eq!(pale.edge, EDGE, "yellow on white");
        assert_eq!((pale.text.as_str(), pale.on_button.as_str()), (INK, INK));
        let broken = brand("red;background:url(x)", "", "#12");
        assert_eq!((broken.background.as_str(), broken.button.as_str()), (GROUND, GROUND));
    }
}
