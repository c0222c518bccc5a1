//! Decodes bytes as text and strips everything that is not plain text.

use super::CaptionsError;

/// Decodes a file and normalises its line ends. Accepts UTF-8, and UTF-16 with a byte order mark; guessing at
/// older encodings would silently replace letters.
pub(super) fn decoded(bytes: &[u8]) -> Result<String, CaptionsError> {
    let text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => std::str::from_utf8(rest).map(str::to_owned).ok(),
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => std::str::from_utf8(bytes).map(str::to_owned).ok(),
    };
    let text = text.filter(|text| !text.contains('\0')).ok_or(CaptionsError::Encoding)?;
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16(&units).ok().filter(|_| rest.is_empty())
}

/// Returns the plain text of a line, without tags and SubRip override codes, and with character references
/// resolved.
pub(super) fn plain(line: &str) -> String {
    let words = read_references(&without_override_codes(&without_tags(line)));
    let shown: String =
        words.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
    shown.trim_matches(' ').to_owned()
}

/// Removes `<i>`, `</c>`, `<v Fred>` and `<00:01.000>`; a `<` that opens no tag stays.
fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let inside = &tag[1..];
        let opens = inside.starts_with(|c: char| c.is_alphanumeric() || "/!?<".contains(c));
        match (opens, inside.find('>')) {
            (true, Some(end)) => rest = &inside[end + 1..],
            // Unterminated, so it is unknown which tag was meant: only the sign is dropped.
            (true, None) => rest = inside,
            (false, _) => {
                out.push('<');
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Removes override codes such as `{\an8}`, which SubRip files inherit from another format.
fn without_override_codes(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("{\\") {
        let Some(end) = rest[at..].find('}') else { break };
        out.push_str(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}

/// Resolves the character references of WebVTT in one pass, so the result of one cannot start another.
fn read_references(line: &str) -> String {
    const KNOWN: [(&str, &str); 6] = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", "\u{a0}"),
        ("&lrm;", "\u{200e}"),
        ("&rlm;", "\u{200f}"),
    ];
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (read, sign) = KNOWN.iter().find(|(name, _)| rest.starts_with(name)).unwrap_or(&("&", "&"));
        out.push_str(sign);
        rest = &rest[read.len()..];
    }
    out.push_str(rest);
    out
}
