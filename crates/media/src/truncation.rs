//! Detects truncated files. ffprobe trusts a file's index and exits with 0 for a truncated one, but the
//! outermost boxes of a container state how long the file must be.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Outermost boxes to read; a fragmented video has two for every few seconds.
const BOXES_MAX: usize = 200_000;

/// Returns true if the file is as long as its container states. Containers that do not state it count as
/// complete.
pub fn is_complete(path: &Path, demuxer: &str) -> io::Result<bool> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    Ok(match demuxer {
        "mov" => boxes_fit(&file, len)?,
        "matroska" => segment_fits(&file, len)?,
        "avi" => riffs_fit(&file, len)?,
        _ => true,
    })
}

/// Reads bytes at an offset. Returns `None` at the end of the file.
fn read_at<const N: usize>(file: &File, offset: u64) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    match file.read_exact_at(&mut bytes, offset) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// ISO base media: `size type`, with a 64-bit size if the short one is 1, and to the end of the file if it is
/// 0.
fn boxes_fit(file: &File, len: u64) -> io::Result<bool> {
    let mut offset = 0;
    for _ in 0..BOXES_MAX {
        let Some([a, b, c, d, ..]) = read_at::<8>(file, offset)? else { break };
        let size = match u32::from_be_bytes([a, b, c, d]) {
            1 => match read_at::<8>(file, offset + 8)? {
                Some(long) => u64::from_be_bytes(long),
                None => return Ok(false),
            },
            short => short.into(),
        };
        // 0 means to the end; anything else below 8 is padding that some encoders leave behind.
        if size < 8 {
            break;
        }
        let Some(end) = offset.checked_add(size).filter(|end| *end <= len) else { return Ok(false) };
        offset = end;
    }
    Ok(true)
}

/// Matroska: a header element, then one segment with everything. Live recordings leave its size open.
fn segment_fits(file: &File, len: u64) -> io::Result<bool> {
    let mut offset = 4;
    let Some((header, digits)) = vint(file, offset)? else { return Ok(true) };
    offset += digits + header.unwrap_or(0);
    if read_at::<4>(file, offset)? != Some([0x18, 0x53, 0x80, 0x67]) {
        return Ok(true);
    }
    let Some((size, digits)) = vint(file, offset + 4)? else { return Ok(false) };
    let end = size.and_then(|size| (offset + 4 + digits).checked_add(size));
    Ok(end.is_none_or(|end| end <= len))
}

/// Reads an EBML number and its length in bytes. The number is `None` if it means "unknown".
fn vint(file: &File, offset: u64) -> io::Result<Option<(Option<u64>, u64)>> {
    let Some([first]) = read_at::<1>(file, offset)? else { return Ok(None) };
    let digits = first.leading_zeros() + 1;
    if digits > 8 {
        return Ok(None);
    }
    let mut value = u64::from(first) & ((1 << (8 - digits)) - 1);
    for step in 1..u64::from(digits) {
        let Some([next]) = read_at::<1>(file, offset + step)? else { return Ok(None) };
        value = value << 8 | u64::from(next);
    }
    let unknown = value == (1 << (7 * digits)) - 1;
    Ok(Some(((!unknown).then_some(value), digits.into())))
}

/// AVI: one RIFF list after another.
fn riffs_fit(file: &File, len: u64) -> io::Result<bool> {
    let mut offset = 0;
    for _ in 0..BOXES_MAX {
        let Some([b'R', b'I', b'F', b'F', a, b, c, d]) = read_at::<8>(file, offset)? else { break };
        let size = u64::from(u32::from_le_bytes([a, b, c, d]));
        offset += 8 + size + size % 2;
        // The padding byte of the last list may be missing.
        if offset > len + 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(bytes: &[u8], demuxer: &str) -> bool {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        is_complete(file.path(), demuxer).unwrap()
    }

    #[test]
    fn a_box_that_reaches_beyond_the_end_is_detected() {
        let video = b"\0\0\0\x0cftypisom\0\0\0\x0amdat12";
        assert!(complete(video, "mov"));
        assert!(!complete(&video[..video.len() - 1], "mov"));
        assert!(complete(b"\0\0\0\x0cftypisom\0\0\0\0mdat123", "mov"), "size 0 means to the end");
        assert!(!complete(b"\0\0\0\x01mdat\xff\xff\xff\xff\xff\xff\xff\xff", "mov"));
        assert!(!complete(b"\0\0\0\x01mdat\0\0", "mov"));
        assert!(complete(b"\0\0\0\x0cftypisom\0\0", "mov"), "a few bytes of padding");
    }

    #[test]
    fn a_segment_that_reaches_beyond_the_end_is_detected() {
        let video = b"\x1a\x45\xdf\xa3\x82ab\x18\x53\x80\x67\x83abc";
        assert!(complete(video, "matroska"));
        assert!(!complete(&video[..video.len() - 1], "matroska"));
        assert!(complete(b"\x1a\x45\xdf\xa3\x82ab\x18\x53\x80\x67\xffabc", "matroska"), "a live recording");
        assert!(complete(b"\x1a\x45\xdf\xa3", "matroska") && complete(b"\x1a\x45\xdf\xa3\0", "matroska"));
    }

    #[test]
    fn a_list_that_reaches_beyond_the_end_is_detected() {
        assert!(complete(b"RIFF\x06\0\0\0AVI 12RIFF\x04\0\0\0AVIX", "avi"));
        assert!(!complete(b"RIFF\x06\0\0\0AVI 12RIFF\xf0\0\0\0AVIX", "avi"));
    }
}
