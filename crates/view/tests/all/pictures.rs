//! Pictures without a browser: what is where, in which colour, the same on every run.

use crate::common;

use stickslip_view::render::{Look, Picture, picture};
use stickslip_view::{Frame, Info, Movie, Survey, ViewError, colour::ColourBy, form::Form, report, survey, svg};

fn surveyed(movie: &Movie) -> Survey {
    survey(movie, &mut (0..movie.frames.len()).collect()).unwrap()
}

fn small() -> Look {
    Look { width: 320, height: 240, legend: false, ..Default::default() }
}

/// Where to look at the pictures of a run: `STICKSLIP_PICTURES` names a folder.
fn keep(name: &str, picture: &Picture) {
    if let Ok(folder) = std::env::var("STICKSLIP_PICTURES") {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(format!("{folder}/{name}.png"), picture.png().unwrap()).unwrap();
    }
}

/// One ball of radius 1 over a floor.
fn ball() -> Movie {
    let bodies = vec![common::body(0, Form::Sphere { r: 1.0 }, false), common::body(1, Form::HalfSpace, true)];
    let frame = Frame {
        id: vec![0, 1],
        x: vec![[0.0; 3], [0.0, 0.0, -1.0]],
        orientation: vec![[1.0, 0.0, 0.0, 0.0]; 2],
        v: vec![[0.0; 3]; 2],
        omega: vec![[0.0; 3]; 2],
        ..Default::default()
    };
    let info = Info { title: "ball".into(), dimension: 3, h: 0.0, bodies };
    Movie { info, frames: vec![frame], ..Default::default() }
}

#[test]
fn a_ball_is_where_it_should_be_and_casts_a_shadow() {
    let movie = ball();
    let survey = surveyed(&movie);
    let p = picture(&movie.info, &movie.frames[0], &survey, &small()).unwrap();
    let blue = |[r, _, b]: [u8; 3]| b > r.saturating_add(15);
    // the ball fills the middle; its silhouette is a circle about it
    let count = (0..240).flat_map(|y| (0..320).map(move |x| (x, y))).filter(|&(x, y)| blue(p.pixel(x, y))).count();
    let distance = survey.camera.distance;
    let radius = 120.0 / (0.5_f64 * survey.camera.angle).to_radians().tan() / (distance * distance - 1.0).sqrt();
    let area = std::f64::consts::PI * radius * radius;
    assert!((count as f64 / area - 1.0).abs() < 0.03, "{count} pixels, {area} expected");
    assert!(blue(p.pixel(160, 120)));
    // light comes from above, a shadow lies below
    let bright = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b);
    assert!(bright(p.pixel(150, 80)) > bright(p.pixel(160, 190)));
    let darkest = |y: usize| {
        let floor: Vec<u32> = (0..320).map(|x| p.pixel(x, y)).filter(|c| !blue(*c)).map(bright).collect();
        floor.iter().max().unwrap_or(&0) - floor.iter().min().unwrap_or(&0)
    };
    assert!((120..240).any(|y| darkest(y) > 90), "no shadow: {:?}", (120..240).map(darkest).max());
}

#[test]
fn the_same_picture_on_every_run_and_in_every_unit() {
    let movie = common::space_zoo();
    let survey = surveyed(&movie);
    let first = picture(&movie.info, &movie.frames[3], &survey, &small()).unwrap();
    assert_eq!(first, picture(&movie.info, &movie.frames[3], &survey, &small()).unwrap());
    // a ball in km looks as one in m, but for rounding
    let (near, mut far) = (ball(), ball());
    far.info.bodies[0] = common::body(0, Form::Sphere { r: 1000.0 }, false);
    far.frames[0].x = far.frames[0].x.iter().map(|x| x.map(|c| 1000.0 * c)).collect();
    let a = picture(&near.info, &near.frames[0], &surveyed(&near), &small()).unwrap();
    let b = picture(&far.info, &far.frames[0], &surveyed(&far), &small()).unwrap();
    let differing = a.rgb.iter().zip(&b.rgb).filter(|(a, b)| a.abs_diff(**b) > 2).count();
    assert!(differing < a.rgb.len() / 1000, "{differing}");
}

