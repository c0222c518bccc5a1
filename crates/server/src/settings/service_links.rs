//! Variables that Kubernetes sets for each service: those of a service named `vitrine` begin as settings do.

/// Returns whether a variable describes a service, such as `VITRINE_PORT=tcp://10.0.0.1:8080`. The name is in
/// lower case, without the prefix.
pub(super) fn is_service_link(name: &str, value: &str) -> bool {
    let is_end = |end: &str| name == end || name.ends_with(&format!("_{end}"));
    let is_url = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    is_end("service_host")
        || is_end("service_port")
        || name.starts_with("service_port_")
        || name.contains("_service_port_")
        || is_end("port") && is_url
        || is_port_detail(name)
}

/// Returns whether a name has the form `[service_]port_8080_tcp[_proto|_port|_addr]`.
fn is_port_detail(name: &str) -> bool {
    let mut words = name.rsplit('_').peekable();
    words.next_if(|word| ["proto", "port", "addr"].contains(word));
    let is_protocol = words.next().is_some_and(|word| ["tcp", "udp", "sctp"].contains(&word));
    let is_number = words.next().is_some_and(|word| word.parse::<u16>().is_ok());
    is_protocol && is_number && words.next() == Some("port")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_of_services_are_ignored() {
        for (name, value) in [
            ("service_host", "10.0.0.1"),
            ("service_port", "8080"),
            ("service_port_http", "8080"),
            ("port", "tcp://10.0.0.1:8080"),
            ("port_8080_tcp", "tcp://10.0.0.1:8080"),
            ("port_8080_tcp_proto", "tcp"),
            ("port_8080_tcp_port", "8080"),
            ("port_8080_tcp_addr", "10.0.0.1"),
            ("postgres_service_host", "10.0.0.2"),
            ("postgres_service_port_sql", "5432"),
            ("postgres_port", "tcp://10.0.0.2:5432"),
            ("postgres_port_5432_tcp_addr", "10.0.0.2"),
        ] {
            assert!(is_service_link(name, value), "{name}");
        }
        for (name, value) in
            [("port", "8080"), ("listen_port", "80"), ("tcp_port", "1"), ("port_tcp", ""), ("service", "x")]
        {
            assert!(!is_service_link(name, value), "{name}");
        }
    }
}
