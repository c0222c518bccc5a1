//! The decision in SQL, compared with the one in Rust for every combination of inputs.

use content::{
    PlaylistAccess, Schedule, State, Viewer, VisibilityAliases, VisibilityInput, may_see, may_see_sql,
    open_playlist_sql,
};
use db::WriteTx;
use kernel::{ContentId, Privacy, Timestamp};
use orgs::{PlanStanding, Standing};
use sea_orm::{ConnectionTrait as _, QueryResult, Statement, Value};

use crate::{MP4, TestApp, file, mp4, test_app};

/// At the time 2, two of them are suspended: one by the provider's answer and one by time.
const STANDINGS: [PlanStanding; 6] = [
    PlanStanding { answered: Standing::Active, suspended_from: None },
    PlanStanding { answered: Standing::PastDue, suspended_from: None },
    PlanStanding { answered: Standing::PastDue, suspended_from: Some(Timestamp::from_ms(3)) },
    PlanStanding { answered: Standing::PastDue, suspended_from: Some(Timestamp::from_ms(2)) },
    PlanStanding { answered: Standing::Suspended, suspended_from: None },
    PlanStanding { answered: Standing::Ended, suspended_from: None },
];
const PRIVACIES: [Privacy; 3] = [Privacy::Private, Privacy::Unlisted, Privacy::Public];
const STATES: [State; 3] = [State::Draft, State::Available, State::Deleted];
const VIEWERS: [Viewer; 3] = [Viewer::NonMember, Viewer::User, Viewer::Staff];

/// The current time.
const NOW: Timestamp = Timestamp::from_ms(2);

/// No dates, and dates that are before, around and after the current time.
const SCHEDULES: [Schedule; 6] = [
    schedule(None, None),
    schedule(Some(3), None),
    schedule(Some(2), None),
    schedule(None, Some(2)),
    schedule(Some(1), Some(3)),
    schedule(Some(3), Some(4)),
];

const fn schedule(publish_at: Option<i64>, expire_at: Option<i64>) -> Schedule {
    const fn at(ms: Option<i64>) -> Option<Timestamp> {
        match ms {
            Some(ms) => Some(Timestamp::from_ms(ms)),
            None => None,
        }
    }
    Schedule { publish_at: at(publish_at), expire_at: at(expire_at) }
}

/// No playlist, then each privacy with and without the mark of a deleted playlist, with each of the dates.
fn playlists() -> String {
    let mut rows = "SELECT CAST(NULL AS TEXT) AS privacy, CAST(NULL AS BIGINT) AS deleted_at, \
         CAST(NULL AS BIGINT) AS publish_at, CAST(NULL AS BIGINT) AS expire_at"
        .to_owned();
    let text = |at: Option<Timestamp>| at.map_or("NULL".to_owned(), |at| at.ms().to_string());
    for privacy in ["private", "unlisted", "public"] {
        for deleted_at in ["NULL", "1"] {
            for Schedule { publish_at, expire_at } in SCHEDULES {
                let dates = [publish_at, expire_at].map(text).join(", ");
                rows.push_str(&format!(" UNION ALL SELECT '{privacy}', {deleted_at}, {dates}"));
            }
        }
    }
    rows
}

async fn run(tx: &WriteTx, sql: &str, values: Vec<Value>) {
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
}

/// Decides in SQL about the item in each of the playlists: privacy, deletion and dates of the playlist, whether app
/// users may open it, then one column per viewer.
async fn decisions(tx: &WriteTx, item: ContentId) -> Vec<QueryResult> {
    let aliases = VisibilityAliases { organisation: "o", content: "c", playlist: "p", now: "2" };
    let columns = VIEWERS.map(|viewer| format!("COALESCE({}, FALSE)", may_see_sql(viewer, aliases)));
    let sql = format!(
        "SELECT p.privacy, p.deleted_at, p.publish_at, p.expire_at, COALESCE({}, FALSE), {} FROM content c \
         JOIN organisation o ON o.uid = c.org CROSS JOIN ({}) p WHERE c.uid = $1",
        open_playlist_sql("p", "2"),
        columns.join(", "),
        playlists()
    );
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [item.into()]);
    tx.query_all_raw(statement).await.unwrap()
}

