//! nginx with sendfile on one core, serving one file or one folder.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::BoxError;
use crate::process::Cores;

/// A running nginx, killed on drop.
pub struct Nginx {
    address: SocketAddr,
    child: Child,
}

impl Nginx {
    /// Starts nginx, serving a file at `/file`, or the content of a folder below `/file/`.
    pub async fn start(folder: &Path, served: &Path) -> Result<Self, BoxError> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let root = folder.join(format!("nginx-{}", address.port()));
        std::fs::create_dir(&root)?;
        let config = root.join("nginx.conf");
        std::fs::write(&config, text(&root, address, served))?;
        // A single process, so that its processor time is the total.
        let child = Command::new("taskset")
            .args(["-c", Cores::Server.list(), "nginx", "-p"])
            .arg(&root)
            .arg("-e")
            .arg(root.join("error.log"))
            .arg("-c")
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let nginx = Self { address, child };
        for _ in 0..100 {
            if TcpStream::connect(address).is_ok() {
                return Ok(nginx);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let log = std::fs::read_to_string(root.join("error.log")).unwrap_or_default();
        Err(format!("nginx did not start: {log}").into())
    }

    /// Returns the absolute URL of a path.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the id of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Both fail if it has already exited, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(root: &Path, address: SocketAddr, served: &Path) -> String {
    let location = if served.is_dir() {
        format!("location /file/ {{ alias {}/; }}", served.display())
    } else {
        format!("location = /file {{ alias {}; }}", served.display())
    };
    let root = root.display();
    format!(
        "daemon off;
master_process off;
pid {root}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  client_body_temp_path {root}/body;
  proxy_temp_path {root}/proxy;
  fastcgi_temp_path {root}/fastcgi;
  uwsgi_temp_path {root}/uwsgi;
  scgi_temp_path {root}/scgi;
  server {{
    listen {address};
    {location}
  }}
}}
"
    )
}
