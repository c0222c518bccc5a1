//! What the server passes to `media-confine`: limits, the user to become, the layers to apply.

use std::ffi::OsString;

use nix::unistd::geteuid;

use super::NICE_INCREMENT;
use crate::MediaSettings;

/// Threads of the dedicated user that the tools run as if the server is root.
const THREADS_DEDICATED: u64 = 512;
/// Threads of the server's own user, whose other processes count too.
const THREADS_SHARED: u64 = 16_384;

/// The layers to apply, besides the limits and the other user, which always apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layers {
    pub(crate) landlock: bool,
    pub(crate) namespaces: bool,
    pub(crate) seccomp: bool,
}

impl Layers {
    fn parse(text: &str) -> Option<Self> {
        let mut layers = Self::default();
        for name in text.split(',').filter(|name| !name.is_empty()) {
            match name {
                "landlock" => layers.landlock = true,
                "namespaces" => layers.namespaces = true,
                "seccomp" => layers.seccomp = true,
                _ => return None,
            }
        }
        Some(layers)
    }

    fn to_arg(self) -> String {
        let Self { landlock, namespaces, seccomp } = self;
        let names = [(landlock, "landlock"), (namespaces, "namespaces"), (seccomp, "seccomp")];
        let named: Vec<_> =
            names.into_iter().filter(|(selected, _)| *selected).map(|(_, name)| name).collect();
        named.join(",")
    }
}

/// Resource limits of the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes of address space.
    pub(crate) memory: u64,
    /// Seconds of processor time.
    pub(crate) cpu: u64,
    /// Size of one written file in bytes.
    pub(crate) file: u64,
    /// Threads and processes of the user it runs as.
    pub(crate) threads: u64,
    /// How much higher its nice value is than that of the server.
    pub(crate) nice: i32,
}

/// Everything that `media-confine` is asked to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConfinementSpec {
    pub(crate) limits: Limits,
    /// User and group id to switch to if started as root.
    pub(crate) uid: u32,
    pub(crate) layers: Layers,
}

impl ConfinementSpec {
    /// Returns the limits and the user of the settings, with no layer selected.
    pub(crate) fn from_settings(settings: &MediaSettings) -> Self {
        let limits = Limits {
            memory: settings.memory_mib << 20,
            cpu: settings.cpu_seconds,
            file: settings.file_mib << 20,
            threads: if geteuid().is_root() { THREADS_DEDICATED } else { THREADS_SHARED },
            nice: NICE_INCREMENT,
        };
        Self { limits, uid: settings.uid, layers: Layers::default() }
    }

    /// Returns the arguments of `media-confine`, `--` included.
    pub(crate) fn to_args(self) -> Vec<String> {
        let Limits { memory, cpu, file, threads, nice } = self.limits;
        let numbers = [
            ("--as", memory.to_string()),
            ("--cpu", cpu.to_string()),
            ("--fsize", file.to_string()),
            ("--nproc", threads.to_string()),
            ("--nice", nice.to_string()),
            ("--uid", self.uid.to_string()),
        ];
        let all = numbers.into_iter().chain([("--layers", self.layers.to_arg())]);
        all.flat_map(|(name, value)| [name.to_owned(), value]).chain(["--".to_owned()]).collect()
    }

    /// Parses the arguments up to `--`. By hand: it runs before anything is confined, on what [`Self::to_args`] wrote
    /// (`docs/adr/0024-two-hand-written-parts.md`). Returns `None` if one is missing, unknown or malformed.
    pub(crate) fn parse(args: &mut impl Iterator<Item = OsString>) -> Option<Self> {
        let (mut memory, mut cpu, mut file, mut threads) = (None, None, None, None);
        let (mut nice, mut uid, mut layers) = (None, None, None);
        loop {
            let name = args.next()?;
            let slot = match name.to_str()? {
                "--" => break,
                "--as" => &mut memory,
                "--cpu" => &mut cpu,
                "--fsize" => &mut file,
                "--nproc" => &mut threads,
                "--nice" => &mut nice,
                "--uid" => &mut uid,
                "--layers" => {
                    layers = Some(Layers::parse(args.next()?.to_str()?)?);
                    continue;
                }
                _ => return None,
            };
            *slot = Some(args.next()?.to_str()?.parse::<u64>().ok()?);
        }
        let nice = i32::try_from(nice?).ok()?;
        let limits = Limits { memory: memory?, cpu: cpu?, file: file?, threads: threads?, nice };
        Some(Self { limits, uid: u32::try_from(uid?).ok()?, layers: layers? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Option<ConfinementSpec> {
        ConfinementSpec::parse(&mut args.iter().map(OsString::from))
    }

    #[test]
    fn a_spec_survives_the_command_line() {
        let limits = Limits { memory: 1, cpu: 2, file: 3, threads: 4, nice: 6 };
        let some = Layers { landlock: true, seccomp: true, ..Layers::default() };
        for layers in [some, Layers::default(), Layers { namespaces: true, ..some }] {
            let spec = ConfinementSpec { limits, uid: 5, layers };
            assert_eq!(
                ConfinementSpec::parse(&mut spec.to_args().into_iter().map(OsString::from)),
                Some(spec)
            );
        }
    }

    #[test]
    fn a_missing_or_malformed_argument_is_refused() {
        let whole = "--as 1 --cpu 2 --fsize 3 --nproc 4 --nice 6 --uid 5 --layers seccomp --";
        let whole: Vec<_> = whole.split(' ').collect();
        assert!(read(&whole).is_some());
        for at in (0..whole.len() - 1).step_by(2) {
            let without = whole.iter().enumerate().filter(|(i, _)| *i / 2 != at / 2).map(|(_, word)| *word);
            assert_eq!(read(&without.collect::<Vec<_>>()), None, "{at}");
        }
        for args in [&["--as"][..], &["--as", "x"], &["--what", "1"], &["--layers", "none"], &[]] {
            assert_eq!(read(args), None, "{args:?}");
        }
    }
}
