//! Sends files to a socket with sendfile, without copying them through this process.
//!
//! hyper only knows bodies made of bytes. The body of such a response therefore consists of *placeholders*:
//! slices of a static array of zeros whose content is never read. Each stands for a part of the file that is
//! queued on the connection's [`PartQueue`]. The [`SendfileStream`] below hyper recognises a
//! placeholder by its address and has the kernel send the part instead.
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
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http_body::{Frame, SizeHint};
use parking_lot::Mutex;
use rustix::io::{Errno, ReadWriteFlags};
use rustix::net::SendFlags;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::permission::{Gate, Permission};

/// Maximum number of bytes that one placeholder stands for.
const PLACEHOLDER_BYTES: usize = 2 << 20;
/// Never read, so it takes no physical memory; allocated, so that it is no part of the program file.
static PLACEHOLDER: LazyLock<Bytes> = LazyLock::new(|| Bytes::from(vec![0; PLACEHOLDER_BYTES]));
/// Size of the first placeholder of a response that may lose its permission, and the minimum size of any.
const INITIAL_BYTES: usize = 512 << 10;
const MIN_BYTES: usize = 64 << 10;
/// Read size for a part that the kernel must first load from disk.
const READ_BYTES: usize = 256 * 1024;

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
    fn split(&mut self, placeholder_len: usize) -> Option<Self> {
        let len = self.len().min(placeholder_len as u64);
        let middle = self.range.start + len;
        let first = Self { file: Arc::clone(&self.file), range: self.range.start..middle, permission: None };
        self.range.start = middle;
        (len > 0).then_some(first)
    }

    /// Returns `true` if the part can be sent without waiting for the disk: its first and last bytes are in
    /// memory.
    fn is_cached(&self) -> bool {
        [self.range.start, self.range.end.saturating_sub(1)].into_iter().all(|at| {
            let mut byte = [0];
            let mut into = [io::IoSliceMut::new(&mut byte)];
            // A file system that does not support the question counts as cached.
            rustix::io::preadv2(&self.file, &mut into, at, ReadWriteFlags::NOWAIT) != Err(Errno::AGAIN)
        })
    }

    /// Loads the part into the page cache.
    fn load(&self) -> io::Result<()> {
        let mut buffer = vec![0; READ_BYTES];
        let mut at = self.range.start;
        while at < self.range.end {
            let most = usize::try_from(self.range.end - at).map_or(READ_BYTES, |left| left.min(READ_BYTES));
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
pub(crate) struct PartQueue(Arc<Mutex<VecDeque<FilePart>>>);

impl PartQueue {
    /// Replaces the body with placeholders if it still is what its [`FilePart`] declares.
    pub(crate) fn use_placeholders(&self, mut response: Response) -> Response {
        let Some(part) = response.extensions_mut().remove::<FilePart>() else { return response };
        let length =
            response.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        if part.len() == 0
            || length != Some(part.len())
            || response.headers().contains_key(CONTENT_ENCODING)
            || http_body::Body::is_end_stream(response.body())
        {
            return response;
        }
        let body = Body::new(PlaceholderBody::new(self.clone(), part));
        response.map(|_| body)
    }

    fn push(&self, part: FilePart) {
        self.0.lock().push_back(part);
    }

    /// Returns the part for the placeholder at the front. Invariant: their lengths match. If it is violated,
    /// the connection is closed before a wrong byte is sent.
    fn front(&self, placeholder_len: usize) -> io::Result<FilePart> {
        let parts = self.0.lock();
        let part = parts.front().filter(|part| part.len() == placeholder_len as u64);
        part.cloned().ok_or_else(|| io::Error::other("a placeholder without a file part"))
    }

    fn advance(&self, bytes: usize) {
        let mut parts = self.0.lock();
        if let Some(front) = parts.front_mut() {
            front.range.start += bytes as u64;
            if front.len() == 0 {
                parts.pop_front();
            }
        }
    }
}

/// Body made of placeholders.
struct PlaceholderBody {
    queue: PartQueue,
    left: FilePart,
    next_part: NextPart,
    gate: Option<Gate>,
    sizer: PlaceholderSizer,
}

/// Adapts the size of placeholders to what leaves within a few seconds, so that a slow reader is sent little
/// more after losing permission.
struct PlaceholderSizer {
    len: usize,
    taken_at: Instant,
}

impl PlaceholderSizer {
    fn new(guarded: bool) -> Self {
        Self { len: if guarded { INITIAL_BYTES } else { PLACEHOLDER_BYTES }, taken_at: Instant::now() }
    }

    fn next(&mut self) -> usize {
        let elapsed = self.taken_at.elapsed();
        self.taken_at = Instant::now();
        if elapsed < Duration::from_secs(1) {
            self.len = (self.len * 2).min(PLACEHOLDER_BYTES);
        } else if elapsed > Duration::from_secs(3) {
            self.len = (self.len / 2).max(MIN_BYTES);
        }
        self.len
    }
}

/// Whether the next part can be sent without waiting for the disk.
enum NextPart {
    Unknown,
    Loading(FilePart, JoinHandle<io::Result<()>>),
    /// In memory, waiting for the permission check.
    AwaitingPermission(FilePart),
}

impl PlaceholderBody {
    fn new(queue: PartQueue, mut left: FilePart) -> Self {
        let gate = left.permission.take().map(Gate::new);
        let sizer = PlaceholderSizer::new(gate.is_some());
        Self { queue, left, next_part: NextPart::Unknown, gate, sizer }
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<FilePart>>> {
        loop {
            match &mut self.next_part {
                NextPart::Unknown => {
                    let Some(part) = self.left.split(self.sizer.next()) else { return Poll::Ready(None) };
                    if part.is_cached() {
                        return Poll::Ready(Some(Ok(part)));
                    }
                    let uncached = part.clone();
                    self.next_part = NextPart::Loading(part, spawn_blocking(move || uncached.load()));
                }
                NextPart::AwaitingPermission(part) => {
                    let part = part.clone();
                    self.next_part = NextPart::Unknown;
                    return Poll::Ready(Some(Ok(part)));
                }
                NextPart::Loading(part, loaded) => {
                    let loaded = ready!(Pin::new(loaded).poll(cx)).map_err(io::Error::other);
                    let part = loaded.flatten().map(|()| part.clone());
                    self.next_part = NextPart::Unknown;
                    return Poll::Ready(Some(part));
                }
            }
        }
    }
}

impl http_body::Body for PlaceholderBody {
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
                self.next_part = NextPart::AwaitingPermission(part);
                return Poll::Pending;
            }
        }
        let len = usize::try_from(part.len()).unwrap_or(PLACEHOLDER_BYTES).min(PLACEHOLDER_BYTES);
        self.queue.push(part);
        Poll::Ready(Some(Ok(Frame::data(PLACEHOLDER.slice(..len)))))
    }

    fn size_hint(&self) -> SizeHint {
        let waiting = match &self.next_part {
            NextPart::Unknown => 0,
            NextPart::Loading(part, _) | NextPart::AwaitingPermission(part) => part.len(),
        };
        SizeHint::with_exact(self.left.len() + waiting)
    }
}

