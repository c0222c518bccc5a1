//! Runs the media tools in confinement, as the server's hidden subcommand does, for the tests of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    media::confinement_main(std::env::args_os().skip(1))
}
