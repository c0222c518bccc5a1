//! The rules of the throttle, on a database.

use kernel::Ambient;
use testkit::Database;

use super::*;

/// Returns the instant this many milliseconds after the epoch.
const fn at_ms(ms: i64) -> Timestamp {
    Timestamp::from_ms(ms)
}

const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

fn mail(name: &str) -> Email {
    Email::parse(&format!("{name}@example.com")).unwrap()
}

/// A throttle and its database.
struct TestThrottle {
    throttle: Arc<LoginThrottle>,
    db: Db,
    database: Database,
    _folder: tempfile::TempDir,
}

fn throttle() -> Arc<LoginThrottle> {
    LoginThrottle::of(&Signer::new(&[7; 32]), "password")
}

impl TestThrottle {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::fresh(folder.path()).await;
        let db = Db::connect(database.url()).await.unwrap();
        db::migrate(&db, &Ambient::system(), &crate::migrations()).await.unwrap();
        Self { throttle: throttle(), db, database, _folder: folder }
    }

    async fn begin(&self, ip: IpAddr, email: &Email, now: Timestamp) -> Result<Attempt, ThrottleError> {
        match self.throttle.begin(self.db.read(), (ip, email), now).await {
            Ok(attempt) => Ok(attempt),
            Err(Error::TooManyAttempts(seconds)) => Err(ThrottleError::Wait(seconds)),
            Err(Error::LinkRequired) => Err(ThrottleError::LinkRequired),
            Err(error) => panic!("{error}"),
        }
    }

    /// Makes a wrong attempt, unless it must wait.
    async fn guess(&self, ip: IpAddr, email: &Email, now: Timestamp) -> Result<(), ThrottleError> {
        let attempt = self.begin(ip, email, now).await?;
        let tx = self.db.write_tx().await.unwrap();
        attempt.wrong(&tx).await.unwrap();
        tx.commit().await.unwrap();
        self.throttle.limit(&self.db).await;
        Ok(())
    }

    /// Makes an attempt that is right.
    async fn sign_in(&self, ip: IpAddr, email: &Email, now: Timestamp) {
        let attempt = self.begin(ip, email, now).await.unwrap();
        let tx = self.db.write_tx().await.unwrap();
        attempt.right(&tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn rows(&self) -> u64 {
        use sea_orm::{EntityTrait as _, PaginatorTrait as _};
        crate::entity::sign_in_attempt::Entity::find().count(self.db.read()).await.unwrap()
    }

    async fn close(self) {
        self.db.close().await;
        self.database.remove().await;
    }
}

#[tokio::test]
async fn each_wrong_try_doubles_the_wait_up_to_a_minute() {
    let (scene, ada) = (TestThrottle::new().await, mail("ada"));
    let mut now = Timestamp::EPOCH;
    for _ in 0..3 {
        assert_eq!(scene.guess(HERE, &ada, now).await, Ok(()));
    }
    for wait in [1, 2, 4, 8, 16, 32, 60, 60] {
        assert_eq!(scene.guess(HERE, &ada, now).await, Err(ThrottleError::Wait(wait)));
        now += Millis::from(wait) * SECOND;
        assert_eq!(scene.guess(HERE, &ada, now).await, Ok(()), "after {wait} s");
    }
    scene.close().await;
}

#[tokio::test]
async fn a_strangers_guesses_do_not_lock_out_the_owner() {
    let (scene, ada) = (TestThrottle::new().await, mail("ada"));
    for _ in 0..3 {
        scene.guess(THERE, &ada, Timestamp::EPOCH).await.unwrap();
    }
    assert!(scene.guess(THERE, &ada, Timestamp::EPOCH).await.is_err());
    assert_eq!(scene.guess(HERE, &ada, Timestamp::EPOCH).await, Ok(()));
    scene.close().await;
}

#[tokio::test]
async fn one_client_address_cannot_guess_at_many_accounts() {
    let scene = TestThrottle::new().await;
    for n in 0..10 {
        assert_eq!(scene.guess(HERE, &mail(&format!("p{n}")), Timestamp::EPOCH).await, Ok(()));
    }
    let next = mail("p10");
    assert_eq!(scene.guess(HERE, &next, Timestamp::EPOCH).await, Err(ThrottleError::Wait(1)));
    assert_eq!(scene.guess(THERE, &next, Timestamp::EPOCH).await, Ok(()));
    scene.close().await;
}

#[tokio::test]
async fn an_office_where_people_mistype_is_not_blocked() {
    let scene = TestThrottle::new().await;
    let mut now = Timestamp::EPOCH;
    for n in 0..40 {
        now += MINUTE;
        assert_eq!(scene.guess(HERE, &mail(&format!("p{n}")), now).await, Ok(()), "colleague {n}");
    }
    scene.sign_in(HERE, &mail("own"), now).await;
    assert_eq!(scene.guess(HERE, &mail("next"), now + SECOND).await, Ok(()));
    scene.close().await;
}

#[tokio::test]
async fn a_correct_password_clears_the_pair_but_not_the_client_address() {
    let (scene, own, other) = (TestThrottle::new().await, mail("own"), mail("other"));
    for n in 0..7 {
        scene.guess(HERE, &mail(&format!("p{n}")), Timestamp::EPOCH).await.unwrap();
    }
    for _ in 0..2 {
        scene.guess(HERE, &own, Timestamp::EPOCH).await.unwrap();
    }
    scene.sign_in(HERE, &own, Timestamp::EPOCH).await;
    assert_eq!(scene.guess(HERE, &own, Timestamp::EPOCH).await, Ok(()), "the pair was forgotten");
    let waits = scene.guess(HERE, &other, Timestamp::EPOCH).await;
    assert_eq!(waits, Err(ThrottleError::Wait(1)), "ten wrong ones of the client address");
    scene.close().await;
}

#[tokio::test]
async fn attempts_that_are_being_checked_count_and_others_do_not() {
    let (scene, ada) = (TestThrottle::new().await, mail("ada"));
    for _ in 0..20 {
        scene.begin(HERE, &ada, Timestamp::EPOCH).await.unwrap();
    }
    let mut checked = Vec::new();
    for _ in 0..3 {
        checked.push(scene.begin(HERE, &ada, Timestamp::EPOCH).await.unwrap());
    }
    let next = scene.begin(HERE, &ada, Timestamp::EPOCH).await.err();
    assert_eq!(next, Some(ThrottleError::Wait(1)));
    checked.pop();
    scene.guess(HERE, &ada, Timestamp::EPOCH).await.unwrap();
    let next = scene.begin(HERE, &ada, Timestamp::EPOCH).await.err();
    assert_eq!(next, Some(ThrottleError::Wait(1)), "one wrong, two being checked");
    drop(checked);
    assert!(scene.begin(HERE, &ada, Timestamp::EPOCH).await.is_ok());
    assert!(scene.throttle.in_flight.lock().is_empty());
    scene.close().await;
}

#[tokio::test]
async fn a_strangers_attempts_that_have_to_wait_do_not_lock_out_the_owner() {
    let (scene, ada) = (TestThrottle::new().await, mail("ada"));
    // All have begun before the first of them is read, and the owner's is the last.
    let clients = std::iter::repeat_n(THERE, 110).chain([HERE]);
    let attempts = clients.map(|client| scene.begin(client, &ada, Timestamp::EPOCH));
    let mut begun = futures::future::join_all(attempts).await;
    assert!(begun.pop().unwrap().is_ok(), "the owner's");
    assert!(begun.iter().filter(|attempt| attempt.is_ok()).count() <= 3);
    drop(begun);
    assert!(scene.throttle.in_flight.lock().is_empty());
    scene.close().await;
}

#[tokio::test]
async fn rows_that_are_being_changed_are_not_waited_for() {
    let scene = TestThrottle::new().await;
    for n in 0..3 {
        scene.guess(IpAddr::from([10, 0, 0, n]), &mail(&format!("p{n}")), Timestamp::EPOCH).await.unwrap();
    }
    // With SQLite, no one else can write meanwhile.
    if scene.db.engine() == db::Engine::Postgres {
        let attempt = scene.begin(IpAddr::from([10, 0, 0, 1]), &mail("p1"), Timestamp::EPOCH).await.unwrap();
        let tx = scene.db.write_tx().await.unwrap();
        attempt.wrong(&tx).await.unwrap();
        assert_eq!(store::limit(&scene.db, 0, 100).await.unwrap(), 6);
        tx.commit().await.unwrap();
    }
    let left = scene.rows().await;
    assert_eq!(store::limit(&scene.db, 0, 100).await.unwrap(), left);
    scene.close().await;
}

#[tokio::test]
async fn attempts_expire_and_a_clock_set_back_adds_no_delay() {
    let (scene, ada) = (TestThrottle::new().await, mail("ada"));
    for _ in 0..3 {
        scene.guess(HERE, &ada, at_ms(RESET_AFTER)).await.unwrap();
    }
    assert_eq!(
        scene.guess(HERE, &ada, Timestamp::EPOCH).await,
        Err(ThrottleError::Wait(1)),
        "the wait it had, no longer one"
    );
    for _ in 0..3 {
        assert_eq!(scene.guess(HERE, &ada, at_ms(2 * RESET_AFTER)).await, Ok(()));
    }
    assert!(scene.guess(HERE, &ada, at_ms(2 * RESET_AFTER)).await.is_err());
    scene.close().await;
}

#[tokio::test]
async fn a_hundred_guesses_in_an_hour_block_the_password_of_an_account() {
    let (scene, ada, bea) = (TestThrottle::new().await, mail("ada"), mail("bea"));
    let at = |n: u32| IpAddr::from((7 << 24 | n).to_be_bytes());
    for n in 0..100 {
        assert_eq!(scene.guess(at(n), &ada, at_ms(Millis::from(n) * SECOND)).await, Ok(()));
    }
    assert_eq!(scene.guess(at(100), &ada, at_ms(HOUR - 1)).await, Err(ThrottleError::LinkRequired));
    assert_eq!(scene.guess(at(100), &bea, at_ms(HOUR - 1)).await, Ok(()));
    let tx = scene.db.write_tx().await.unwrap();
    scene.throttle.clear_account(&tx, &ada).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(scene.guess(at(100), &ada, at_ms(HOUR - 1)).await, Ok(()));
    for n in 0..99 {
        scene.guess(at(n), &ada, at_ms(HOUR)).await.unwrap();
    }
    assert_eq!(scene.guess(at(101), &ada, at_ms(HOUR)).await, Err(ThrottleError::LinkRequired));
    assert_eq!(scene.guess(at(101), &ada, at_ms(2 * HOUR)).await, Ok(()), "the hour is over");
    scene.close().await;
}

#[tokio::test]
async fn servers_share_the_counts_and_a_restart_does_not_forget_them() {
    let (scene, ada) = (TestThrottle::new().await, mail("ada"));
    scene.guess(HERE, &ada, Timestamp::EPOCH).await.unwrap();
    scene.guess(HERE, &ada, Timestamp::EPOCH).await.unwrap();
    // Another server with its own connections or, with SQLite, the same one after a restart.
    let TestThrottle { throttle: first, db, database, _folder: folder } = scene;
    let here = match db.engine() {
        // The file is locked until the last clone is dropped.
        db::Engine::Sqlite => {
            db.close().await;
            None
        }
        db::Engine::Postgres => Some(db),
    };
    let db = Db::connect(database.url()).await.unwrap();
    let mut scene = TestThrottle { throttle: throttle(), db, database, _folder: folder };
    scene.guess(HERE, &ada, Timestamp::EPOCH).await.unwrap();
    assert_eq!(scene.guess(HERE, &ada, Timestamp::EPOCH).await, Err(ThrottleError::Wait(1)));
    if let Some(here) = here {
        assert!(first.begin(here.read(), (HERE, &ada), Timestamp::EPOCH).await.is_err());
        here.close().await;
    }
    // Another kind of secret is counted by itself.
    scene.throttle = LoginThrottle::of(&Signer::new(&[7; 32]), "digits");
    assert_eq!(scene.guess(HERE, &ada, Timestamp::EPOCH).await, Ok(()));
    scene.close().await;
}

#[tokio::test]
async fn an_attempt_that_is_right_needs_no_transaction_of_the_throttle() {
    let (scene, ada) = (TestThrottle::new().await, mail("ada"));
    // With SQLite, no one else can write meanwhile.
    let tx = scene.db.write_tx().await.unwrap();
    let attempt = scene.begin(HERE, &ada, Timestamp::EPOCH).await.unwrap();
    attempt.right(&tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(scene.rows().await, 0);
    scene.close().await;
}

#[tokio::test]
async fn servers_that_count_at_once_lose_no_attempt() {
    let (scene, ada) = (Arc::new(TestThrottle::new().await), mail("ada"));
    let mut attempts = tokio::task::JoinSet::new();
    for n in 0..60_u32 {
        let (scene, ada) = (Arc::clone(&scene), ada.clone());
        // Ten client addresses on six servers.
        let ip = IpAddr::from([7, 0, 0, n as u8 % 10]);
        let server = throttle();
        attempts.spawn(async move {
            let attempt = server.begin(scene.db.read(), (ip, &ada), Timestamp::EPOCH).await;
            let Ok(attempt) = attempt else { return 0 };
            let tx = scene.db.write_tx().await.unwrap();
            attempt.wrong(&tx).await.unwrap();
            tx.commit().await.unwrap();
            1
        });
    }
    let counted: i64 = attempts.join_all().await.into_iter().sum();
    let keys = scene.throttle.keys(HERE, &ada);
    let rows = store::counts(scene.db.read(), &[keys.account]).await.unwrap();
    assert_eq!((rows[0].tries, counted > 20), (counted, true));
}

#[tokio::test]
async fn the_number_of_rows_is_bounded_and_the_largest_counts_stay() {
    let mut scene = TestThrottle::new().await;
    let limited = Arc::get_mut(&mut scene.throttle).unwrap();
    limited.rows_max = 300;
    let (ada, now) = (mail("ada"), Timestamp::EPOCH);
    for n in 0..20 {
        scene.guess(IpAddr::from([10, 0, 0, n]), &ada, now).await.unwrap();
    }
    let mut most = 0;
    for n in 0..400_u32 {
        let ip = IpAddr::from((7 << 24 | n).to_be_bytes());
        scene.guess(ip, &mail(&format!("p{n}")), now).await.unwrap();
        most = most.max(scene.rows().await);
    }
    assert!((300..300 + 3 * LOOK_AFTER).contains(&most), "{most}");
    let account = scene.throttle.keys(HERE, &ada).account;
    assert_eq!(store::counts(scene.db.read(), &[account]).await.unwrap()[0].tries, 20);
    assert!(store::prune(&scene.db, now + HOUR + 1).await.unwrap() > 0);
    assert_eq!(scene.rows().await, 0);
    scene.close().await;
}
