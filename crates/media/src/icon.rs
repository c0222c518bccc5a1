//! Square icons of installed apps: a logo on a color, or a letter if there is no logo.

use std::io;

use image::codecs::png::PngEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, GrayImage, ImageFormat, Rgb, RgbImage};

/// The letters and digits of [`LETTERS`], white on black, in cells of [`CELL`] pixels, [`COLUMNS`] in a row.
const SHEET: &[u8] = include_bytes!("icon/letters.png");
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const CELL: u32 = 192;
const COLUMNS: u32 = 6;
/// Share of the area of a logo that a letter fills, in percent.
const LETTER_PERCENT: u32 = 70;

/// Size and background of an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IconShape {
    /// Width and height in pixels.
    pub side: u32,
    /// Red, green and blue.
    pub background: [u8; 3],
    /// Share of the side that the logo fills at most, in percent. Of a maskable icon, only the inner 80 % of a circle
    /// are always visible.
    pub fill_percent: u32,
}

impl IconShape {
    /// Returns the side of the square in the middle that the logo fills.
    fn inner(self) -> u32 {
        (self.side * self.fill_percent.min(100) / 100).max(1)
    }

    /// Returns the shape as one word.
    pub(crate) fn to_word(self) -> String {
        format!("{}-{}-{}", self.side, hex::encode(self.background), self.fill_percent)
    }

    /// Parses the word. The side is limited, because memory depends on it.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let mut parts = word.split('-');
        let side = parts.next()?.parse().ok().filter(|side| (1..=1024).contains(side))?;
        let mut background = [0; 3];
        hex::decode_to_slice(parts.next()?, &mut background).ok()?;
        let fill_percent = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some(Self { side, background, fill_percent })
    }
}

/// Places an image in the middle of the icon, as large as fits.
pub(crate) fn framed(image: &DynamicImage, shape: IconShape) -> RgbImage {
    let inner = shape.inner();
    let image = image.resize(inner, inner, FilterType::CatmullRom).to_rgba8();
    let mut icon = image::RgbaImage::from_pixel(shape.side, shape.side, {
        let [red, green, blue] = shape.background;
        image::Rgba([red, green, blue, 255])
    });
    let margin = |length: u32| i64::from(shape.side.saturating_sub(length) / 2);
    imageops::overlay(&mut icon, &image, margin(image.width()), margin(image.height()));
    DynamicImage::ImageRgba8(icon).to_rgb8()
}

/// Draws an icon with a letter or a digit, in PNG. Any other character becomes a disc.
///
/// # Errors
/// If the image cannot be encoded.
pub fn letter_icon(letter: Option<char>, colour: [u8; 3], shape: IconShape) -> io::Result<Vec<u8>> {
    let size = (shape.inner() * LETTER_PERCENT / 100).max(1);
    let known = letter.and_then(|letter| LETTERS.find(letter.to_ascii_uppercase()));
    let ink = match known.and_then(|at| u32::try_from(at).ok()) {
        Some(at) => fitted(&glyph(at)?, size),
        None => disc(size),
    };
    let mut icon = RgbImage::from_pixel(shape.side, shape.side, Rgb(shape.background));
    let (left, top) = ((shape.side - ink.width()) / 2, (shape.side - ink.height()) / 2);
    for (x, y, cover) in ink.enumerate_pixels() {
        let pixel = icon.get_pixel_mut(left + x, top + y);
        for (channel, wanted) in pixel.0.iter_mut().zip(colour) {
            *channel = mixed(*channel, wanted, cover.0[0]);
        }
    }
    let mut out = Vec::new();
    icon.write_with_encoder(PngEncoder::new(&mut out)).map_err(io::Error::other)?;
    Ok(out)
}

