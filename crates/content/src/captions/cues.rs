//! Parses lines into cues: a line of times, then text until an empty line. Everything else is dropped.

use kernel::{HOUR, MINUTE, Millis, SECOND};

use super::text::plain;
use super::{CaptionsError, Cue};

/// Maximum number of cues per file.
const CUES_MAX: usize = 20_000;
/// Maximum characters per line.
const LINE_MAX: usize = 1_000;
/// Maximum lines per cue; further ones are dropped.
const LINES_MAX: usize = 20;
/// Upper limit of a cue's end.
const LATEST: Millis = 100 * HOUR;

/// Returns the cues of a file in their order, without those that have no text.
pub(super) fn cues(text: &str) -> Result<Vec<Cue>, CaptionsError> {
    let mut cues: Vec<Cue> = Vec::new();
    let mut open: Option<Cue> = None;
    for (number, line) in (1..).zip(text.lines()) {
        if line.chars().count() > LINE_MAX {
            return Err(CaptionsError::LongLine(number));
        }
        match (span(line), &mut open) {
            (Span::Times(from, to), _) => {
                let before = open.replace(Cue { from, to, lines: Vec::new() });
                close(&mut cues, before, true)?;
            }
            (Span::Invalid, _) => return Err(CaptionsError::Times(number)),
            // A line with a no-break or ideographic space is a spacer within a cue, not its end.
            (Span::None, Some(_)) if line.trim_ascii().is_empty() => close(&mut cues, open.take(), false)?,
            (Span::None, Some(cue)) => {
                if cue.lines.len() < LINES_MAX {
                    cue.lines.push(plain(line));
                }
            }
            (Span::None, None) => {}
        }
    }
    close(&mut cues, open, false)?;
    if cues.is_empty() { Err(CaptionsError::Empty) } else { Ok(cues) }
}

/// Keeps a cue that has text. With `run_in`, the next cue followed without an empty line, so the last line
/// may be its number.
fn close(cues: &mut Vec<Cue>, cue: Option<Cue>, run_in: bool) -> Result<(), CaptionsError> {
    let Some(mut cue) = cue else { return Ok(()) };
    if run_in && cue.lines.last().is_some_and(|line| line.bytes().all(|byte| byte.is_ascii_digit())) {
        cue.lines.pop();
    }
    cue.lines.retain(|line| !line.is_empty());
    if cue.lines.is_empty() {
        return Ok(());
    }
    if cues.len() == CUES_MAX {
        return Err(CaptionsError::TooMany);
    }
    cues.push(cue);
    Ok(())
}

/// The times in a line.
enum Span {
    None,
    Times(Millis, Millis),
    Invalid,
}

/// Parses `00:01.000 --> 00:02.000` in either format, with or without settings after it. A line that has an
/// arrow but does not begin with a digit is text.
fn span(line: &str) -> Span {
    let Some((from, rest)) = line.split_once("-->") else { return Span::None };
    let from = from.trim();
    if !from.starts_with(|c: char| c.is_ascii_digit()) {
        return Span::None;
    }
    let to = rest.split_whitespace().next().unwrap_or_default();
    match (moment(from), moment(to)) {
        (Some(from), Some(to)) if from < to && to < LATEST => Span::Times(from, to),
        _ => Span::Invalid,
    }
}

/// Parses `[hours:]minutes:seconds.milliseconds`, with a point or a comma.
fn moment(text: &str) -> Option<Millis> {
    let (clock, thousandths) = text.split_once(['.', ','])?;
    let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
        let plain = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| text.parse::<Millis>().ok()).flatten()
    };
    let (hours, clock) = if clock.matches(':').count() == 1 {
        (0, clock)
    } else {
        let (hours, clock) = clock.split_once(':')?;
        (number(hours, 1..=3)?, clock)
    };
    let (minutes, seconds) = clock.split_once(':')?;
    let (minutes, seconds) = (number(minutes, 1..=2)?, number(seconds, 1..=2)?);
    let sixty = minutes < 60 && seconds < 60;
    let thousandths = number(thousandths, 3..=3)?;
    sixty.then_some(hours * HOUR + minutes * MINUTE + seconds * SECOND + thousandths)
}
