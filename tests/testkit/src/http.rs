//! A web server on the loopback address, as good or as bad as a test wants it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What was asked.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// What is answered.
pub enum Reply {
    /// Status, headers, body.
    Whole(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Nothing, until the client goes away.
    Silence,
    /// Bytes without an end.
    Endless,
    /// One byte a while.
    Trickle(Duration),
    /// The connection is closed.
    Hangup,
}

impl Reply {
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::Whole(200, vec![], body.into())
    }

    pub fn status(status: u16) -> Self {
        Self::Whole(status, vec![], vec![])
    }

    pub fn redirect(to: impl Into<String>) -> Self {
        Self::Whole(302, vec![("Location", to.into())], vec![])
    }
}

/// A server that runs until the test ends.
pub struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let asked = Arc::new(Mutex::new(vec![]));
        let (log, answer) = (Arc::clone(&asked), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Self { port, asked }
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address())
    }

    /// Everything that was asked so far.
    pub fn asked(&self) -> Vec<Request> {
        self.asked.lock().expect("no thread panics with the lock").clone()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<Request>>, answer: &dyn Fn(&Request) -> Reply) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream can be cloned"));
    let mut out = stream;
    while let Some(request) = read(&mut reader) {
        log.lock().expect("no thread panics with the lock").push(request.clone());
        if write(&mut out, answer(&request)).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let line = |reader: &mut BufReader<TcpStream>| {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
        Some(line.trim_end().to_owned())
    };
    let first = line(reader)?;
    let mut parts = first.split(' ');
    let (method, path) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let mut headers = vec![];
    loop {
        let text = line(reader)?;
        let Some((name, value)) = text.split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { method, path, headers, body: vec![] };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    request.body = vec![0; length];
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}

fn write(out: &mut TcpStream, reply: Reply) -> std::io::Result<()> {
    match reply {
        Reply::Whole(status, headers, body) => {
            let mut head = format!("HTTP/1.1 {status} Status\r\nContent-Length: {}\r\n", body.len());
            headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
            out.write_all(format!("{head}\r\n").as_bytes())?;
            out.write_all(&body)
        }
        Reply::Silence => {
            thread::sleep(Duration::from_secs(30));
            Err(std::io::ErrorKind::TimedOut.into())
        }
        Reply::Endless => {
            out.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
            loop {
                out.write_all(b"10000\r\n")?;
                out.write_all(&[b'x'; 0x10000])?;
                out.write_all(b"\r\n")?;
            }
        }
        Reply::Trickle(pause) => {
            out.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")?;
            loop {
                out.write_all(b"x")?;
                thread::sleep(pause);
            }
        }
        Reply::Hangup => Err(std::io::ErrorKind::ConnectionReset.into()),
    }
}
