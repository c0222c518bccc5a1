//! Reads an object of a bucket in chunks, one request each, so that neither a slow reader nor a broken
//! connection ends the whole read.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt as _, TryStreamExt as _};
use object_store::path::Path as Location;
use object_store::{GetOptions, GetRange, GetResult, ObjectStoreExt as _};

use crate::resume::Bucket;
use crate::{ByteRange, Object, StorageError};

/// Bytes asked for in one request.
const CHUNK: u64 = 16 * 1024 * 1024;
/// Consecutive failures, with no byte in between, after which the read fails. The object store's client also
/// retries each request on its own.
const FAILURES_MAX: u32 = 4;
/// Delay before the first retry; it doubles with each further one.
const RETRY_DELAY: Duration = Duration::from_millis(250);

type Bytestream = BoxStream<'static, Result<Bytes, StorageError>>;

/// Opens an object or a range of it.
pub(crate) async fn open(
    store: &Arc<dyn Bucket>,
    location: Location,
    range: Option<ByteRange>,
) -> Result<Object, StorageError> {
    let requested = match range {
        None => 0..u64::MAX,
        Some(ByteRange::Between(first, last)) => first..last.saturating_add(1),
        Some(ByteRange::From(first)) => first..u64::MAX,
        // Not every server supports suffix ranges, and some fail if the object is shorter than the range.
        Some(last @ ByteRange::Last(_)) => {
            let len = store.head(&location).await?.size;
            last.within(len).ok_or(StorageError::OutsideObject { len })?
        }
    };
    let first = match get(&**store, &location, chunk_of(&requested)).await {
        Ok(first) => first,
        Err(error @ object_store::Error::NotFound { .. }) => return Err(error.into()),
        // Only the object's length shows whether the range was the problem.
        Err(error) => {
            let len = store.head(&location).await?.size;
            return match range {
                None if len == 0 => Ok(empty()),
                Some(range) if range.within(len).is_none() => Err(StorageError::OutsideObject { len }),
                _ => Err(error.into()),
            };
        }
    };
    let len = first.meta.size;
    let range = requested.start..requested.end.min(len);
    let reader = ObjectReader {
        store: Arc::clone(store),
        location,
        left: range.clone(),
        chunk: Some(bytes_of(first)),
        failures: 0,
    };
    Ok(Object { len, range, stream: reader.stream(), file: None })
}

/// An empty object, which no range can address.
fn empty() -> Object {
    Object { len: 0, range: 0..0, stream: stream::empty().boxed(), file: None }
}

fn chunk_of(left: &Range<u64>) -> Range<u64> {
    left.start..left.end.min(left.start.saturating_add(CHUNK))
}

async fn get(store: &dyn Bucket, location: &Location, range: Range<u64>) -> object_store::Result<GetResult> {
    let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
    store.get_opts(location, options).await
}

fn bytes_of(got: GetResult) -> Bytestream {
    got.into_stream().map_err(StorageError::from).boxed()
}

/// A read in progress.
struct ObjectReader {
    store: Arc<dyn Bucket>,
    location: Location,
    left: Range<u64>,
    /// The response being read.
    chunk: Option<Bytestream>,
    failures: u32,
}

impl ObjectReader {
    fn stream(self) -> Bytestream {
        stream::try_unfold(self, |mut reader| async move {
            let next = reader.next().await?;
            Ok(next.map(|bytes| (bytes, reader)))
        })
        .boxed()
    }

    /// Returns the next bytes, or `None` at the end.
    async fn next(&mut self) -> Result<Option<Bytes>, StorageError> {
        while !self.left.is_empty() {
            match self.step().await {
                Ok(Some(bytes)) => {
                    self.left.start += bytes.len() as u64;
                    self.failures = 0;
                    return Ok(Some(bytes));
                }
                // The chunk is complete; the next iteration asks for another.
                Ok(None) => {}
                Err(error) => self.wait_after(error).await?,
            }
        }
        Ok(None)
    }

    async fn step(&mut self) -> Result<Option<Bytes>, StorageError> {
        let chunk = match &mut self.chunk {
            Some(chunk) => chunk,
            none => none.insert(bytes_of(get(&*self.store, &self.location, chunk_of(&self.left)).await?)),
        };
        let bytes = chunk.next().await.transpose()?;
        if bytes.is_none() {
            self.chunk = None;
        }
        Ok(bytes)
    }

    async fn wait_after(&mut self, error: StorageError) -> Result<(), StorageError> {
        self.chunk = None;
        self.failures += 1;
        if self.failures > FAILURES_MAX || !matches!(error, StorageError::Remote(_)) {
            return Err(error);
        }
        tracing::debug!(%error, at = self.left.start, "a read failed and will be retried");
        tokio::time::sleep(RETRY_DELAY * 2_u32.pow(self.failures - 1)).await;
        Ok(())
    }
}
