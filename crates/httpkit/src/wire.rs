//! Sends files to a socket with sendfile, without copying them through this process.
//!
//! hyper only knows bodies made of bytes. The body of such a response therefore consists of *placeholders*:
//! slices of a static array of zeros whose content is never read. Each stands for a part of the file that is
//! queued on the connection's [`Lane`]. The [`Wire`] below hyper recognises a placeholder by its address and
//! has the kernel send the part instead.
//!
//! The accept loop inserts the placeholders after every layer has seen the response with its readable body. A
//! layer that reads or changes the body (compression, HTTP/2) gets real bytes, and its response is left
//! unchanged.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IoSlice};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http_body::{Frame, SizeHint};
use rustix::io::{Errno, ReadWriteFlags};
use rustix::net::SendFlags;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::permission::{Gate, Permission};

/// Maximum number of bytes that one placeholder stands for.
const BLANK_BYTES: usize = 2 << 20;
/// Never read, so it takes no physical memory.
static BLANK: [u8; BLANK_BYTES] = [0; BLANK_BYTES];
/// Size of the first placeholder of a response that may lose its permission, and the minimum size of any.
const FIRST_BYTES: usize = 512 << 10;
const LEAST_BYTES: usize = 64 << 10;
/// Read size for a part that the kernel must first load from disk.
const WARM_BYTES: usize = 256 * 1024;

/// Response extension declaring that the body is this part of a file.
#[derive(Clone, Debug)]
pub struct FilePart {
    /// The open file.
    pub file: Arc<File>,
    /// Byte range within the file.
    pub range: Range<u64>,
    /// Checked again while the range is being sent.
    pub permission: Option<Permission>,
}

impl FilePart {
    fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    /// Removes and returns the next part, at most as long as a placeholder.
    fn split(&mut self, blank: usize) -> Option<Self> {
        let len = self.len().min(blank as u64);
        let middle = self.range.start + len;
        let first = Self { file: Arc::clone(&self.file), range: self.range.start..middle, permission: None };
        self.range.start = middle;
        (len > 0).then_some(first)
    }

    /// Returns `true` if the part can be sent without waiting for the disk: its first and last bytes are in
    /// memory.
    fn is_near(&self) -> bool {
        [self.range.start, self.range.end.saturating_sub(1)].into_iter().all(|at| {
            let mut byte = [0];
            let mut into = [io::IoSliceMut::new(&mut byte)];
            // A file system that does not support the question counts as near.
            rustix::io::preadv2(&self.file, &mut into, at, ReadWriteFlags::NOWAIT) != Err(Errno::AGAIN)
        })
    }

    /// Loads the part into the page cache.
    fn fetch(&self) -> io::Result<()> {
        let mut buffer = vec![0; WARM_BYTES];
        let mut at = self.range.start;
        while at < self.range.end {
            let most = usize::try_from(self.range.end - at).map_or(WARM_BYTES, |left| left.min(WARM_BYTES));
            match self.file.read_at(&mut buffer[..most], at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => at += read as u64,
            }
        }
        Ok(())
    }
}

/// Queue of the parts that a connection's placeholders stand for, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lane(Arc<Mutex<VecDeque<FilePart>>>);

impl Lane {
    /// Replaces the body with placeholders if it still is what its [`FilePart`] declares.
    pub(crate) fn put_blanks(&self, mut answer: Response) -> Response {
        let Some(part) = answer.extensions_mut().remove::<FilePart>() else { return answer };
        let length = answer.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if part.len() == 0
            || length != Some(part.len())
            || answer.headers().contains_key(CONTENT_ENCODING)
            || http_body::Body::is_end_stream(answer.body())
        {
            return answer;
        }
        let body = Body::new(Blanks::new(self.clone(), part));
        answer.map(|_| body)
    }

    fn push(&self, part: FilePart) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(part);
    }

    /// Returns the part for the placeholder at the front. Invariant: their lengths match. If it is violated,
    /// the connection is closed before a wrong byte is sent.
    fn front(&self, blank: usize) -> io::Result<FilePart> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let part = parts.front().filter(|part| part.len() == blank as u64);
        part.cloned().ok_or_else(|| io::Error::other("a placeholder without a file part"))
    }

    fn sent(&self, bytes: usize) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(front) = parts.front_mut() {
            front.range.start += bytes as u64;
            if front.len() == 0 {
                parts.pop_front();
            }
        }
    }
}

/// Body made of placeholders.
struct Blanks {
    lane: Lane,
    left: FilePart,
    near: Near,
    gate: Option<Gate>,
    pace: Pace,
}

/// Adapts the size of placeholders to what leaves within a few seconds, so that a slow reader is sent little
/// more after losing permission.
struct Pace {
    blank: usize,
    handed_at: Instant,
}

impl Pace {
    fn new(guarded: bool) -> Self {
        Self { blank: if guarded { FIRST_BYTES } else { BLANK_BYTES }, handed_at: Instant::now() }
    }

