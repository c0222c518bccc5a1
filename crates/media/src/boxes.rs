//! Reads codec names and dimensions from the initialization segment of a rendition (boxes of ISO base media).

/// What an initialization segment declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declared {
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
pub(crate) fn declared(init: &[u8]) -> Option<Declared> {
    let moov = child(init, b"moov")?;
    let (mut pictures, mut sounds, mut size) = (Vec::new(), Vec::new(), None);
    for (_, trak) in boxes(moov).filter(|(name, _)| name == b"trak") {
        let stbl = [b"mdia", b"minf", b"stbl"].iter().try_fold(trak, |inside, name| child(inside, name))?;
        // Version, flags and the entry count precede the entries.
        let (name, entry) = boxes(child(stbl, b"stsd")?.get(8..)?).next()?;
        match &name {
            b"avc1" => {
                let profile = child(entry.get(VISUAL_ENTRY..)?, b"avcC")?.get(1..4)?;
                let digits: String = profile.iter().map(|byte| format!("{byte:02x}")).collect();
                pictures.push(format!("avc1.{digits}"));
                let side = |at: usize| Some(u16::from_be_bytes(entry.get(at..at + 2)?.try_into().ok()?));
                size = Some((side(24)?, side(26)?));
            }
            // The encoder here always produces low-complexity AAC.
            b"mp4a" => {
                child(entry.get(AUDIO_ENTRY..)?, b"esds")?;
                sounds.push("mp4a.40.2".to_owned());
            }
            _ => return None,
        }
    }
    pictures.append(&mut sounds);
    (!pictures.is_empty()).then_some(Declared { codecs: pictures, size })
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

    fn made(name: &[u8; 4], body: &[&[u8]]) -> Vec<u8> {
        let body = body.concat();
        let mut bytes = u32::try_from(body.len() + 8).unwrap().to_be_bytes().to_vec();
        bytes.extend(name);
        bytes.extend(body);
        bytes
    }

    fn track(entry: &[u8]) -> Vec<u8> {
        let stsd = made(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1], entry]);
        made(b"trak", &[&made(b"mdia", &[&made(b"minf", &[&made(b"stbl", &[&stsd])])])])
    }

    fn picture() -> Vec<u8> {
        let mut head = [0; VISUAL_ENTRY];
        head[24..28].copy_from_slice(&[0x05, 0x00, 0x02, 0xd0]);
        track(&made(b"avc1", &[&head, &made(b"avcC", &[&[1, 0x64, 0, 0x1f, 0xff]])]))
    }

    fn sound() -> Vec<u8> {
        track(&made(b"mp4a", &[&[0; AUDIO_ENTRY], &made(b"esds", &[&[0; 20]])]))
    }

    #[test]
    fn codecs_and_size_are_read_from_the_tracks() {
        let init =
            [made(b"ftyp", &[b"iso5"]), made(b"moov", &[&made(b"mvhd", &[]), &sound(), &picture()])].concat();
        let expected =
            Declared { codecs: vec!["avc1.64001f".into(), "mp4a.40.2".into()], size: Some((1280, 720)) };
        assert_eq!(declared(&init), Some(expected));
        assert_eq!(declared(&made(b"moov", &[&sound()])).unwrap().codecs, ["mp4a.40.2"]);
    }

    #[test]
    fn what_is_cut_foreign_or_empty_declares_nothing() {
        let whole = made(b"moov", &[&picture()]);
        for end in 0..whole.len() {
            assert_eq!(declared(&whole[..end]), None, "{end}");
        }
        assert_eq!(declared(&made(b"moov", &[])), None);
        let foreign = track(&made(b"hvc1", &[&[0; VISUAL_ENTRY], &made(b"hvcC", &[&[1; 8]])]));
        assert_eq!(declared(&made(b"moov", &[&foreign])), None);
    }
}
