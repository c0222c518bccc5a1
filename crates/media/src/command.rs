//! Builds the one command that makes all renditions of a video or audio file. It contains no user input.

use crate::job::{input_args, input_name};
use crate::ladder::{Rate, Rung, ladder, rate};
use crate::storyboard::Sheet;
use crate::waveform::Waveform;
use crate::{MediaSettings, Probe};

/// Name of the storyboard image.
pub(crate) const SHEET: &str = "storyboard.jpg";
/// Name of the file with the loudness, as the tool writes it.
pub(crate) const PEAKS: &str = "peaks.txt";
/// Length of a segment in seconds.
const SEGMENT: u32 = 4;
/// Name of the only rendition of an audio file.
const AUDIO: &str = "audio";
/// Bit rate of an audio file in kbit/s.
const AUDIO_KBIT: u32 = 128;

/// What is made from one file.
pub(crate) struct Plan {
    /// Sizes of a video, largest first; empty for audio.
    pub(crate) rungs: Vec<Rung>,
    pub(crate) rate: Rate,
    pub(crate) sheet: Option<Sheet>,
    pub(crate) waveform: Option<Waveform>,
    /// Filters that convert the video to SDR.
    tone: Option<String>,
    has_audio: bool,
}

impl Plan {
    /// Returns `None` for a video without dimensions. `can_tone_map` is true if the tool has the tone-mapping
    /// filters.
    pub(crate) fn of(probe: &Probe, can_tone_map: bool) -> Option<Self> {
        let (has_audio, length) = (probe.audio_codec.is_some(), probe.duration_ms);
        let rate = rate(probe.frame_rate);
        if probe.video_codec.is_none() {
            let waveform = length.map(Waveform::of);
            return Some(Self { rungs: Vec::new(), rate, sheet: None, waveform, tone: None, has_audio });
        }
        let (width, height) = (probe.width?, probe.height?);
        let rungs = ladder(width, height)?;
        let sheet = length.and_then(|length| Sheet::of(length, width, height));
        Some(Self { rungs, rate, sheet, waveform: None, tone: probe.tone.filter(can_tone_map), has_audio })
    }

    /// Returns the names of the renditions, best first.
    pub(crate) fn names(&self) -> Vec<String> {
        if self.rungs.is_empty() {
            vec![AUDIO.to_owned()]
        } else {
            self.rungs.iter().map(|rung| rung.name.clone()).collect()
        }
    }

    /// Returns the bit rate of all renditions together, in kbit/s.
    pub(crate) fn kbit(&self) -> u64 {
        if self.rungs.is_empty() {
            AUDIO_KBIT.into()
        } else {
            self.rungs.iter().map(|rung| u64::from(rung.video_kbit + rung.audio_kbit)).sum()
        }
    }
}

/// Returns the arguments of the whole command.
pub(crate) fn args(plan: &Plan, demuxer: &'static str, settings: &MediaSettings) -> Vec<String> {
    let mut args = Args::default();
    args.words("-nostdin -y -hide_banner -progress pipe:1 -stats_period 1 -filter_complex_threads 1");
    args.0.extend(input_args(demuxer));
    // Frames of more than 36 megapixels are not decoded.
    args.words("-max_pixels 36000000 -threads").word(settings.render_threads);
    args.words("-i").word(input_name());
    if plan.rungs.is_empty() {
        audio_args(&mut args, plan);
    } else {
        video_args(&mut args, plan, settings);
    }
    args.0
}

fn video_args(args: &mut Args, plan: &Plan, settings: &MediaSettings) {
    args.words("-filter_complex").word(graph(plan));
    for (number, rung) in plan.rungs.iter().enumerate() {
        args.words("-map").word(format!("[v{number}]"));
        if plan.has_audio {
            args.words("-map 0:a:0");
        }
        video_codec_args(args, plan.rate, rung, settings);
        if plan.has_audio {
            audio_codec_args(args, rung.audio_kbit);
        }
        hls(args, &rung.name);
    }
    if plan.sheet.is_some() {
        args.words("-map [sheet] -frames:v").word(Sheet::DRAWN);
        args.words("-c:v mjpeg -q:v 5 -pix_fmt yuvj420p -f image2 -update 1");
        args.word(format!("./{SHEET}"));
    }
}

/// Builds the filter graph: one decode, at a constant frame rate from the first frame on, scaled to all
/// sizes.
fn graph(plan: &Plan) -> String {
    let Rate { frames, seconds } = plan.rate;
    let outputs = plan.rungs.len() + usize::from(plan.sheet.is_some());
    let mut graph = format!("[0:V:0]fps=fps={frames}/{seconds}:start_time=0,");
    if let Some((tone, Rung { width, height, .. })) = plan.tone.as_ref().zip(plan.rungs.first()) {
        // Tone mapping uses floating point and is expensive, so it runs on no more pixels than the largest
        // rendition has.
        graph.push_str(&format!("scale={width}:{height}:flags=bicubic,setsar=1,{tone},"));
    }
    graph.push_str(&format!("split={outputs}"));
    graph.extend((0..plan.rungs.len()).map(|number| format!("[s{number}]")));
    if plan.sheet.is_some() {
        graph.push_str("[tiles]");
    }
    for (number, rung) in plan.rungs.iter().enumerate() {
        let Rung { width, height, .. } = rung;
        graph.push_str(&format!(
            ";[s{number}]scale={width}:{height}:flags=bicubic,setsar=1,format=yuv420p[v{number}]"
        ));
    }
    if let Some(sheet) = &plan.sheet {
        graph.push_str(&format!(";{}", sheet.filter()));
    }
    graph
}

