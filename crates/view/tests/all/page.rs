//! The page as text: self-contained, safe, thinned with notice.

use crate::common;

use stickslip_view::{Budget, Movie, ViewError, page};

fn text(movie: &Movie, budget: &Budget) -> (String, page::Written) {
    let mut out = Vec::new();
    let written = page::write(movie, budget, &mut out).unwrap();
    assert_eq!(written.bytes, out.len());
    (String::from_utf8(out).unwrap(), written)
}

#[test]
fn nothing_is_fetched_and_no_place_is_left_to_fill() {
    let (page, written) = text(&common::space_zoo(), &Budget::default());
    assert_eq!((written.frames, written.bodies), (20, 10));
    assert!(written.notices.is_empty());
    assert!(!page.contains("{{"), "a place of the template was left empty");
    // no address of anything, in whatever form
    for word in ["http:", "https:", "src=", "@import", "import(", "url(", "fetch(", "XMLHttpRequest", "WebSocket"] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn names_from_a_file_cannot_become_program() {
    let mut movie = common::plane_zoo();
    movie.info.title = "</title><script>alert(1)</script> {{program}} {{chunks}}".into();
    movie.info.bodies[1].material = "</script><script>alert(2)</script>".into();
    movie.notices.push("<img onerror=alert(3)> {{header}}".into());
    let (page, _) = text(&movie, &Budget::default());
    for word in ["<script>alert", "</script><script>alert", "<img"] {
        assert!(!page.contains(word), "{word}");
    }
    // the program is in it once
    assert_eq!(page.matches("class Viewer").count(), 1);
}

#[test]
fn a_large_result_is_thinned_and_says_so() {
    let movie = common::space_zoo();
    let (page, written) = text(&movie, &Budget { body_frames: 50, least_frames: 3, contacts: 10 });
    assert_eq!((written.frames, written.bodies), (5, 10));
    assert!(page.contains("thinned: 5 of 20 frames are shown"), "{:?}", written.notices);
    let (_, written) = text(&movie, &Budget { body_frames: 21, least_frames: 3, contacts: 10 });
    assert!(written.bodies < 10 && written.notices.len() == 2, "{written:?}");
    let (_, written) = text(&common::wall(), &Budget { contacts: 1000, ..Default::default() });
    assert!(written.notices[0].contains("strongest"), "{written:?}");
}

#[test]
fn nothing_to_show_is_an_error_and_odd_numbers_are_not() {
    let mut movie = common::plane_zoo();
    movie.frames[3].x[2] = [f64::NAN, f64::INFINITY, 0.0];
    movie.frames[4].orientation[2] = [0.0; 4];
    movie.frames[5].v[2] = [f64::NAN; 3];
    // bodies come and go, and one is not known
    movie.frames[6].id[1] = 77;
    let short = &mut movie.frames[7];
    [&mut short.x, &mut short.v, &mut short.omega].into_iter().for_each(|column| column.truncate(2));
    short.id.truncate(2);
    short.orientation.truncate(2);
    text(&movie, &Budget::default());
    movie.frames.clear();
    assert!(matches!(page::write(&movie, &Budget::default(), &mut Vec::new()), Err(ViewError::NoFrames)));
}
