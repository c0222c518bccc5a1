//! The id of a storage.

use futures::stream::TryStreamExt as _;
use kernel::Uid;
use storage::{ListedObject, Storage};

on_all! {
    kept: an_id_is_kept_replaced_and_not_listed;
}

async fn an_id_is_kept_replaced_and_not_listed(storage: &Storage) {
    assert_eq!(storage.id().await.unwrap(), None);
    for id in [7, 8].map(Uid::from_u128) {
        storage.set_id(id).await.unwrap();
        assert_eq!(storage.id().await.unwrap(), Some(id));
    }
    let listed: Vec<ListedObject> = storage.list().try_collect().await.unwrap();
    assert_eq!(listed, []);
}

#[tokio::test]
async fn what_is_no_id_is_an_error() {
    let app = crate::test_app();
    for text in [&b"what"[..], b"", &[0xff; 32], &[b'0'; 1_000]] {
        std::fs::write(app.dir.path().join("objects/.vitrine"), text).unwrap();
        let error = app.storage.id().await.unwrap_err();
        assert!(error.to_string().contains(".vitrine") && !error.is_transient(), "{error}");
    }
}
