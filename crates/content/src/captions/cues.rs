//! Cues out of lines: the times, then words until an empty line. Everything else is left out.

use kernel::{HOUR, MINUTE, Millis, SECOND};

use super::text::plain;
use super::{Cue, Flaw};

/// Cues of one file.
const CUES_MAX: usize = 20_000;
/// Characters of a line.
const LINE_MAX: usize = 1_000;
/// Lines of a cue; what goes beyond is left out.
const LINES_MAX: usize = 20;
/// The latest moment of a film.
const LATEST: Millis = 100 * HOUR;

/// The cues of a file, as they follow each other, those without words left out.
pub(super) fn cues(text: &str) -> Result<Vec<Cue>, Flaw> {
    let mut cues: Vec<Cue> = Vec::new();
    let mut open: Option<Cue> = None;
    for (number, line) in (1..).zip(text.lines()) {
        if line.chars().count() > LINE_MAX {
            return Err(Flaw::LongLine(number));
        }
        match (span(line), &mut open) {
            (Span::Times(from, to), _) => {
                let before = open.replace(Cue { from, to, lines: Vec::new() });
                close(&mut cues, before, true)?;
            }
            (Span::Wrong, _) => return Err(Flaw::Times(number)),
            (Span::None, Some(_)) if line.trim().is_empty() => close(&mut cues, open.take(), false)?,
            (Span::None, Some(cue)) => {
                if cue.lines.len() < LINES_MAX {
                    cue.lines.push(plain(line));
                }
            }
            (Span::None, None) => {}
        }
    }
    close(&mut cues, open, false)?;
    if cues.is_empty() { Err(Flaw::Empty) } else { Ok(cues) }
}

/// Keeps a cue that has words. `run_in`: the next one followed without an empty line, so that its number may stand
/// where words would.
fn close(cues: &mut Vec<Cue>, cue: Option<Cue>, run_in: bool) -> Result<(), Flaw> {
    let Some(mut cue) = cue else { return Ok(()) };
    if run_in && cue.lines.last().is_some_and(|line| line.bytes().all(|byte| byte.is_ascii_digit())) {
        cue.lines.pop();
    }
    cue.lines.retain(|line| !line.is_empty());
    if cue.lines.is_empty() {
        return Ok(());
    }
    if cues.len() == CUES_MAX {
        return Err(Flaw::TooMany);
    }
    cues.push(cue);
    Ok(())
}

/// What a line says of times.
enum Span {
    None,
    Times(Millis, Millis),
    Wrong,
}

/// `00:01.000 --> 00:02.000`, in either form, with or without settings behind. A line of words with an arrow in it
/// does not begin with a digit.
fn span(line: &str) -> Span {
    let Some((from, rest)) = line.split_once("-->") else { return Span::None };
    let from = from.trim();
    if !from.starts_with(|c: char| c.is_ascii_digit()) {
        return Span::None;
    }
    let to = rest.split_whitespace().next().unwrap_or_default();
    match (moment(from), moment(to)) {
        (Some(from), Some(to)) if from < to && to < LATEST => Span::Times(from, to),
        _ => Span::Wrong,
    }
}

/// `[hours:]minutes:seconds.thousandths`, with a point or a comma.
fn moment(text: &str) -> Option<Millis> {
    let (clock, thousandths) = text.split_once(['.', ','])?;
    let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
        let plain = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| text.parse::<Millis>().ok()).flatten()
    };
    let (hours, clock) = match clock.matches(':').count() {
        1 => (0, clock),
        _ => {
            let (hours, clock) = clock.split_once(':')?;
            (number(hours, 1..=3)?, clock)
        }
    };
    let (minutes, seconds) = clock.split_once(':')?;
    let (minutes, seconds) = (number(minutes, 1..=2)?, number(seconds, 1..=2)?);
    let sixty = minutes < 60 && seconds < 60;
    let thousandths = number(thousandths, 3..=3)?;
    sixty.then_some(hours * HOUR + minutes * MINUTE + seconds * SECOND + thousandths)
}
