//! The playthroughs of `tests/playthroughs` show what sixplane shows.
//!
//! `SIXPLANE_REGENERATE=1 cargo test --test all go_playthrough` writes them anew.

use crate::{cases, naive, product};

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use naive::{Ko, Rules, Side};
use sixplane::{Action, Game, Go, NUM_PLANES};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs");
    let entries = std::fs::read_dir(folder).expect("tests/playthroughs");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files
}

/// The lines above the first empty one.
fn head(text: &str) -> &str {
    text.split("\n\n").next().expect("a head").trim_end()
}

fn rules(fields: &HashMap<&str, &str>) -> Rules {
    let size: Vec<usize> = fields["size"].split(' ').map(|side| side.parse().unwrap()).collect();
    Rules {
        rows: size[0],
        cols: size[1],
        ko: match fields["ko"] {
            "simple" => Ko::Simple,
            "positional" => Ko::Positional,
            "situational" => Ko::Situational,
            word => panic!("no ko rule {word}"),
        },
        suicide: fields["suicide"] == "yes",
        half_komi: cases::halves(fields["komi"]),
    }
}

/// The whole text of a playthrough from its head.
fn played(head: &str) -> String {
    let fields: HashMap<&str, &str> = head
        .lines()
        .map(|line| line.split_once(':').expect("a name and a value"))
        .map(|(name, value)| (name, value.trim()))
        .collect();
    let rules = rules(&fields);
    let mut game = product::empty(rules);
    let mut text = format!("{head}\n\n0. start\n{}", shown(&game));
    for (step, word) in fields["actions"].split_whitespace().enumerate() {
        let side = match product::side(game.turn()) {
            Side::Black => "black",
            Side::White => "white",
        };
        match word {
            "=black" => game.set_turn(sixplane::Color::Black).expect("the game goes on"),
            "=white" => game.set_turn(sixplane::Color::White).expect("the game goes on"),
            name => {
                let action = Action::new(cases::action(name, rules.rows, rules.cols));
                game.play(action).unwrap_or_else(|error| panic!("{text}\n{side} {name}: {error}"));
            }
        }
        let who = if word.starts_with('=') { String::new() } else { format!("{side} ") };
        write!(text, "\n{}. {who}{word}\n{}", step + 1, shown(&game)).unwrap();
    }
    text
}

/// The board, the six planes, and what follows from them.
fn shown(game: &Go) -> String {
    let (rows, cols) = (game.size().rows(), game.size().cols());
    let width = (2 * cols - 1).max("invalid".len());
    let mut lines = vec![String::new(); rows + 1];
    let mut column = |name: &str, cells: Vec<String>| {
        for (line, cell) in lines.iter_mut().zip(std::iter::once(name.to_owned()).chain(cells)) {
            write!(line, "{cell:width$}  ").unwrap();
        }
    };
    let board = cases::board_to_text(&product::board(game), cols);
    column("board", board.lines().map(str::to_owned).collect());
    let planes = product::planes(game);
    let names = ["black", "white", "turn", "invalid", "pass", "done"];
    for (plane, name) in names.into_iter().enumerate().take(NUM_PLANES) {
        let cells = &planes[plane * rows * cols..][..rows * cols];
        let row = |row: &[u8]| {
            row.iter().map(|&cell| if cell == 1 { "1" } else { "." }).collect::<Vec<_>>().join(" ")
        };
        column(name, cells.chunks(cols).map(row).collect());
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    let mut text = lines.join("\n") + "\n";
    let legal: Vec<String> =
        game.legal_actions().iter().map(|a| cases::name(a.index(), rows, cols)).collect();
    let taken = game.captures();
    let outcome = game.outcome().map_or("none", sixplane::Outcome::name);
    writeln!(text, "legal: {}", if legal.is_empty() { "none".to_owned() } else { legal.join(" ") })
        .unwrap();
    writeln!(text, "captures: {} {}", taken.black, taken.white).unwrap();
    writeln!(text, "score: {:.1}", game.score()).unwrap();
    writeln!(text, "outcome: {outcome}").unwrap();
    writeln!(text, "hash: {:016x}", game.state().hash()).unwrap();
    text
}

#[test]
fn playthroughs_show_what_the_game_shows() {
    let regenerate = std::env::var_os("SIXPLANE_REGENERATE").is_some();
    let files = files();
    assert!(files.len() >= 3);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text file");
        let expected = played(head(&text));
        if regenerate {
            std::fs::write(&file, expected).expect("the file can be written");
        } else {
            assert!(
                text == expected,
                "{} shows something else; the game now:\n{expected}",
                file.display()
            );
        }
    }
}
