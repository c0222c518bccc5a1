//! Creating, listing, updating and deleting items, and who may do so.

use content::UploaderErasure;
use identity::Erasure as _;
use kernel::{ContentId, OrgId, PersonId, PlaylistId, Privacy};
use orgs::Role;
use serde_json::{Value, json};

use crate::{MP4, TestApp, file, mp4, test_app};

fn video(app: &TestApp, title: &str) -> Value {
    json!({
        "content": {"title": title, "description": "d", "url": "https://youtu.be/x"},
        "orgId": app.org.uid, "file": null, "notifyUsers": true,
    })
}

async fn create_video(app: &TestApp, title: &str) -> String {
    let answer = app.leader().await.post("/v1/content", video(app, title)).await.expect(201);
    assert_eq!(answer["status"], "available");
    answer["uid"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_embedded_video_has_this_shape() {
    let app = test_app().await;
    let uid = create_video(&app, "A video").await;
    let mut content = app.content(&app.leader().await, &uid).await;
    content["uid"] = json!("[uid]");
    content["orgId"] = json!("[org]");
    insta::assert_json_snapshot!(content, @r#"
    {
      "captions": [],
      "description": "d",
      "downloadable": false,
      "durationMs": null,
      "expireAt": null,
      "file": null,
      "hlsUrl": "",
      "kind": "embed",
      "orgId": "[org]",
      "pages": null,
      "previewUrl": "",
      "privacy": "public",
      "processing": "none",
      "processingError": null,
      "progress": null,
      "publishAt": null,
      "secondsLeft": null,
      "stats": {
        "views": 0,
        "watchTimeMs": 0
      },
      "storyboardUrl": "",
      "timeCreated": "2026-11-20T08:00:00.000Z",
      "timeModified": "2026-11-20T08:00:00.000Z",
      "title": "A video",
      "type": "integration",
      "uid": "[uid]",
      "url": "https://youtu.be/x",
      "waveformUrl": ""
    }
    "#);
    let upload = app.leader().await.get(&format!("/v1/uploads/{uid}")).await.expect(200);
    assert_eq!(upload, json!({"uid": uid, "status": "available"}));
    app.http.settle().await;
}

#[tokio::test]
async fn who_may_do_what() {
    let app = test_app().await;
    let uid = create_video(&app, "A").await;
    let path = format!("/v1/content/{uid}");
    let list = format!("/v1/content?orgId={}", app.org.uid);
    let change = json!({"content": {"title": "B"}});
    let new_file = json!({"file": file("a", "", b"x")});
    let stranger = app.http.person("stranger@example.com").await;
    // One row per caller: list, read, create, update, new version, delete.
    for (who, client, expected) in [
        ("anonymous", app.http.anonymous(), [401, 401, 401, 401, 401, 401]),
        ("stranger", stranger, [404, 404, 404, 404, 404, 404]),
        ("user", app.user().await, [403, 403, 403, 403, 403, 403]),
        ("team user", app.http.member(app.org, Role::TeamUser).await, [200, 200, 403, 403, 403, 403]),
        ("team leader", app.leader().await, [200, 200, 201, 200, 409, 204]),
    ] {
        let got = [
            client.get(&list).await.status.as_u16(),
            client.get(&path).await.status.as_u16(),
            client.post("/v1/content", video(&app, "C")).await.status.as_u16(),
            client.patch(&path, change.clone()).await.status.as_u16(),
            client.post(&path, new_file.clone()).await.status.as_u16(),
            client.delete(&path).await.status.as_u16(),
        ];
        assert_eq!(got, expected, "{who}");
    }
    app.leader().await.delete(&path).await.expect_error(404, "Content not found");
    app.http.settle().await;
}

#[tokio::test]
async fn another_organisations_content_does_not_exist() {
    let app = test_app().await;
    let uid = create_video(&app, "A").await;
    let other = app.http.org("Other").await;
    let admin = app.http.member(other, Role::SuperAdmin).await;
    let path = format!("/v1/content/{uid}");
    admin.get(&path).await.expect_error(404, "Content not found");
    admin.patch(&path, json!({"content": {"title": "x"}})).await.expect_error(404, "Content not found");
    admin.post(&path, json!({"file": file("a", "", b"x")})).await.expect_error(404, "Content not found");
    admin.delete(&path).await.expect_error(404, "Content not found");
    admin.get(&format!("/v1/uploads/{uid}")).await.expect_error(404, "Upload not found");
    let list = admin.get(&format!("/v1/content?orgId={}", other.uid)).await.expect(200);
    assert_eq!(list, json!({"data": []}));
    app.http.settle().await;
}

#[tokio::test]
async fn a_title_is_required_and_a_link_must_be_a_video() {
    let app = test_app().await;
    let leader = app.leader().await;
    let with = |field: &str, value: Value| {
        let mut body = video(&app, "A");
        body["content"][field] = value;
        body
    };
    let blank = leader.post("/v1/content", with("title", json!("  "))).await;
    blank.expect_error(400, "Title is required");
    assert_eq!(blank.json()["fields"], json!({"title": "Title is required"}));
    for bad in ["javascript:alert('vimeo')", "https://example.com/video", ""] {
        leader.post("/v1/content", with("url", json!(bad))).await.expect_error(400, "URL is invalid.");
    }
    assert_eq!(
        leader.post("/v1/content", with("privacy", json!("unlisted"))).await.expect(400)["code"],
        "invalid_privacy"
    );
    leader.get("/v1/content").await.expect_error(400, "No orgId");
    app.http.settle().await;
}

#[tokio::test]
async fn a_change_keeps_omitted_fields_and_ignores_read_only_ones() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = create_video(&app, "A").await;
    let path = format!("/v1/content/{uid}");
    app.http.clock.advance(1_000);
    let sent = json!({"content": {
        "privacy": "private", "url": "https://vimeo.com/1",
        "uid": ContentId::nil(), "orgId": OrgId::nil(), "type": "native", "stats": {"views": 9}, "kind": "video",
    }});
    let changed = leader.patch(&path, sent).await.expect(200);
    assert_eq!((&changed["title"], &changed["description"]), (&json!("A"), &json!("d")));
    assert_eq!((&changed["privacy"], &changed["url"]), (&json!("private"), &json!("https://vimeo.com/1")));
    assert_eq!(
        (&changed["uid"], &changed["type"], &changed["stats"]["views"]),
        (&json!(uid), &json!("integration"), &json!(0))
    );
    assert_eq!(changed["timeModified"], "2026-11-20T08:00:01.000Z");
    leader.patch(&path, json!({"content": {"title": ""}})).await.expect_error(400, "Title is required");
    assert_eq!(
        leader.patch(&path, json!({"content": {"description": null}})).await.expect(200)["description"],
        ""
    );

    let draft = app.announce(&leader, file("a.mp4", MP4, &mp4(10))).await.expect(201);
    let path = format!("/v1/content/{}", draft["uid"].as_str().unwrap());
    let refused = leader.patch(&path, json!({"content": {"url": "https://vimeo.com/1"}})).await.expect(400);
    assert_eq!(refused["code"], "not_integration");
    app.http.settle().await;
}

#[tokio::test]
async fn the_list_is_newest_first_and_can_be_narrowed_and_paged() {
    let app = test_app().await;
    let leader = app.leader().await;
    let mut uids = Vec::new();
    for title in ["One 100%", "Two", "Three", "one_b"] {
        uids.push(create_video(&app, title).await);
    }
    app.announce(&leader, file("a.mp4", MP4, &mp4(10))).await.expect(201);
    let list = async |query: &str| {
        let answer = leader.get(&format!("/v1/content?orgId={}{query}", app.org.uid)).await.expect(200);
        let titles =
            answer["data"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned());
        titles.collect::<Vec<_>>().join(",")
    };
    assert_eq!(list("").await, "A video,one_b,Three,Two,One 100%");
    assert_eq!(list("&kind=embed&limit=2").await, "one_b,Three");
    assert_eq!(list(&format!("&startAfter={}&limit=2", uids[2])).await, "Two,One 100%");
    assert_eq!(list("&search=ONE").await, "one_b,One 100%");
    assert_eq!(list("&search=100%25").await, "One 100%");
    assert_eq!(list("&search=e_b").await, "one_b");
    app.fake_playlists.set(
        PlaylistId::from_u128(5),
        Privacy::Private,
        &[uids[1].parse().unwrap(), uids[2].parse().unwrap()],
    );
    assert_eq!(list("&inPlaylist=false&kind=embed").await, "one_b,One 100%");
    let path = format!("/v1/content?orgId={}", app.org.uid);
    leader.get(&format!("{path}&kind=tune")).await.expect(400);
    leader.get(&format!("{path}&startAfter=x")).await.expect(400);
    app.http.settle().await;
}

#[tokio::test]
async fn content_in_a_playlist_cannot_be_deleted() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = create_video(&app, "A").await;
    let playlist = PlaylistId::from_u128(5);
    app.fake_playlists.set(playlist, Privacy::Private, &[uid.parse().unwrap()]);
    let path = format!("/v1/content/{uid}");
    let refused = leader.delete(&path).await;
    refused.expect_error(409, "Failed to delete content. Make sure it has been removed from all playlists.");
    assert_eq!(refused.json()["fields"], json!({"playlists": playlist.to_string()}));
    app.fake_playlists.set(playlist, Privacy::Private, &[]);
    leader.delete(&path).await.expect(204);
    leader.get(&path).await.expect(404);
    app.http.settle().await;
}

#[tokio::test]
async fn titles_are_found_whatever_the_case_of_their_letters() {
    let app = test_app().await;
    let leader = app.leader().await;
    let video = |title: &str| json!({"content": {"title": title, "url": "https://youtu.be/x"}, "orgId": app.org.uid, "file": null});
    let made = leader.post("/v1/content", video("Über den Ärmelkanal")).await.expect(201);
    let path = format!("/v1/content?orgId={}&search=", app.org.uid);
    let found = async |search: &str| {
        leader.get(&format!("{path}{search}")).await.expect(200)["data"].as_array().unwrap().len()
    };
    for search in ["%C3%9CBER", "%C3%BCber", "%C3%A4RMEL", "den"] {
        assert_eq!(found(search).await, 1, "{search}");
    }
    let change = json!({"content": {"title": "ÉTÉ 100%"}});
    leader.patch(&format!("/v1/content/{}", made["uid"].as_str().unwrap()), change).await.expect(200);
    assert_eq!((found("%C3%A9t%C3%A9").await, found("%C3%BCber").await, found("0%25").await), (1, 0, 1));
    app.http.settle().await;
}

#[tokio::test]
async fn the_second_of_two_editors_gets_a_conflict() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = create_video(&app, "A").await;
    let path = format!("/v1/content/{uid}");
    let seen = app.content(&leader, &uid).await["timeModified"].clone();
    let edit = |title: &str| json!({"content": {"title": title, "timeModified": seen}});
    // The clock is fixed: even two changes within one millisecond have different times.
    leader.patch(&path, edit("Mine")).await.expect(200);
    let refused = leader.patch(&path, edit("Yours")).await;
    refused.expect_error(409, "Someone else changed this content. Reload to see the latest version.");
    assert_eq!(refused.json()["code"], "content_changed");
    let now = app.content(&leader, &uid).await;
    assert_eq!(now["title"], "Mine");
    let again = json!({"content": {"title": "Yours", "timeModified": now["timeModified"]}});
    leader.patch(&path, again).await.expect(200);
    let odd = json!({"content": {"title": "T", "timeModified": "yesterday"}});
    leader.patch(&path, odd).await.expect_error(400, "timeModified must be an ISO 8601 time.");
    assert_eq!(leader.patch(&path, json!({"content": {"title": "Last"}})).await.expect(200)["title"], "Last");
    app.http.settle().await;
}

