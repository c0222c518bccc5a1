//! The confined side: decodes one image and re-encodes it, in a process that may do nothing else.

use std::ffi::OsString;
use std::fs;
use std::io::Cursor;
use std::process::ExitCode;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageReader};

use super::{OUTPUT, PIXELS, PROFILE, Target, header, output_of};
use crate::confinement::{INPUT, Reason, failure};
use crate::icon::framed;

const QUALITY: u8 = 88;
const USAGE: &str = "usage: media-confine --reencode fit|poster|icon SIZE [WIDTH ..]";

/// Reads the input, writes the result, and prints one word: the type, or what is wrong.
pub(crate) fn main(mut args: impl Iterator<Item = OsString>) -> Result<ExitCode, Reason> {
    let words = args.next().zip(args.next());
    let target = words.and_then(|(name, pixels)| Target::parse(name.to_str()?, pixels.to_str()?));
    let target = target.ok_or(USAGE)?;
    let widths: Option<Vec<u32>> = args.map(|width| width.to_str()?.parse().ok()).collect();
    let widths = widths.ok_or(USAGE)?;
    let bytes = fs::read(INPUT).map_err(|error| failure("the input", error))?;
    match reencode(&bytes, target, &widths) {
        Ok(Reencoded { bytes, word, smaller }) => {
            let smaller = smaller.into_iter().map(|(width, bytes)| (output_of(width), bytes));
            for (name, bytes) in smaller.chain([(OUTPUT.to_owned(), bytes)]) {
                fs::write(name, bytes).map_err(|error| failure("the output", error))?;
            }
            println!("{word}");
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            println!("{}", error.word());
            if let DecodeError::Undecodable(error) = error {
                eprintln!("{error}");
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

#[derive(Debug)]
enum DecodeError {
    Pixels,
    Profile,
    Undecodable(image::ImageError),
}

impl DecodeError {
    fn word(&self) -> &'static str {
        match self {
            Self::Pixels => "pixels",
            Self::Profile => "profile",
            Self::Undecodable(_) => "undecodable",
        }
    }
}

impl From<image::ImageError> for DecodeError {
    fn from(error: image::ImageError) -> Self {
        Self::Undecodable(error)
    }
}

impl From<std::io::Error> for DecodeError {
    fn from(error: std::io::Error) -> Self {
        Self::Undecodable(error.into())
    }
}

/// An encoded image, the word for its type, and its smaller versions by width.
struct Reencoded {
    bytes: Vec<u8>,
    word: &'static str,
    smaller: Vec<(u32, Vec<u8>)>,
}

fn reencode(bytes: &[u8], target: Target, widths: &[u32]) -> Result<Reencoded, DecodeError> {
    let (image, orientation) = decode(bytes)?;
    let mut image = match target {
        Target::Fit(side) => shrink(image, side, side),
        Target::Poster(width) if swaps_sides(orientation) => shrink(image, u32::MAX, width),
        Target::Poster(width) => shrink(image, width, u32::MAX),
        Target::Icon(shape) => shrink(image, 2 * shape.side, 2 * shape.side),
    };
    image.apply_orientation(orientation);
    if let Target::Icon(shape) = target {
        image = DynamicImage::ImageRgb8(framed(&image, shape));
    }
    let (bytes, word) = encode(&image, target)?;
    let mut widths: Vec<u32> = widths.iter().copied().filter(|width| *width < image.width()).collect();
    widths.sort_unstable();
    let mut smaller = Vec::with_capacity(widths.len());
    // Each is made of the next larger one, which has the fewest pixels.
    for width in widths.into_iter().rev() {
        image = shrink(image, width, u32::MAX);
        smaller.push((width, encode(&image, target)?.0));
    }
    Ok(Reencoded { bytes, word, smaller })
}

fn encode(image: &DynamicImage, target: Target) -> Result<(Vec<u8>, &'static str), DecodeError> {
    let mut out = Vec::new();
    let jpeg = JpegEncoder::new_with_quality(&mut out, QUALITY);
    let word = match target {
        Target::Poster(_) => {
            on_white(image).write_with_encoder(jpeg)?;
            "jpeg"
        }
        Target::Icon(_) => {
            image.to_rgb8().write_with_encoder(PngEncoder::new(&mut out))?;
            "png"
        }
        Target::Fit(_) if image.color().has_alpha() => {
            image.to_rgba8().write_with_encoder(PngEncoder::new(&mut out))?;
            "png"
        }
        Target::Fit(_) => {
            image.to_rgb8().write_with_encoder(jpeg)?;
            "jpeg"
        }
    };
    Ok((out, word))
}

fn decode(bytes: &[u8]) -> Result<(DynamicImage, Orientation), DecodeError> {
    if !header::has_small_metadata(bytes, PROFILE) {
        return Err(DecodeError::Profile);
    }
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    // The limits of the process are the ones that count.
    reader.no_limits();
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS {
        return Err(DecodeError::Pixels);
    }
    let orientation = decoder.orientation()?;
    Ok((DynamicImage::from_decoder(decoder)?, orientation))
}

/// Returns true if the rotation swaps width and height.
fn swaps_sides(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

/// Shrinks an image. Much larger ones are shrunk in two steps, because the good filter works on floating
/// point numbers, which take more memory than the image.
fn shrink(image: DynamicImage, width: u32, height: u32) -> DynamicImage {
    let factor =
        (f64::from(image.width()) / f64::from(width)).max(f64::from(image.height()) / f64::from(height));
    if factor <= 1.0 {
        return image;
    }
    let half_way = |side: u32| (f64::from(side) / factor * 2.0).ceil().max(1.0) as u32;
    let (wide, high) = (half_way(image.width()), half_way(image.height()));
    let near = if factor > 2.0 { image.thumbnail_exact(wide, high) } else { image };
    near.resize(width, height, FilterType::CatmullRom)
}

fn on_white(image: &DynamicImage) -> image::RgbImage {
    if !image.color().has_alpha() {
        return image.to_rgb8();
    }
    let mut background = image::RgbaImage::from_pixel(image.width(), image.height(), image::Rgba([255; 4]));
    image::imageops::overlay(&mut background, &image.to_rgba8(), 0, 0);
    DynamicImage::ImageRgba8(background).to_rgb8()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, alpha: u8) -> Vec<u8> {
        let mut out = Vec::new();
        image::RgbaImage::from_pixel(width, height, image::Rgba([200, 10, 10, alpha]))
            .write_with_encoder(PngEncoder::new(&mut out))
            .unwrap();
        out
    }

    /// Returns the width, height and first pixel of the result, and its type.
    fn reencoded(bytes: &[u8], target: Target) -> ((u32, u32), [u8; 3], &'static str) {
        let Reencoded { bytes, word, .. } = reencode(bytes, target, &[]).unwrap();
        let image = decode(&bytes).unwrap().0;
        ((image.width(), image.height()), image.to_rgb8().get_pixel(0, 0).0, word)
    }

    #[test]
    fn images_are_shrunk_but_never_enlarged() {
        for (width, height, target, expected, word) in [
            (40, 20, Target::Fit(100), (40, 20), "png"),
            (400, 200, Target::Fit(100), (100, 50), "png"),
            (150, 75, Target::Fit(100), (100, 50), "png"),
            (200, 400, Target::Fit(100), (50, 100), "png"),
            (5_000, 1, Target::Fit(100), (100, 1), "png"),
            (400, 200, Target::Poster(100), (100, 50), "jpeg"),
            (90, 900, Target::Poster(100), (90, 900), "jpeg"),
        ] {
            let (size, _, format) = reencoded(&png(width, height, 255), target);
            assert_eq!((size, format), (expected, word), "{width} x {height}, {target:?}");
        }
        assert_eq!(
            reencoded(&png(400, 200, 0), Target::Poster(100)).1,
            [255; 3],
            "white where it is transparent"
        );
    }

    #[test]
    fn smaller_versions_have_the_widths_that_are_smaller_and_the_same_shape() {
        let image = reencode(&png(1_000, 500, 255), Target::Fit(800), &[96, 400, 800, 1_600]).unwrap();
        let sizes: Vec<_> = image
            .smaller
            .iter()
            .map(|(width, bytes)| {
                let image = decode(bytes).unwrap().0;
                (*width, image.width(), image.height())
            })
            .collect();
        assert_eq!(sizes, [(400, 400, 200), (96, 96, 48)]);
    }

    #[test]
    fn an_icon_has_exactly_its_size_and_shows_the_background_where_the_logo_is_transparent() {
        let shape = crate::IconShape { side: 64, background: [0, 0, 255], fill_percent: 50 };
        for (width, height, alpha, middle) in
            [(400, 200, 255, [200, 10, 10]), (8, 8, 255, [200, 10, 10]), (90, 90, 0, [0, 0, 255])]
        {
            let Reencoded { bytes, word, .. } =
                reencode(&png(width, height, alpha), Target::Icon(shape), &[]).unwrap();
            let icon = decode(&bytes).unwrap().0.to_rgb8();
            assert_eq!((icon.dimensions(), word), ((64, 64), "png"));
            assert_eq!((icon.get_pixel(0, 0).0, icon.get_pixel(32, 32).0), ([0, 0, 255], middle));
        }
    }

    #[test]
    fn data_that_is_not_an_image_is_refused() {
        let whole = png(64, 64, 255);
        let cut = &whole[..whole.len() / 2];
        for odd in [&b"#EXTM3U"[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", &[], cut] {
            assert!(
                matches!(reencode(odd, Target::Fit(100), &[]), Err(DecodeError::Undecodable(_))),
                "{odd:?}"
            );
        }
    }

    #[test]
    fn an_image_is_refused_by_the_size_in_its_header() {
        let promising = |width: u32, height: u32| {
            let mut bytes = png(64, 64, 255);
            bytes[16..20].copy_from_slice(&width.to_be_bytes());
            bytes[20..24].copy_from_slice(&height.to_be_bytes());
            let crc = crc(&bytes[12..29]).to_be_bytes();
            bytes[29..33].copy_from_slice(&crc);
            reencode(&bytes, Target::Fit(100), &[]).err().unwrap()
        };
        assert!(matches!(promising(10_000, 10_000), DecodeError::Pixels));
        assert!(matches!(promising(50_000_001, 1), DecodeError::Pixels));
        assert!(matches!(promising(70_000, 70_000), DecodeError::Pixels));
    }

    fn crc(bytes: &[u8]) -> u32 {
        let step = |crc: u32, byte: &u8| {
            (0..8)
                .fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
        };
        !bytes.iter().fold(!0, step)
    }
}
