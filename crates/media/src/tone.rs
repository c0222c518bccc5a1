//! HDR and wide-gamut video: how files declare it, and the filters that convert it to BT.709.

/// Luminance of diffuse white in HDR video, in cd/m² (BT.2408). Anything brighter is compressed.
const DIFFUSE_WHITE: u32 = 203;

/// Dynamic range and color space of a video.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// SDR with BT.709 colors, or undeclared.
    #[default]
    Standard,
    /// SDR with wide-gamut colors (BT.2020).
    Wide,
    /// HDR with SMPTE ST 2084 (PQ): HDR10, Dolby Vision.
    Pq,
    /// HDR with ARIB STD-B67 (HLG): phones, broadcasts.
    Hlg,
}

impl Tone {
    /// Maps ffprobe's names of the transfer function and the primaries.
    pub(crate) fn of(transfer: Option<&str>, primaries: Option<&str>) -> Self {
        match (transfer, primaries) {
            (Some("smpte2084"), _) => Self::Pq,
            (Some("arib-std-b67"), _) => Self::Hlg,
            (_, Some("bt2020")) => Self::Wide,
            _ => Self::Standard,
        }
    }

    /// Returns the filter chain that converts to BT.709, or `None` if nothing has to be converted. With
    /// `can_tone_map`, it uses [`FILTERS`]; otherwise only ffmpeg's own scaler, which gives the right colors but
    /// a dull image.
    pub(crate) fn filter(self, can_tone_map: bool) -> Option<String> {
        let transfer = match self {
            Self::Standard => return None,
            Self::Wide => "bt709",
            Self::Pq => "smpte2084",
            Self::Hlg => "arib-std-b67",
        };
        if !can_tone_map {
            return Some(
                "scale=in_color_matrix=bt2020:out_color_matrix=bt709,\
                 setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709"
                    .to_owned(),
            );
        }
        // A file that declares one of the three often leaves out the others.
        let known = format!("setparams=color_primaries=bt2020:color_trc={transfer}:colorspace=bt2020nc");
        // The conversion is explicit, because another filter would guess how to convert RGB to YUV.
        let to_bt709 = "zscale=p=bt709:t=bt709:m=bt709:r=tv,format=yuv420p";
        Some(match self {
            Self::Wide => format!("{known},{to_bt709}"),
            _ => format!(
                "{known},zscale=t=linear:npl={DIFFUSE_WHITE},format=gbrpf32le,zscale=p=bt709,tonemap=mobius,{to_bt709}"
            ),
        })
    }
}

/// The filters that tone mapping needs, by ffmpeg's names.
pub(crate) const FILTERS: [&str; 2] = ["zscale", "tonemap"];

/// Returns true if the output of `ffmpeg -filters` lists all of them.
pub(crate) fn lists_all_filters(output: &str) -> bool {
    // Each line has flags, the name, inputs and outputs, and a description.
    let names: Vec<_> = output.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    FILTERS.iter().all(|filter| names.contains(filter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transfer_function_decides_before_the_primaries_and_most_videos_are_standard() {
        assert_eq!(Tone::of(Some("smpte2084"), Some("bt2020")), Tone::Pq);
        assert_eq!(Tone::of(Some("arib-std-b67"), None), Tone::Hlg);
        assert_eq!(Tone::of(Some("bt2020-10"), Some("bt2020")), Tone::Wide);
        for standard in [(None, None), (Some("bt709"), Some("bt709")), (Some("unknown"), Some("smpte170m"))] {
            assert_eq!(Tone::of(standard.0, standard.1), Tone::Standard);
            assert_eq!(Tone::of(standard.0, standard.1).filter(true), None);
        }
    }

    #[test]
    fn only_a_tool_with_every_filter_tone_maps() {
        let line = |name: &str| format!(" .S. {name}           V->V       Something about zscale.\n");
        let both = line("tonemap") + &line("zscale");
        assert!(lists_all_filters(&both) && !lists_all_filters(&line("tonemap")) && !lists_all_filters(""));
        assert!(!lists_all_filters(&(line("tonemap_opencl") + &line("zscale"))));
        for tone in [Tone::Wide, Tone::Pq, Tone::Hlg] {
            assert!(tone.filter(true).is_some_and(|chain| chain.contains("zscale")), "{tone:?}");
            assert!(tone.filter(false).is_some_and(|chain| !chain.contains("zscale")), "{tone:?}");
        }
    }
}
