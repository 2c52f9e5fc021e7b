//! A real server, a real socket.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_lacre-server");

/// A running server; killed when dropped.
pub struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub address: String,
    /// Where it is measured, where that is elsewhere.
    pub metrics_address: Option<String>,
    said: Mutex<mpsc::Receiver<String>>,
    log: Mutex<mpsc::Receiver<String>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("the body is text")
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.body)))
    }
}

impl Server {
    /// Starts the server with these arguments on a port of its own, and waits until it is ready.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_unready(arguments).when_ready()
    }

    fn when_ready(self) -> Self {
        for _ in 0..600 {
            if self.get("/readyz", &[]).status == 200 {
                return self;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("the server did not get ready");
    }

    /// Starts the server, and waits until it listens.
    pub fn start_unready(arguments: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(["--listen", "127.0.0.1:0"]).args(arguments);
        Self::spawn(command)
    }

    /// Starts the server so that none of its files can become longer than so many kilobytes, as on a disk that is full.
    pub fn start_limited(kilobytes: u64, arguments: &[&str]) -> Self {
        let mut command = Command::new("bash");
        // Who ignores the signal is told by an error.
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, PROGRAM, "--listen", "127.0.0.1:0"]).args(arguments);
        Self::spawn(command).when_ready()
    }

    fn spawn(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let lines = |stream: Box<dyn std::io::Read + Send>| {
            let (sender, receiver) = mpsc::channel();
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        // Nobody reads any more; the server must not stop at a full pipe.
                        continue;
                    }
                }
            });
            receiver
        };
        let said = lines(Box::new(child.stdout.take().expect("it is piped")));
        let log = lines(Box::new(child.stderr.take().expect("it is piped")));
        let (address, metrics_address) = loop {
            let line = log.recv_timeout(Duration::from_secs(60)).expect("the server says where it listens");
            let read = serde_json::from_str::<serde_json::Value>(&line);
            let entry = read.unwrap_or_else(|_| panic!("the server said: {line}"));
            if entry["message"] == "listening" {
                let at = |name: &str| entry[name].as_str().map(str::to_owned);
                break (at("address").expect("an address"), at("metrics_address"));
            }
        };
        Self { child, address, metrics_address, said: Mutex::new(said), log: Mutex::new(log) }
    }

    /// The same process at another of its addresses: the answer to a GET.
    pub fn get_at(&self, address: &str, path: &str) -> Answer {
        let mut stream = TcpStream::connect(address).expect("the server accepts");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("the server reads");
        read(&mut stream)
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("GET", path, headers, b"")
    }

    pub fn post(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.send("POST", path, headers, body)
    }

    /// Sends a request byte by byte as written here, and reads the whole answer.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if method != "GET" {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        let mut request = (head + "\r\n").into_bytes();
        request.extend_from_slice(body);
        self.raw(&request)
    }

    /// Sends these bytes and reads the whole answer.
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("the server accepts");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a time-out is not zero");
        // A server that refuses early may close before everything is sent.
        let _ = stream.write_all(request);
        read(&mut stream)
    }

    /// Starts a demonstration with these arguments, and gives its token.
    pub fn demo(arguments: &[&str]) -> (Self, String) {
        Self::start(&[&["--demo"], arguments].concat()).with_token()
    }

    /// The demonstration, and the token that it said.
    pub fn with_token(self) -> (Self, String) {
        let server = self;
        let said = server.said.lock().expect("one reads at a time").recv_timeout(Duration::from_secs(10));
        let line = said.expect("a demonstration says how to reach it");
        let token = line.split_once(" TOKEN=").unwrap_or_else(|| panic!("no token: {line}")).1.to_owned();
        (server, token)
    }

    /// The log's next entry with this message, and what came before it.
    pub fn logged(&self, message: &str) -> serde_json::Value {
        let log = self.log.lock().expect("one reads at a time");
        loop {
            let line = log.recv_timeout(Duration::from_secs(30)).expect("the server logs it");
            let entry: serde_json::Value = serde_json::from_str(&line).expect("every line is JSON");
            if entry["message"] == message {
                return entry;
            }
        }
    }

    /// Tells the server to stop, as systemd does; its exit status.
    pub fn terminate(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill is there").success());
        self.child.wait().expect("the server ends").code()
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer up to its end: by its length, else to the end of the connection.
pub fn read(stream: &mut TcpStream) -> Answer {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a status line");
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.unwrap_or_else(|| panic!("no status line: {line:?}"));
    let mut headers = vec![];
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a header");
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_owned(), value.to_owned()));
    }
    let mut answer = Answer { status, headers, body: vec![] };
    match answer.header("content-length").and_then(|length| length.parse().ok()) {
        Some(length) => {
            answer.body = vec![0; length];
            reader.read_exact(&mut answer.body).expect("the whole body");
        }
        None => {
            reader.read_to_end(&mut answer.body).expect("the whole body");
        }
    }
    answer
}

pub fn example(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(ROOT).join("examples/documents").join(name)).expect("the example is there")
}
