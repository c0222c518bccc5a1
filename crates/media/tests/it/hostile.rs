//! Files that are not what they claim, or demand more than they may get.

use std::path::Path;

use media::{MediaError, sniff};

use crate::test_job::{TestJob, UNCONFINED, file_layers, sufficient_layers};
use crate::{H264, head, test_app};

#[tokio::test]
async fn a_playlist_named_mp4_reads_no_other_file() {
    let app = test_app();
    let secret = app.video("secret.ts", "-c:v libx264 -preset ultrafast -c:a aac");
    let playlist =
        format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{}\n#EXT-X-ENDLIST\n", secret.display());
    let file = app.file("x.mp4", playlist.as_bytes());
    // Unconfined, this ffprobe does open the other file: the danger is real on this machine.
    let open = std::process::Command::new("ffprobe")
        .args([
            "-v",
            "error",
            "-protocol_whitelist",
            "file",
            "-allowed_extensions",
            "ALL",
            "-show_entries",
            "format=duration",
        ])
        .arg(&file)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&open.stdout).contains("duration=6"), "{open:?}");

    assert!(sniff(&head(&file), "video/mp4", "x.mp4").is_err());
    for demuxer in ["mov", "matroska", "mpegts", "avi", "ogg", "mp3"] {
        let error = app.media.probe(&file, demuxer).await.err().unwrap();
        assert!(matches!(error, MediaError::Refused(_)), "{demuxer} {error}");
        let probe = media::Probe { video_codec: Some("h264".into()), ..media::Probe::default() };
        assert!(app.media.poster(&file, demuxer, &probe).await.is_err(), "{demuxer}");
    }
}

#[tokio::test]
async fn a_truncated_video_is_damaged_although_the_tools_exit_with_0() {
    let app = test_app();
    for (name, demuxer) in [("a.mp4", "mov"), ("a.mkv", "matroska")] {
        let video = app.video(name, H264);
        let bytes = std::fs::read(&video).unwrap();
        let cut = app.file("cut", &bytes[..bytes.len() / 2]);
        let probe = app.media.probe(&cut, demuxer).await.unwrap();
        assert!(probe.damaged, "{name} {probe:?}");
        assert!(probe.duration_ms.unwrap() > 5_000, "the file still claims its full length");
        assert!(
            app.media.poster(&cut, demuxer, &probe).await.is_ok(),
            "{name}: its first half can be decoded"
        );
    }
    // The index of this file is at its end and was cut off.
    let video = app.video("late.mp4", "-c:v libx264 -preset ultrafast -c:a aac");
    let bytes = std::fs::read(&video).unwrap();
    let cut = app.file("cut", &bytes[..bytes.len() / 2]);
    assert!(matches!(app.media.probe(&cut, "mov").await.err().unwrap(), MediaError::Refused(_)));
}

