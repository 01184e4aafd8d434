//! The page as text: self-contained, safe, thinned with notice.

mod common;

use stickslip_view::{Budget, Source, page};

#[test]
fn scratch_pages() {
    for (name, movie) in [
        ("drum", common::drum()),
        ("balls", common::balls()),
        ("wall", common::wall()),
        ("space", common::space_zoo()),
        ("plane", common::plane_zoo()),
    ] {
        let mut out = Vec::new();
        let w = page::write(&movie, &Budget::default(), &mut out).unwrap();
        std::fs::create_dir_all("/tmp/pages").unwrap();
        std::fs::write(format!("/tmp/pages/{name}.html"), out).unwrap();
        eprintln!("{name} {w:?} {}", movie.frames());
    }
}
