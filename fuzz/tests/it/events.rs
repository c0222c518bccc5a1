//! The body of `POST /v1/events`.

use analytics::Error;
use analytics::fuzzing::{Beat, CLOCK_SKEW_MAX, DELAY_MAX, EVENTS_MAX, EventData, RejectReason, parse_body};
use fuzz::{bounded, check, check_bytes};
use kernel::{EventId, MINUTE, Millis, OrgId, Timestamp, Uuid, iso};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

/// 2026-11-20T08:00:00Z, the time at which the corpus is received.
const NOW: Timestamp = Timestamp::from_ms(1_795_161_600_000);
/// Longest position in a content item.
const POSITION_MAX: Millis = 3_000_000_000_000;

const TOKENS: &[&[u8]] = &[
    b"{\"kind\":\"visit\",\"id\":\"018f0000-0000-7000-8000-000000000001\",\"time\":\"2026-11-20T08:00:00Z\"}",
    b"\"kind\":\"beat\"",
    b"\"kind\":\"download\"",
    b"\"kind\":\"contact\"",
    b"\"time\":\"2026-11-20T08:01:00.001Z\"",
    b"\"time\":\"2026-11-17T08:00:00Z\"",
    b"\"time\":\"9999-12-31T23:59:59-23:59\"",
    b"\"time\":\"0000-01-01T00:00:00+23:59\"",
    b"\"contentId\":\"018f0000-0000-7000-8000-000000000002\"",
    b"\"seq\":4294967295",
    b"\"seq\":4294967296",
    b"\"from\":2999999999999.5",
    b"\"to\":3e12",
    b"\"to\":-0.0",
    b"\"rate\":1e308",
    b"\"rate\":1e999",
    b"\"state\":\"ended\"",
    b"null",
    b",",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\\ud800",
    b"\xff",
];

#[test]
fn any_body_is_refused_or_gives_valid_events_in_order() {
    check_bytes("events", TOKENS, |bytes| {
        let parsed = match bounded(bytes.len(), || parse_body(bytes, NOW)) {
            Ok(parsed) => parsed,
            Err(error) => return check_error(&error, bytes),
        };
        assert!(parsed.events.len() + parsed.rejected.len() <= EVENTS_MAX);
        assert!(parsed.events.is_sorted_by_key(|event| event.at));
        for event in &parsed.events {
            assert!((NOW - DELAY_MAX..=NOW).contains(&event.at));
            if let EventData::Beat { beat: Beat { from, to, rate, .. }, .. } = &event.data {
                assert!((0..=POSITION_MAX).contains(from) && (0..=POSITION_MAX).contains(to));
                assert!(rate.is_finite());
            }
        }
        let reasons = [RejectReason::Clock, RejectReason::Invalid, RejectReason::Unknown];
        assert!(parsed.rejected.iter().all(|(_, reason)| reasons.contains(reason)));
    });
}

fn check_error(error: &Error, bytes: &[u8]) {
    match error {
        Error::TooManyEvents => {}
        Error::Problem(problem) => {
            let is_json = serde_json::from_slice::<Value>(bytes).is_ok();
            assert_eq!(problem.status, 400);
            assert!(problem.code == "invalid_body" || problem.code == "invalid_json" && !is_json);
        }
        other => panic!("not an error of the body: {other}"),
    }
}

/// An event as a client sends it, with any of the optional fields.
#[derive(Clone, Debug)]
struct SentEvent {
    kind: &'static str,
    time: Timestamp,
    ids: [Option<u8>; 3],
    seq: Option<u32>,
    section: [Option<f64>; 2],
    rate: Option<f64>,
    state: Option<&'static str>,
}

impl SentEvent {
    fn json(&self, id: EventId) -> Value {
        let [content, playlist, view] = self.ids.map(|id| id.map(|id| Uuid::from_u128(id.into())));
        json!({
            "kind": self.kind, "id": id, "time": iso(self.time), "contentId": content, "playlistId": playlist,
            "viewId": view, "seq": self.seq, "from": self.section[0], "to": self.section[1],
            "rate": self.rate, "state": self.state, "unknown": [],
        })
    }

