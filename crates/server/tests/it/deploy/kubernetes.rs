//! The manifests for Kubernetes.

use super::*;

const FOLDER: &str = "deploy/kubernetes";

/// Returns all objects of a kind.
fn objects(kind: &str) -> Vec<Value> {
    let documents = files(FOLDER).iter().flat_map(|path| yaml(path)).collect::<Vec<_>>();
    let named =
        |document: &Value| document["apiVersion"].is_string() && document["metadata"]["name"].is_string();
    assert!(documents.iter().all(named));
    documents.into_iter().filter(|document| document["kind"] == kind).collect()
}

fn names(values: &Value) -> BTreeSet<String> {
    list(values).into_iter().map(|value| text(&value["name"])).collect()
}

/// Returns whether an object with these labels is selected.
fn selects(selector: &Value, labels: &Value) -> bool {
    let (selector, labels) = (fields(selector), fields(labels));
    !selector.is_empty() && selector.iter().all(|(name, value)| labels.get(name) == Some(value))
}

#[test]
fn the_settings_are_accepted_with_the_secrets_as_files() {
    let folder = tempfile::tempdir().unwrap();
    let secrets = new_secrets(folder.path());
    let settings = objects("ConfigMap");
    let variables = fields(&settings[0]["data"]);
    let mount = "/etc/vitrine/secrets/";
    let paths = variables.values().filter(|value| value.starts_with(mount)).count();
    assert_eq!(paths, 5);
    let settings = check(&with_secrets(&variables, mount, &secrets)).unwrap();
    for deployment in objects("Deployment") {
        let pod = &deployment["spec"]["template"]["spec"];
        let grace = pod["terminationGracePeriodSeconds"].as_u64().unwrap();
        assert!(grace > settings.server.drain_seconds + settings.server.grace_seconds);
    }
}

#[test]
fn deployments_run_confined_with_probes_on_their_ports() {
    let deployments = objects("Deployment");
    assert_eq!(deployments.len(), 2);
    for deployment in &deployments {
        let name = text(&deployment["metadata"]["name"]);
        let spec = &deployment["spec"];
        let pod = &spec["template"]["spec"];
        assert!(selects(&spec["selector"]["matchLabels"], &spec["template"]["metadata"]["labels"]), "{name}");
        assert_eq!(pod["enableServiceLinks"], false, "{name}");
        assert_eq!(pod["automountServiceAccountToken"], false, "{name}");
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true, "{name}");
        assert_eq!(text(&pod["securityContext"]["runAsUser"]), "10001", "{name}");
        let container = &pod["containers"][0];
        let security = &container["securityContext"];
        assert_eq!(security["readOnlyRootFilesystem"], true, "{name}");
        assert_eq!(security["allowPrivilegeEscalation"], false, "{name}");
        assert_eq!(security["capabilities"]["drop"][0], "ALL", "{name}");
        assert_command(&list(&container["args"]).into_iter().map(text).collect::<Vec<_>>());
        let settings = &objects("ConfigMap")[0]["metadata"]["name"];
        assert_eq!(&container["envFrom"][0]["configMapRef"]["name"], settings, "{name}");
        assert_eq!(names(&container["volumeMounts"]), names(&pod["volumes"]), "{name}");
        let mounts = list(&container["volumeMounts"]).into_iter();
        let mounts: BTreeSet<String> = mounts.map(|mount| text(&mount["mountPath"])).collect();
        // The only folders that the program writes to, and the one with the secrets.
        let expected = ["/var/lib/vitrine", "/tmp", "/etc/vitrine/secrets"].map(str::to_owned);
        assert_eq!(mounts, BTreeSet::from(expected), "{name}");
        let ports = names(&container["ports"]);
        for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
            let Some(get) = container.get(probe).map(|probe| &probe["httpGet"]) else { continue };
            assert!(ports.contains(&text(&get["port"])), "{name}: {probe}");
            let path = if probe == "readinessProbe" { "/readyz" } else { "/healthz" };
            assert_eq!(get["path"], path, "{name}: {probe}");
        }
    }
    let is_asked = |deployment: &Value| {
        deployment["spec"]["template"]["spec"]["containers"][0].get("readinessProbe").is_some()
    };
    let asked: Vec<&Value> = deployments.iter().filter(|deployment| is_asked(deployment)).collect();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0]["metadata"]["name"], "vitrine-server");
}

#[test]
fn requests_reach_the_servers_only() {
    let deployments = objects("Deployment");
    let services = objects("Service");
    let selected = |deployment: &&Value| {
        selects(&services[0]["spec"]["selector"], &deployment["spec"]["template"]["metadata"]["labels"])
    };
    let reached: Vec<&Value> = deployments.iter().filter(selected).collect();
    assert_eq!(reached.len(), 1);
    assert_eq!(reached[0]["metadata"]["name"], "vitrine-server");
    let port = &services[0]["spec"]["ports"][0];
    let ports = names(&reached[0]["spec"]["template"]["spec"]["containers"][0]["ports"]);
    assert!(ports.contains(&text(&port["targetPort"])));
    let ingress = &objects("Ingress")[0]["spec"];
    let backend = &ingress["rules"][0]["http"]["paths"][0]["backend"]["service"];
    assert_eq!(backend["name"], services[0]["metadata"]["name"]);
    assert_eq!(backend["port"]["name"], port["name"]);
    let host = text(&ingress["rules"][0]["host"]);
    let public_url = &objects("ConfigMap")[0]["data"]["VITRINE_PUBLIC_URL"];
    assert_eq!(text(public_url), format!("https://{host}"));
    let budget = &objects("PodDisruptionBudget")[0]["spec"]["selector"]["matchLabels"];
    assert!(selects(budget, &reached[0]["spec"]["template"]["metadata"]["labels"]));
}
