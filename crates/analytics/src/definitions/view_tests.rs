//! Tests of the rules of a view.

use kernel::{HOUR, MINUTE};
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use sea_orm::ActiveEnum as _;

use super::*;

const T: Timestamp = Timestamp::from_ms(1_800_000_000_000);
const VIDEO: Subject = Subject { form: Form::Plays, length: Some(10 * MINUTE) };
const IMAGE: Subject = Subject { form: Form::Whole, length: None };

fn beat(seq: u32, from: Millis, to: Millis) -> Beat {
    Beat { seq, from, to, rate: 1.0, state: PlayState::Playing }
}

/// Creates a view that has received only the tracker's initial empty beat.
fn started(subject: Subject) -> View {
    let mut view = View::begin(T, Verdict::TooShort);
    assert_eq!(view.apply(subject, &beat(0, 0, 0), T), Some(Credit::default()));
    view
}

fn credit(view: &mut View, subject: Subject, beat: Beat, at: Timestamp) -> Millis {
    view.apply(subject, &beat, at).map_or(-1, |credit| credit.credit_ms)
}

#[test]
fn sixty_five_seconds_of_beats_credit_sixty_five_seconds() {
    let mut view = started(VIDEO);
    for n in 1..=6 {
        let to = i64::from(n) * 10_000;
        assert_eq!(credit(&mut view, VIDEO, beat(n, to - 10_000, to), T + to), 10_000);
    }
    assert_eq!(credit(&mut view, VIDEO, beat(7, 60_000, 65_000), T + 65_000), 5_000);
    assert_eq!((view.credit_ms, view.sections.text().as_str()), (65_000, "0-65000"));
}

#[test]
fn a_repeated_beat_counts_once_and_a_late_one_still_counts() {
    let mut view = started(VIDEO);
    assert_eq!(
        credit(&mut view, VIDEO, beat(2, 10_000, 20_000), T + 20_000),
        2_000,
        "the beat before is missing"
    );
    assert_eq!(view.apply(VIDEO, &beat(2, 10_000, 20_000), T + 20_000), None);
    assert_eq!(credit(&mut view, VIDEO, beat(1, 0, 10_000), T + 10_000), 18_000);
    assert_eq!(view.watched.total(), 20_000);
    assert_eq!(view.credit_ms, 20_000);
}

#[test]
fn a_beat_is_credited_at_most_the_watch_budget() {
    let mut view = started(VIDEO);
    assert_eq!(
        credit(&mut view, VIDEO, beat(1, 0, 60_000), T + 1_000),
        3_000,
        "one second has passed, plus the initial two"
    );
    assert_eq!(credit(&mut view, VIDEO, beat(2, 60_000, 120_000), T + 1_000), 0);
    assert_eq!(credit(&mut view, VIDEO, beat(3, 120_000, 130_000), T + 6_000), 5_000);
    assert_eq!(
        view.sections.text(),
        "0-5000,120000-127000",
        "sections are cut to the credit plus two seconds"
    );
}

#[test]
fn a_gap_over_thirty_seconds_fills_nothing() {
    let mut view = started(VIDEO);
    assert_eq!(credit(&mut view, VIDEO, beat(1, 0, 40_000), T + 40_000), 2_000);
    let mut view = started(VIDEO);
    assert_eq!(credit(&mut view, VIDEO, beat(1, 0, 30_000), T + 30_000), 30_000);
}

#[test]
fn faster_playback_credits_wall_time_at_up_to_four_times_the_speed() {
    let mut view = started(VIDEO);
    let double = Beat { rate: 2.0, ..beat(1, 0, 20_000) };
    assert_eq!(credit(&mut view, VIDEO, double, T + 10_000), 10_000);
    assert_eq!(view.sections.total(), 20_000);
    let absurd = Beat { rate: 100.0, ..beat(2, 20_000, 500_000) };
    assert_eq!(credit(&mut view, VIDEO, absurd, T + 20_000), 12_000);
    assert_eq!(view.sections.total(), 20_000 + 4 * 12_000 + 2_000);
}

