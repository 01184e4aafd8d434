//! A run watched while it goes on: the page, served on the loopback and to nobody else.

use crate::{ResultFile, ViewError, page};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

/// The longest request that is read.
const LONGEST: usize = 8192;

/// Shown until there is a frame.
const WAITING: &str = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"1\">\
                       <title>stickslip</title><p>The run has not written a frame yet.</p>";

/// Serves the page of a results file that is being written, from a thread that lives as long as the program.
/// Binds to 127.0.0.1 only; port 0 lets the system choose. Returns the address.
///
/// # Errors
/// When the port is taken.
pub fn serve(result: &Path, port: u16) -> Result<SocketAddr, ViewError> {
    let cannot = |e: std::io::Error| ViewError::Result(format!("cannot listen on 127.0.0.1:{port}: {e}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    let path = result.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // a browser that goes away in the middle is its own affair
            _ = answer(stream, &path, address);
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, path: &Path, address: SocketAddr) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    stream.set_write_timeout(Some(Duration::from_secs(20)))?;
    let request = read_head(&mut stream)?;
    let (status, kind, body) = respond(&request, path, address);
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// The lines of a request up to the empty one.
fn read_head(stream: &mut TcpStream) -> std::io::Result<String> {
    let (mut bytes, mut part) = (Vec::new(), [0; 1024]);
    while !bytes.windows(4).any(|w| w == b"\r\n\r\n") && bytes.len() < LONGEST {
        match stream.read(&mut part)? {
            0 => break,
            n => bytes.extend_from_slice(&part[..n]),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

type Answer = (&'static str, &'static str, String);

fn respond(request: &str, path: &Path, address: SocketAddr) -> Answer {
    let mut words = request.lines().next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    // a page of another site that made its name point here is not ours
    let host = request.lines().find_map(|l| l.split_once(':').filter(|h| h.0.eq_ignore_ascii_case("host")));
    let ours = [format!("127.0.0.1:{}", address.port()), format!("localhost:{}", address.port())];
    if !host.is_some_and(|h| ours.contains(&h.1.trim().to_owned())) {
        return ("403 Forbidden", "text/plain", "this page is for this machine only\n".into());
    }
    if method != "GET" {
        return ("405 Method Not Allowed", "text/plain", "only GET\n".into());
    }
    if target == "/" {
        return match ResultFile::open(path).and_then(|r| page::live::page(&r)) {
            Ok(html) => ("200 OK", "text/html", html),
            Err(_) => ("200 OK", "text/html", WAITING.into()),
        };
    }
    let from = target.strip_prefix("/frames?from=").and_then(|n| n.parse::<usize>().ok());
    let Some(from) = from else { return ("404 Not Found", "text/plain", "nothing here\n".into()) };
    match ResultFile::open(path).and_then(|r| page::live::frames(&r, from, r.finished())) {
        Ok(json) => ("200 OK", "application/json", json),
        Err(e) => ("500 Internal Server Error", "text/plain", e.to_string()),
    }
}
