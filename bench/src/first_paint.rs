//! (i) Time to the largest contentful paint of login and Home in Chromium, over slow 4G and with a slow processor.

use std::process::Command;

use crate::BoxError;
use crate::process::{Cores, spread};
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};

/// Screens and their goals in seconds.
const SCREENS: [(&str, f64); 2] = [("login", 1.8), ("home", 3.0)];

/// Runs the browser. Its script is in `e2e/`, which has the tools.
pub fn measure(table: &mut Table, server: &Server, seed: &SeedData) -> Result<(), BoxError> {
    let bearer = seed.owner.bearer();
    // A phone has more than one core, and a browser several processes.
    let output = Command::new("taskset")
        .args(["-c", Cores::Both.list(), "npx", "playwright", "test", "--config", "first-paint.config.ts"])
        .current_dir("e2e")
        .env("BENCH_URL", server.at(""))
        .env("BENCH_ORG", &seed.orgs[0].uid)
        .env("BENCH_TOKEN", bearer.trim_start_matches("Bearer "))
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("the browser could not measure:\n{printed}").into());
    }
    for (screen, goal) in SCREENS {
        let rounds: Vec<f64> = printed
            .lines()
            .filter_map(|line| line.split_once(' ').filter(|(name, _)| *name == screen))
            .filter_map(|(_, seconds)| seconds.trim().parse().ok())
            .collect();
        if rounds.is_empty() || rounds.contains(&0.0) {
            return Err(format!("the browser did not see the paint of {screen}:\n{printed}").into());
        }
        let ours = spread(rounds);
        table.add(Row {
            what: format!("(i) {screen} painted over slow 4G, or goal"),
            unit: "s",
            ratio: goal / ours.median,
            ours,
            theirs: spread([goal]),
            by_cpu: None,
            goal: 1.0,
            notes: vec![format!(
                "largest contentful paint; 4 times slower processor, {}",
                server.cores.describe()
            )],
        });
    }
    Ok(())
}