#[tokio::test]
async fn the_export_of_a_person_names_the_items_that_the_person_may_see() {
    let app = test_app().await;
    let (leader, user) = (app.leader().await, app.user().await);
    let stranger = app.http.person("stranger@example.com").await;
    let draft = app.announce(&leader, file("a.mp4", MP4, &mp4(1_000))).await.expect(201);
    let mut items = vec![draft["uid"].as_str().unwrap().to_owned()];
    for title in ["shown", "private", "deleted", "expired", "to come", "in a private playlist", "in none"] {
        items.push(create_video(&app, title).await);
    }
    for (item, fields) in [
        (2, json!({ "privacy": "private" })),
        (4, json!({ "expireAt": "2020-01-01T00:00:00Z" })),
        (5, json!({ "publishAt": "2099-01-01T00:00:00Z" })),
    ] {
        leader.patch(&format!("/v1/content/{}", items[item]), json!({ "content": fields })).await.expect(200);
    }
    leader.delete(&format!("/v1/content/{}", items[3])).await;
    let all: Vec<ContentId> = items.iter().map(|uid| uid.parse().unwrap()).collect();
    app.fake_playlists.set(PlaylistId::from_u128(1), Privacy::Unlisted, &all[..6]);
    app.fake_playlists.set(PlaylistId::from_u128(2), Privacy::Private, &all[6..7]);

    let ids: Vec<_> = all.iter().map(|id| id.uid()).collect();
    let deps = &app.http.deps;
    let export = UploaderErasure::new(deps.ambient.clone(), app.fake_playlists.clone());
    let named = async |person: PersonId| {
        let titles = export.titles(deps.db.read(), app.org.uid, person, &ids).await.unwrap();
        let mut titles: Vec<Value> = titles.into_iter().map(|one| one["title"].clone()).collect();
        titles.sort_by_key(ToString::to_string);
        titles
    };
    assert_eq!(named(user.uid()).await, ["shown"]);
    let rest = ["expired", "in a private playlist", "in none", "private", "shown", "to come"];
    assert_eq!(named(leader.uid()).await[1..], rest, "staff see drafts as well");
    assert_eq!(named(stranger.uid()).await, Vec::<Value>::new());
    app.http.settle().await;
}

#[tokio::test]
async fn the_export_of_a_former_staff_member_has_no_titles_that_only_staff_see() {
    let app = test_app().await;
    let leader = app.leader().await;
    let shown = create_video(&app, "shown").await;
    let hidden = create_video(&app, "hidden").await;
    app.fake_playlists.set(PlaylistId::from_u128(1), Privacy::Public, &[shown.parse().unwrap()]);
    let deps = &app.http.deps;
    let export = UploaderErasure::new(deps.ambient.clone(), app.fake_playlists.clone());
    let created = async || {
        let all = export.export(deps.db.read(), leader.uid()).await.unwrap().remove(0).1;
        let mut all: Vec<Value> = all.as_array().unwrap().iter().map(|one| one["title"].clone()).collect();
        all.sort_by_key(ToString::to_string);
        all
    };
    assert_eq!(created().await, ["hidden", "shown"]);
    let tx = deps.db.write_tx().await.unwrap();
    deps.orgs.appoint(&tx, app.org.uid, leader.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(created().await, [json!("shown"), Value::Null], "{hidden}");
    app.http.settle().await;
}
