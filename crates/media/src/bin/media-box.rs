//! The walls as a program of its own, for tests: the server has them as its hidden subcommand.

use std::process::ExitCode;

fn main() -> ExitCode {
    media::box_main(std::env::args_os().skip(1))
}