#[test]
fn a_backward_or_endless_section_is_not_credited() {
    let mut view = started(VIDEO);
    assert_eq!(credit(&mut view, VIDEO, beat(1, 50_000, 10_000), T + 10_000), 0);
    assert_eq!(credit(&mut view, VIDEO, beat(2, 20 * MINUTE, 21 * MINUTE), T + 20_000), 0, "after the end");
    assert_eq!(view.sections.total(), 0);
}

#[test]
fn an_image_is_watched_while_it_is_visible() {
    let mut view = started(IMAGE);
    assert_eq!(credit(&mut view, IMAGE, beat(1, 1, 1), T + 10_000), 10_000);
    let hidden = Beat { state: PlayState::Hidden, ..beat(2, 1, 1) };
    assert_eq!(credit(&mut view, IMAGE, hidden, T + 14_000), 4_000);
    assert_eq!(credit(&mut view, IMAGE, beat(3, 1, 1), T + 34_000), 0, "the tab was hidden");
    assert_eq!(credit(&mut view, IMAGE, beat(4, 1, 1), T + 44_000), 10_000);
    assert_eq!(view.credit_ms, 24_000);
}

#[test]
fn ten_seconds_make_a_view_and_half_of_a_short_video_does() {
    assert_eq!(VIDEO.threshold(), 10_000);
    assert_eq!(Subject { length: Some(8_000), ..VIDEO }.threshold(), 4_000);
    assert_eq!(Subject { length: None, ..VIDEO }.threshold(), 10_000);
    assert_eq!(IMAGE.threshold(), 10_000);
    let mut view = View::begin(T, Verdict::TooShort);
    view.credit_ms = 9_999;
    assert_eq!(view.judge(VIDEO, &[]), None);
    assert_eq!(view.verdict, Verdict::TooShort);
    view.credit_ms = 10_000;
    assert_eq!(view.judge(VIDEO, &[]), Some(Verdict::Counted));
    assert_eq!(view.judge(VIDEO, &[]), None, "a view counts once");
}

#[test]
fn refused_credit_makes_no_view_and_a_counted_one_keeps_its_start() {
    let mut view = View { credit_ms: 15_000, refused_ms: 5_001, ..View::begin(T, Verdict::TooShort) };
    assert_eq!(view.judge(VIDEO, &[]), None);
    view.apply(VIDEO, &beat(1, 0, 0), T - 5);
    view.credit_ms += 1;
    assert_eq!(view.judge(VIDEO, &[]), Some(Verdict::Counted));
    view.apply(VIDEO, &beat(0, 0, 0), T - 10);
    assert_eq!(view.began_at, T - 5);
}

#[test]
fn the_same_person_and_item_count_again_after_an_hour() {
    let watched = || View { credit_ms: MINUTE, ..View::begin(T, Verdict::TooShort) };
    let mut soon = watched();
    assert_eq!(soon.judge(VIDEO, &[T - HOUR + 1]), Some(Verdict::Duplicate));
    assert_eq!(watched().judge(VIDEO, &[T - HOUR, T + HOUR]), Some(Verdict::Counted));
    assert!(!counts_again(&[T - 2 * HOUR, T + MINUTE], T), "a late view before the counted one");
}

#[test]
fn staff_bots_and_drafts_never_count() {
    for verdict in [Verdict::Staff, Verdict::Bot, Verdict::Draft] {
        let mut view = View { credit_ms: HOUR, ..View::begin(T, verdict) };
        assert_eq!(view.judge(VIDEO, &[]), None);
        assert_eq!(view.verdict, verdict);
    }
}

