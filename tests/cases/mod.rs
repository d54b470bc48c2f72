//! Reads the cases of `tests/data` (see the README there) and runs them on any Go.

#![allow(dead_code)]

use crate::naive::{Board, Ko, Rules, Side};
use std::path::Path;

/// What a Go must answer to be asked about the cases. Actions are row by row from the top.
pub trait Subject: Sized {
    fn set_up(rules: Rules, board: &Board, turn: Side) -> Self;
    /// Plays, or gives the name of the reason why not.
    fn play(&mut self, action: usize) -> Result<(), String>;
    /// Why the action may not be played, without playing it.
    fn reason(&self, action: usize) -> Option<String>;
    fn set_turn(&mut self, side: Side);
    fn board(&self) -> Board;
    fn turn(&self) -> Side;
    fn is_over(&self) -> bool;
    fn captures(&self) -> [usize; 2];
    fn liberties_at(&self, point: usize) -> usize;
    fn is_eye(&self, point: usize, side: Side, rule: &str) -> bool;
    fn owners(&self) -> Board;
    fn areas(&self) -> (usize, usize);
    fn half_score(&self) -> i32;
}

/// One case: a position, then plays and expectations.
#[derive(Clone, Debug)]
pub struct Case {
    pub file: String,
    pub name: String,
    pub why: String,
    pub kos: Vec<Ko>,
    pub suicides: Vec<bool>,
    pub half_komi: i32,
    pub rows: usize,
    pub cols: usize,
    pub board: Board,
    pub turn: Side,
    pub steps: Vec<Step>,
}

/// A line of a case and the drawing below it.
#[derive(Clone, Debug)]
pub struct Step {
    pub line: usize,
    pub word: String,
    pub args: Vec<String>,
    pub drawing: Vec<String>,
}

fn side(word: &str) -> Side {
    match word {
        "black" => Side::Black,
        "white" => Side::White,
        _ => panic!("no color {word}"),
    }
}

/// A number of points in half points.
pub fn halves(word: &str) -> i32 {
    let twice = 2.0 * word.parse::<f64>().expect("a number");
    assert!(twice.fract() == 0.0, "{word} is no multiple of 0.5");
    format!("{twice}").parse().expect("a small number")
}

fn draw_to_board(drawing: &[String]) -> Board {
    let cells = drawing.iter().flat_map(|row| row.split_whitespace());
    cells
        .map(|cell| match cell {
            "." => None,
            "X" => Some(Side::Black),
            "O" => Some(Side::White),
            _ => panic!("no cell {cell}"),
        })
        .collect()
}

/// The drawing of a board, as the cases have it.
pub fn board_to_text(board: &Board, cols: usize) -> String {
    let cell = |cell: &Option<Side>| match cell {
        None => ".",
        Some(Side::Black) => "X",
        Some(Side::White) => "O",
    };
    let rows: Vec<String> =
        board.chunks(cols).map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect();
    rows.join("\n")
}

/// The action of a name such as `C3` or `pass`.
pub fn action(name: &str, rows: usize, cols: usize) -> usize {
    if name == "pass" {
        return rows * cols;
    }
    let (letter, number) = name.split_at(1);
    let col = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter).expect("a column");
    let number: usize = number.parse().expect("a row");
    assert!(col < cols && (1..=rows).contains(&number), "{name} is off the board");
    (rows - number) * cols + col
}

/// The name of an action.
pub fn name(action: usize, rows: usize, cols: usize) -> String {
    if action == rows * cols {
        return "pass".to_owned();
    }
    let letter = &"ABCDEFGHJKLMNOPQRSTUVWXYZ"[action % cols..=action % cols];
    format!("{letter}{}", rows - action / cols)
}

fn lines_to_steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let line = raw.split('#').next().unwrap_or_default().trim_end();
        if line.trim().is_empty() {
            continue;
        }
        if line.starts_with(' ') {
            steps
                .last_mut()
                .expect("a word above the drawing")
                .drawing
                .push(line.trim().to_owned());
        } else {
            let mut words = line.split_whitespace().map(str::to_owned);
            let word = words.next().expect("a word");
            steps.push(Step { line: index + 1, word, args: words.collect(), drawing: Vec::new() });
        }
    }
    steps
}

fn steps_to_case(file: &str, steps: &[Step]) -> Case {
    let mut case = Case {
        file: file.to_owned(),
        name: steps[0].args.join(" "),
        why: String::new(),
        kos: Ko::ALL.to_vec(),
        suicides: vec![false, true],
        half_komi: 0,
        rows: 0,
        cols: 0,
        board: Vec::new(),
        turn: Side::Black,
        steps: Vec::new(),
    };
    for step in &steps[1..] {
        let args = &step.args;
        match step.word.as_str() {
            "why" => case.why = args.join(" "),
            "ko" => {
                case.kos = args
                    .iter()
                    .map(|word| match word.as_str() {
                        "simple" => Ko::Simple,
                        "positional" => Ko::Positional,
                        "situational" => Ko::Situational,
                        _ => panic!("no ko rule {word}"),
                    })
                    .collect();
            }
            "suicide" => case.suicides = args.iter().map(|word| word == "yes").collect(),
            "komi" => case.half_komi = halves(&args[0]),
            "size" => {
                (case.rows, case.cols) = (args[0].parse().unwrap(), args[1].parse().unwrap());
                case.board = vec![None; case.rows * case.cols];
            }
            "board" => {
                case.turn = side(&args[0]);
                case.board = draw_to_board(&step.drawing);
                case.rows = step.drawing.len();
                case.cols = case.board.len() / case.rows;
                assert_eq!(case.rows * case.cols, case.board.len(), "{file}:{}", step.line);
            }
            _ => case.steps.push(step.clone()),
        }
    }
    assert!(!case.why.is_empty() && case.rows > 0, "{file}: {} lacks why or board", case.name);
    case
}

