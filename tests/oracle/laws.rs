//! The laws, each named by the sentence it proves.

use std::hash::{DefaultHasher, Hash, Hasher};

use sixplane::players::selfplay::play_games;
use sixplane::record::{Info, RecordRules, Recorded};
use sixplane::symmetry::Symmetry;
use sixplane::{
    Action, ByColor, Color, Ending, Game, Outcome, Plane, PlayError, Playouts, Setup, Status,
    UndoError,
};

use super::{Event, Oracle, Seen, Subject, assert_same, score, walk};

fn hashed(game: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.hash(&mut hasher);
    hasher.finish()
}

pub fn every_answer_is_the_naive_one<S: Subject>(subject: &S, games: u64) {
    let seen = Seen::default();
    for (rows, cols) in subject.sizes() {
        for seed in 0..games {
            let turn_every = if seed % 3 == 0 { 15 } else { 0 };
            let (game, naive, _) =
                walk(subject.start(rows, cols), seed, turn_every, |game, naive| {
                    seen.add("positions", 1);
                    // On a large board every position would take too long.
                    let step = game.state().moves();
                    if rows * cols <= 100 || step % 40 == 0 || game.is_over() {
                        assert_same(game, naive);
                    }
                    seen.note_if(naive.passed(), "passes");
                });
            seen.note_if(naive.score() > 0, "black wins");
            seen.note_if(naive.score() < 0, "white wins");
            seen.note_if(naive.score() == 0, "draws");
            assert!(game.is_over());
        }
    }
    let all = ["positions", "black wins", "white wins", "draws"];
    seen.demand(&all[..3 + usize::from(S::HAS_DRAWS)]);
}

pub fn undo_is_the_inverse_of_play<S: Subject>(subject: &S, games: u64) {
    for (rows, cols) in subject.sizes() {
        for seed in 0..games {
            let mut past = Vec::new();
            let (mut game, ..) = walk(subject.start(rows, cols), seed, 9, |game, _| {
                past.push((game.clone(), game.planes().to_owned(), game.legal_actions()));
            });
            past.pop();
            game.resign(Color::White).unwrap_err();
            while let Some((before, planes, legal)) = past.pop() {
                game.undo().unwrap();
                assert_eq!(game, before);
                assert_eq!(game.planes(), planes);
                assert_eq!(game.legal_actions(), legal);
                assert_eq!((game.status(), score(&game)), (before.status(), score(&before)));
                assert_eq!(game.state().hash(), before.state().hash());
            }
            assert_eq!(game.undo(), Err(UndoError));
        }
    }
}

pub fn a_resignation_ends_the_game_until_it_is_withdrawn<S: Subject>(subject: &S) {
    for (rows, cols) in subject.sizes() {
        for color in Color::ALL {
            let (game, _) = subject.start(rows, cols);
            let mut resigned = game.clone();
            resigned.resign(color).unwrap();
            assert_eq!(resigned.outcome(), Some(Outcome::Win(color.opponent())));
            assert_eq!(resigned.resign(color), Err(PlayError::GameOver));
            assert_eq!(resigned.set_turn(color), Err(PlayError::GameOver));
            assert_eq!(score(&resigned), score(&game));
            assert!(resigned.legal_actions().is_empty());
            assert!(resigned.state().planes().plane_cells(Plane::Invalid).iter().all(|&c| c == 1));
            assert_ne!(resigned, game);
            resigned.undo().unwrap();
            assert_eq!(resigned, game);
            assert_eq!(resigned.planes(), game.planes());
        }
    }
}

pub fn replaying_and_copying_give_the_game<S: Subject>(subject: &S, games: u64) {
    for (rows, cols) in subject.sizes() {
        for seed in 0..games {
            let (game, _, events) = walk(subject.start(rows, cols), seed, 0, |_, _| {});
            let again = game.replay(game.state().actions()).unwrap();
            let mut copy = game.start();
            for event in events {
                event.take(&mut copy);
            }
            for other in [&again, &copy, &game.clone()] {
                assert_eq!(*other, game);
                assert_eq!(hashed(other), hashed(&game));
                assert_eq!(other.planes(), game.planes());
                assert_eq!(other.state().history_planes(8), game.state().history_planes(8));
            }
            copy.undo().unwrap();
            assert_ne!(copy, game);
        }
    }
}

pub fn planes_give_the_same_future<S: Subject>(subject: &S, games: u64) {
    let seen = Seen::default();
    for (rows, cols) in subject.sizes() {
        for seed in 0..games {
            let mut copies: Vec<(usize, S::Game)> = Vec::new();
            let mut steps = 0;
            let (game, _, events) = walk(subject.start(rows, cols), seed, 20, |game, _| {
                if steps % 5 == 0 || game.state().passed() || game.is_over() {
                    let rules = game.rules().clone();
                    let copy = S::Game::from_planes(rules, &game.planes(), None).expect("planes");
                    assert_eq!(copy.planes(), game.planes());
                    assert_eq!(copy.state().hash(), game.state().hash());
                    assert_eq!(copy.status(), game.status());
                    seen.note_if(game.state().passed(), "passes");
                    seen.note_if(game.is_over(), "ends");
                    copies.push((steps, copy));
                }
                steps += 1;
            });
            for (step, copy) in &mut copies {
                for event in &events[*step..] {
                    event.take(copy);
                }
                assert_eq!(copy.planes(), game.planes());
                assert_eq!(copy.status(), game.status());
            }
        }
    }
    seen.demand(&["ends"]);
}

