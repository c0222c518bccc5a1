//! Machines whose clock is not right: libfaketime sets the clock of single processes.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::agreement::report_to_both;
use super::launch::Differs;
use super::load::Load;
use super::servers::{Cluster, HOST};
use super::{arrivals, bytes, cluster, figure};

/// Just less than a spent refresh token is accepted for.
const NEARLY_SPENT: Duration = Duration::from_millis(8_800);

/// Returns the seconds by which the clock of a server is ahead of the other's, by the dates of their responses.
async fn ahead(cluster: &Cluster) -> i64 {
    let date = async |server: usize| {
        let answer = cluster.send(&cluster.direct[server], Method::GET, "/healthz", "", Value::Null).await;
        let date = answer.unwrap().headers()["date"].to_str().unwrap().to_owned();
        let time = date.split(' ').nth(4).unwrap().split(':').map(|part| part.parse::<i64>().unwrap());
        time.fold(0, |seconds, part| seconds * 60 + part)
    };
    // Not at midnight.
    date(0).await - date(1).await
}

/// Refreshes a session at a server, then with the same cookie at the other one, nearly too late. Returns the second answer.
async fn refresh_again(cluster: &Cluster, email: &str, [first, second]: [usize; 2]) -> u16 {
    let cookie = cluster.cookie(email).await;
    let refresh = async |server: usize| {
        let request = cluster.http.post(format!("{}/v1/auth/refresh", cluster.direct[server]));
        request.header("host", HOST).header("cookie", &cookie).send().await.unwrap().status().as_u16()
    };
    assert_eq!(refresh(first).await, 200);
    tokio::time::sleep(NEARLY_SPENT).await;
    refresh(second).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_seconds_of_difference_on_one_machine_change_nothing() {
    const EMAILS: usize = 20;
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    let file = bytes(2 << 20);
    let item = cluster.upload((&token, &org), &file, "application/octet-stream").await;
    cluster.start_worker().await;
    for (number, offset) in ["+2", "-2"].into_iter().enumerate() {
        cluster.servers[0].stop().await;
        cluster.start_server_as(0, Differs::clock(offset)).await;
        cluster.workers.remove(1).stop().await;
        cluster.start_worker_as(Differs::clock(offset)).await;
        let seen = ahead(&cluster).await;
        assert!((seen - offset.parse::<i64>().unwrap()).abs() <= 1 && seen != 0, "{offset}: {seen}");
        let load = Load::start(&cluster, &token, &org, (&item, &file)).await;
        let people =
            [[0, 1], [1, 0]].map(|servers| (format!("r{number}{}@example.com", servers[0]), servers));
        let (one, other) = (&people[0], &people[1]);
        let refreshed =
            tokio::join!(refresh_again(&cluster, &one.0, one.1), refresh_again(&cluster, &other.0, other.1));
        let emails = arrivals(&cluster, &format!("c{number}-"), EMAILS, || ()).await;
        let counted = report_to_both(&cluster, (&token, &org), &format!("{number}@example.com")).await;
        let done = load.stop().await;
        figure(
            &format!("the clocks of a server and a worker are {offset} s off"),
            &format!(
                "refreshed again at the other server: {refreshed:?}; {EMAILS} emails: {} lost, {} twice; {counted:?} ms counted of each 10 s; {done}",
                emails.lost, emails.twice
            ),
        );
        assert_eq!((refreshed, emails.lost, emails.twice), ((200, 200), 0, 0));
        assert_eq!((done.failed.len(), done.wrong_bytes, done.missing(&cluster)), (0, 0, 0), "{done:?}");
        assert_eq!(counted, json!([1, 10_000]));
    }
    cluster.verify().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_machine_whose_clock_is_far_off_does_not_start_and_says_why() {
    let Some((_one, cluster)) = cluster().await else { return };
    for (offset, says) in [("+90", "ahead of"), ("-90", "behind")] {
        let launch = cluster.launch.with(Differs::clock(offset));
        let said = launch.clone().refused().await;
        for sentence in &said {
            assert!(sentence.contains("clock") && sentence.contains(says), "{offset}: {sentence}");
        }
        let doctor = String::from_utf8(launch.output(&["doctor"]).await.stdout).unwrap();
        let line = doctor.lines().find(|line| line.contains("clock: ")).unwrap();
        assert!(line.starts_with("FAIL") && line.contains(says), "{doctor}");
        figure(&format!("a clock that is {offset} s off"), &said[0]);
    }
    cluster.verify().await;
}
