//! Calls to the server, sign-in through the sandbox's inbox, and the sandbox's clock.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::{Clock as _, DAY, MINUTE, Millis, SystemClock, Timestamp};
use reqwest::{Method, RequestBuilder, header};
use serde_json::{Value, json};

use crate::Error;
use crate::device::Device;
use crate::media::File;

/// Age at which an access token, which is valid for an hour, is replaced.
const TOKEN_AGE: Millis = 50 * MINUTE;
/// How long to wait before asking again, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(100)];
/// How long to wait for an answer or an email.
pub const PATIENCE: Duration = Duration::from_mins(1);
/// How long to wait for a file to be processed.
pub const PROCESSING_PATIENCE: Duration = Duration::from_mins(10);
/// Header with the country that a request comes from.
pub const COUNTRY_HEADER: &str = "x-demo-country";

/// A client of the server.
pub struct Api {
    http: reqwest::Client,
    origin: String,
    host: String,
    /// How far the server's clock is ahead of this machine's, in ms; behind if negative.
    ahead: AtomicI64,
}

/// One of the two apps; a person has a session in each.
#[derive(Clone, Copy)]
pub enum App {
    Portal,
    Viewer,
}

impl App {
    fn word(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::Viewer => "viewer",
        }
    }
}

/// A signed-in person.
pub struct Session {
    pub email: String,
    pub uid: String,
    app: App,
    token: String,
    cookie: String,
    issued_at: Timestamp,
    device: Device,
}

impl Session {
    /// Returns the session of a person who uses this device from now on.
    pub fn on(self, device: Device) -> Self {
        Self { device, ..self }
    }
}

impl Api {
    /// Creates a client for this address; requests name `host`.
    pub fn new(origin: &str, host: &str) -> Result<Self, Error> {
        let http = reqwest::Client::builder()
            .no_proxy()
            .user_agent(Device::default().browser)
            .redirect(reqwest::redirect::Policy::none())
            .timeout(PATIENCE)
            .build()?;
        Ok(Self { http, origin: origin.to_owned(), host: host.to_owned(), ahead: AtomicI64::new(0) })
    }