#[tokio::test]
async fn random_bytes_and_empty_files_are_refused() {
    let app = test_app();
    let noise: Vec<u8> = (0..200_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for bytes in [&noise[..], &[], b"\0\0\0\x20ftypisom"] {
        let file = app.file("noise", bytes);
        for demuxer in ["mov", "matroska"] {
            let error = app.media.probe(&file, demuxer).await.err().unwrap();
            assert!(matches!(error, MediaError::Refused(_)), "{demuxer} {error}");
        }
    }
}

#[tokio::test]
async fn a_decoder_that_is_not_listed_cannot_be_used() {
    let app = test_app();
    let video = app.video("a.avi", "-c:v magicyuv -pix_fmt yuv420p -t 1 -an");
    let probe = app.media.probe(&video, "avi").await;
    let image = match probe {
        Ok(probe) => app.media.poster(&video, "avi", &probe).await,
        Err(error) => Err(error),
    };
    assert!(matches!(image.err().unwrap(), MediaError::Refused(_)));
}

#[tokio::test]
async fn a_link_or_a_folder_as_input_is_refused() {
    let app = test_app();
    let video = app.video("other.mp4", H264);
    std::os::unix::fs::symlink(&video, app.path("link")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", app.path("device")).unwrap();
    for input in [app.path("link"), app.path("device"), app.path("absent"), app.dir.path().to_owned()] {
        let error = app.media.probe(&input, "mov").await.err().unwrap();
        assert!(matches!(error, MediaError::Machine(_)), "{} {error}", input.display());
    }
}

/// Runs the real ffprobe under these layers, without the product's lists of formats and protocols.
fn length(job: &TestJob, layers: &str, args: &[&str]) -> bool {
    let fixed = ["-v", "error", "-show_entries", "format=duration"];
    let output = job.run(layers, "/usr/bin/ffprobe", &[&fixed[..], args].concat());
    assert_ne!(output.status.code(), Some(125), "{output:?}");
    String::from_utf8_lossy(&output.stdout).contains("duration=")
}

/// Returns a job with a video outside the job, as MPEG-TS and as QuickTime.
fn job_next_to_a_video() -> TestJob {
    let (job, app) = (TestJob::new(), test_app());
    for (name, more) in
        [("video.ts", "-an -c:v libx264 -preset ultrafast -t 1"), ("video.mov", "-an -c:v mjpeg -t 1")]
    {
        let path = job.path("other").join(name);
        std::fs::copy(app.video(name, more), &path).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    }
    job
}

#[test]
fn under_confinement_no_playlist_and_no_url_reaches_another_video() {
    let job = job_next_to_a_video();
    let other = job.path("other/video.ts").display().to_string();
    let playlist =
        |line: &str| format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{line}\n#EXT-X-ENDLIST\n");
    let hls = ["-protocol_whitelist", "file,subfile", "-allowed_extensions", "ALL", "../in"];
    let concat = ["-safe", "0", "../in"];
    let subfile = format!("subfile,,start,0,end,0,,:{other}");
    for (input, args) in [
        (playlist(&other), &hls[..]),
        (playlist(&format!("file:{other}")), &hls),
        (playlist("../other/video.ts"), &hls),
        (format!("ffconcat version 1.0\nfile '{other}'\n"), &concat),
        (String::new(), &[subfile.as_str()]),
        (String::new(), &[&format!("concat:{other}")]),
        (String::new(), &[&format!("file:{other}")]),
    ] {
        job.input(input.as_bytes());
        assert!(length(&job, UNCONFINED, args), "the attack fails without confinement: {input} {args:?}");
        for layers in file_layers() {
            assert!(!length(&job, layers, args), "{layers}: {input} {args:?}");
        }
    }
}

#[test]
fn under_confinement_no_reference_in_a_video_reaches_another_video() {
    let job = job_next_to_a_video();
    let other = job.path("other/video.mov");
    job.input(&referring(&std::fs::read(&other).unwrap(), other.to_str().unwrap()));
    let extracts_frame = |layers: &str| {
        let args = "-nostdin -v error -y -enable_drefs 1 -use_absolute_path 1 -i ../in -frames:v 1 out.jpg";
        let args: Vec<_> = args.split(' ').collect();
        let output = job.run(layers, "/usr/bin/ffmpeg", &args);
        assert_ne!(output.status.code(), Some(125), "{output:?}");
        let out = job.path("job/output/out.jpg");
        let written = std::fs::metadata(&out).is_ok_and(|meta| meta.len() > 0);
        // The file is missing if nothing was written.
        let _ = std::fs::remove_file(out);
        written
    };
    assert!(extracts_frame(UNCONFINED), "the attack fails without confinement");
    for layers in file_layers() {
        assert!(!extracts_frame(layers), "{layers}");
    }
}

/// Replaces the video data of a file by a reference to another file.
fn referring(video: &[u8], path: &str) -> Vec<u8> {
    let boxed = |kind: &[u8], body: &[u8]| [&(body.len() as u32 + 8).to_be_bytes(), kind, body].concat();
    // An alias record: unused names, then the absolute path, then the end.
    let length = u16::try_from(path.len()).unwrap().to_be_bytes();
    let padding: &[u8] = if path.len() % 2 == 1 { b"\0" } else { b"" };
    let levels = [0xff; 4];
    let record =
        [&[0; 134][..], &levels, &[0; 16], &[0, 2], &length, path.as_bytes(), padding, &levels].concat();
    let reference = boxed(b"alis", &record);
    let fresh = boxed(b"dref", &[&[0, 0, 0, 0, 0, 0, 0, 1][..], &reference].concat());
    let mut video = video.to_vec();
    let u32_at = |video: &[u8], at: usize| u32::from_be_bytes(video[at..at + 4].try_into().unwrap());
    let box_start =
        |video: &[u8], kind: &[u8]| video.windows(4).position(|window| window == kind).unwrap() - 4;
    let data = box_start(&video, b"mdat");
    let end = data + u32_at(&video, data) as usize;
    video[data + 8..end].fill(0);
    let (moov, old) = (box_start(&video, b"moov"), box_start(&video, b"dref"));
    assert!(data < moov, "the offsets of the frames must not change");
    let (old_size, more) = (u32_at(&video, old) as usize, fresh.len() as u32);
    for kind in [b"moov", b"trak", b"mdia", b"minf", b"dinf"] {
        // A video has a handler for video and one for data; the one that contains the reference is the last
        // before it.
        let before = video[..old].windows(4).rposition(|window| window == kind).unwrap() - 4;
        let size = u32_at(&video, before) + more - old_size as u32;
        video[before..before + 4].copy_from_slice(&size.to_be_bytes());
    }
    video.splice(old..old + old_size, fresh);
    video
}

#[test]
fn under_confinement_a_playlist_of_urls_sends_no_request() {
    let job = TestJob::new();
    job.network.set_nonblocking(true).unwrap();
    let address = job.network.local_addr().unwrap();
    let line = format!("http://{address}/video.ts");
    job.input(format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{line}\n#EXT-X-ENDLIST\n").as_bytes());
    let sends_request = |layers: &str| {
        let args =
            "-v error -rw_timeout 200000 -protocol_whitelist file,http,tcp -allowed_extensions ALL ../in";
        let args: Vec<_> = args.split(' ').collect();
        let output = job.run(layers, "/usr/bin/ffprobe", &args);
        assert_ne!(output.status.code(), Some(125), "{output:?}");
        job.network.accept().is_ok()
    };
    assert!(sends_request(UNCONFINED), "the attack fails without confinement");
    for layers in sufficient_layers().into_iter().chain(file_layers()) {
        while job.network.accept().is_ok() {}
        assert!(!sends_request(layers), "{layers}");
    }
}

#[test]
fn under_confinement_a_tool_writes_no_video_elsewhere() {
    let job = job_next_to_a_video();
    std::fs::copy(job.path("other/video.ts"), job.path("job/in")).unwrap();
    let written = |layers: &str, target: &str| {
        let target = job.path(target);
        let args = ["-nostdin", "-v", "error", "-y", "-i", "../in", "-c", "copy", "-f", "mpegts"];
        let output = job.command(layers, Path::new("/usr/bin/ffmpeg")).args(args).arg(&target).output();
        assert_ne!(output.unwrap().status.code(), Some(125));
        std::fs::remove_file(target).is_ok()
    };
    for target in ["other/new.ts", "job/output/new.ts"] {
        assert!(written(UNCONFINED, target), "{target}");
    }
    for layers in file_layers() {
        assert!(!written(layers, "other/new.ts"), "{layers}");
    }
}

#[test]
fn endless_decoding_and_huge_images_are_stopped_by_the_limits() {
    let app = test_app();
    let video = app.video("a.mov", "-an -c:v mjpeg -t 1");
    let huge = app.make("huge.mov", "-f lavfi -i color=size=8000x8000 -frames:v 1 -pix_fmt gray -c:v png");
    let run = |job: TestJob, layers: &str, input: &Path, args: &str| {
        std::fs::copy(input, job.path("job/in")).unwrap();
        let args: Vec<_> = args.split(' ').collect();
        job.run(layers, "/usr/bin/ffmpeg", &args).status
    };
    // Half a minute of work if nothing stops it.
    let endless = "-nostdin -v error -stream_loop 300 -i ../in -f null -";
    let image = "-nostdin -v error -threads 1 -i ../in -pix_fmt rgb48 -f rawvideo -y /dev/null";
    assert!(run(TestJob::new(), UNCONFINED, &huge, image).success());
    for layers in sufficient_layers() {
        assert!(!run(TestJob::new().limit("--cpu", 1), layers, &video, endless).success(), "{layers}");
        let status = run(TestJob::new().limit("--as", 512 << 20), layers, &huge, image);
        assert!(!status.success() && status.code() != Some(125), "{layers}");
    }
}

#[tokio::test]
async fn an_image_of_too_many_pixels_is_refused_before_it_is_decoded() {
    let app = test_app();
    let huge = app.make("huge.mov", "-f lavfi -i color=size=8000x8000 -frames:v 1 -pix_fmt gray -c:v png");
    let probe = media::Probe { video_codec: Some("png".into()), ..media::Probe::default() };
    let refused = app.media.poster(&huge, "mov", &probe).await.err().unwrap();
    assert!(matches!(refused, MediaError::Refused(_)), "{refused}");
    let small = app.make("small.mov", "-f lavfi -i color=size=4000x4000 -frames:v 1 -pix_fmt gray -c:v png");
    assert!(app.media.poster(&small, "mov", &probe).await.is_ok());
}

#[tokio::test]
async fn an_svg_with_urls_is_not_a_video() {
    let app = test_app();
    let secret = app.video("secret.mp4", H264);
    let svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><image href='file://{}'/></svg>",
        secret.display()
    );
    let file = app.file("x.svg", svg.as_bytes());
    assert_eq!(sniff(&head(&file), "image/svg+xml", "x.svg").unwrap().demuxer, None);
    for demuxer in ["mov", "matroska", "mpegts"] {
        assert!(matches!(app.media.probe(&file, demuxer).await, Err(MediaError::Refused(_))), "{demuxer}");
    }
}
