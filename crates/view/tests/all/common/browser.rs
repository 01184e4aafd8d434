//! A headless Chromium that opens a page from disk.

use std::path::Path;
use std::process::Command;

/// The browser to use: `STICKSLIP_CHROMIUM`, or one on the path. In CI there must be one.
pub fn chromium() -> Option<String> {
    let given = std::env::var("STICKSLIP_CHROMIUM").ok().into_iter();
    let names = given.chain(["chromium", "chromium-browser", "google-chrome"].map(String::from));
    let works = |name: &String| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success());
    let found = names.into_iter().find(works);
    if found.is_none() {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "CI needs a Chromium (on Debian: install chromium)");
        eprintln!("no Chromium: the page is not tried in a browser");
    }
    found
}

/// No window, no network, no profile but the one that is given; WebGL2 drawn in software.
pub const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-extensions",
    "--disable-background-networking",
];

/// Opens a page with the given flags; returns what it wrote and what it logged.
pub fn open(browser: &str, page: &Path, hash: &str, size: (u32, u32), more: &[String]) -> (String, String) {
    let profile = tempfile::tempdir().expect("a folder for the profile");
    let output = Command::new(browser)
        .args(FLAGS)
        .args(["--enable-logging=stderr", "--virtual-time-budget=20000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={},{}", size.0, size.1))
        .args(more)
        .arg(format!("file://{}{hash}", page.display()))
        .output()
        .expect("the browser starts");
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}
