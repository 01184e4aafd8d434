//! A process that solves, at the other end of a pipe: it may crash or hang, and nothing more comes of it.
//!
//! A job is one line of JSON to its standard input. The answer is any number of lines `{"begin": S}`, which allow it S
//! CPU seconds until the next line, and one line `{"done": ...}` or `{"refused": "why"}`.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Seconds of wall time for a worker to start and to read its file.
const PATIENCE: f64 = 180.0;
/// How often the CPU clock of a worker is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// CPU seconds beyond the limit before a worker is ended: one that ends by itself is only judged.
const GRACE: f64 = 0.25;

/// Wall time a process is given for some CPU time: a busy machine must not make timeouts.
pub fn wall(cpu_seconds: f64) -> f64 {
    8.0 * cpu_seconds + 20.0
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// A timed solve begins; it may take this many CPU seconds.
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
        let mut budget = Budget { began: Instant::now(), wall: PATIENCE, cpu: None };
        loop {
            let word = match running.words.recv_timeout(LOOK) {
                Ok(word) => word,
                Err(RecvTimeoutError::Timeout) if !budget.spent(running.child.id()) => continue,
                Err(RecvTimeoutError::Timeout) => {
                    running.end();
                    return Ok(Ending::Timeout);
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(running.died()),
            };
            let ending = match serde_json::from_str(&word) {
                Ok(Word::Begin(seconds)) => {
                    budget = Budget::of(seconds, running.child.id());
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

    /// The process closed its pipe without being asked to.
    fn died(mut self) -> Ending {
        match self.child.wait() {
            Ok(status) => Ending::Crashed(format!("the process ended: {status}")),
            Err(e) => Ending::Crashed(e.to_string()),
        }
    }
}

/// What a process may take until its next word.
struct Budget {
    began: Instant,
    wall: f64,
    /// Its CPU seconds when it began, and what it may add; none where the system does not tell.
    cpu: Option<(f64, f64)>,
}

impl Budget {
    fn of(seconds: f64, process: u32) -> Self {
        let cpu = cpu_seconds(process).map(|now| (now, seconds + GRACE));
        Self { began: Instant::now(), wall: wall(seconds), cpu }
    }

    fn spent(&self, process: u32) -> bool {
        let cpu = self.cpu.is_some_and(|(start, more)| cpu_seconds(process).is_some_and(|now| now - start > more));
        cpu || self.began.elapsed().as_secs_f64() > self.wall
    }
}

/// CPU seconds of a process, from where Linux tells them; a timer inside it would make its own clock coarse.
fn cpu_seconds(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // the name in parentheses may hold blanks; user and system time are the 12th and 13th words after it
    let mut words = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let ticks: f64 = words.next()?.parse::<f64>().ok()? + words.next()?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
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
        assert!(matches!(shell("read x; echo hello; read x").ask(&1).unwrap(), Ending::Crashed(_)));
        assert!(Worker::new(|| Command::new("/no/such/program")).ask(&1).is_err());
    }

    #[test]
    fn time_runs_out_by_the_cpu_clock_and_by_the_wall_clock() {
        let busy = "read x; echo '{\"begin\":0.1}'; while true; do :; done";
        if cpu_seconds(std::process::id()).is_some() {
            assert!(matches!(shell(busy).ask(&1).unwrap(), Ending::Timeout));
        }
        let mut asleep = Budget { began: Instant::now(), wall: 0.0, cpu: None };
        std::thread::sleep(Duration::from_millis(2));
        assert!(asleep.spent(std::process::id()));
        asleep.wall = 1e3;
        assert!(!asleep.spent(std::process::id()));
    }

    #[test]
    fn a_worker_that_died_is_started_again() {
        let mut worker = shell("read x; echo '{\"refused\":\"no\"}'; read y; exit 1");
        assert!(matches!(worker.ask(&1).unwrap(), Ending::Refused(_)));
        assert!(matches!(worker.ask(&1).unwrap(), Ending::Crashed(_)));
        assert!(matches!(worker.ask(&1).unwrap(), Ending::Refused(_)));
    }
}
