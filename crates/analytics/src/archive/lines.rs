//! The lines of the archive: one flat JSON object per event, with the same fields on every line, so that column stores
//! read them as a table. `docs/archive.md` describes the fields.

use std::io::{self, Write};

use kernel::{ContentId, EventId, OrgId, PlaylistId, Timestamp, ViewId, ViewerId, iso};
use sea_orm::ActiveEnum as _;
use serde::Serialize;

use crate::definitions::caps;
use crate::definitions::view::Verdict;
use crate::raw::{RawBeat, RawEvents, RawInteraction, RawVerdict, RawView};

/// Version of the lines. Fields may be added to a version, but none is renamed or removed.
const VERSION: u8 = 1;

/// The request in which events were received.
pub struct Received<'a> {
    pub org: OrgId,
    /// UTC day of the receipt, as in `2026-11-26`.
    pub day: &'a str,
    pub at: Timestamp,
    pub request: i64,
    /// A name that lasts for the day only.
    pub viewer: ViewerId,
}

#[derive(Clone, Serialize)]
struct EventLine<'a> {
    v: u8,
    org: OrgId,
    day: &'a str,
    received_at: &'a str,
    request: i64,
    viewer: ViewerId,
    staff: bool,
    bot: bool,
    device: String,
    country: Option<&'a str>,
    app: Option<&'a str>,
    kind: &'a str,
    happened_at: String,
    late: bool,
    event: Option<EventId>,
    view: Option<ViewId>,
    content: Option<ContentId>,
    playlist: Option<PlaylistId>,
    content_kind: Option<&'a str>,
    length: Option<i64>,
    draft: Option<bool>,
    seq: Option<u32>,
    position_from: Option<i64>,
    position_to: Option<i64>,
    rate: Option<f64>,
    state: Option<&'a str>,
    credit_ms: Option<i64>,
    over_ms: Option<i64>,
    verdict: Option<String>,
    views: Option<i64>,
    reason: Option<String>,
}

/// Writes the lines of a request, and returns how many. Fails with [`io::ErrorKind::InvalidData`] if the rejected
/// events cannot be read.
pub fn write(
    out: &mut impl Write,
    received: &Received<'_>,
    events: &RawEvents,
    rejected: Option<&str>,
) -> io::Result<u64> {
    let received_at = iso(received.at);
    let mut lines = Lines { out, received, base: base(received, &received_at, events), written: 0 };
    for view in &events.views {
        lines.view(view)?;
    }
    for interaction in &events.interactions {
        lines.interaction(interaction)?;
    }
    for ago in &events.visits {
        lines.push("visit_began", received.at - *ago, |_| ())?;
    }
    if let Some(rejected) = rejected {
        lines.rejected(rejected)?;
    }
    Ok(lines.written)
}

/// Returns a line with what all lines of a request share.
fn base<'a>(received: &Received<'a>, received_at: &'a str, events: &'a RawEvents) -> EventLine<'a> {
    EventLine {
        v: VERSION,
        org: received.org,
        day: received.day,
        received_at,
        request: received.request,
        viewer: received.viewer,
        staff: events.staff,
        bot: events.bot,
        device: events.device.to_value(),
        country: events.country.as_deref(),
        app: events.app.as_deref(),
        kind: "",
        happened_at: String::new(),
        late: false,
        event: None,
        view: None,
        content: None,
        playlist: None,
        content_kind: None,
        length: None,
        draft: None,
        seq: None,
        position_from: None,
        position_to: None,
        rate: None,
        state: None,
        credit_ms: None,
        over_ms: None,
        verdict: None,
        views: None,
        reason: None,
    }
}

struct Lines<'a, Out> {
    out: &'a mut Out,
    received: &'a Received<'a>,
    base: EventLine<'a>,
    written: u64,
}

impl<'a, Out: Write> Lines<'a, Out> {
    fn push(
        &mut self,
        kind: &'a str,
        at: Timestamp,
        fill: impl FnOnce(&mut EventLine<'a>),
    ) -> io::Result<()> {
        let mut line = EventLine {
            kind,
            happened_at: iso(at),
            late: caps::is_late(at, self.received.at),
            ..self.base.clone()
        };
        fill(&mut line);
        serde_json::to_writer(&mut *self.out, &line)?;
        self.out.write_all(b"\n")?;
        self.written += 1;
        Ok(())
    }

    fn view(&mut self, of: &'a RawView) -> io::Result<()> {
        let received = self.received.at;
        let item = |line: &mut EventLine<'a>| {
            line.view = Some(of.view);
            line.content = Some(of.content);
            line.playlist = of.playlist;
            line.content_kind = Some(&of.kind);
            line.length = of.length;
            line.draft = Some(of.draft);
        };
        for RawBeat(seq, from, to, rate, state, ago, credit_ms, over_ms) in &of.beats {
            self.push("beat", received - *ago, |line| {
                item(line);
                line.seq = Some(*seq);
                line.position_from = Some(*from);
                line.position_to = Some(*to);
                line.rate = Some(*rate);
                line.state = Some(state);
                line.credit_ms = Some(*credit_ms);
                line.over_ms = Some(*over_ms);
            })?;
        }
        let counted = of.counted.map(|ago| (ago, Verdict::Counted, 1));
        let others = of.verdicts.iter().map(|RawVerdict(ago, verdict, views)| (*ago, *verdict, *views));
        for (ago, verdict, views) in counted.into_iter().chain(others) {
            self.push("view", received - ago, |line| {
                item(line);
                line.verdict = Some(verdict.to_value());
                line.views = Some(views);
            })?;
        }
        Ok(())
    }

