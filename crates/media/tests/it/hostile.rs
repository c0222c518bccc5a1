//! Files that are not what they claim, or demand more than they may get.

use std::path::Path;

use media::{MediaError, sniff};

use crate::cell::{BARE, Cell, behind, file_walls};
use crate::{H264, bench, head};

#[tokio::test]
async fn a_playlist_called_film_reads_no_other_file() {
    let bench = bench();
    let secret = bench.film("secret.ts", "-c:v libx264 -preset ultrafast -c:a aac");
    let playlist =
        format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{}\n#EXT-X-ENDLIST\n", secret.display());
    let file = bench.file("x.mp4", playlist.as_bytes());
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
        let error = bench.media.probe(&file, demuxer).await.err().unwrap();
        assert!(matches!(error, MediaError::Refused(_)), "{demuxer} {error}");
        let probe = media::Probe { video_codec: Some("h264".into()), ..media::Probe::default() };
        assert!(bench.media.poster(&file, demuxer, &probe).await.is_err(), "{demuxer}");
    }
}

#[tokio::test]
async fn a_film_that_was_cut_is_called_damaged_although_the_tools_exit_with_0() {
    let bench = bench();
    for (name, demuxer) in [("a.mp4", "mov"), ("a.mkv", "matroska")] {
        let film = bench.film(name, H264);
        let bytes = std::fs::read(&film).unwrap();
        let cut = bench.file("cut", &bytes[..bytes.len() / 2]);
        let probe = bench.media.probe(&cut, demuxer).await.unwrap();
        assert!(probe.damaged, "{name} {probe:?}");
        assert!(probe.duration_ms.unwrap() > 5_000, "the file still claims its full length");
        assert!(
            bench.media.poster(&cut, demuxer, &probe).await.is_ok(),
            "{name}: its first half can be decoded"
        );
    }
    // The index of this file is at its end and was cut off.
    let film = bench.film("late.mp4", "-c:v libx264 -preset ultrafast -c:a aac");
    let bytes = std::fs::read(&film).unwrap();
    let cut = bench.file("cut", &bytes[..bytes.len() / 2]);
    assert!(matches!(bench.media.probe(&cut, "mov").await.err().unwrap(), MediaError::Refused(_)));
}