    fn next(&mut self) -> usize {
        let took = self.handed_at.elapsed();
        self.handed_at = Instant::now();
        if took < Duration::from_secs(1) {
            self.blank = (self.blank * 2).min(BLANK_BYTES);
        } else if took > Duration::from_secs(3) {
            self.blank = (self.blank / 2).max(LEAST_BYTES);
        }
        self.blank
    }
}

/// Whether the next part can be sent without waiting for the disk.
enum Near {
    Unknown,
    Fetching(FilePart, JoinHandle<io::Result<()>>),
    /// In memory, waiting for the permission check.
    Asking(FilePart),
}

impl Blanks {
    fn new(lane: Lane, mut left: FilePart) -> Self {
        let gate = left.permission.take().map(Gate::new);
        let pace = Pace::new(gate.is_some());
        Self { lane, left, near: Near::Unknown, gate, pace }
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<FilePart>>> {
        loop {
            match &mut self.near {
                Near::Unknown => {
                    let Some(part) = self.left.split(self.pace.next()) else { return Poll::Ready(None) };
                    if part.is_near() {
                        return Poll::Ready(Some(Ok(part)));
                    }
                    let far = part.clone();
                    self.near = Near::Fetching(part, spawn_blocking(move || far.fetch()));
                }
                Near::Asking(part) => {
                    let part = part.clone();
                    self.near = Near::Unknown;
                    return Poll::Ready(Some(Ok(part)));
                }
                Near::Fetching(part, fetched) => {
                    let fetched = ready!(Pin::new(fetched).poll(cx)).map_err(io::Error::other);
                    let part = fetched.flatten().map(|()| part.clone());
                    self.near = Near::Unknown;
                    return Poll::Ready(Some(part));
                }
            }
        }
    }
}

impl http_body::Body for Blanks {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let part = match ready!(self.poll_next(cx)) {
            None => return Poll::Ready(None),
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            Some(Ok(part)) => part,
        };
        match self.gate.as_mut().map(|gate| gate.poll_pass(cx, part.len())) {
            None | Some(Poll::Ready(Ok(()))) => {}
            Some(Poll::Ready(Err(error))) => return Poll::Ready(Some(Err(error))),
            Some(Poll::Pending) => {
                self.near = Near::Asking(part);
                return Poll::Pending;
            }
        }
        let len = usize::try_from(part.len()).unwrap_or(BLANK_BYTES).min(BLANK_BYTES);
        self.lane.push(part);
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&BLANK[..len])))))
    }

    fn size_hint(&self) -> SizeHint {
        let waiting = match &self.near {
            Near::Unknown => 0,
            Near::Fetching(part, _) | Near::Asking(part) => part.len(),
        };
        SizeHint::with_exact(self.left.len() + waiting)
    }
}

/// Connection that sends parts of files in place of placeholders.
pub(crate) struct Wire {
    stream: TcpStream,
    lane: Lane,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, lane: Lane) -> Self {
        Self { stream, lane }
    }

    /// Runs `work` when the socket is writable. It may write fewer bytes than offered.
    fn poll_socket(
        &self,
        cx: &mut Context<'_>,
        mut work: impl FnMut() -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream.poll_write_ready(cx))?;
            match self.stream.try_io(Interest::WRITABLE, &mut work) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return Poll::Ready(done),
            }
        }
    }

    fn poll_part(&self, cx: &mut Context<'_>, blank: usize) -> Poll<io::Result<usize>> {
        let part = self.lane.front(blank)?;
        let sent = ready!(self.poll_socket(cx, || {
            let mut at = part.range.start;
            match rustix::fs::sendfile(&self.stream, &part.file, Some(&mut at), blank) {
                // File systems without sendfile support, such as some in user space.
                Err(Errno::INVAL | Errno::NOSYS) => copy(&self.stream, &part),
                sent => Ok(sent?),
            }
        }))?;
        if sent == 0 {
            // The length was already announced. Stored files never change, so this one was truncated
            // externally.
            return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
        }
        self.lane.sent(sent);
        Poll::Ready(Ok(sent))
    }
}

/// Fallback that copies one chunk through user space.
fn copy(stream: &TcpStream, part: &FilePart) -> io::Result<usize> {
    let most = usize::try_from(part.len()).map_or(WARM_BYTES, |len| len.min(WARM_BYTES));
    let mut buffer = vec![0; most];
    let read = part.file.read_at(&mut buffer, part.range.start)?;
    Ok(rustix::net::send(stream, &buffer[..read], SendFlags::NOSIGNAL)?)
}

fn is_blank(slice: &[u8]) -> bool {
    !slice.is_empty() && BLANK.as_ptr_range().contains(&slice.as_ptr())
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let plain = slices.iter().take_while(|slice| !is_blank(slice)).count();
        match (plain, slices.get(plain)) {
            (0, Some(blank)) => self.poll_part(cx, blank.len()),
            // A header followed by a file: let the kernel wait for the file rather than send a small packet.
            (1, Some(_)) => {
                let flags = SendFlags::MORE | SendFlags::NOSIGNAL;
                self.poll_socket(cx, || Ok(rustix::net::send(&self.stream, &slices[0], flags)?))
            }
            _ => Pin::new(&mut self.stream).poll_write_vectored(cx, &slices[..plain]),
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}
