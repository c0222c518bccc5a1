//! Files for the demo. ffmpeg makes them, always the same.

use std::path::Path;

use tokio::process::Command;

use crate::{Error, Size};

/// Speech-like audio: a voice whose pitch and loudness change like syllables and sentences.
const VOICE: &str = "(0.25*sin(2*PI*(130+18*sin(2*PI*0.31*t))*t)*(0.55+0.45*sin(2*PI*3.7*t))\
                     +0.08*sin(2*PI*720*t)*(0.5+0.5*sin(2*PI*5.3*t)))*gt(sin(2*PI*0.13*t)\\,-0.8)\
                     *(0.2+0.8*abs(sin(0.9*t)*sin(0.37*t+1)))";

/// A file to upload.
#[derive(Clone)]
pub(crate) struct File {
    pub name: &'static str,
    pub mime: &'static str,
    pub bytes: Vec<u8>,
    /// Number of pages of a document.
    pub pages: Option<i64>,
}

impl File {
    /// Returns whether it is a video or audio.
    pub fn plays(&self) -> bool {
        self.mime.starts_with("video/") || self.mime.starts_with("audio/")
    }
}

/// The files that the demo uploads.
pub struct Media {
    pub(crate) outlook: File,
    pub(crate) yield_curve: File,
    pub(crate) interview: File,
    pub(crate) safety: File,
    pub(crate) cut_off: File,
    pub(crate) call: File,
    pub(crate) radio: File,
    pub(crate) roadmap: File,
    pub(crate) chart: File,
    pub(crate) report: File,
    pub(crate) handbook: File,
    pub(crate) logo: File,
    pub(crate) wallpaper: File,
    pub(crate) school_logo: File,
    /// Empty in a small demo.
    pub(crate) courses: CourseMedia,
}

/// Files that the items of courses use in turn.
#[derive(Default)]
pub(crate) struct CourseMedia {
    pub videos: Vec<File>,
    pub audio: Vec<File>,
    pub images: Vec<File>,
    pub documents: Vec<File>,
}

/// Duration of each video and of the audio of a course. They are processed again for every item.
pub(crate) const COURSE_VIDEO_SECONDS: i64 = 22;
pub(crate) const COURSE_AUDIO_SECONDS: i64 = 22;

/// Colors of the images and videos of courses.
const PALETTES: [[&str; 3]; 8] = [
    ["#0b3d5c", "#f2a65a", "#7a1f3d"],
    ["#123c2f", "#d8e2a0", "#2e7d6b"],
    ["#2b1b3d", "#e08d79", "#5b4b8a"],
    ["#07304a", "#f6d55c", "#3caea3"],
    ["#3b1f2b", "#db4c40", "#f0c987"],
    ["#1d3557", "#a8dadc", "#457b9d"],
    ["#2d3142", "#ef8354", "#bfc0c0"],
    ["#22333b", "#c6ac8f", "#5e503f"],
];

impl CourseMedia {
    async fn create(maker: &Maker<'_>) -> Result<Self, Error> {
        let mut media = Self::default();
        for colors in PALETTES {
            let seconds = COURSE_VIDEO_SECONDS as u32;
            media.videos.push(maker.video("lesson.mp4", "640:360", seconds, colors).await?);
            media.images.push(maker.image("chart.png", "1280:800", colors).await?);
        }
        media.audio = vec![maker.audio("conversation.m4a", COURSE_AUDIO_SECONDS as u32).await?];
        let titles = ["Worksheet", "Case study", "Glossary", "Checklist", "Further reading"];
        let pages = [4, 6, 3, 2, 2].into_iter();
        media.documents = titles
            .into_iter()
            .zip(pages)
            .map(|(title, pages)| document("course.pdf", title, pages))
            .collect();
        Ok(media)
    }
}

