//! The walls of the media tools, as the server's hidden subcommand puts them up; for this room's tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    media::box_main(std::env::args_os().skip(1))
}