/// H.264 with a key frame every four seconds and nowhere else, at the same times in every size.
fn video_codec_args(args: &mut Args, rate: Rate, rung: &Rung, settings: &MediaSettings) {
    args.words("-c:v libx264 -profile:v high -crf 23 -sc_threshold 0 -flags +cgop -preset");
    args.word(&settings.render_preset).words("-threads:v").word(settings.render_threads);
    args.words("-maxrate").word(format!("{}k", rung.video_kbit));
    args.words("-bufsize").word(format!("{}k", rung.video_kbit * 2));
    // Only an upper bound: a forced key frame always precedes it.
    let group = rate.frames.div_ceil(rate.seconds) * (SEGMENT + 1);
    args.words("-g").word(group);
    args.words("-force_key_frames").word(format!("expr:gte(t,n_forced*{SEGMENT})"));
}

/// AAC in stereo, from the first frame on, with silence where the audio has gaps.
fn audio_codec_args(args: &mut Args, kbit: u32) {
    args.words("-c:a aac -ac 2 -ar 48000 -threads:a 1 -af aresample=async=1000:first_pts=0 -b:a");
    args.word(format!("{kbit}k"));
}

fn hls(args: &mut Args, name: &str) {
    args.words("-sn -dn -map_metadata -1 -map_chapters -1 -f hls -hls_playlist_type vod");
    args.words("-hls_segment_type fmp4 -hls_flags independent_segments -hls_time").word(SEGMENT);
    args.words("-hls_fmp4_init_filename").word(format!("{name}-init.mp4"));
    args.words("-hls_segment_filename").word(format!("./{name}-%d.m4s")).word(format!("./{name}.m3u8"));
}

fn audio_args(args: &mut Args, plan: &Plan) {
    args.words("-map 0:a:0 -vn");
    audio_codec_args(args, AUDIO_KBIT);
    hls(args, AUDIO);
    if let Some(waveform) = plan.waveform {
        args.words("-map 0:a:0 -vn -sn -dn -af").word(waveform.filter(PEAKS)).words("-f null -");
    }
}

/// The arguments built so far.
#[derive(Default)]
struct Args(Vec<String>);

impl Args {
    /// Adds several words, separated by spaces.
    fn words(&mut self, words: &str) -> &mut Self {
        self.0.extend(words.split(' ').map(str::to_owned));
        self
    }

    /// Adds one word as it is.
    fn word(&mut self, word: impl ToString) -> &mut Self {
        self.0.push(word.to_string());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(width: u32, height: u32) -> Probe {
        Probe {
            width: Some(width),
            height: Some(height),
            duration_ms: Some(12_000),
            video_codec: Some("h264".into()),
            audio_codec: Some("aac".into()),
            ..Probe::default()
        }
    }

    fn command_line(probe: &Probe) -> String {
        args(&Plan::of(probe, true).unwrap(), "mov", &MediaSettings::default()).join(" ")
    }

    #[test]
    fn a_video_is_decoded_once_for_all_of_its_sizes() {
        let command_line = command_line(&probe(1920, 1080));
        assert_eq!(command_line.matches(" -i ").count(), 1, "{command_line}");
        assert_eq!(command_line.matches("expr:gte(t,n_forced*4)").count(), 4);
        assert!(command_line.contains("split=5[s0][s1][s2][s3][tiles];"), "{command_line}");
        assert_eq!(command_line.matches("-map 0:a:0").count(), 4);
    }

    #[test]
    fn hdr_is_tone_mapped_once_and_before_scaling() {
        let sdr = command_line(&probe(3840, 2160));
        assert!(!sdr.contains("zscale") && sdr.contains("start_time=0,split=5"), "{sdr}");
        let hdr = command_line(&Probe { tone: crate::Tone::Pq, ..probe(3840, 2160) });
        assert_eq!(hdr.matches("tonemap=").count(), 1, "{hdr}");
        assert!(hdr.contains("scale=1920:1080:flags=bicubic,setsar=1,setparams="), "{hdr}");
        assert!(hdr.contains("r=tv,format=yuv420p,split=5"), "{hdr}");
    }

    #[test]
    fn decoder_encoders_and_filters_keep_to_their_threads() {
        let settings = MediaSettings { render_threads: 3, ..MediaSettings::default() };
        let plan = Plan::of(&probe(1920, 1080), true).unwrap();
        let all = args(&plan, "mov", &settings);
        let after = |name: &str| -> Vec<&str> {
            all.iter()
                .zip(&all[1..])
                .filter(|(word, _)| *word == name)
                .map(|(_, next)| next.as_str())
                .collect()
        };
        let input = all.iter().position(|word| word == "-i").unwrap();
        assert!(all[..input].ends_with(&["-threads".to_owned(), "3".to_owned()]), "the decoder: {all:?}");
        assert_eq!(after("-threads:v"), ["3"; 4], "each size's encoder");
        assert_eq!((after("-threads:a"), after("-filter_complex_threads")), (vec!["1"; 4], vec!["1"]));
    }

    #[test]
    fn no_missing_stream_of_a_silent_video_or_an_audio_file_is_requested() {
        let silent = command_line(&Probe { audio_codec: None, ..probe(640, 360) });
        assert!(!silent.contains("0:a") && !silent.contains("aac "), "{silent}");
        let audio = command_line(&Probe { video_codec: None, has_image: true, ..probe(500, 500) });
        assert!(
            !audio.contains("libx264") && audio.contains("./audio.m3u8") && audio.contains(PEAKS),
            "{audio}"
        );
    }

    #[test]
    fn a_video_without_length_gets_no_tiles_and_one_without_size_no_plan() {
        let open = command_line(&Probe { duration_ms: None, ..probe(640, 360) });
        assert!(!open.contains("tile=") && open.contains("./360.m3u8"), "{open}");
        assert!(Plan::of(&Probe { width: None, ..probe(640, 360) }, true).is_none());
    }
}
