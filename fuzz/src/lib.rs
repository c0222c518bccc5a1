//! Runs properties of the hand-written parsers on the committed corpus and on generated input. The harnesses
//! are in `tests/it`, one file per parser; the README explains how to run them and how to add one.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod corpus;
mod cost;
mod mutate;
mod search;

use std::path::PathBuf;

use search::{FailedProperty, Plan};

pub use cost::bounded;

/// Checks a property of every file of the harness's corpus, then of mutations of these files. `tokens` are
/// byte strings with a meaning in the format, which mutations insert.
///
/// # Panics
/// If the property fails. The message has the smallest input found and the command that repeats it; the input
/// is also written to `fuzz/failures/`.
pub fn check_bytes(harness: &str, tokens: &'static [&'static [u8]], property: impl Fn(&[u8])) {
    let files = corpus::files(harness);
    for (path, bytes) in &files {
        println!("{harness}: {}", path.display());
        property(bytes);
    }
    let strategy = mutate::mutated(files.into_iter().map(|(_, bytes)| bytes).collect(), tokens);
    let plan = Plan::from_env();
    match search::search(plan, &strategy, |input| property(&input.0)) {
        Ok(inputs) => report(harness, plan, inputs),
        Err(failure) => {
            let saved = save(harness, &failure.input.0, failure.seed);
            fail(harness, &failure, &format!("The input is in {}.\n", saved.display()));
        }
    }
}

/// Checks a property of generated values. `name` is the harness and what is generated.
///
/// # Panics
/// If the property fails. The message has the smallest value found and the command that repeats it.
pub fn check<S: proptest::strategy::Strategy>(name: &str, strategy: S, property: impl Fn(&S::Value)) {
    let plan = Plan::from_env().shorter();
    match search::search(plan, &strategy, property) {
        Ok(inputs) => report(name, plan, inputs),
        Err(failure) => fail(name, &failure, ""),
    }
}

/// Prints how much was checked, for `make fuzz`.
fn report(name: &str, plan: Plan, inputs: u64) {
    println!("{name}: {inputs} generated inputs, none failed; first seed {}", plan.seed);
}

fn fail<V: std::fmt::Debug>(name: &str, failure: &FailedProperty<V>, note: &str) -> ! {
    let FailedProperty { seed, reason, input } = failure;
    panic!(
        "{name}: {reason}\nInput: {input:?}\n{note}\
         To repeat it: VITRINE_FUZZ_SEED={seed} cargo test -p fuzz, with the name of this test"
    );
}

/// Writes a failing input to a file and returns its path.
fn save(harness: &str, bytes: &[u8], seed: u64) -> PathBuf {
    let folder = corpus::folder("failures");
    let path = folder.join(format!("{harness}-{seed}"));
    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, bytes)).unwrap();
    path
}
