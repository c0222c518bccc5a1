//! The mail server of the tests: aiosmtpd in a child process.

use std::io::{BufRead as _, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use serde_json::Value;

const MISSING: &str = "the Debian package python3-aiosmtpd is missing: apt-get install python3-aiosmtpd";

/// A mail server for one test. Dropping it kills the process.
pub struct Peer {
    child: Child,
    /// Reads the output as it is written; a full pipe would block the server.
    reader: Option<JoinHandle<Vec<Value>>>,
    pub port: u16,
}

impl Peer {
    /// Starts the server and waits for its port.
    pub fn start(arguments: &[&str]) -> Self {
        // The package belongs to the system's Python, which need not be the first in the path.
        ["/usr/bin/python3", "python3"]
            .into_iter()
            .find_map(|python| Self::start_with(python, arguments))
            .unwrap_or_else(|| panic!("{MISSING}"))
    }

    /// Returns `None` if this Python or the package is missing.
    fn start_with(python: &str, arguments: &[&str]) -> Option<Self> {
        let mut child = Command::new(python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peer/smtp_peer.py"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = lines.next().map(Result::unwrap).unwrap_or_default();
        let startup: Value = serde_json::from_str(&first).unwrap_or_default();
        if !startup["missing"].is_null() {
            child.wait().unwrap();
            return None;
        }
        let port = startup["port"].as_u64().unwrap_or_else(|| panic!("the mail server said {first:?}"));
        let reader = Some(std::thread::spawn(move || read_lines(lines)));
        Some(Self { child, reader, port: u16::try_from(port).unwrap() })
    }

    /// Returns its address without TLS.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// Returns its address with STARTTLS. `user` is empty or `name:password@`.
    pub fn starttls(&self, user: &str) -> String {
        format!("smtp://{user}127.0.0.1:{}?tls=required", self.port)
    }

    /// Returns its address with TLS from the start.
    pub fn smtps(&self, user: &str) -> String {
        format!("smtps://{user}127.0.0.1:{}", self.port)
    }

    /// Stops the server and returns everything it was asked and given.
    pub fn end(mut self) -> Received {
        drop(self.child.stdin.take());
        Received(self.reader.take().unwrap().join().unwrap())
    }
}

fn read_lines(lines: Lines<BufReader<ChildStdout>>) -> Vec<Value> {
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything a mail server received.
pub struct Received(Vec<Value>);

impl Received {
    /// Returns the accepted emails, in order.
    pub fn emails(&self) -> Vec<ReceivedEmail> {
        self.0.iter().filter(|line| line["raw"].is_string()).map(|line| ReceivedEmail(line.clone())).collect()
    }

    /// Returns its answers to RCPT, in order.
    pub fn answers(&self) -> Vec<String> {
        let codes = self.0.iter().filter(|line| line["rcpt"].is_string());
        codes.map(|line| line["answer"].as_str().unwrap().chars().take(3).collect()).collect()
    }
}

/// An accepted email, parsed by Python's own parser.
#[derive(Debug)]
pub struct ReceivedEmail(pub Value);

impl ReceivedEmail {
    /// Returns the decoded values of the headers with this name.
    pub fn headers(&self, name: &str) -> Vec<String> {
        let all = self.0["headers"].as_array().unwrap().iter();
        let named = all.filter(|header| header[0].as_str().unwrap().eq_ignore_ascii_case(name));
        named.map(|header| header[1].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the names of all headers, in lower case and sorted.
    pub fn header_names(&self) -> Vec<String> {
        let all = self.0["headers"].as_array().unwrap().iter();
        let mut names: Vec<String> = all.map(|header| header[0].as_str().unwrap().to_lowercase()).collect();
        names.sort();
        names
    }

    /// Returns (type, text) of the parts that are not containers, in order.
    pub fn parts(&self) -> Vec<(String, String)> {
        let all = self.0["parts"].as_array().unwrap().iter();
        all.map(|part| (part[0].as_str().unwrap().to_owned(), part[1].as_str().unwrap().to_owned())).collect()
    }
}

/// A private certificate authority and a certificate it issued.
pub struct Authority {
    folder: tempfile::TempDir,
}

impl Authority {
    /// Creates one whose certificate is for this subject, such as `IP:127.0.0.1`.
    pub fn for_subject(subject: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ext"), format!("subjectAltName={subject}\n")).unwrap();
        for arguments in [
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=TestAuthority \
             -keyout ca.key -out ca.pem",
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=peer -keyout peer.key -out peer.csr",
            "x509 -req -in peer.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out peer.pem",
        ] {
            let output = Command::new("openssl")
                .args(arguments.split_whitespace())
                .current_dir(folder.path())
                .output()
                .expect("openssl is missing");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        Self { folder }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts a mail server with its certificate.
    pub fn peer(&self, tls: &str, more: &[&str]) -> Peer {
        let (cert, key) = (self.file("peer.pem"), self.file("peer.key"));
        let mut arguments =
            vec!["--tls", tls, "--cert", cert.to_str().unwrap(), "--key", key.to_str().unwrap()];
        arguments.extend(more);
        Peer::start(&arguments)
    }
}