    fn interaction(&mut self, interaction: &'a RawInteraction) -> io::Result<()> {
        let RawInteraction(kind, event, content, playlist, ago) = interaction;
        self.push(kind, self.received.at - *ago, |line| {
            line.event = Some(*event);
            line.content = *content;
            line.playlist = *playlist;
        })
    }

    fn rejected(&mut self, text: &str) -> io::Result<()> {
        // Whatever is wrong with it, it cannot be read; an end too early would look like a failure of the disk.
        let unreadable = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        let rejected: Vec<(Option<EventId>, String)> = serde_json::from_str(text).map_err(unreadable)?;
        for (event, reason) in rejected {
            self.push("rejected", self.received.at, |line| {
                line.event = event;
                line.reason = Some(reason);
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use kernel::MINUTE;
    use serde_json::{Value, json};

    use super::*;
    use crate::definitions::devices::Device;

    const AT: Timestamp = Timestamp::from_ms(1_795_651_200_000);

    fn lines(events: &RawEvents, rejected: Option<&str>) -> io::Result<Vec<Value>> {
        let (org, viewer) = (OrgId::from_u128(1), ViewerId::from_u128(2));
        let received = Received { org, day: "2026-11-26", at: AT, request: 7, viewer };
        let mut out = Vec::new();
        let written = write(&mut out, &received, events, rejected)?;
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len() as u64, written);
        Ok(lines)
    }

    fn events() -> RawEvents {
        let view = RawView {
            view: ViewId::from_u128(3),
            content: ContentId::from_u128(4),
            playlist: None,
            kind: "video".into(),
            length: Some(60_000),
            draft: false,
            beats: vec![RawBeat(5, 0, 9_000, 1.0, "playing".into(), 12 * MINUTE, 8_000, 100)],
            counted: Some(0),
            verdicts: vec![RawVerdict(MINUTE, Verdict::TooShort, -1)],
        };
        let visit = RawInteraction("visit".into(), EventId::from_u128(6), None, None, 5);
        RawEvents {
            views: vec![view],
            interactions: vec![visit],
            visits: vec![5],
            ..RawEvents::new(false, true, Device::Tv, Some("DE".into()), None)
        }
    }

    #[test]
    fn every_event_and_every_decision_is_a_line_with_the_same_fields() {
        let rejected = format!("[[\"{}\",\"clock\"],[null,\"invalid\"]]", EventId::from_u128(8));
        let all = lines(&events(), Some(&rejected)).unwrap();
        let field = |name: &str| -> Vec<&Value> { all.iter().map(|line| &line[name]).collect() };
        let kinds = ["beat", "view", "view", "visit", "visit_began", "rejected", "rejected"];
        assert_eq!(field("kind"), kinds);
        assert_eq!(field("happened_at")[0], "2026-11-25T23:48:00.000Z");
        assert_eq!((field("late")[0], field("late")[1]), (&json!(true), &json!(false)));
        let beat = json!([5, 0, 9_000, 1.0, "playing", 8_000, 100]);
        let names = ["seq", "position_from", "position_to", "rate", "state", "credit_ms", "over_ms"];
        assert_eq!(json!(names.map(|name| field(name)[0].clone())), beat);
        assert_eq!((field("verdict")[1], field("views")[1]), (&json!("counted"), &json!(1)));
        assert_eq!((field("verdict")[2], field("views")[2]), (&json!("too short"), &json!(-1)));
        assert_eq!(field("event")[3], &json!(EventId::from_u128(6)));
        assert_eq!((field("reason")[5], field("reason")[6]), (&json!("clock"), &json!("invalid")));
        let fields = |line: &Value| line.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert!(all.iter().all(|line| fields(line) == fields(&all[0]) && line["device"] == "tv"));
        assert!(
            all.iter().all(|line| line["day"] == "2026-11-26" && line["request"] == 7 && line["bot"] == true)
        );
    }

    #[test]
    fn damaged_rejections_are_an_error() {
        for cut in ["[[1]]", "[[", ""] {
            let error = lines(&events(), Some(cut)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{cut}");
        }
    }
}