#[tokio::test]
async fn random_bytes_and_nothing_are_refused() {
    let bench = bench();
    let noise: Vec<u8> = (0..200_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for bytes in [&noise[..], &[], b"\0\0\0\x20ftypisom"] {
        let file = bench.file("noise", bytes);
        for demuxer in ["mov", "matroska"] {
            let error = bench.media.probe(&file, demuxer).await.err().unwrap();
            assert!(matches!(error, MediaError::Refused(_)), "{demuxer} {error}");
        }
    }
}

#[tokio::test]
async fn a_decoder_off_the_list_is_out_of_reach() {
    let bench = bench();
    let film = bench.film("a.avi", "-c:v magicyuv -pix_fmt yuv420p -t 1 -an");
    let probe = bench.media.probe(&film, "avi").await;
    let picture = match probe {
        Ok(probe) => bench.media.poster(&film, "avi", &probe).await,
        Err(error) => Err(error),
    };
    assert!(matches!(picture.err().unwrap(), MediaError::Refused(_)));
}

#[tokio::test]
async fn a_link_or_a_folder_as_input_gives_no_foreign_file() {
    let bench = bench();
    let film = bench.film("other.mp4", H264);
    std::os::unix::fs::symlink(&film, bench.path("link")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", bench.path("device")).unwrap();
    for input in [bench.path("link"), bench.path("device"), bench.path("absent"), bench.dir.path().to_owned()]
    {
        let error = bench.media.probe(&input, "mov").await.err().unwrap();
        assert!(matches!(error, MediaError::Machine(_)), "{} {error}", input.display());
    }
}

/// Runs the real ffprobe under these layers, without the product's lists of formats and protocols.
fn length(cell: &Cell, walls: &str, args: &[&str]) -> bool {
    let fixed = ["-v", "error", "-show_entries", "format=duration"];
    let output = cell.run(walls, "/usr/bin/ffprobe", &[&fixed[..], args].concat());
    assert_ne!(output.status.code(), Some(125), "{output:?}");
    String::from_utf8_lossy(&output.stdout).contains("duration=")
}

/// Returns a cell with a video outside the job, as MPEG-TS and as QuickTime.
fn cell_beside_a_film() -> Cell {
    let (cell, bench) = (Cell::new(), bench());
    for (name, more) in
        [("film.ts", "-an -c:v libx264 -preset ultrafast -t 1"), ("film.mov", "-an -c:v mjpeg -t 1")]
    {
        let path = cell.path("other").join(name);
        std::fs::copy(bench.film(name, more), &path).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    }
    cell
}

#[test]
fn behind_the_walls_no_list_and_no_address_leads_to_another_ones_film() {
    let cell = cell_beside_a_film();
    let other = cell.path("other/film.ts").display().to_string();
    let playlist =
        |line: &str| format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{line}\n#EXT-X-ENDLIST\n");
    let hls = ["-protocol_whitelist", "file,subfile", "-allowed_extensions", "ALL", "../in"];
    let concat = ["-safe", "0", "../in"];
    let subfile = format!("subfile,,start,0,end,0,,:{other}");
    for (input, args) in [
        (playlist(&other), &hls[..]),
        (playlist(&format!("file:{other}")), &hls),
        (playlist("../other/film.ts"), &hls),
        (format!("ffconcat version 1.0\nfile '{other}'\n"), &concat),
        (String::new(), &[subfile.as_str()]),
        (String::new(), &[&format!("concat:{other}")]),
        (String::new(), &[&format!("file:{other}")]),
    ] {
        cell.input(input.as_bytes());
        assert!(length(&cell, BARE, args), "the attack fails without confinement: {input} {args:?}");
        for walls in file_walls() {
            assert!(!length(&cell, walls, args), "{walls}: {input} {args:?}");
        }
    }
}

#[test]
fn behind_the_walls_no_reference_in_a_film_leads_to_another_ones() {
    let cell = cell_beside_a_film();
    let other = cell.path("other/film.mov");
    cell.input(&referring(&std::fs::read(&other).unwrap(), other.to_str().unwrap()));
    let picture = |walls: &str| {
        let args = "-nostdin -v error -y -enable_drefs 1 -use_absolute_path 1 -i ../in -frames:v 1 out.jpg";
        let args: Vec<_> = args.split(' ').collect();
        let output = cell.run(walls, "/usr/bin/ffmpeg", &args);
        assert_ne!(output.status.code(), Some(125), "{output:?}");
        let out = cell.path("job/room/out.jpg");
        let made = std::fs::metadata(&out).is_ok_and(|meta| meta.len() > 0);
        // The file is missing if nothing was written.
        let _ = std::fs::remove_file(out);
        made
    };
    assert!(picture(BARE), "the attack fails without confinement");
    for walls in file_walls() {
        assert!(!picture(walls), "{walls}");
    }
}

/// Replaces the video data of a file by a reference to another file.
fn referring(film: &[u8], path: &str) -> Vec<u8> {
    let boxed = |kind: &[u8], body: &[u8]| [&(body.len() as u32 + 8).to_be_bytes(), kind, body].concat();
    // An alias record: unused names, then the absolute path, then the end.
    let length = u16::try_from(path.len()).unwrap().to_be_bytes();
    let padding: &[u8] = if path.len() % 2 == 1 { b"\0" } else { b"" };
    let levels = [0xff; 4];
    let record =
        [&[0; 134][..], &levels, &[0; 16], &[0, 2], &length, path.as_bytes(), padding, &levels].concat();
    let reference = boxed(b"alis", &record);
    let fresh = boxed(b"dref", &[&[0, 0, 0, 0, 0, 0, 0, 1][..], &reference].concat());
    let mut film = film.to_vec();
    let u32_at = |film: &[u8], at: usize| u32::from_be_bytes(film[at..at + 4].try_into().unwrap());
    let place = |film: &[u8], kind: &[u8]| film.windows(4).position(|window| window == kind).unwrap() - 4;
    let data = place(&film, b"mdat");
    let end = data + u32_at(&film, data) as usize;
    film[data + 8..end].fill(0);
    let (moov, old) = (place(&film, b"moov"), place(&film, b"dref"));
    assert!(data < moov, "the offsets of the frames must not change");
    let (old_size, more) = (u32_at(&film, old) as usize, fresh.len() as u32);
    for kind in [b"moov", b"trak", b"mdia", b"minf", b"dinf"] {
        // A video has a handler for video and one for data; the one that contains the reference is the last
        // before it.
        let before = film[..old].windows(4).rposition(|window| window == kind).unwrap() - 4;
        let size = u32_at(&film, before) + more - old_size as u32;
        film[before..before + 4].copy_from_slice(&size.to_be_bytes());
    }
    film.splice(old..old + old_size, fresh);
    film
}

#[test]
fn behind_the_walls_a_playlist_of_addresses_asks_nobody() {
    let cell = Cell::new();
    cell.network.set_nonblocking(true).unwrap();
    let address = cell.network.local_addr().unwrap();
    let line = format!("http://{address}/film.ts");
    cell.input(format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{line}\n#EXT-X-ENDLIST\n").as_bytes());
    let asked = |walls: &str| {
        let args =
            "-v error -rw_timeout 200000 -protocol_whitelist file,http,tcp -allowed_extensions ALL ../in";
        let args: Vec<_> = args.split(' ').collect();
        let output = cell.run(walls, "/usr/bin/ffprobe", &args);
        assert_ne!(output.status.code(), Some(125), "{output:?}");
        cell.network.accept().is_ok()
    };
    assert!(asked(BARE), "the attack fails without confinement");
    for walls in behind().into_iter().chain(file_walls()) {
        while cell.network.accept().is_ok() {}
        assert!(!asked(walls), "{walls}");
    }
}

#[test]
fn behind_the_walls_a_tool_writes_no_film_elsewhere() {
    let cell = cell_beside_a_film();
    std::fs::copy(cell.path("other/film.ts"), cell.path("job/in")).unwrap();
    let written = |walls: &str, target: &str| {
        let target = cell.path(target);
        let args = ["-nostdin", "-v", "error", "-y", "-i", "../in", "-c", "copy", "-f", "mpegts"];
        let output = cell.command(walls, Path::new("/usr/bin/ffmpeg")).args(args).arg(&target).output();
        assert_ne!(output.unwrap().status.code(), Some(125));
        std::fs::remove_file(target).is_ok()
    };
    for target in ["other/new.ts", "job/room/new.ts"] {
        assert!(written(BARE, target), "{target}");
    }
    for walls in file_walls() {
        assert!(!written(walls, "other/new.ts"), "{walls}");
    }
}

#[test]
fn a_decode_without_end_and_a_picture_without_bounds_are_cut_short() {
    let bench = bench();
    let film = bench.film("a.mov", "-an -c:v mjpeg -t 1");
    let huge = bench.made("huge.mov", "-f lavfi -i color=size=8000x8000 -frames:v 1 -pix_fmt gray -c:v png");
    let run = |cell: Cell, walls: &str, input: &Path, args: &str| {
        std::fs::copy(input, cell.path("job/in")).unwrap();
        let args: Vec<_> = args.split(' ').collect();
        cell.run(walls, "/usr/bin/ffmpeg", &args).status
    };
    // Half a minute of work if nothing stops it.
    let endless = "-nostdin -v error -stream_loop 300 -i ../in -f null -";
    let picture = "-nostdin -v error -threads 1 -i ../in -pix_fmt rgb48 -f rawvideo -y /dev/null";
    assert!(run(Cell::new(), BARE, &huge, picture).success());
    for walls in behind() {
        assert!(!run(Cell::new().limit("--cpu", 1), walls, &film, endless).success(), "{walls}");
        let status = run(Cell::new().limit("--as", 512 << 20), walls, &huge, picture);
        assert!(!status.success() && status.code() != Some(125), "{walls}");
    }
}

#[tokio::test]
async fn a_picture_of_too_many_pixels_is_refused_before_it_is_decoded() {
    let bench = bench();
    let huge = bench.made("huge.mov", "-f lavfi -i color=size=8000x8000 -frames:v 1 -pix_fmt gray -c:v png");
    let probe = media::Probe { video_codec: Some("png".into()), ..media::Probe::default() };
    let refused = bench.media.poster(&huge, "mov", &probe).await.err().unwrap();
    assert!(matches!(refused, MediaError::Refused(_)), "{refused}");
    let small =
        bench.made("small.mov", "-f lavfi -i color=size=4000x4000 -frames:v 1 -pix_fmt gray -c:v png");
    assert!(bench.media.poster(&small, "mov", &probe).await.is_ok());
}

#[tokio::test]
async fn a_drawing_with_addresses_in_it_is_no_film() {
    let bench = bench();
    let secret = bench.film("secret.mp4", H264);
    let drawing = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><image href='file://{}'/></svg>",
        secret.display()
    );
    let file = bench.file("x.svg", drawing.as_bytes());
    assert_eq!(sniff(&head(&file), "image/svg+xml", "x.svg").unwrap().demuxer, None);
    for demuxer in ["mov", "matroska", "mpegts"] {
        assert!(matches!(bench.media.probe(&file, demuxer).await, Err(MediaError::Refused(_))), "{demuxer}");
    }
}