/// All cases of Go, in the order of the files.
pub fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("tests/data")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with("go_") && name.ends_with(".txt")
        })
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let steps = lines_to_steps(&std::fs::read_to_string(&path).expect("a text file"));
        let starts: Vec<usize> = (0..steps.len()).filter(|&i| steps[i].word == "case").collect();
        for (i, &start) in starts.iter().enumerate() {
            let end = starts.get(i + 1).copied().unwrap_or(steps.len());
            cases.push(steps_to_case(&file, &steps[start..end]));
        }
    }
    assert!(cases.len() > 50, "only {} cases were read", cases.len());
    cases
}

/// Runs a case under each of its rules; the number of runs.
pub fn run<S: Subject>(case: &Case) -> usize {
    for &ko in &case.kos {
        for &suicide in &case.suicides {
            let rules =
                Rules { rows: case.rows, cols: case.cols, ko, suicide, half_komi: case.half_komi };
            let mut subject = S::set_up(rules, &case.board, case.turn);
            for step in &case.steps {
                check(&mut subject, rules, case, step);
            }
        }
    }
    case.kos.len() * case.suicides.len()
}

fn check<S: Subject>(subject: &mut S, rules: Rules, case: &Case, step: &Step) {
    let (rows, cols) = (rules.rows, rules.cols);
    let place = format!("{}:{} ({}, {rules:?}): {}", case.file, step.line, case.name, step.word);
    let args: Vec<&str> = step.args.iter().map(String::as_str).collect();
    let number = |i: usize| args[i].parse::<usize>().expect("a number");
    let points = |args: &[&str]| -> Vec<usize> {
        let mut points: Vec<usize> =
            args.iter().filter(|&&a| a != "none").map(|a| action(a, rows, cols)).collect();
        points.sort_unstable();
        points
    };
    let names =
        |points: Vec<usize>| points.into_iter().map(|p| name(p, rows, cols)).collect::<Vec<_>>();
    let drawn = |board: &Board| board_to_text(board, cols);
    let repetition = if rules.ko == Ko::Simple { "ko" } else { "superko" };
    let refused_for = |subject: &S, reason: &str| {
        names((0..rows * cols).filter(|&p| subject.reason(p).as_deref() == Some(reason)).collect())
    };
    match step.word.as_str() {
        "play" => {
            for arg in &args {
                let result = subject.play(action(arg, rows, cols));
                assert_eq!(result, Ok(()), "{place} {arg} on\n{}", drawn(&subject.board()));
            }
        }
        "refuse" => {
            let (&reason, moves) = args.split_last().expect("a reason");
            let reason = if reason == "repetition" { repetition } else { reason };
            for arg in moves {
                let before = subject.board();
                let result = subject.play(action(arg, rows, cols));
                assert_eq!(result, Err(reason.to_owned()), "{place} {arg} on\n{}", drawn(&before));
                assert_eq!(subject.board(), before, "{place} {arg}");
            }
        }
        "turn" => subject.set_turn(side(args[0])),
        "after" => {
            assert_eq!(drawn(&subject.board()), drawn(&draw_to_board(&step.drawing)), "{place}");
        }
        "to-play" => assert_eq!(subject.turn(), side(args[0]), "{place}"),
        "running" => assert!(!subject.is_over(), "{place}"),
        "over" => assert!(subject.is_over(), "{place}"),
        "captures" => assert_eq!(subject.captures(), [number(0), number(1)], "{place}"),
        "suicides" => {
            assert_eq!(refused_for(subject, "suicide"), names(points(&args)), "{place}");
        }
        "repetitions" => {
            assert_eq!(refused_for(subject, repetition), names(points(&args)), "{place}");
        }
        "liberties" => {
            assert_eq!(subject.liberties_at(action(args[0], rows, cols)), number(1), "{place}");
        }
        "eyes" => {
            let color = side(args[1]);
            let eyes = (0..rows * cols).filter(|&p| subject.is_eye(p, color, args[0])).collect();
            assert_eq!(names(eyes), names(points(&args[2..])), "{place} {} {}", args[0], args[1]);
        }
        "owners" => {
            assert_eq!(drawn(&subject.owners()), drawn(&draw_to_board(&step.drawing)), "{place}");
        }
        "areas" => assert_eq!(subject.areas(), (number(0), number(1)), "{place}"),
        "score" => assert_eq!(subject.half_score(), halves(args[0]), "{place}"),
        word => panic!("{}:{}: no word {word}", case.file, step.line),
    }
}