    /// Sends an anonymous call.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Error> {
        let request = with_body(self.request(method.clone(), path), body);
        Ok(parsed(&self.send(request, &format!("{method} {path}")).await?.1))
    }

    /// Sends a call of a person, whose session is refreshed if it is old.
    pub async fn call_as(
        &self,
        session: &mut Session,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Error> {
        self.refresh(session).await?;
        let Device { browser, country } = session.device;
        let request = self.request(method.clone(), path).header(header::USER_AGENT, browser);
        let request = with_body(request.header(COUNTRY_HEADER, country).bearer_auth(&session.token), body);
        Ok(parsed(&self.send(request, &format!("{method} {path}")).await?.1))
    }

    /// Sends a GET request of a person.
    pub async fn get(&self, session: &mut Session, path: &str) -> Result<Value, Error> {
        self.call_as(session, Method::GET, path, None).await
    }

    /// Sends a POST request of a person.
    pub async fn post(&self, session: &mut Session, path: &str, body: &Value) -> Result<Value, Error> {
        self.call_as(session, Method::POST, path, Some(body)).await
    }

    /// Sends a PATCH request of a person.
    pub async fn patch(&self, session: &mut Session, path: &str, body: &Value) -> Result<Value, Error> {
        self.call_as(session, Method::PATCH, path, Some(body)).await
    }

    /// Sends bytes with PUT. The address is absolute or a path.
    pub async fn put(
        &self,
        session: Option<&mut Session>,
        address: &str,
        mime: &str,
        bytes: Vec<u8>,
    ) -> Result<(), Error> {
        let path = address.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
        let path = path.unwrap_or(address);
        let mut request = self.request(Method::PUT, path).header(header::CONTENT_TYPE, mime).body(bytes);
        if let Some(session) = session {
            self.refresh(session).await?;
            request = request.bearer_auth(&session.token);
        }
        self.send(request, &format!("PUT {path}")).await.map(drop)
    }

    /// Signs in with a link from the inbox.
    pub async fn sign_in(&self, email: &str, app: App) -> Result<Session, Error> {
        let before = self.newest_mail(email).await?;
        let request = json!({ "email": email, "action": "signup", "app": app.word() });
        self.call(Method::POST, "/v1/auth/magic-links", Some(&request)).await?;
        let code = self.code_after(email, before.as_deref()).await?;
        let claim = json!({ "email": email, "code": code, "app": app.word() });
        self.start("/v1/auth/magic-links/redeem", &claim, email, app).await
    }

    /// Signs up in the portal with a password and confirms the address.
    pub async fn sign_up(&self, email: &str, password: &str) -> Result<Session, Error> {
        let before = self.newest_mail(email).await?;
        let form = json!({ "email": email, "password": password });
        let mut session = self.start("/v1/auth/sign-up", &form, email, App::Portal).await?;
        let code = self.code_after(email, before.as_deref()).await?;
        self.post(&mut session, "/v1/auth/verifications/redeem", &json!({ "code": code })).await?;
        Ok(session)
    }

    /// Waits for an email with a code that is newer than the email `before`, and returns the code.
    pub async fn code_after(&self, email: &str, before: Option<&str>) -> Result<String, Error> {
        self.wait_for(&format!("email to {email}"), PATIENCE, async || {
            let mails = self.mails(email).await?;
            let mut newer = mails.iter().take_while(|mail| mail["uid"].as_str() != before);
            Ok(newer.find_map(|mail| code_of(mail["links"][0].as_str()?)))
        })
        .await
    }

    /// Returns the uid of the newest email to an address.
    async fn newest_mail(&self, email: &str) -> Result<Option<String>, Error> {
        let mails = self.mails(email).await?;
        Ok(mails.first().and_then(|mail| mail["uid"].as_str()).map(str::to_owned))
    }

    /// Returns the emails to an address, newest first.
    async fn mails(&self, email: &str) -> Result<Vec<Value>, Error> {
        let inbox = format!("/sandbox/api/mails?to={email}");
        let mut mails = self.call(Method::GET, &inbox, None).await?;
        match mails["data"].take() {
            Value::Array(mails) => Ok(mails),
            other => Err(Error::Unexpected(format!("{inbox}: {other}"))),
        }
    }

    /// Uploads an image of an organisation and returns its public path.
    pub async fn upload_image(&self, session: &mut Session, org: &str, file: &File) -> Result<String, Error> {
        let new = json!({ "orgId": org, "file": announced(file) });
        let upload = self.post(session, "/v1/uploads", &new).await?;
        self.put(None, &text(&upload["ingest"], "url")?, file.mime, file.bytes.clone()).await?;
        text(&upload["ingest"], "path")
    }

    /// Polls until there is a value, for at most `patience`.
    pub async fn wait_for<T>(
        &self,
        what: &str,
        patience: Duration,
        mut poll: impl AsyncFnMut() -> Result<Option<T>, Error>,
    ) -> Result<T, Error> {
        let begin = tokio::time::Instant::now();
        let [mut pause, longest] = PAUSES;
        while begin.elapsed() < patience {
            if let Some(value) = poll().await? {
                return Ok(value);
            }
            tokio::time::sleep(pause).await;
            pause = longest.min(pause * 2);
        }
        Err(Error::Unexpected(format!("no {what} within {} seconds", patience.as_secs())))
    }

    /// Reads the server's clock.
    pub async fn read_clock(&self) -> Result<Timestamp, Error> {
        let clock = self.call(Method::GET, "/sandbox/api/clock", None).await?;
        let now = text(&clock, "now")?;
        let now = kernel::from_iso(&now).ok_or_else(|| Error::Unexpected(format!("{now} is not a time")))?;
        self.ahead.store(now - SystemClock.now(), Ordering::Relaxed);
        Ok(now)
    }

    /// Returns the time of the server, which only this client moves.
    fn now(&self) -> Timestamp {
        SystemClock.now() + self.ahead.load(Ordering::Relaxed)
    }

    /// Moves the server's clock forward to `at`, unless it is later already.
    pub async fn move_clock(&self, at: Timestamp) -> Result<(), Error> {
        let ahead = at - self.now();
        if ahead > 0 {
            let body = json!({ "advanceDays": ahead as f64 / DAY as f64 });
            self.call(Method::POST, "/sandbox/api/clock", Some(&body)).await?;
            self.read_clock().await?;
        }
        Ok(())
    }

    async fn start(&self, path: &str, body: &Value, email: &str, app: App) -> Result<Session, Error> {
        let issued_at = self.now();
        let (cookie, answer) =
            self.send(self.request(Method::POST, path).json(body), &format!("POST {path}")).await?;
        let answer = parsed(&answer);
        Ok(Session {
            email: email.to_owned(),
            uid: text(&answer["profile"], "uid")?,
            app,
            token: text(&answer, "accessToken")?,
            cookie: cookie.ok_or_else(|| Error::Unexpected(format!("{path} set no cookie")))?,
            issued_at,
            device: Device::default(),
        })
    }

    async fn refresh(&self, session: &mut Session) -> Result<(), Error> {
        let now = self.now();
        if now - session.issued_at < TOKEN_AGE {
            return Ok(());
        }
        let path = format!("/v1/auth/refresh?app={}", session.app.word());
        let request = self.request(Method::POST, &path).header(header::COOKIE, &session.cookie);
        match self.send(request, &format!("POST {path}")).await {
            Ok((cookie, answer)) => {
                session.token = text(&parsed(&answer), "accessToken")?;
                session.cookie = cookie.unwrap_or_else(|| session.cookie.clone());
                session.issued_at = now;
            }
            // Signed out after 30 days of absence.
            Err(Error::Refused { status: 401, .. }) => {
                let signed_in = self.sign_in(&session.email, session.app).await?;
                *session = Session { device: session.device, ..signed_in };
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.origin)).header(header::HOST, &self.host)
    }

    /// Returns the cookie that the response sets, if any, and the body.
    async fn send(&self, request: RequestBuilder, call: &str) -> Result<(Option<String>, Vec<u8>), Error> {
        let response = request.send().await?;
        let status = response.status();
        let cookie = response.headers().get(header::SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
        let cookie = cookie.and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
        let body = response.bytes().await?.to_vec();
        if status.is_success() {
            return Ok((cookie, body));
        }
        let body = String::from_utf8_lossy(&body).into_owned();
        Err(Error::Refused { call: call.to_owned(), status: status.as_u16(), body })
    }
}

fn with_body(request: RequestBuilder, body: Option<&Value>) -> RequestBuilder {
    match body {
        Some(body) => request.json(body),
        None => request,
    }
}

/// Returns the description of a file that will be sent.
pub fn announced(file: &File) -> Value {
    json!({
        "name": file.name, "size": file.bytes.len(), "type": file.mime, "lastModified": 0,
        "checksum": STANDARD.encode(fast_md5::digest(&file.bytes)),
    })
}

/// Returns a text field of an answer.
pub fn text(value: &Value, name: &str) -> Result<String, Error> {
    let text = value[name].as_str().map(str::to_owned);
    text.ok_or_else(|| Error::Unexpected(format!("an answer without {name}: {value}")))
}

fn code_of(link: &str) -> Option<String> {
    let (_, rest) = link.split_once("code=")?;
    rest.split('&').next().map(str::to_owned)
}

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or(Value::Null)
}
