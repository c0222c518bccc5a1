//! One file per operation.

mod cancel_upload;
mod change_content;
mod create_content;
mod create_upload;
mod delete_captions;
mod delete_content;
mod ingest_file;
mod list_content;
mod list_deleted_content;
mod look_up_embed;
mod put_captions;
mod read_content;
mod read_upload;
mod read_upload_report;
mod renew_grant;
mod replace_file;
mod restore_content;
mod retry_processing;
mod serve_image;
mod serve_media;
mod tus;

pub use tus::Metadata;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Content;

pub fn routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new()
        .routes(routes!(list_content::list_content, create_content::create_content))
        .routes(routes!(look_up_embed::look_up_embed))
        .routes(routes!(list_deleted_content::list_deleted_content))
        .routes(routes!(restore_content::restore_content))
        .routes(routes!(
            read_content::read_content,
            replace_file::replace_file,
            change_content::change_content,
            delete_content::delete_content
        ))
        .routes(routes!(retry_processing::retry_processing))
        .routes(routes!(put_captions::put_captions, delete_captions::delete_captions))
        .routes(routes!(create_upload::create_upload))
        .routes(routes!(read_upload::read_upload, cancel_upload::cancel_upload))
        .routes(routes!(read_upload_report::read_upload_report))
        .routes(routes!(ingest_file::ingest_file))
        .merge(tus::routes())
        .routes(routes!(renew_grant::renew_grant))
}

pub fn root_routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new().routes(routes!(serve_media::serve_media)).routes(routes!(serve_image::serve_image))
}
