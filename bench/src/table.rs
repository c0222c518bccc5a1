//! The table of results.

use crate::process::{Spread, machine, spread};
use crate::wrk::Run;

/// Below this share of its core, a server was waiting for the load.
const BUSY: f64 = 0.9;

/// One comparison.
pub struct Row {
    /// What is compared.
    pub what: String,
    /// Unit of the figures.
    pub unit: &'static str,
    /// Vitrine's rounds.
    pub ours: Spread,
    /// The reference's rounds.
    pub theirs: Spread,
    /// Share of the reference's speed that is reached.
    pub ratio: f64,
    /// The same by processor time per response, if both sides had a core to themselves.
    pub by_cpu: Option<f64>,
    /// Goal for the ratio; NaN if there is none.
    pub goal: f64,
    /// Further details, one line each.
    pub notes: Vec<String>,
}

impl Row {
    /// Creates a row from two alternating loads, using a figure of which more is better.
    pub fn of_runs(
        what: &str,
        unit: &'static str,
        runs: &(Vec<Run>, Vec<Run>),
        figure: fn(&Run) -> f64,
    ) -> Self {
        let (ours, theirs) = (spread(runs.0.iter().map(figure)), spread(runs.1.iter().map(figure)));
        let median = |runs: &[Run], figure: fn(&Run) -> f64| spread(runs.iter().map(figure)).median;
        let note = |who: &str, runs: &[Run]| {
            format!(
                "{who}: p50 {:.2} ms, p99 {:.2} ms, {:.1} µs of processor per response, core {:.0} % busy",
                median(runs, |run| run.p50 as f64) / 1e3,
                median(runs, |run| run.p99 as f64) / 1e3,
                median(runs, |run| run.cpu),
                median(runs, |run| run.busy) * 100.0,
            )
        };
        let mut notes = vec![note("Vitrine", &runs.0), note("reference", &runs.1)];
        if median(&runs.1, |run| run.busy) < BUSY {
            notes.push(
                "the load could not keep the reference busy: the ratio is too high, use the ratio by CPU"
                    .into(),
            );
        }
        Self {
            what: what.to_owned(),
            unit,
            ours,
            theirs,
            ratio: ours.median / theirs.median,
            by_cpu: Some(median(&runs.1, |run| run.cpu) / median(&runs.0, |run| run.cpu)),
            goal: f64::NAN,
            notes,
        }
    }
}

impl Row {
    /// Returns whether the goal was met; empty if there is none.
    fn verdict(&self) -> &'static str {
        match self.goal {
            goal if goal.is_nan() => "",
            goal if self.ratio >= goal => "met",
            _ => "missed",
        }
    }
}

/// All results.
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// Adds a comparison and prints its ratio.
    pub fn add(&mut self, row: Row) {
        crate::say(&format!("{}: {:.3}", row.what, row.ratio));
        self.rows.push(row);
    }

    /// Prints the table.
    pub fn print(&self) {
        println!("\nMachine: {}. Medians; lowest and highest round in brackets.\n", machine());
        println!(
            "{:<60}{:>32}{:>34}{:>8}{:>8}{:>7}{:>8}",
            "", "Vitrine", "reference", "ratio", "by CPU", "goal", "verdict"
        );
        for row in &self.rows {
            println!(
                "{:<60}{:>32}{:>34}{:>8.3}{:>8}{:>7}{:>8}",
                row.what,
                figures(&row.ours, row.unit),
                figures(&row.theirs, row.unit),
                row.ratio,
                row.by_cpu.map_or_else(String::new, |ratio| format!("{ratio:.3}")),
                if row.goal.is_nan() { String::new() } else { format!("{:.2}", row.goal) },
                row.verdict(),
            );
            for note in &row.notes {
                println!("    {note}");
            }
        }
        println!(
            "\nA ratio is the share of the reference's speed that Vitrine reaches; see bench/README.md for what is compared."
        );
    }
}

fn figures(spread: &Spread, unit: &str) -> String {
    let digits = if spread.median < 100.0 { 2 } else { 0 };
    format!("{:.digits$} [{:.digits$}-{:.digits$}] {unit}", spread.median, spread.low, spread.high)
}
