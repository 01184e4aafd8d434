//! The page in a real browser and in real time: it follows a run that goes on, and plays where pictures are dear.

use crate::common::{self, browser, results, tab::Tab};
use std::time::Duration;
use stickslip_io::results::Writer;
use stickslip_view::{Budget, live, page};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn the_clock_follows_the_run_until_somebody_looks_back() {
    let Some(chromium) = browser::chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vtkhdf");
    let mut writer = Writer::create(&path, &results::info()).unwrap();
    let mut append = |k: usize| writer.append(&results::frame(k)).unwrap();
    (0..3).for_each(&mut append);
    let address = live::serve(&path, 0).unwrap();
    let mut tab = Tab::open(&chromium, &format!("http://{address}/"), (900, 700));
    let clock = |text: &str| format!("document.getElementById('clock')?.textContent === '{text}'");
    // frames are a tenth of a second apart: the third is at 0.2 s
    tab.wait(&clock("0.2 s · 3/3"), LONG);
    (3..6).for_each(&mut append);
    tab.wait(&clock("0.5 s · 6/6"), LONG);
    assert_eq!(tab.evaluate("[+$('slider').max, +$('slider').value]"), serde_json::json!([5, 5]));
    assert!(tab.evaluate("viewer.plots.length > 0 && viewer.plots.every(p => p.t[1] === 0.5)") == true);
    // who looks at the second frame keeps looking at it
    tab.evaluate("viewer.seek(1)");
    (6..9).for_each(&mut append);
    tab.wait(&clock("0.1 s · 2/9"), LONG);
    assert_eq!(tab.evaluate("+$('slider').max"), 8);
    // who plays goes on through frames that came meanwhile
    tab.evaluate("viewer.rate = 1, viewer.play()");
    tab.wait("!viewer.playing", LONG);
    tab.wait(&clock("0.8 s · 9/9"), LONG);
    append(9);
    writer.finish().unwrap();
    tab.wait(&clock("0.9 s · 10/10"), LONG);
    tab.wait("$('facts').textContent.endsWith('finished')", LONG);
    assert_eq!(tab.evaluate("selfcheckErrors"), serde_json::json!([]));
}

#[test]
fn shadows_wait_where_pictures_come_late() {
    let Some(chromium) = browser::chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("balls.html");
    page::write(&common::balls(), &Budget::default(), &mut std::fs::File::create(&path).unwrap()).unwrap();
    let mut tab = Tab::open(&chromium, &format!("file://{}", path.display()), (320, 240));
    tab.wait("window.viewer?.film.frames.length === 100", LONG);
    let mut play = |apart: u32| {
        // a clock of its own: the test tells how late pictures are
        tab.evaluate(&format!(
            "(() => {{ viewer.seek(0); viewer.rate = 1e-3; viewer.play();
                for (let k = 0; k < 12; k++) viewer.tick({apart} * k);
                const playing = viewer.drawing.shadows;
                viewer.pause();
                return [playing, viewer.drawing.shadows]; }})()"
        ))
    };
    assert_eq!(play(33), serde_json::json!([true, true]));
    assert_eq!(play(100), serde_json::json!([false, true]));
}
