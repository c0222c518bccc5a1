//! Measures what an image carries besides its pixels before anything is decoded: a profile of a few kilobytes
//! can unpack to hundreds of megabytes, which a decoder would hold in memory.

use std::io::{self, Read as _};

use flate2::read::ZlibDecoder;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Returns true if profiles, text and camera data take at most `max` bytes once unpacked. Stops where the
/// image is malformed, which the decoder will report.
pub(super) fn has_small_metadata(bytes: &[u8], max: u64) -> bool {
    let mut budget = Budget(max);
    if let Some(chunks) = bytes.strip_prefix(PNG) {
        png(chunks, &mut budget).is_some()
    } else if bytes.starts_with(&[0xff, 0xd8]) {
        jpeg(&bytes[2..], &mut budget).is_some()
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        webp(&bytes[12..], &mut budget).is_some()
    } else {
        true
    }
}

/// Remaining bytes. Taking more than are left returns `None`.
struct Budget(u64);

impl Budget {
    fn spend(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(bytes as u64)?;
        Some(())
    }

    /// Unpacks at most one byte more than are left.
    fn inflate(&mut self, packed: &[u8]) -> Option<()> {
        let mut unpacked = ZlibDecoder::new(packed).take(self.0 + 1);
        // Data that cannot be unpacked to its end counts up to the error.
        let bytes = count_bytes(&mut unpacked);
        self.0 = self.0.checked_sub(bytes)?;
        Some(())
    }
}

fn count_bytes(from: &mut impl io::Read) -> u64 {
    let (mut buffer, mut bytes) = ([0; 16 * 1024], 0);
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        bytes += read as u64;
    }
    bytes
}

fn png(mut chunks: &[u8], budget: &mut Budget) -> Option<()> {
    while let Some((name, data, rest)) = png_chunk(chunks) {
        match &name {
            // A name, a byte for the method, the compressed data.
            b"iCCP" | b"zTXt" => budget.inflate(after_zero(data).get(1..).unwrap_or_default())?,
            b"iTXt" => match after_zero(data) {
                // A compression flag and method, a language, a translated keyword, the text.
                [1, _, text @ ..] => budget.inflate(after_zero(after_zero(text)))?,
                _ => budget.spend(data.len())?,
            },
            b"tEXt" | b"eXIf" => budget.spend(data.len())?,
            _ => {}
        }
        chunks = rest;
    }
    Some(())
}

fn png_chunk(bytes: &[u8]) -> Option<([u8; 4], &[u8], &[u8])> {
    let len = usize::try_from(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?)).ok()?;
    let (name, body) = (bytes.get(4..8)?.try_into().ok()?, bytes.get(8..)?);
    // A checksum follows the data of a chunk.
    Some((name, body.get(..len)?, body.get(len + 4..)?))
}

fn after_zero(bytes: &[u8]) -> &[u8] {
    let zero = bytes.iter().position(|byte| *byte == 0);
    zero.map_or(&[], |zero| &bytes[zero + 1..])
}

/// Reads segments up to the pixels. Of metadata, only Exif counts: phones store depth maps in other segments,
/// which are not compressed.
fn jpeg(mut bytes: &[u8], budget: &mut Budget) -> Option<()> {
    const START_OF_SCAN: u8 = 0xda;
    while let [0xff, kind, high, low, rest @ ..] = bytes {
        let len = usize::from(u16::from_be_bytes([*high, *low]));
        let Some(data) = len.checked_sub(2).and_then(|len| rest.get(..len)) else { break };
        if *kind == START_OF_SCAN {
            break;
        }
        if data.starts_with(b"ICC_PROFILE\0") || data.starts_with(b"Exif\0") {
            budget.spend(data.len())?;
        }
        bytes = &rest[data.len()..];
    }
    Some(())
}

fn webp(mut chunks: &[u8], budget: &mut Budget) -> Option<()> {
    while let Some((name, len, rest)) = webp_chunk(chunks) {
        if matches!(&name, b"ICCP" | b"EXIF" | b"XMP ") {
            budget.spend(len)?;
        }
        chunks = rest;
    }
    Some(())
}