    /// Returns why the event is rejected.
    fn error(&self) -> Option<RejectReason> {
        if !(NOW - DELAY_MAX..=NOW + CLOCK_SKEW_MAX).contains(&self.time) {
            return Some(RejectReason::Clock);
        }
        let [content, playlist, view] = self.ids.map(|id| id.is_some());
        let position = |value: Option<f64>| value.is_some_and(|value| (0.0..3e12).contains(&value));
        let is_valid = match self.kind {
            "visit" => true,
            "download" => content,
            "contact" => playlist,
            _ => {
                let section = position(self.section[0]) && position(self.section[1]);
                content && view && self.seq.is_some() && section && self.state.is_some()
            }
        };
        (!is_valid).then_some(RejectReason::Invalid)
    }
}

fn sent() -> impl Strategy<Value = SentEvent> {
    let edges = |at: Timestamp| (at - 2).ms()..(at + 3).ms();
    let time = prop_oneof![
        4 => (NOW - MINUTE).ms()..NOW.ms(),
        1 => edges(NOW),
        1 => edges(NOW + CLOCK_SKEW_MAX),
        1 => edges(NOW - DELAY_MAX),
    ];
    let position = || option::weighted(0.9, prop_oneof![8 => 0.0..1e6, 1 => -1.0..1.0, 1 => 2.9e12..3.1e12]);
    let id = || option::weighted(0.9, 0_u8..4);
    let kind =
        prop_oneof![3 => Just("beat"), 1 => Just("visit"), 1 => Just("download"), 1 => Just("contact")];
    let state = prop_oneof![Just("playing"), Just("paused"), Just("seeking"), Just("ended"), Just("hidden")];
    let fields = (
        kind,
        time.prop_map(Timestamp::from_ms),
        [id(), id(), id()],
        option::weighted(0.9, any::<u32>()),
        [position(), position()],
        option::of(0.0..8.0_f64),
        option::weighted(0.9, state),
    );
    fields.prop_map(|(kind, time, ids, seq, section, rate, state)| SentEvent {
        kind,
        time,
        ids,
        seq,
        section,
        rate,
        state,
    })
}

#[test]
fn each_event_is_judged_by_its_own_fields_and_time() {
    let sizes = prop_oneof![9 => 0..12_usize, 1 => EVENTS_MAX - 1..EVENTS_MAX + 2];
    let batches = sizes.prop_flat_map(|size| vec(sent(), size));
    check("events: batches", batches, |batch| {
        let id = |number: usize| EventId::from_u128(number as u128 + 1);
        let org = OrgId::from_u128(1_001);
        let events: Vec<Value> = batch.iter().enumerate().map(|(at, sent)| sent.json(id(at))).collect();
        let body = json!({"orgId": org, "events": events}).to_string();
        let outcome = parse_body(body.as_bytes(), NOW);
        if batch.len() > EVENTS_MAX {
            return assert!(matches!(outcome, Err(Error::TooManyEvents)));
        }
        let parsed = outcome.unwrap();
        assert_eq!(parsed.org, org);
        let judged = || batch.iter().enumerate().map(|(at, sent)| (id(at), sent));
        let rejected: Vec<_> =
            judged().filter_map(|(id, sent)| sent.error().map(|reason| (Some(id), reason))).collect();
        assert_eq!(parsed.rejected, rejected);
        let mut accepted: Vec<(Timestamp, EventId)> = judged()
            .filter(|(_, sent)| sent.error().is_none())
            .map(|(id, sent)| (sent.time.min(NOW), id))
            .collect();
        accepted.sort_by_key(|(at, _)| *at);
        assert_eq!(parsed.events.iter().map(|event| (event.at, event.id)).collect::<Vec<_>>(), accepted);
    });
}
