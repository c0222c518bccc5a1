//! Files that a backup does not find: servers remove files meanwhile, so that the rows have to be read again.

use std::collections::HashMap;
use std::time::Duration;

use crate::Error;

/// How long to wait before the rows are read again. A file that is missing after all of these is lost.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];
/// How often the rows are read at most, while other files go missing each time.
const ROUNDS: usize = 20;

/// How often in a row each file was missing or damaged.
#[derive(Default)]
pub struct MissingFiles {
    rounds: usize,
    times: HashMap<String, usize>,
}

impl MissingFiles {
    /// Returns how long to wait before the rows are read again.
    ///
    /// # Errors
    /// Fails with the files that are lost, or with all of them in the last round.
    pub fn wait_for(&mut self, problems: Vec<String>) -> Result<Duration, Error> {
        let seen = std::mem::take(&mut self.times);
        for problem in &problems {
            self.times.insert(problem.clone(), seen.get(problem).map_or(1, |times| times + 1));
        }
        let lost: Vec<String> =
            problems.iter().filter(|problem| self.times[*problem] > WAITS.len()).cloned().collect();
        if !lost.is_empty() {
            return Err(Error::Files(lost));
        }
        let wait = WAITS[self.rounds.min(WAITS.len() - 1)];
        self.rounds += 1;
        if self.rounds < ROUNDS { Ok(wait) } else { Err(Error::Files(problems)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(outcome: Result<Duration, Error>) -> Option<Vec<String>> {
        match outcome {
            Ok(_) => None,
            Err(Error::Files(files)) => Some(files),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn a_file_that_stays_missing_is_lost_and_others_are_looked_for_again() {
        let mut missing = MissingFiles::default();
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(missing.wait_for(names(&["a", "b"])).unwrap(), WAITS[0]);
        assert_eq!(missing.wait_for(names(&["b", "c"])).unwrap(), WAITS[1]);
        assert_eq!(lost(missing.wait_for(names(&["a", "b", "c"]))), Some(names(&["b"])));
    }

    #[test]
    fn there_is_an_end_while_other_files_go_missing() {
        let mut missing = MissingFiles::default();
        let mut rounds = 1;
        while lost(missing.wait_for(vec![rounds.to_string()])).is_none() {
            rounds += 1;
        }
        assert_eq!(rounds, ROUNDS);
    }
}