pub fn records_give_the_game<S: Subject>(subject: &S, games: u64) {
    let given = <S::Game as RecordRules>::Given::default;
    for (rows, cols) in subject.sizes() {
        for seed in 0..games {
            let turn_every = if seed % 2 == 0 { 10 } else { 0 };
            let (mut game, ..) = walk(subject.start(rows, cols), seed, turn_every, |_, _| {});
            let text = game.to_sgf(&Info::default());
            assert_eq!(S::Game::from_sgf(&text, &given(), None).unwrap(), game, "{text}");
            game.undo().unwrap();
            game.resign(game.turn()).unwrap();
            let text = game.to_sgf(&Info::default());
            assert_eq!(S::Game::from_sgf(&text, &given(), None).unwrap(), game, "{text}");
            let copy = S::Game::from_planes(game.rules().clone(), &game.planes(), None).unwrap();
            let text = copy.to_sgf(&Info::default());
            assert_eq!(S::Game::from_sgf(&text, &given(), None).unwrap(), copy, "{text}");
        }
    }
}

/// The game with every point moved and, if so asked, the colors exchanged.
fn turned<G: Game>(game: &G, symmetry: Symmetry, exchange: bool) -> G {
    let setup = game.state().setup();
    let map = |points: &[u16]| -> Vec<usize> {
        points.iter().map(|&point| symmetry.point(setup.size(), point as usize)).collect()
    };
    let mut stones = ByColor { black: map(&setup.stones.black), white: map(&setup.stones.white) };
    let mut turn = setup.turn;
    if exchange {
        (stones, turn) = (ByColor { black: stones.white, white: stones.black }, turn.opponent());
    }
    let setup = Setup::from_stones(setup.size(), &stones, turn).unwrap();
    G::from_setup(game.rules().clone(), setup, None).unwrap()
}

pub fn symmetry_and_exchange_of_colors_commute_with_play<S: Subject>(subject: &S, games: u64) {
    for (rows, cols) in subject.sizes() {
        for seed in 0..games {
            let (mut game, _) = subject.start(rows, cols);
            let (size, points) = (game.size(), game.size().points());
            let kept = game.num_symmetries();
            let symmetry = |index: usize| S::Game::symmetry(index).filter(|_| index < kept);
            let mut twins: Vec<_> = (0..8)
                .filter_map(|i| Some((symmetry(i)?, i % 2 == 1)))
                .map(|(symmetry, exchange)| (symmetry, exchange, turned(&game, symmetry, exchange)))
                .collect();
            let (_, _, events) = walk(subject.start(rows, cols), seed, 20, |_, _| {});
            for event in events {
                event.take(&mut game);
                for (symmetry, exchange, twin) in &mut twins {
                    let map = |point: usize| symmetry.point(size, point);
                    let same = match event {
                        Event::Action(action) if action.index() < points => {
                            Event::Action(Action::new(map(action.index())))
                        }
                        Event::SetTurn(color) if *exchange => Event::SetTurn(color.opponent()),
                        event => event,
                    };
                    same.take(twin);
                    let (ours, theirs) = (game.state().planes(), twin.state().planes());
                    let stones = |color: Color| if *exchange { color.opponent() } else { color };
                    for point in 0..points {
                        for color in Color::ALL {
                            let found = theirs.get(stones(color).into(), map(point));
                            assert_eq!(ours.get(color.into(), point), found);
                        }
                        for plane in [Plane::Invalid, Plane::Pass, Plane::Done] {
                            assert_eq!(ours.get(plane, point), theirs.get(plane, map(point)));
                        }
                    }
                    assert_eq!(twin.turn(), stones(game.turn()));
                    let sign = if *exchange { -1 } else { 1 };
                    assert_eq!(score(twin), sign * score(&game));
                }
            }
        }
    }
}

pub fn the_move_limit_cuts_games_off<S: Subject>(subject: &S) {
    let seen = Seen::default();
    for (rows, cols) in subject.sizes() {
        let (game, ..) = walk(subject.start(rows, cols), 1, 0, |_, _| {});
        let total = game.state().moves();
        for limit in [1, total / 2, total].into_iter().filter(|&limit| limit > 0) {
            let setup = game.state().setup().clone();
            let mut cut = S::Game::from_setup(game.rules().clone(), setup, Some(limit)).unwrap();
            for (step, action) in game.state().actions().enumerate().take(limit as usize) {
                assert!(!cut.is_over(), "{step}");
                cut.play(action).unwrap();
            }
            let Status::Done { outcome, ending } = cut.status() else { panic!("it is over") };
            assert_eq!(outcome, Outcome::of_score(cut.score()));
            assert_eq!(ending == Ending::Rules, limit == total);
            seen.note_if(ending == Ending::Truncation, "truncated");
            cut.undo().unwrap();
            assert!(!cut.is_over());
        }
    }
    seen.demand(&["truncated"]);
}

pub fn self_play_depends_on_the_seed_alone<S: Subject>(subject: &S) {
    for (rows, cols) in subject.sizes().into_iter().take(3) {
        let (start, _) = subject.start(rows, cols);
        let one = play_games(&start, 0, 6, 7, Some(1));
        let two = play_games(&start, 0, 6, 7, Some(2));
        assert_eq!(one, two);
        assert!(one.iter().all(Game::is_over));
    }
}

/// Makes a test of every law.
macro_rules! laws {
    ($subject:expr, $($law:ident($($games:literal)?);)*) => {$(
        #[test]
        fn $law() {
            $crate::oracle::laws::$law(&$subject $(, $crate::effort::share($games))?);
        }
    )*};
}

pub(crate) use laws;