impl Media {
    /// Creates all files with this ffmpeg, which takes some seconds.
    ///
    /// # Errors
    /// Fails with a sentence that says what to do.
    pub async fn create(ffmpeg: &Path, size: Size) -> Result<Self, Error> {
        let folder = tempfile::tempdir()?;
        let maker = Maker { ffmpeg, folder: folder.path() };
        let (outlook, yield_curve, interview, safety) = tokio::try_join!(
            maker.video("market-outlook.mp4", "960:540", 100, ["#0b3d5c", "#f2a65a", "#7a1f3d"]),
            maker.video("yield-curve.mp4", "854:480", 60, ["#123c2f", "#d8e2a0", "#2e7d6b"]),
            maker.video("interview.mp4", "480:854", 40, ["#2b1b3d", "#e08d79", "#5b4b8a"]),
            maker.video("safety.mp4", "854:480", 30, ["#07304a", "#f6d55c", "#3caea3"]),
        )?;
        let (call, radio, roadmap, chart, logo, wallpaper, school_logo) = tokio::try_join!(
            maker.audio("weekly-call.m4a", 5 * 60),
            maker.audio("harbour-radio.m4a", 150),
            maker.image("roadmap.png", "1600:1000", ["#10324a", "#4fa3a5", "#f4e9cd"]),
            maker.image("bay.png", "1400:1000", ["#06283d", "#1363df", "#dff6ff"]),
            maker.image("logo.png", "512:512", ["#f2a65a", "#7a1f3d", "#f6d9a8"]),
            maker.image("wallpaper.png", "960:1440", ["#0b3d5c", "#7a1f3d", "#f2a65a"]),
            maker.image("school.png", "512:512", ["#06283d", "#3caea3", "#f6d55c"]),
        )?;
        let courses = match size {
            Size::Small => CourseMedia::default(),
            Size::Large => CourseMedia::create(&maker).await?,
        };
        let mut cut_off = File { name: "recording.mp4", ..outlook.clone() };
        cut_off.bytes.truncate(outlook.bytes.len() / 3);
        Ok(Self {
            outlook,
            yield_curve,
            interview,
            safety,
            cut_off,
            call,
            radio,
            roadmap,
            chart,
            report: document("annual-report.pdf", "Annual report", 8),
            handbook: document("handbook.pdf", "Knots in eight steps", 8),
            logo,
            wallpaper,
            school_logo,
            courses,
        })
    }
}

struct Maker<'a> {
    ffmpeg: &'a Path,
    folder: &'a Path,
}

impl Maker<'_> {
    async fn video(
        &self,
        name: &'static str,
        size: &str,
        seconds: u32,
        colours: [&str; 3],
    ) -> Result<File, Error> {
        let picture =
            format!("{}{}", gradient(&format!("speed=0.01:r=8:d={seconds}"), size, colours), bars());
        let voice = voice(seconds);
        let input = ["-f", "lavfi", "-i", &picture, "-f", "lavfi", "-i", &voice];
        let coding = [
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-pix_fmt",
            "yuv420p",
            "-c:a",
            "aac",
            "-shortest",
            "-movflags",
            "+faststart",
        ];
        let bytes = self.run(name, &[&input[..], &coding].concat()).await?;
        Ok(File { name, mime: "video/mp4", bytes, pages: None })
    }

    async fn audio(&self, name: &'static str, seconds: u32) -> Result<File, Error> {
        let voice = voice(seconds);
        let bytes = self.run(name, &["-f", "lavfi", "-i", &voice, "-c:a", "aac", "-b:a", "48k"]).await?;
        Ok(File { name, mime: "audio/mp4", bytes, pages: None })
    }

    async fn image(&self, name: &'static str, size: &str, colours: [&str; 3]) -> Result<File, Error> {
        let picture = gradient("speed=0.01", size, colours);
        let bytes = self.run(name, &["-f", "lavfi", "-i", &picture, "-frames:v", "1"]).await?;
        Ok(File { name, mime: "image/png", bytes, pages: None })
    }

    /// Runs ffmpeg and returns the file that it wrote.
    async fn run(&self, name: &str, arguments: &[&str]) -> Result<Vec<u8>, Error> {
        let path = self.folder.join(name);
        let output = Command::new(self.ffmpeg)
            .args(["-nostdin", "-v", "error", "-y"])
            .args(arguments)
            .arg(&path)
            .kill_on_drop(true)
            .output()
            .await
            .map_err(|error| {
                let program = self.ffmpeg.display();
                Error::Media(format!(
                    "cannot run {program}: {error}. The demo needs ffmpeg: install it, or set VITRINE_MEDIA_FFMPEG."
                ))
            })?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(Error::Media(format!("ffmpeg could not create {name}: {}", message.trim())));
        }
        Ok(tokio::fs::read(&path).await?)
    }
}

