//! Laws of playouts: what random games from a position are.

use std::collections::HashMap;

use sixplane::{
    Action, BoardSize, Color, EyeRule, Game, Go, Gomoku, KoRule, Playouts, RandomStream, Reversi,
    Rules, Setup, playout,
};

fn go(ko: KoRule, max_moves: Option<u32>) -> Go {
    let size = BoardSize::new(5, 6).expect("a size");
    Go::with_rules(size, Rules { ko, ..Rules::default() }, max_moves).expect("no handicap")
}

/// The actions of a playout from a position, and its score.
fn play<G: Playouts>(game: &G, rng: &mut RandomStream) -> (Vec<Action>, f64) {
    let mut played = Vec::new();
    let score = game.playout(&mut playout::Scratch::default(), rng, Some(&mut played));
    (played, score)
}

fn is_a_game_to_its_end<G: Playouts>(start: &G, fills: impl Fn(&G, Action) -> bool) -> usize {
    let mut rng = RandomStream::new(1);
    let mut whole = 0;
    for _ in 0..300 {
        let (played, score) = play(start, &mut rng);
        let mut game = start.clone();
        for &action in &played {
            assert!(!fills(&game, action), "{action:?}");
            let left = game.legal_actions().into_iter().filter(|&other| !fills(&game, other));
            let must_pass = left.count() == 1 && game.may_pass();
            assert_eq!(action == game.size().pass(), must_pass);
            game.play(action).expect("a legal action");
        }
        assert!((game.score() - score).abs() < 1e-9);
        assert!(played.len() <= 3 * game.size().points());
        assert!(game.is_over() || played.len() == playout::limit(start));
        whole += usize::from(game.is_over());
    }
    whole
}

#[test]
fn a_playout_of_go_fills_no_eye_and_passes_only_when_nothing_is_left() {
    let fills = |game: &Go, action: Action| game.is_eye(action, game.turn(), EyeRule::Playout);
    assert!(is_a_game_to_its_end(&go(KoRule::Simple, None), fills) > 290);
    let mut passed = go(KoRule::Simple, None);
    passed.play(Action::new(8)).expect("legal");
    passed.play(passed.size().pass()).expect("legal");
    assert!(is_a_game_to_its_end(&passed, fills) > 290);
    assert_eq!(is_a_game_to_its_end(&go(KoRule::Simple, Some(20)), fills), 300);
}

#[test]
fn a_playout_does_not_begin_with_the_ko_that_planes_forbid() {
    for ko in [KoRule::Simple, KoRule::Positional, KoRule::Situational] {
        let rules = Rules { ko, ..Rules::default() };
        let text = ". X O .\nX O . O\n. X O .";
        let setup = Setup::from_text(text, Color::Black).expect("a position");
        let mut game = Go::from_setup(rules, setup, None).expect("a game");
        game.play_at(1, 2).expect("a capture");
        let retaken = Action::new(5);
        let mut copy = Go::from_planes(rules, &game.planes(), None).expect("planes");
        let mut rng = RandomStream::new(1);
        for game in [&game, &copy] {
            assert!(game.check(retaken).is_err());
            for _ in 0..300 {
                assert_ne!(play(game, &mut rng).0[0], retaken);
            }
        }
        // One action later it may be taken, and with the action the ko comes back.
        copy.play(Action::new(11)).expect("legal");
        copy.play(Action::new(8)).expect("legal");
        assert!((0..300).any(|_| play(&copy, &mut rng).0[0] == retaken));
        copy.undo().expect("an action");
        copy.undo().expect("an action");
        assert!((0..300).all(|_| play(&copy, &mut rng).0[0] != retaken));
    }
}

#[test]
fn a_playout_of_other_games_is_uniform_legal_play() {
    let never = |_: &Gomoku, _| false;
    assert_eq!(is_a_game_to_its_end(&Gomoku::new(6).expect("a size"), never), 300);
    let game = Reversi::new(6).expect("a size");
    let mut rng = RandomStream::new(1);
    let mut first = HashMap::new();
    for _ in 0..4000 {
        let (played, score) = play(&game, &mut rng);
        let over = game.replay(played.iter().copied()).expect("legal actions");
        assert!(over.is_over() && (over.score() - score).abs() < 1e-9);
        *first.entry(played[0]).or_insert(0) += 1;
    }
    assert_eq!(first.len(), 4);
    assert!(first.values().all(|&n| (900..1100).contains(&n)), "{first:?}");
}

#[test]
fn a_playout_after_a_pass_ends_with_the_next() {
    // Both colors have two eyes and nothing else to play.
    let text = ". X O .\nX X O O\nX X O O\n. X O .";
    let mut game = Go::from_text(text, Color::Black).expect("a position");
    let mut rng = RandomStream::new(1);
    assert_eq!(play(&game, &mut rng).0.len(), 2);
    game.play(game.size().pass()).expect("legal");
    assert_eq!(play(&game, &mut rng).0.len(), 1);
    game.play(game.size().pass()).expect("legal");
    let (played, score) = play(&game, &mut rng);
    assert!(played.is_empty() && (score - -7.5).abs() < 1e-9);
}
