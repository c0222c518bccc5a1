//! Files that are not what they say, or want more than they should get.

use media::{MediaError, sniff};

use crate::{H264, bench, head};

#[tokio::test]
async fn a_playlist_called_film_reads_no_other_file() {
    let bench = bench();
    let secret = bench.film("secret.ts", "-c:v libx264 -preset ultrafast -c:a aac");
    let playlist =
        format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{}\n#EXT-X-ENDLIST\n", secret.display());
    let file = bench.file("x.mp4", playlist.as_bytes());
    // Without walls this ffprobe does open the other file: the danger is real on this machine.
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
        assert!(probe.duration_ms.unwrap() > 5_000, "the file still claims its whole length");
        assert!(
            bench.media.poster(&cut, demuxer, &probe).await.is_ok(),
            "{name}: its first half has pictures"
        );
    }
    // The index is at the end of this one and was cut away.
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
    let error = bench.media.probe(bench.dir.path(), "mov").await.err().unwrap();
    assert!(matches!(error, MediaError::Machine(_)), "{error}");
    let error = bench.media.probe(&bench.path("absent"), "mov").await.err().unwrap();
    assert!(matches!(error, MediaError::Machine(_)), "{error}");
}
