//! A PostgreSQL server of a test's own, in a folder for temporary files; gone with the value.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that listens in its folder only.
pub struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    process: Option<Child>,
    /// Whether it waits for the disk, as it does by default.
    fsync: bool,
    /// Where it listens for TLS, too; its certificate is `server.crt` in its folder.
    encrypted: Option<u16>,
}

impl Server {
    /// Starts one that does not wait for the disk.
    pub fn start() -> Self {
        Self::begin(false)
    }

    /// Starts one with the settings that it has by default.
    pub fn start_durable() -> Self {
        Self::begin(true)
    }

    /// Starts one that listens on `localhost`, too, with a certificate for that name; the file that it is in.
    pub fn start_encrypted() -> (Self, PathBuf) {
        let mut server = Self::start();
        server.stop();
        let at = |name: &str| server.folder.path().join(name);
        let settings = "[req]\ndistinguished_name=dn\nx509_extensions=v3\nprompt=no\n[dn]\nCN=localhost\n\
                        [v3]\nsubjectAltName=DNS:localhost\nbasicConstraints=critical,CA:FALSE\n";
        std::fs::write(at("settings"), settings).expect("written");
        let made = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
            .args(["-config", "settings", "-keyout", "server.key", "-out", "server.crt"])
            .current_dir(server.folder.path())
            .output()
            .expect("openssl is installed");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        if is_root() {
            let owner =
                Command::new("chown").args(["postgres:", "server.key"]).current_dir(server.folder.path()).status();
            assert!(owner.expect("chown is there").success());
        }
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("there are ports");
        server.encrypted = Some(free.local_addr().expect("it is bound").port());
        drop(free);
        server.resume();
        let certificate = server.folder.path().join("server.crt");
        (server, certificate)
    }

    /// The URL of a database over TLS.
    pub fn encrypted_url(&self, name: &str) -> String {
        let port = self.encrypted.expect("it was started so");
        format!("postgresql://lacre@localhost:{port}/{name}?sslmode=require")
    }

    fn begin(fsync: bool) -> Self {
        let programs = programs().expect("PostgreSQL is installed (Debian package postgresql)");
        let folder = tempfile::Builder::new().prefix("lacre-pg-").tempdir_in("/tmp").expect("/tmp can be written");
        if is_root() {
            let owner = Command::new("chown").arg("postgres:").arg(folder.path()).status();
            assert!(owner.expect("chown is there").success(), "the package postgresql makes a user postgres");
        }
        let mut server = Self { folder, programs, process: None, fsync, encrypted: None };
        let made = server
            .program("initdb")
            .args(["--auth=trust", "--username=lacre", "--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata"])
            .arg(server.data())
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        server.resume();
        server
    }

    /// Starts the process, and waits until it answers.
    pub fn resume(&mut self) {
        let mut program = self.program("postgres");
        program
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-c", "max_connections=100", "-c", if self.fsync { "fsync=on" } else { "fsync=off" }, "-c"])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        match self.encrypted {
            None => program.arg("listen_addresses="),
            Some(port) => {
                let (certificate, key) = (self.folder.path().join("server.crt"), self.folder.path().join("server.key"));
                program.args(["listen_addresses=localhost", "-c", "ssl=on", "-p", &port.to_string()]);
                program.arg("-c").arg(format!("ssl_cert_file={}", certificate.display()));
                program.arg("-c").arg(format!("ssl_key_file={}", key.display()))
            }
        };
        self.process = Some(program.spawn().expect("postgres runs"));
        let begin = Instant::now();
        while self.sql("postgres", "select 1").is_none() {
            assert!(begin.elapsed() < Duration::from_secs(60), "PostgreSQL does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Ends the process, as a failing machine would.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            // SIGQUIT: at once, with no farewell to its clients.
            let _ = Command::new("kill").args(["-QUIT", &process.id().to_string()]).status();
            let _ = process.wait();
        }
    }

    /// A new database, and its URL.
    pub fn database(&self, name: &str) -> String {
        self.sql("postgres", &format!("create database {name}")).expect("a database can be made");
        self.url(name)
    }

    /// The URL of a database.
    pub fn url(&self, name: &str) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgresql://lacre@{folder}/{name}")
    }

    /// What `psql` prints; `None` where it failed.
    pub fn sql(&self, database: &str, statement: &str) -> Option<String> {
        let done = Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "lacre", "-d", database, "-c", statement])
            .arg("-h")
            .arg(self.folder.path())
            .args(["-p", &self.encrypted.unwrap_or(5432).to_string()])
            .output()
            .ok()?;
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned())
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// PostgreSQL refuses to run as root; and it ends when the test does, however that ends.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        if !is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=QUIT"]).arg(program);
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The folder of the newest version's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let numbered = versions.filter_map(|entry| Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path())));
    let (_, newest) = numbered.max()?;
    Some(newest.join("bin")).filter(|folder| folder.join("initdb").exists())
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    Path::new("/proc/self").metadata().is_ok_and(|process| process.uid() == 0)
}