/// Compares all decisions about the item as it is stored now and returns how many there are.
async fn compare(tx: &WriteTx, item: ContentId, stored: VisibilityInput) -> usize {
    let rows = decisions(tx, item).await;
    for row in &rows {
        let privacy: Option<Privacy> = row.try_get_by_index(0).unwrap();
        let deleted_at: Option<Timestamp> = row.try_get_by_index(1).unwrap();
        let schedule = Schedule {
            publish_at: row.try_get_by_index(2).unwrap(),
            expire_at: row.try_get_by_index(3).unwrap(),
        };
        let playlist = privacy.filter(|_| deleted_at.is_none());
        let playlist = playlist.map(|privacy| PlaylistAccess { privacy, schedule });
        for (column, viewer) in VIEWERS.into_iter().enumerate() {
            let input = VisibilityInput { playlist, viewer, ..stored };
            let in_sql: bool = row.try_get_by_index(5 + column).unwrap();
            assert_eq!(in_sql, may_see(input), "{input:?}");
        }
        let shown = VisibilityInput {
            standing: Standing::Active,
            content: Privacy::Public,
            schedule: Schedule::default(),
            state: State::Available,
            viewer: Viewer::User,
            playlist,
            ..stored
        };
        let opens: bool = row.try_get_by_index(4).unwrap();
        assert_eq!(opens, may_see(shown), "{shown:?}");
    }
    rows.len() * VIEWERS.len()
}

async fn store(
    tx: &WriteTx,
    (app, item): (&TestApp, ContentId),
    (plan, org): (PlanStanding, Privacy),
    input: VisibilityInput,
) {
    let organisation =
        "UPDATE organisation SET standing = $1, suspended_from = $2, privacy = $3 WHERE uid = $4";
    let plan = [plan.answered.into(), plan.suspended_from.into()];
    run(tx, organisation, [plan.as_slice(), &[org.into(), app.org.uid.into()]].concat()).await;
    let origin = if input.state == State::Draft { "draft" } else { "native" };
    let deleted_at = (input.state == State::Deleted).then_some(1_i64);
    let content = "UPDATE content SET privacy = $1, origin = $2, deleted_at = $3, publish_at = $4, expire_at = $5 \
         WHERE uid = $6";
    let Schedule { publish_at, expire_at } = input.schedule;
    let state = [input.content.into(), origin.into(), deleted_at.into()];
    let dates = [publish_at.into(), expire_at.into(), item.into()];
    run(tx, content, [state.as_slice(), &dates].concat()).await;
}

#[tokio::test]
async fn the_decision_in_sql_is_the_one_in_rust_for_every_combination() {
    let app = test_app().await;
    let leader = app.leader().await;
    let announced = app.announce(&leader, file("a.mp4", MP4, &mp4(64))).await.expect(201);
    let item: ContentId = announced["uid"].as_str().unwrap().parse().unwrap();
    let mut compared = 0;
    let tx = app.http.deps.db.write_tx().await.unwrap();
    for plan in STANDINGS {
        for org in PRIVACIES {
            for content in PRIVACIES {
                for (state, schedule) in
                    STATES.into_iter().flat_map(|state| SCHEDULES.map(|dates| (state, dates)))
                {
                    let stored = VisibilityInput {
                        standing: plan.at(NOW),
                        playlist: None,
                        content,
                        schedule,
                        state,
                        viewer: Viewer::NonMember,
                        now: NOW,
                    };
                    store(&tx, (&app, item), (plan, org), stored).await;
                    compared += compare(&tx, item, stored).await;
                }
            }
        }
    }
    drop(tx);
    assert_eq!(compared, 6 * 3 * 3 * 3 * 6 * 37 * 3);
    app.http.settle().await;
}
