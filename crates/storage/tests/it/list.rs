//! Every object is listed, and nothing else.

use bytes::Bytes;
use futures::stream::TryStreamExt as _;
use kernel::{Clock as _, ContentId, MINUTE, OrgId, RunId, SystemClock};
use storage::{Key, ListedObject, Name, Storage};

use crate::key;

on_all! {
    listed: every_object_is_listed_with_its_length_and_time;
}

async fn listed(storage: &Storage) -> Vec<ListedObject> {
    let mut all: Vec<ListedObject> = storage.list().try_collect().await.unwrap();
    all.sort_by(|a, b| a.key.as_str().cmp(b.key.as_str()));
    all
}

async fn every_object_is_listed_with_its_length_and_time(storage: &Storage) {
    assert_eq!(listed(storage).await, []);
    let segment = Name::parse("720-0.m4s").unwrap();
    let set = Key::rendition(OrgId::from_u128(1), ContentId::from_u128(2), RunId::from_u128(9), &segment);
    let keys = [set, key(3), key(4), Key::image([0xab; 16])];
    for (len, key) in keys.iter().enumerate() {
        storage.put(key, Bytes::from(vec![7; len])).await.unwrap();
    }
    let all = listed(storage).await;
    let found: Vec<_> = all.iter().map(|object| (object.key.clone(), object.len)).collect();
    assert_eq!(found, keys.into_iter().zip(0..).collect::<Vec<_>>());
    let now = SystemClock.now();
    assert!(all.iter().all(|object| (object.modified - now).abs() < MINUTE), "{all:?}");
}
