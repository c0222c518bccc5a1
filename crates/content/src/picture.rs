//! Pictures are never passed on as they came: they are decoded under strict limits and written anew, which
//! leaves behind hidden data, places in the world, and whatever was meant for somebody else's decoder.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder as _, ImageReader, Limits};

/// Pixels along one side of a picture that is taken.
const SIDE_MAX: u32 = 10_000;
/// Bytes a decoder may ask for.
const ALLOC_MAX: u64 = 256 * 1024 * 1024;
const QUALITY: u8 = 88;

/// A picture written anew.
pub struct Redrawn {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// `image/jpeg`, or `image/png` where there is transparency.
    pub media_type: &'static str,
}

/// Decodes a picture and writes it anew, upright and at most `side` pixels along its longer side. Of an
/// animation the first picture is taken. This is work for a blocking thread.
///
/// # Errors
/// What the decoder says of bytes that are no picture, or one beyond the limits.
pub fn redraw(bytes: &[u8], side: u32) -> image::ImageResult<Redrawn> {
    let picture = shrink(decode(bytes)?, side, side);
    let mut out = Vec::new();
    let media_type = if picture.color().has_alpha() {
        picture.to_rgba8().write_with_encoder(PngEncoder::new(&mut out))?;
        "image/png"
    } else {
        picture.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut out, QUALITY))?;
        "image/jpeg"
    };
    Ok(Redrawn { bytes: out, media_type })
}

/// A JPEG at most `width` pixels wide, on white where the picture is transparent.
///
/// # Errors
/// As [`redraw`].
pub fn poster(bytes: &[u8], width: u32) -> image::ImageResult<Vec<u8>> {
    let picture = shrink(decode(bytes)?, width, u32::MAX);
    let mut paper = image::RgbaImage::from_pixel(picture.width(), picture.height(), image::Rgba([255; 4]));
    image::imageops::overlay(&mut paper, &picture.to_rgba8(), 0, 0);
    let mut out = Vec::new();
    DynamicImage::ImageRgba8(paper)
        .to_rgb8()
        .write_with_encoder(JpegEncoder::new_with_quality(&mut out, QUALITY))?;
    Ok(out)
}

fn decode(bytes: &[u8]) -> image::ImageResult<DynamicImage> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(ALLOC_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let orientation = decoder.orientation()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn shrink(picture: DynamicImage, width: u32, height: u32) -> DynamicImage {
    if picture.width() <= width && picture.height() <= height {
        return picture;
    }
    picture.resize(width, height, FilterType::CatmullRom)
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

    #[test]
    fn pictures_are_made_smaller_but_never_larger() {
        let small = redraw(&png(40, 20, 255), 100).unwrap();
        let decoded = decode(&small.bytes).unwrap();
        assert_eq!((decoded.width(), decoded.height()), (40, 20));
        let large = redraw(&png(400, 200, 255), 100).unwrap();
        let decoded = decode(&large.bytes).unwrap();
        assert_eq!((decoded.width(), decoded.height(), large.media_type), (100, 50, "image/png"));
        let poster = decode(&poster(&png(400, 200, 0), 100).unwrap()).unwrap();
        assert_eq!(
            (poster.width(), poster.height(), poster.to_rgb8().get_pixel(0, 0).0),
            (100, 50, [255; 3])
        );
    }

    #[test]
    fn what_is_no_picture_or_too_large_a_one_is_refused() {
        assert!(redraw(b"#EXTM3U", 100).is_err());
        assert!(redraw(b"<svg xmlns='http://www.w3.org/2000/svg'/>", 100).is_err());
        assert!(redraw(&[], 100).is_err());
        let whole = png(64, 64, 255);
        assert!(redraw(&whole[..whole.len() / 2], 100).is_err(), "cut in the middle");
        // A bomb: a header that promises far more than it holds.
        let mut bomb = whole;
        bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        assert!(redraw(&bomb, 100).is_err());
    }
}