/// Returns a filter for a voice: half a minute of it, repeated because computing it is slow, louder and quieter over
/// minutes.
fn voice(seconds: u32) -> String {
    let volume = "0.25+0.75*abs(sin(t/11)*cos(t/29))";
    format!(
        "aevalsrc={VOICE}:s=16000:d=30,aloop=loop=-1:size=480000,atrim=duration={seconds},volume=volume={volume}:eval=frame"
    )
}

/// Returns a filter for a gradient, computed small and scaled up because computing it is slow.
fn gradient(options: &str, size: &str, [a, b, c]: [&str; 3]) -> String {
    format!(
        "gradients=s=160x120:c0={a}:c1={b}:c2={c}:n=3:seed=7:{options},scale={size}:flags=bicubic,setsar=1"
    )
}

/// Returns filters that draw a bar chart whose bars move.
fn bars() -> String {
    (0..6)
        .map(|bar| {
            let height = format!("ih*(0.18+0.06*{bar}+0.08*sin(t*{}))", 0.2 + 0.07 * f64::from(bar));
            format!(
                ",drawbox=x=iw*{}:y=ih*0.86-{height}:w=iw*0.07:h={height}:color=white@0.75:t=fill",
                0.18 + 0.11 * f64::from(bar)
            )
        })
        .collect()
}

/// Returns a PDF: a title page, and pages with a heading and a bar chart.
fn document(name: &'static str, title: &str, pages: usize) -> File {
    let font = 3 + pages * 2;
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!(
            "<</Type/Pages/Kids[{}]/Count {pages}>>",
            (0..pages).map(|page| format!("{} 0 R ", 3 + page * 2)).collect::<String>()
        ),
    ];
    for page in 0..pages {
        let drawing = drawing(title, page);
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 595]/Contents {} 0 R/Resources<</Font<</F1 {font} 0 R>>>>>>",
            4 + page * 2
        ));
        objects.push(format!("<</Length {}>>stream\n{drawing}\nendstream", drawing.len()));
    }
    objects.push("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned());
    let mut text = "%PDF-1.4\n".to_owned();
    let mut table = String::new();
    for (index, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", text.len());
        text += &format!("{} 0 obj\n{object}\nendobj\n", index + 1);
    }
    let start = text.len();
    let size = objects.len() + 1;
    text += &format!(
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Root 1 0 R/Size {size}>>\nstartxref\n{start}\n%%EOF\n"
    );
    File { name, mime: "application/pdf", bytes: text.into_bytes(), pages: i64::try_from(pages).ok() }
}

fn drawing(title: &str, page: usize) -> String {
    if page == 0 {
        return format!("0.04 0.24 0.36 rg 0 330 420 265 re f 1 g BT /F1 30 Tf 40 430 Td ({title}) Tj ET");
    }
    let bars: String = (0..7)
        .map(|bar| {
            let height = 60 + (page * 37 + bar * 53) % 190;
            format!("{} 160 36 {height} re f ", 50 + bar * 46)
        })
        .collect();
    format!(
        "0.04 0.24 0.36 rg BT /F1 20 Tf 40 520 Td ({title}: chapter {page}) Tj ET 0.95 0.65 0.35 rg {bars}0.3 g BT /F1 10 Tf 40 120 Td (Figure {page}) Tj ET"
    )
}