/// Returns the cell of the sheet, cut to its ink.
fn glyph(at: u32) -> io::Result<GrayImage> {
    let sheet = image::load_from_memory_with_format(SHEET, ImageFormat::Png).map_err(io::Error::other)?;
    let cell = sheet.crop_imm(at % COLUMNS * CELL, at / COLUMNS * CELL, CELL, CELL).to_luma8();
    let inked = |(x, y, pixel): (u32, u32, &image::Luma<u8>)| (pixel.0[0] > 0).then_some((x, y));
    let (mut left, mut top, mut right, mut bottom) = (CELL, CELL, 0, 0);
    for (x, y) in cell.enumerate_pixels().filter_map(inked) {
        (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
    }
    Ok(imageops::crop_imm(&cell, left, top, right + 1 - left, bottom + 1 - top).to_image())
}

fn fitted(ink: &GrayImage, size: u32) -> GrayImage {
    DynamicImage::ImageLuma8(ink.clone()).resize(size, size, FilterType::CatmullRom).to_luma8()
}

fn disc(size: u32) -> GrayImage {
    let radius = f64::from(size) / 2.0;
    GrayImage::from_fn(size, size, |x, y| {
        let (dx, dy) = (f64::from(x) + 0.5 - radius, f64::from(y) + 0.5 - radius);
        let cover = (radius - dx.hypot(dy) + 0.5).clamp(0.0, 1.0);
        image::Luma([(cover * 255.0) as u8])
    })
}

fn mixed(below: u8, above: u8, cover: u8) -> u8 {
    let (below, above, cover) = (u32::from(below), u32::from(above), u32::from(cover));
    u8::try_from((below * (255 - cover) + above * cover) / 255).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: IconShape = IconShape { side: 192, background: [202, 69, 0], fill_percent: 80 };

    fn drawn(letter: Option<char>) -> RgbImage {
        let png = letter_icon(letter, [255; 3], SHAPE).unwrap();
        image::load_from_memory_with_format(&png, ImageFormat::Png).unwrap().to_rgb8()
    }

    #[test]
    fn every_letter_is_drawn_in_the_middle_on_the_background() {
        for letter in LETTERS.chars() {
            let icon = drawn(Some(letter));
            assert_eq!((icon.width(), icon.height()), (192, 192));
            assert_eq!(icon.get_pixel(0, 0).0, SHAPE.background, "{letter}");
            let ink: Vec<u32> =
                icon.enumerate_pixels().filter(|(_, _, p)| p.0 == [255; 3]).map(|(x, _, _)| x).collect();
            let (left, right) = (ink.iter().min().unwrap(), ink.iter().max().unwrap());
            assert!(left.abs_diff(191 - right) <= 2, "{letter}: {left} to {right}");
        }
        assert_ne!(drawn(Some('A')), drawn(Some('B')));
        assert_eq!(drawn(Some('a')), drawn(Some('A')));
        assert_eq!(drawn(Some('Ж')), drawn(None), "a disc");
    }

    #[test]
    fn a_logo_keeps_its_shape_and_stays_inside_its_part() {
        let logo = DynamicImage::ImageRgb8(RgbImage::from_pixel(40, 20, Rgb([0, 0, 255])));
        let icon = framed(&logo, SHAPE);
        let blue = icon.enumerate_pixels().filter(|(_, _, p)| p.0 == [0, 0, 255]);
        let (across, down): (Vec<u32>, Vec<u32>) = blue.map(|(x, y, _)| (x, y)).unzip();
        assert_eq!((across.iter().min(), across.iter().max()), (Some(&19), Some(&171)));
        assert_eq!((down.iter().min(), down.iter().max()), (Some(&57), Some(&133)));
    }

    #[test]
    fn a_shape_is_read_back_from_its_word_and_other_words_are_refused() {
        assert_eq!(IconShape::parse(&SHAPE.to_word()), Some(SHAPE));
        for odd in
            ["", "192", "192-ca4500", "0-ca4500-80", "9999-ca4500-80", "192-ca45-80", "192-ca4500-80-1"]
        {
            assert_eq!(IconShape::parse(odd), None, "{odd}");
        }
    }
}
