//! One file an operation.

mod change_content;
mod create_content;
mod create_upload;
mod delete_content;
mod ingest_file;
mod list_content;
mod read_content;
mod read_upload;
mod renew_grant;
mod replace_file;
mod serve_image;
mod serve_media;

pub use ingest_file::image_key;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Content;

pub fn routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new()
        .routes(routes!(list_content::list_content, create_content::create_content))
        .routes(routes!(
            read_content::read_content,
            replace_file::replace_file,
            change_content::change_content,
            delete_content::delete_content
        ))
        .routes(routes!(create_upload::create_upload))
        .routes(routes!(read_upload::read_upload))
        .routes(routes!(ingest_file::ingest_file))
        .routes(routes!(renew_grant::renew_grant))
}

pub fn root_routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new().routes(routes!(serve_media::serve_media)).routes(routes!(serve_image::serve_image))
}