#[test]
fn stored_words_never_change() {
    assert_eq!(Verdict::values(), ["counted", "too short", "duplicate", "staff", "bot", "draft", "cap"]);
    let states =
        [PlayState::Playing, PlayState::Paused, PlayState::Seeking, PlayState::Ended, PlayState::Hidden];
    assert_eq!(states.map(PlayState::as_str), ["playing", "paused", "seeking", "ended", "hidden"]);
    for state in states {
        let in_api: PlayState = serde_json::from_value(state.as_str().into()).unwrap();
        assert_eq!(in_api, state);
    }
}

#[test]
fn coverage_is_a_share_of_a_known_length() {
    assert!((share(&Spans::read("0-150000,300000-450000").unwrap(), VIDEO.length) - 0.5).abs() < 1e-9);
    assert!(share(&Spans::read("0-150000").unwrap(), None).abs() < 1e-9);
    assert!((share(&Spans::read("0-700000").unwrap(), VIDEO.length) - 1.0).abs() < 1e-9);
}

#[test]
fn two_views_at_once_each_have_their_own_watch_budget() {
    let (mut one, mut two) = (started(VIDEO), started(VIDEO));
    assert_eq!(credit(&mut one, VIDEO, beat(1, 0, 10_000), T + 10_000), 10_000);
    assert_eq!(credit(&mut two, VIDEO, beat(1, 0, 10_000), T + 10_000), 10_000);
}

#[test]
fn the_total_does_not_depend_on_the_order_of_arrival() {
    let beats: Vec<(Beat, Timestamp)> = (0..12_u32)
        .map(|n| {
            let to = i64::from(n) * 10_000;
            let state = if n == 7 { PlayState::Paused } else { PlayState::Playing };
            // The player was paused for a while after the seventh beat.
            let pause = if n > 7 { 5 * MINUTE } else { 0 };
            (Beat { state, ..beat(n, (to - 10_000).max(0), to) }, T + to + pause)
        })
        .collect();
    let total = |order: &[usize]| {
        let mut view = View::begin(T, Verdict::TooShort);
        let credits = order.iter().filter_map(|index| view.apply(VIDEO, &beats[*index].0, beats[*index].1));
        let sum: Millis = credits.map(|credit| credit.credit_ms).sum();
        assert_eq!(sum, view.credit_ms);
        (view.credit_ms, view.began_at)
    };
    let in_order: Vec<usize> = (0..beats.len()).collect();
    let expected = total(&in_order);
    assert_eq!(expected, (102_000, T), "one of eleven sections was played in the two seconds at the start");
    // Every rotation, forwards and backwards, and every other one first.
    for turn in 0..beats.len() {
        let mut order = in_order.clone();
        order.rotate_left(turn);
        assert_eq!(total(&order), expected);
        order.reverse();
        assert_eq!(total(&order), expected);
        order.sort_by_key(|index| index % 3);
        assert_eq!(total(&order), expected);
    }
}

#[test]
fn the_parts_of_an_item_are_those_that_its_sections_touch() {
    let mut random = StdRng::seed_from_u64(4);
    for _ in 0..3_000 {
        let form = [Form::Plays, Form::Pages][random.random_range(0..2)];
        let length =
            [random.random_range(1..12), random.random_range(90..210), random.random_range(1_000..9_000_000)]
                [random.random_range(0..3)];
        let subject = Subject { form, length: Some(length) };
        let mut sections = Spans::default();
        for _ in 0..random.random_range(0..4) {
            let from = random.random_range(0..length + 3);
            sections.add(from, from + random.random_range(1..length / 2 + 3), 0);
        }
        let first = i64::from(form == Form::Pages);
        for part in 0..PARTS as i64 {
            let (from, to) = (first + part * length / 100, first + ((part + 1) * length + 99) / 100);
            let touches = sections.as_slice().iter().any(|(begin, end)| *begin < to && *end > from);
            let found = parts(&sections, subject) >> part & 1 == 1;
            assert_eq!(found, touches, "{part} {subject:?} {sections:?}");
        }
    }
    assert_eq!(parts(&Spans::read("0-5").unwrap(), Subject { form: Form::Plays, length: None }), 0);
}