/// Connection that sends parts of files in place of placeholders.
pub(crate) struct SendfileStream {
    stream: TcpStream,
    queue: PartQueue,
}

impl SendfileStream {
    pub(crate) fn new(stream: TcpStream, queue: PartQueue) -> Self {
        Self { stream, queue }
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

    fn poll_part(&self, cx: &mut Context<'_>, placeholder_len: usize) -> Poll<io::Result<usize>> {
        let part = self.queue.front(placeholder_len)?;
        let sent = ready!(self.poll_socket(cx, || {
            let mut at = part.range.start;
            match rustix::fs::sendfile(&self.stream, &part.file, Some(&mut at), placeholder_len) {
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
        self.queue.advance(sent);
        Poll::Ready(Ok(sent))
    }
}

/// Fallback that copies one chunk through user space.
fn copy(stream: &TcpStream, part: &FilePart) -> io::Result<usize> {
    let most = usize::try_from(part.len()).map_or(READ_BYTES, |len| len.min(READ_BYTES));
    let mut buffer = vec![0; most];
    let read = part.file.read_at(&mut buffer, part.range.start)?;
    Ok(rustix::net::send(stream, &buffer[..read], SendFlags::NOSIGNAL)?)
}

fn is_placeholder(slice: &[u8]) -> bool {
    !slice.is_empty() && PLACEHOLDER.as_ptr_range().contains(&slice.as_ptr())
}

impl AsyncWrite for SendfileStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let plain = slices.iter().take_while(|slice| !is_placeholder(slice)).count();
        match (plain, slices.get(plain)) {
            (0, Some(placeholder)) => self.poll_part(cx, placeholder.len()),
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

impl AsyncRead for SendfileStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}
