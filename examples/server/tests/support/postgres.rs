//! A PostgreSQL server of a test's own, in a folder for temporary files; gone with the value.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that listens in its folder only.
pub struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    process: Option<Child>,
}

impl Server {
    /// Starts one; says aloud where it cannot.
    pub fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            eprintln!("SKIPPED: no PostgreSQL server here (Debian: apt-get install postgresql)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("lacre-pg-").tempdir_in("/tmp").expect("/tmp can be written");
        if is_root() {
            let owner = Command::new("chown").arg("postgres:").arg(folder.path()).status();
            assert!(owner.expect("chown is there").success(), "the package postgresql makes a user postgres");
        }
        let mut server = Self { folder, programs, process: None };
        let made = server
            .program("initdb")
            .args(["--auth=trust", "--username=lacre", "--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata"])
            .arg(server.data())
            .output()
            .expect("initdb runs");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        server.resume();
        Some(server)
    }

    /// Starts the process, and waits until it answers.
    pub fn resume(&mut self) {
        let started = self
            .program("postgres")
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=100"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.process = Some(started.expect("postgres runs"));
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
