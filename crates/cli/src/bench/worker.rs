//! A process that solves, at the other end of a pipe: it may crash or hang, and nothing more comes of it.
//!
//! A job is one line of JSON to its standard input. The answer is any number of lines `{"begin": S}`, which allow it S
//! seconds of wall time until the next line, and one line `{"done": ...}` or `{"refused": "why"}`.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Seconds of wall time for a worker to start and to read its file.
const PATIENCE: f64 = 180.0;

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// A timed solve begins; it may take this many seconds of wall time.
    Begin(f64),
    /// The answer.
    Done(Answer),
    /// The job cannot be done.
    Refused(String),
}

/// An answer, before anyone has judged it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer {
    /// CPU seconds of every repetition.
    pub seconds: Vec<f64>,
    /// The setup's part of the fastest repetition.
    pub setup: Option<f64>,
    /// Iterations as the solver counts them.
    pub iterations: u64,
    /// Whether the solver says that it converged.
    pub claimed: bool,
    /// Whether the solver says that it does not take this problem.
    #[serde(default)]
    pub unsupported: bool,
    /// What else it says.
    pub note: String,
    /// Impulses, flat; none where they are not all numbers.
    pub r: Option<Vec<f64>>,
}

/// How a job ended.
#[derive(Debug)]
pub enum Ending {
    /// With an answer.
    Answered(Answer),
    /// Out of time; the process is gone.
    Timeout,
    /// The process died by itself.
    Crashed(String),
    /// It said no.
    Refused(String),
}

/// A worker and the way to start it again.
pub struct Worker {
    start: Box<dyn Fn() -> Command + Send>,
    running: Option<Running>,
}

struct Running {
    child: Child,
    jobs: ChildStdin,
    words: Receiver<String>,
}

impl Worker {
    /// A worker that is started with the first job.
    pub fn new(start: impl Fn() -> Command + Send + 'static) -> Self {
        Self { start: Box::new(start), running: None }
    }

    /// Has a job done.
    pub fn ask(&mut self, job: &impl Serialize) -> Result<Ending> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&mut (self.start)())?,
        };
        let line = serde_json::to_string(job)? + "\n";
        if running.jobs.write_all(line.as_bytes()).and_then(|()| running.jobs.flush()).is_err() {
            return Ok(running.died());
        }
        let mut allowed = PATIENCE;
        loop {
            let word = match running.words.recv_timeout(Duration::from_secs_f64(allowed)) {
                Ok(word) => word,
                Err(RecvTimeoutError::Timeout) => {
                    running.end();
                    return Ok(Ending::Timeout);
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(running.died()),
            };
            let ending = match serde_json::from_str(&word) {
                Ok(Word::Begin(seconds)) => {
                    allowed = seconds.clamp(0.0, 1e6);
                    continue;
                }
                Ok(Word::Done(answer)) => Ending::Answered(answer),
                Ok(Word::Refused(why)) => Ending::Refused(why),
                Err(e) => {
                    running.end();
                    return Ok(Ending::Crashed(format!("it said what is no answer: {e}")));
                }
            };
            self.running = Some(running);
            return Ok(ending);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}

impl Running {
    fn start(command: &mut Command) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
        let jobs = child.stdin.take().context("a worker without input")?;
        let out = child.stdout.take().context("a worker without output")?;
        let (send, words) = channel();
        // ends with the pipe
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, jobs, words })
    }

    /// Ends the process and waits for it.
    fn end(mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }

    /// The process closed its pipe: reads from its last sign whether its time was up.
    fn died(mut self) -> Ending {
        match self.child.wait() {
            Ok(status) if out_of_time(&status) => Ending::Timeout,
            Ok(status) => Ending::Crashed(format!("the process ended: {status}")),
            Err(e) => Ending::Crashed(e.to_string()),
        }
    }
}

/// The sign of a process whose CPU timer rang: SIGPROF.
#[cfg(unix)]
fn out_of_time(status: &ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(27)
}

#[cfg(not(unix))]
fn out_of_time(_: &ExitStatus) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &'static str) -> Worker {
        Worker::new(move || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        })
    }

    #[test]
    fn a_crash_a_hang_and_nonsense_are_endings() {
        assert!(matches!(shell("read x; exit 3").ask(&1).unwrap(), Ending::Crashed(_)));
        assert!(matches!(shell("read x; kill -SEGV $$").ask(&1).unwrap(), Ending::Crashed(_)));
        assert!(matches!(shell("read x; kill -PROF $$").ask(&1).unwrap(), Ending::Timeout));
        assert!(matches!(shell("read x; echo '{\"begin\":0.05}'; sleep 20").ask(&1).unwrap(), Ending::Timeout));
        assert!(matches!(shell("read x; echo hello; read x").ask(&1).unwrap(), Ending::Crashed(_)));
        assert!(Worker::new(|| Command::new("/no/such/program")).ask(&1).is_err());
    }

    #[test]
    fn a_worker_that_died_is_started_again() {
        let mut worker = shell("read x; echo '{\"refused\":\"no\"}'; read y; exit 1");
        assert!(matches!(worker.ask(&1).unwrap(), Ending::Refused(_)));
        assert!(matches!(worker.ask(&1).unwrap(), Ending::Crashed(_)));
        assert!(matches!(worker.ask(&1).unwrap(), Ending::Refused(_)));
    }
}
