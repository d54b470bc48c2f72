//! The score table player answers every tactical case of `tests/data/gomoku` rightly.

use sixplane::players::random::RandomPlayer;
use sixplane::players::score_table::best_actions;
use sixplane::{Color, Game, Gomoku, GomokuRules, Outcome, Setup};
use std::path::Path;

/// A case, as the README beside the data describes it; what is proved is proved from Python.
#[derive(Default)]
struct Case {
    name: String,
    settings: Vec<String>,
    turn: String,
    board: String,
    answers: Vec<String>,
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gomoku/tactics.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(name) = line.strip_prefix("case ") {
            let settings = vec!["no".to_owned(), "yes".to_owned()];
            cases.push(Case { name: name.to_owned(), settings, ..Case::default() });
            continue;
        }
        let case = cases.last_mut().expect("a case comes first");
        if line.starts_with(' ') {
            case.board += line;
            case.board.push('\n');
            continue;
        }
        let mut words = line.split_whitespace().map(str::to_owned);
        match words.next().as_deref() {
            Some("why") => {}
            Some("exact") => case.settings = words.collect(),
            Some("board") => case.turn = words.next().expect("a color"),
            Some("wins" | "saves") => case.answers = words.skip(1).collect(),
            word => panic!("no word {word:?}"),
        }
    }
    cases
}

#[test]
fn tactical_cases_are_answered_rightly() {
    let mut answered = 0;
    for case in cases() {
        let turn = if case.turn == "white" { Color::White } else { Color::Black };
        for setting in &case.settings {
            let setup = Setup::from_text(&case.board, turn).unwrap();
            let rules = GomokuRules { exact_five: setting == "yes" };
            let game = Gomoku::from_setup(rules, setup, None).unwrap();
            let best = best_actions(&game);
            assert!(!best.is_empty());
            for action in best {
                let name = Gomoku::NOTATION.name(game.size(), action);
                assert!(case.answers.contains(&name), "{}, {setting}: {name}", case.name);
                answered += 1;
            }
        }
    }
    assert!(answered > 50);
}

#[test]
fn the_random_player_never_wins() {
    for seed in 0..40 {
        let mut game = Gomoku::new(15).unwrap();
        let mut random = RandomPlayer::new(seed);
        let color = Color::ALL[seed as usize % 2];
        while !game.is_over() {
            let action = if game.turn() == color {
                let best = best_actions(&game);
                best[seed as usize % best.len()]
            } else {
                random.select_action(&game)
            };
            game.play(action).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(color)));
        assert!(best_actions(&game).is_empty());
    }
}
