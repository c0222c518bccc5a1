//! The confinement as a separate program, for tests: the server has it as a hidden subcommand.

use std::process::ExitCode;

fn main() -> ExitCode {
    media::confinement_main(std::env::args_os().skip(1))
}
