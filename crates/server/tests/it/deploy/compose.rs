//! The compose files.

use super::*;

/// Returns a number of seconds such as `60s`.
fn seconds(text: &str) -> u64 {
    text.strip_suffix('s').and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{text}"))
}

/// Returns the services of a file that run this program.
fn own_services(file: &Value) -> Vec<(&String, &Value)> {
    let services = file["services"].as_object().unwrap().iter();
    services.filter(|(_, service)| service["build"]["dockerfile"] == "deploy/Containerfile").collect()
}

/// Asserts that everything that a file refers to is declared in it, or is in `deploy/`.
fn assert_complete(path: &str, file: &Value) {
    let services = file["services"].as_object().unwrap();
    for (name, service) in services {
        for volume in list(&service["volumes"]).into_iter().map(text) {
            let source = volume.split(':').next().unwrap();
            match source.strip_prefix("./") {
                Some(file) => assert!(root().join("deploy").join(file).exists(), "{path}: {name}: {source}"),
                None => assert!(file["volumes"].get(source).is_some(), "{path}: {name}: {source}"),
            }
        }
        for secret in list(&service["secrets"]) {
            assert!(file["secrets"].get(text(secret)).is_some(), "{path}: {name}: {secret}");
        }
        for (variable, value) in fields(&service["environment"]) {
            if let Some(secret) = value.strip_prefix("/run/secrets/") {
                let declared = list(&service["secrets"]).into_iter().map(text);
                assert!(declared.into_iter().any(|name| name == secret), "{path}: {name}: {variable}");
            }
        }
        for (other, condition) in service["depends_on"].as_object().into_iter().flatten() {
            let other = services.get(other).unwrap_or_else(|| panic!("{path}: {name}: {other}"));
            // The image of this program has a health check.
            let is_checked = other.get("healthcheck").is_some() || other.get("build").is_some();
            assert!(is_checked || condition["condition"] != "service_healthy", "{path}: {name}");
        }
        assert!(service.get("image").is_some() || service.get("build").is_some(), "{path}: {name}");
    }
}

#[test]
fn the_small_file_is_complete_and_its_settings_are_accepted() {
    let path = "deploy/compose.yaml";
    let file = &yaml(path)[0];
    assert_complete(path, file);
    let own = own_services(file);
    assert_eq!(own.len(), 1);
    assert_eq!(own[0].1["env_file"], "vitrine.env");
    let upstream = text(&file["services"]["caddy"]["environment"]["UPSTREAM"]);
    assert_eq!(upstream, format!("{}:8080", own[0].0));
    let settings = Settings::default();
    let stop = seconds(&text(&own[0].1["stop_grace_period"]));
    assert!(stop > settings.server.drain_seconds + settings.server.grace_seconds);
}

#[test]
fn the_large_file_is_complete_and_its_settings_are_accepted() {
    let path = "deploy/compose.large.yaml";
    let file = &yaml(path)[0];
    assert_complete(path, file);
    let folder = tempfile::tempdir().unwrap();
    let secrets = new_secrets(folder.path());
    for (name, secret) in file["secrets"].as_object().unwrap() {
        assert!(secrets.join(name).is_file(), "new-secrets does not write {name}");
        assert_eq!(text(&secret["file"]), format!("secrets/{name}"));
    }
    let own = own_services(file);
    let names: Vec<&str> = own.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["server-1", "server-2", "worker"]);
    for (name, service) in own {
        let mut variables = env_file("deploy/vitrine.env.example");
        for secret in ["VITRINE_SMTP_URL", "VITRINE_DATABASE_URL"] {
            variables.insert(secret.to_owned(), String::new());
        }
        variables.insert("VITRINE_BILLING".to_owned(), "none".to_owned());
        variables.extend(with_secrets(&fields(&service["environment"]), "/run/secrets/", &secrets));
        let settings = check(&variables).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(settings.database_url().contains("@postgres/"));
        let stop = seconds(&text(&service["stop_grace_period"]));
        assert!(stop > settings.server.drain_seconds + settings.server.grace_seconds, "{name}");
        assert_command(&list(&service["command"]).into_iter().map(text).collect::<Vec<_>>());
    }
}

#[test]
fn the_proxy_and_prometheus_reach_every_process() {
    let file = &yaml("deploy/compose.large.yaml")[0];
    let upstream = text(&file["services"]["caddy"]["environment"]["UPSTREAM"]);
    assert_eq!(upstream, "server-1:8080 server-2:8080");
    let prometheus = &yaml("deploy/observe/prometheus.yaml")[0];
    let job = &prometheus["scrape_configs"][0];
    assert_eq!(job["job_name"], "vitrine");
    let targets: Vec<String> = list(&job["static_configs"][0]["targets"]).into_iter().map(text).collect();
    let expected: Vec<String> = own_services(file).iter().map(|(name, _)| format!("{name}:9090")).collect();
    assert_eq!(targets, expected);
    let rules = text(&prometheus["rule_files"][0]);
    let mounted = list(&file["services"]["prometheus"]["volumes"]).into_iter().map(text);
    assert!(mounted.into_iter().any(|volume| volume == format!("./observe/alerts.yaml:{rules}:ro")));
    let alerts = &yaml("deploy/observe/alerts.yaml")[0];
    assert!(list(&alerts["groups"][0]["rules"]).len() >= 12);
    let source = &yaml("deploy/observe/grafana-datasource.yaml")[0]["datasources"][0];
    assert_eq!(source["url"], "http://prometheus:9090");
    let dashboards = &yaml("deploy/observe/grafana-dashboards.yaml")[0]["providers"][0]["options"]["path"];
    let mounted = list(&file["services"]["grafana"]["volumes"]).into_iter().map(text);
    assert!(mounted.into_iter().any(|volume| volume == format!("./observe/grafana:{}:ro", text(dashboards))));
}
