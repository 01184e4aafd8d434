//! A page in a headless Chromium that goes on while a test looks at it: real time, and questions as JavaScript.

use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A tab, driven by the DevTools protocol over two pipes.
pub struct Tab {
    browser: Child,
    to: File,
    from: BufReader<File>,
    session: Option<String>,
    calls: u64,
    _folder: tempfile::TempDir,
}

impl Tab {
    /// Opens an address in a window of this size.
    pub fn open(browser: &str, address: &str, size: (u32, u32)) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the profile");
        let pipe = |name: &str| {
            let path = folder.path().join(name);
            assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
            path
        };
        let (to, from) = (pipe("to"), pipe("from"));
        // the protocol is spoken over descriptors 3 and 4, which a shell can open
        let browser = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<\"$TO\" 4>\"$FROM\"", browser])
            .args(super::browser::FLAGS)
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("--window-size={},{}", size.0, size.1))
            .arg("about:blank")
            .envs([("TO", &to), ("FROM", &from)])
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let to = OpenOptions::new().write(true).open(to).unwrap();
        let from = BufReader::new(File::open(from).unwrap());
        let mut tab = Self { browser, to, from, session: None, calls: 0, _folder: folder };
        let target = tab.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let session = tab.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        tab.session = session["sessionId"].as_str().map(String::from);
        tab.call("Page.navigate", json!({ "url": address }));
        tab
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        write!(self.to, "{message}\0").expect("the browser listens");
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).expect("the browser answers");
            assert_eq!(answer.pop(), Some(0), "the browser has ended");
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            // what is no answer is an event
            if answer["id"] == json!(self.calls) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression; a promise is waited for.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str, longest: Duration) {
        let began = Instant::now();
        while self.evaluate(expression) != json!(true) {
            assert!(began.elapsed() < longest, "never came true: {expression}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        _ = self.browser.kill();
        _ = self.browser.wait();
    }
}
