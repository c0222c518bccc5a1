//! Reads codec names and dimensions from the initialization segment of a rendition (boxes of ISO base media).

/// What an initialization segment declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InitSegment {
    /// As in a master playlist: `avc1.64001f`, `mp4a.40.2`; video first.
    pub(crate) codecs: Vec<String>,
    /// Width and height of the video, in pixels.
    pub(crate) size: Option<(u16, u16)>,
}

/// Bytes of a sample entry before its child boxes, for video and audio.
const VISUAL_ENTRY: usize = 78;
const AUDIO_ENTRY: usize = 28;

/// Parses an initialization segment. Returns `None` if it has no track, or one of a kind that is not produced
/// here.
pub(crate) fn parse_init_segment(init: &[u8]) -> Option<InitSegment> {
    let moov = child(init, b"moov")?;
    let (mut video_codecs, mut audio_codecs, mut size) = (Vec::new(), Vec::new(), None);
    for (_, trak) in boxes(moov).filter(|(name, _)| name == b"trak") {
        let stbl = [b"mdia", b"minf", b"stbl"].iter().try_fold(trak, |inside, name| child(inside, name))?;
        // Version, flags and the entry count precede the entries.
        let (name, entry) = boxes(child(stbl, b"stsd")?.get(8..)?).next()?;
        match &name {
            b"avc1" => {
                let profile = child(entry.get(VISUAL_ENTRY..)?, b"avcC")?.get(1..4)?;
                video_codecs.push(format!("avc1.{}", hex::encode(profile)));
                let side = |at: usize| Some(u16::from_be_bytes(entry.get(at..at + 2)?.try_into().ok()?));
                size = Some((side(24)?, side(26)?));
            }
            // The encoder here always produces low-complexity AAC.
            b"mp4a" => {
                child(entry.get(AUDIO_ENTRY..)?, b"esds")?;
                audio_codecs.push("mp4a.40.2".to_owned());
            }
            _ => return None,
        }
    }
    video_codecs.append(&mut audio_codecs);
    (!video_codecs.is_empty()).then_some(InitSegment { codecs: video_codecs, size })
}

fn child<'a>(inside: &'a [u8], wanted: &[u8; 4]) -> Option<&'a [u8]> {
    boxes(inside).find(|(name, _)| name == wanted).map(|(_, body)| body)
}

/// Iterates over consecutive boxes, up to the first that does not fit.
fn boxes(mut bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let size = usize::try_from(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?)).ok()?;
        let name = bytes.get(4..8)?.try_into().ok()?;
        let body = bytes.get(8..size)?;
        bytes = bytes.get(size..)?;
        Some((name, body))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_box(name: &[u8; 4], body: &[&[u8]]) -> Vec<u8> {
        let body = body.concat();
        let mut bytes = u32::try_from(body.len() + 8).unwrap().to_be_bytes().to_vec();
        bytes.extend(name);
        bytes.extend(body);
        bytes
    }

    fn track(entry: &[u8]) -> Vec<u8> {
        let stsd = make_box(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1], entry]);
        make_box(b"trak", &[&make_box(b"mdia", &[&make_box(b"minf", &[&make_box(b"stbl", &[&stsd])])])])
    }

    fn video_track() -> Vec<u8> {
        let mut head = [0; VISUAL_ENTRY];
        head[24..28].copy_from_slice(&[0x05, 0x00, 0x02, 0xd0]);
        track(&make_box(b"avc1", &[&head, &make_box(b"avcC", &[&[1, 0x64, 0, 0x1f, 0xff]])]))
    }

    fn audio_track() -> Vec<u8> {
        track(&make_box(b"mp4a", &[&[0; AUDIO_ENTRY], &make_box(b"esds", &[&[0; 20]])]))
    }

    #[test]
    fn codecs_and_size_are_read_from_the_tracks() {
        let init = [
            make_box(b"ftyp", &[b"iso5"]),
            make_box(b"moov", &[&make_box(b"mvhd", &[]), &audio_track(), &video_track()]),
        ]
        .concat();
        let expected =
            InitSegment { codecs: vec!["avc1.64001f".into(), "mp4a.40.2".into()], size: Some((1280, 720)) };
        assert_eq!(parse_init_segment(&init), Some(expected));
        assert_eq!(parse_init_segment(&make_box(b"moov", &[&audio_track()])).unwrap().codecs, ["mp4a.40.2"]);
    }

    #[test]
    fn truncated_foreign_and_empty_segments_are_rejected() {
        let whole = make_box(b"moov", &[&video_track()]);
        for end in 0..whole.len() {
            assert_eq!(parse_init_segment(&whole[..end]), None, "{end}");
        }
        assert_eq!(parse_init_segment(&make_box(b"moov", &[])), None);
        let foreign = track(&make_box(b"hvc1", &[&[0; VISUAL_ENTRY], &make_box(b"hvcC", &[&[1; 8]])]));
        assert_eq!(parse_init_segment(&make_box(b"moov", &[&foreign])), None);
    }
}