#[test]
fn colours_forces_and_themes_change_the_picture() {
    let movie = common::balls();
    let survey = surveyed(&movie);
    let frame = &movie.frames[60];
    let of = |look: Look| picture(&movie.info, frame, &survey, &look).unwrap();
    let looks = [
        small(),
        Look { colour_by: ColourBy::Size, ..small() },
        Look { colour_by: ColourBy::Id, ..small() },
        Look { colour_by: ColourBy::Force, ..small() },
        Look { forces: true, ..small() },
        Look { dark: true, ..small() },
        Look { legend: true, ..small() },
        Look { azimuth: 40.0, ..small() },
    ];
    let pictures: Vec<Picture> = looks.into_iter().map(of).collect();
    for a in 0..pictures.len() {
        for b in 0..a {
            assert_ne!(pictures[a].rgb, pictures[b].rgb, "{a} and {b}");
        }
    }
    let large = Look { width: 1280, height: 960, ..Default::default() };
    if std::env::var("STICKSLIP_PICTURES").is_ok() {
        keep("balls", &of(large));
        keep("balls-forces", &of(Look { forces: true, ..large }));
        for (name, movie, k) in [
            ("wall", common::wall(), 60),
            ("space", common::space_zoo(), 5),
            ("drum", common::drum(), 119),
            ("plane", common::plane_zoo(), 5),
        ] {
            let survey = surveyed(&movie);
            keep(name, &picture(&movie.info, &movie.frames[k], &survey, &large).unwrap());
            std::fs::write(
                format!("{}/{name}.html", std::env::var("STICKSLIP_PICTURES").unwrap()),
                report::html(&movie).unwrap(),
            )
            .unwrap();
        }
    }
}

#[test]
fn a_png_is_read_back_as_it_was() {
    let movie = common::plane_zoo();
    let p = picture(&movie.info, &movie.frames[0], &surveyed(&movie), &small()).unwrap();
    let bytes = p.png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut read = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut read).unwrap();
    assert_eq!((info.width, info.height), (320, 240));
    assert_eq!(read, p.rgb);
    for (width, height) in [(0, 100), (100, 5), (100_000, 100), (16_000, 16_000)] {
        let look = Look { width, height, ..small() };
        let refused = picture(&movie.info, &movie.frames[0], &surveyed(&movie), &look);
        assert!(matches!(refused, Err(ViewError::Size { .. })), "{width} {height}");
    }
}

#[test]
fn a_plane_scene_becomes_vectors() {
    let movie = common::plane_zoo();
    let survey = surveyed(&movie);
    let text = svg::drawing(&movie.info, &movie.frames[0], &survey, &Look::default()).unwrap();
    for (shape, count) in [("<circle", 2), ("<polygon", 4), ("<polyline", 1), ("linearGradient id", 1)] {
        assert_eq!(text.matches(shape).count(), count, "{shape}\n{text}");
    }
    // the disc of radius 0.3 at (-1.2, 0.3), in the scale of the drawing
    let scale = (480.0 / survey.camera.half[1]).min(640.0 / survey.camera.half[0]);
    let x = 640.0 + scale * (-1.2 - survey.camera.target[0]);
    assert!(text.contains(&format!("<circle cx=\"{x:.2}\"")) && text.contains(&format!("r=\"{:.2}\"", 0.3 * scale)));
    let space = common::space_zoo();
    let refused = svg::drawing(&space.info, &space.frames[0], &surveyed(&space), &Look::default());
    assert!(matches!(refused, Err(ViewError::NotPlane)));
    let drum = common::drum();
    let forces = Look { forces: true, ..Default::default() };
    let text = svg::drawing(&drum.info, &drum.frames[100], &surveyed(&drum), &forces).unwrap();
    assert!(text.matches("stroke-width").count() > 100);
}

#[test]
fn odd_numbers_do_not_stop_a_picture() {
    for mut movie in [common::space_zoo(), common::plane_zoo()] {
        let frame = &mut movie.frames[0];
        frame.x[1] = [f64::NAN; 3];
        frame.x[2] = [1e300, -1e300, f64::INFINITY];
        frame.orientation[3] = [0.0; 4];
        frame.v[3] = [f64::NAN; 3];
        frame.id[4] = 4242;
        let survey = surveyed(&movie);
        picture(&movie.info, &movie.frames[0], &survey, &small()).unwrap();
        if movie.info.dimension == 2 {
            svg::drawing(&movie.info, &movie.frames[0], &survey, &small()).unwrap();
        }
    }
}

#[test]
fn a_report_holds_summary_plots_and_pictures() {
    let html = report::html(&common::wall()).unwrap();
    assert_eq!(html.matches("data:image/png;base64,").count(), 5);
    assert_eq!(html.matches("<svg").count(), 3);
    for words in ["109 movable, 1 fixed or driven", "largest penetration", "kinetic", "100 frames"] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("<script") && !html.contains("https:"));
    let mut empty = common::wall();
    empty.frames.clear();
    assert!(matches!(report::html(&empty), Err(ViewError::NoFrames)));
}