fn webp_chunk(bytes: &[u8]) -> Option<([u8; 4], usize, &[u8])> {
    let name = bytes.get(..4)?.try_into().ok()?;
    let len = usize::try_from(u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?)).ok()?;
    // Chunks are padded to an even length.
    Some((name, len, bytes.get(8..)?.get(len + len % 2..)?))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    const MAX: u64 = 1 << 20;

    fn packed(len: u64) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        for _ in 0..len >> 16 {
            encoder.write_all(&[0; 1 << 16]).unwrap();
        }
        encoder.finish().unwrap()
    }

    fn png(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = PNG.to_vec();
        for (name, data) in chunks {
            bytes.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
            bytes.extend([&name[..], data, &[0; 4]].concat());
        }
        bytes
    }

    #[test]
    fn data_that_unpacks_to_too_much_is_detected_in_each_kind_of_chunk() {
        let (large, small) = (packed(200 << 20), packed(1 << 19));
        assert!(large.len() < 300_000);
        let heads: [(&[u8; 4], &[u8]); 3] =
            [(b"iCCP", b"sRGB\0\0"), (b"zTXt", b"Comment\0\0"), (b"iTXt", b"Comment\0\x01\0en\0Wort\0")];
        for (name, head) in heads {
            let with = |packed: &[u8]| png(&[(b"IHDR", &[0; 13]), (name, &[head, packed].concat())]);
            assert!(has_small_metadata(&with(&small), MAX), "{name:?}");
            assert!(!has_small_metadata(&with(&large), MAX), "{name:?}");
        }
        let half = [b"a\0\0", &small[..]].concat();
        let many: Vec<(&[u8; 4], &[u8])> = vec![(b"zTXt", &half); 3];
        assert!(
            has_small_metadata(&png(&many[..2]), MAX) && !has_small_metadata(&png(&many), MAX),
            "all chunks count together"
        );
    }

    #[test]
    fn uncompressed_data_counts_with_its_size() {
        let text = vec![b'x'; 700_000];
        for name in [b"tEXt", b"eXIf", b"iTXt"] {
            assert!(has_small_metadata(&png(&[(name, &text)]), MAX));
            assert!(!has_small_metadata(&png(&[(name, &text), (name, &text)]), MAX));
        }
        assert!(has_small_metadata(&png(&[(b"IDAT", &text), (b"IDAT", &text)]), MAX), "pixels do not count");
        let segment = |start: &[u8]| {
            let data = [start, &[0; 60_000]].concat();
            let len = u16::try_from(data.len() + 2).unwrap().to_be_bytes();
            [&[0xff, 0xe2], &len[..], &data].concat()
        };
        let jpeg = |start: &[u8], times: usize| [vec![0xff, 0xd8], segment(start).repeat(times)].concat();
        assert!(
            has_small_metadata(&jpeg(b"ICC_PROFILE\0", 17), MAX)
                && !has_small_metadata(&jpeg(b"ICC_PROFILE\0", 18), MAX)
        );
        assert!(
            !has_small_metadata(&jpeg(b"Exif\0\0", 18), MAX)
                && has_small_metadata(&jpeg(b"http://ns.adobe.com/xmp", 60), MAX)
        );
        let webp = |len: u32| {
            let data = vec![0; usize::try_from(len).unwrap() + 1];
            [b"RIFF\0\0\0\0WEBPICCP", &len.to_le_bytes()[..], &data].concat()
        };
        assert!(has_small_metadata(&webp(1 << 20), MAX) && !has_small_metadata(&webp((1 << 20) + 1), MAX));
    }

    #[test]
    fn truncated_images_and_other_data_are_left_to_the_decoder() {
        let whole = png(&[(b"IHDR", &[0; 13]), (b"iCCP", b"x\0\0nothing packed")]);
        for end in 0..whole.len() {
            assert!(has_small_metadata(&whole[..end], MAX), "{end}");
        }
        for odd in
            [&b""[..], b"GIF89a", b"<svg/>", b"\xff\xd8\xff\xe2\0\0", b"RIFF\0\0\0\0WEBPICCP\xff\xff\xff\xff"]
        {
            assert!(has_small_metadata(odd, MAX), "{odd:?}");
        }
    }
}
