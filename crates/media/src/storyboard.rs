//! Thumbnails for the seek bar: one sheet of tiles, and a WebVTT file that maps times to tiles.

use std::fmt::Write as _;

/// Most tiles of a sheet.
const TILES_MAX: u64 = 100;
/// Tiles per row.
const COLUMNS: u64 = 10;
/// The longer side of a tile, in pixels.
const TILE: u32 = 160;
/// Shortest time between two tiles, in milliseconds.
const INTERVAL_MIN: u64 = 1_000;

/// How the tiles of a video are laid out on one sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// Milliseconds from one tile to the next.
    interval: u64,
    tiles: u64,
    width: u32,
    height: u32,
    duration: u64,
}

impl Sheet {
    /// Returns the sheet of a video of this length and size, or `None` for a video without length or size.
    pub(crate) fn of(duration: u64, width: u32, height: u32) -> Option<Self> {
        let long = u64::from(width.max(height));
        if duration == 0 || long == 0 {
            return None;
        }
        let interval = duration.div_ceil(TILES_MAX).max(INTERVAL_MIN);
        let side = |side: u32| {
            let exact = u64::from(side) * u64::from(TILE.min(width.max(height))) / long;
            u32::try_from(exact).unwrap_or(TILE).max(2) & !1
        };
        let tiles = duration.div_ceil(interval);
        Some(Self { interval, tiles, width: side(width), height: side(height), duration })
    }

    /// Returns the filters that draw the sheet, from `[tiles]` to `[sheet]`. For each tile, the first frame
    /// at or after its time is taken. The times are counted from the beginning, so that errors do not add up.
    ///
    /// Two sheets are drawn: an empty one at once, and the real one in its place at the end. ffmpeg reports
    /// no progress until each of its outputs has received something.
    pub(crate) fn filter(&self) -> String {
        let Self { interval, tiles, width, height, .. } = self;
        let rows = tiles.div_ceil(COLUMNS);
        let columns = (*tiles).min(COLUMNS);
        let (whole_width, whole_height) = (u64::from(*width) * columns, u64::from(*height) * rows);
        format!(
            "[tiles]select='gte(t+0.001,selected_n*{}.{:03})',scale={width}:{height}:flags=area,setsar=1,\
             tile={columns}x{rows},format=yuvj420p[full];\
             color=c=black:s={whole_width}x{whole_height}:r=1:d=1,trim=end_frame=1,setsar=1,format=yuvj420p[empty];\
             [empty][full]concat[sheet]",
            interval / 1000,
            interval % 1000
        )
    }

    /// Number of sheets the filters draw.
    pub(crate) const DRAWN: u32 = 2;

    /// Returns the WebVTT file. `image` is the sheet's URL, relative to that file.
    pub(crate) fn vtt(&self, image: &str) -> String {
        let mut out = "WEBVTT\n".to_owned();
        for tile in 0..self.tiles {
            let (from, to) = (tile * self.interval, ((tile + 1) * self.interval).min(self.duration));
            let (x, y) = (tile % COLUMNS * u64::from(self.width), tile / COLUMNS * u64::from(self.height));
            let _ = write!(
                out,
                "\n{} --> {}\n{image}#xywh={x},{y},{},{}\n",
                timestamp(from),
                timestamp(to),
                self.width,
                self.height
            );
        }
        out
    }
}

/// Formats milliseconds as WebVTT does.
fn timestamp(ms: u64) -> String {
    format!("{:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vtt_covers_the_video_once_from_beginning_to_end() {
        let sheet = Sheet::of(11_500, 1920, 1080).unwrap();
        let vtt = sheet.vtt("storyboard.jpg");
        assert!(vtt.starts_with("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nstoryboard.jpg#xywh=0,0,160,90\n"));
        assert!(vtt.ends_with("\n\n00:00:11.000 --> 00:00:11.500\nstoryboard.jpg#xywh=160,90,160,90\n"));
        assert_eq!(vtt.matches("-->").count(), 12);
        assert!(
            sheet.filter().contains("tile=10x2,") && sheet.filter().contains("s=1600x180:"),
            "{}",
            sheet.filter()
        );
    }

    #[test]
    fn there_are_never_more_than_a_hundred_tiles_nor_one_too_few() {
        for duration in [1, 999, 1_000, 99_999, 100_000, 100_001, 3_600_000, 86_400_000 * 10] {
            let sheet = Sheet::of(duration, 640, 360).unwrap();
            assert!((1..=TILES_MAX).contains(&sheet.tiles), "{duration} {sheet:?}");
            assert!((sheet.tiles - 1) * sheet.interval < duration, "{duration} {sheet:?}");
            assert!(sheet.tiles * sheet.interval >= duration, "{duration} {sheet:?}");
        }
    }

    #[test]
    fn tiles_keep_the_aspect_ratio_and_small_videos_their_size() {
        let tile = |width, height| {
            let sheet = Sheet::of(1_000, width, height).unwrap();
            (sheet.width, sheet.height)
        };
        assert_eq!(tile(1080, 1920), (90, 160));
        assert_eq!(tile(64, 48), (64, 48));
        assert_eq!(tile(20_000, 2), (160, 2));
        assert_eq!(Sheet::of(0, 640, 360), None);
        assert_eq!(Sheet::of(1_000, 0, 0), None);
    }
}
