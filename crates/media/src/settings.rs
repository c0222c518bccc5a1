//! Settings of the media tools.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where the media tools are and how much they may use.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct MediaSettings {
    /// The program ffprobe: a name to look up on the path, or a path.
    #[schema(value_type = String)]
    pub ffprobe: PathBuf,
    /// The program ffmpeg: a name to look up on the path, or a path.
    #[schema(value_type = String)]
    pub ffmpeg: PathBuf,
    /// The program pdftoppm: a name to look up on the path, or a path.
    #[schema(value_type = String)]
    pub pdftoppm: PathBuf,
    /// The program pdfinfo: a name to look up on the path, or a path.
    #[schema(value_type = String)]
    pub pdfinfo: PathBuf,
    /// The program whose hidden subcommand `media-confine` confines the tools. Empty: this program itself.
    #[schema(value_type = String)]
    pub confine_path: PathBuf,
    /// Where the tools work. Needs space for the largest source and everything made from it. Empty: the folder
    /// `work` in the data folder. On the disk of the stored files, a source is linked instead of copied.
    #[schema(value_type = String)]
    pub work_dir: PathBuf,
    /// Run the tools on uploaded files although this machine cannot confine them enough. Otherwise such a
    /// machine keeps files as uploaded, without poster and duration. Required are seccomp and one of Landlock
    /// and namespaces; `vitrine doctor` shows which work. All layers that work are applied, whatever this is
    /// set to.
    pub without_confinement: bool,
    /// User and group id the tools run as if the server runs as root.
    pub uid: u32,
    /// Tools that may run at the same time. 0: as many as keep the processors of this process busy, with
    /// `media_render_threads` threads each. They run at a lower priority than the server. A 1080p video takes
    /// about 500 MiB of memory while it is processed: lower this on a machine with less.
    pub at_once: usize,
    /// Seconds after which a tool and everything it started is killed.
    pub wall_seconds: u64,
    /// Seconds of processor time of a tool.
    pub cpu_seconds: u64,
    /// MiB of address space of a tool.
    pub memory_mib: u64,
    /// MiB a tool may write into one file.
    pub file_mib: u64,
    /// x264 preset for renditions: `ultrafast`, `superfast`, `veryfast`, `faster`, `fast` or `medium`. Each
    /// is about half as fast as the one before, and produces smaller files.
    pub render_preset: String,
    /// Threads per video. One thread per video and as many videos at a time as there are processors wastes
    /// the least; more threads finish a single video sooner.
    pub render_threads: u32,
    /// Seconds after which the processing of one video is aborted.
    pub render_seconds: u64,
}

/// Presets of x264 that may be used.
const PRESETS: [&str; 6] = ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium"];

impl Default for MediaSettings {
    fn default() -> Self {
        Self {
            ffprobe: "ffprobe".into(),
            ffmpeg: "ffmpeg".into(),
            pdftoppm: "pdftoppm".into(),
            pdfinfo: "pdfinfo".into(),
            confine_path: PathBuf::new(),
            work_dir: PathBuf::new(),
            without_confinement: false,
            uid: 65_534,
            at_once: 0,
            wall_seconds: 60,
            cpu_seconds: 60,
            memory_mib: 4096,
            file_mib: 64,
            render_preset: "veryfast".into(),
            render_threads: 1,
            render_seconds: 6 * 60 * 60,
        }
    }
}

impl MediaSettings {
    /// Returns the folder that the tools work in.
    pub fn work_dir(&self, data_dir: &Path) -> PathBuf {
        if self.work_dir.as_os_str().is_empty() { data_dir.join("work") } else { self.work_dir.clone() }
    }

    /// Returns how many tools run at the same time on this machine: unless set, one transcode per processor.
    /// Counts the processors that CPU affinity and control groups allow, not those of the machine.
    pub fn tools_at_once(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.at_once_on(processors)
    }

    fn at_once_on(&self, processors: usize) -> usize {
        match self.at_once {
            0 => (processors / usize::try_from(self.render_threads).unwrap_or(1).max(1)).max(1),
            set => set,
        }
    }

    /// Validates the settings.
    ///
    /// # Errors
    /// A sentence for the operator that names the invalid setting.
    pub fn check(&self) -> Result<(), String> {
        if !self.work_dir.as_os_str().is_empty() && !self.work_dir.is_absolute() {
            return Err("media_work_dir must be an absolute path".into());
        }
        if self.uid == 0 {
            return Err("media_uid must not be 0: the tools never run as root".into());
        }
        if self.wall_seconds == 0 || self.cpu_seconds == 0 {
            return Err("media_wall_seconds and media_cpu_seconds must be at least 1".into());
        }
        if self.memory_mib < 256 || self.file_mib == 0 {
            return Err("media_memory_mib must be at least 256 and media_file_mib at least 1".into());
        }
        if !PRESETS.contains(&self.render_preset.as_str()) {
            return Err(format!("media_render_preset must be one of {}", PRESETS.join(", ")));
        }
        if !(1..=64).contains(&self.render_threads) || self.render_seconds == 0 {
            return Err("media_render_threads must be 1 to 64 and media_render_seconds at least 1".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_work_in_the_data_folder_unless_set_otherwise() {
        let in_data = |work_dir: &str| {
            let settings = MediaSettings { work_dir: work_dir.into(), ..MediaSettings::default() };
            settings.check().map(|()| settings.work_dir(Path::new("/data")))
        };
        assert_eq!(in_data(""), Ok("/data/work".into()));
        assert_eq!(in_data("/fast/work"), Ok("/fast/work".into()));
        assert!(in_data("work").is_err());
    }

    #[test]
    fn one_tool_runs_per_processor_unless_set_otherwise() {
        let at_once = |at_once, render_threads, processors| {
            MediaSettings { at_once, render_threads, ..MediaSettings::default() }.at_once_on(processors)
        };
        assert_eq!([at_once(0, 1, 1), at_once(0, 1, 2), at_once(0, 1, 64)], [1, 2, 64]);
        // Threads are divided between tools, never counted twice.
        assert_eq!([at_once(0, 2, 8), at_once(0, 3, 8), at_once(0, 64, 8)], [4, 2, 1]);
        assert_eq!(at_once(5, 4, 2), 5);
        assert_eq!(MediaSettings::default().at_once, 0);
    }
}
