//! Proofs in the tree of a search, beside minimax that knows nothing but the rules.

// What is certain is a whole number.
#![allow(clippy::float_cmp)]

use crate::byte_laws::exact::minimax;
use crate::byte_laws::searches::{Hashing, check_draws, check_proofs};
use crate::exact::late;
use crate::toe_tac_tic::ToeTacTic;

use sixplane::players::random::RandomPlayer;
use sixplane::search::{
    Cache, OPEN, Report, Reward, Search, SearchError, Selection, Settings, run_with_evaluator,
    run_with_playouts,
};
use sixplane::{
    Action, BoardSize, Color, Exact, Game, Go, Gomoku, GomokuRules, Hex, HexRules, Komi, Outcome,
    Playouts, Reversi, ReversiRules, Rules, Setup,
};

/// One search of each kind: with playouts and with an evaluator, by each selection, alone and several leaves at once.
fn kinds(simulations: u32) -> Vec<(Settings, bool)> {
    let settings = Settings { exact: true, simulations, ..Settings::default() };
    let rave = Settings { rave: Some(100.0), prior_visits: 5.0, ..settings };
    let mut kinds =
        vec![(settings, false), (rave, false), (Settings { threads: 2, ..rave }, false)];
    kinds.push((Settings { prior_visits: 0.0, ..rave }, false));
    for selection in [Selection::Ucb, Selection::Puct, Selection::Gumbel] {
        for leaves in [1, 5] {
            let c = Settings::default_c(selection);
            kinds.push((Settings { selection, c, leaves, ..settings }, true));
        }
    }
    kinds
}

fn run<G: Playouts + Exact>(search: &mut Search<G>, has_evaluator: bool) -> Report {
    if has_evaluator {
        let (searches, mut cache) = (std::slice::from_mut(search), Cache::new(0).expect("memory"));
        run_with_evaluator(searches, &mut Hashing, &mut cache, &mut || false).expect("no error");
    } else {
        search.run(&mut || false).expect("no error");
    }
    search.report()
}

fn report<G: Playouts + Exact>(game: &G, (settings, has_evaluator): (Settings, bool)) -> Report {
    run(&mut Search::new(game, settings, 1).expect("memory"), has_evaluator)
}

fn toe_tac_tic() -> ToeTacTic {
    let size = BoardSize::square(3).expect("a size");
    ToeTacTic::from_setup((), Setup::empty(size), None).expect("a position")
}

#[test]
fn the_tree_alone_proves_that_toe_tac_tic_is_a_draw() {
    let game = toe_tac_tic();
    for kind in kinds(100_000) {
        let found = report(&game, kind);
        assert_eq!((found.proven, found.value, found.wins), (Some(0), 0.0, false), "{kind:?}");
        // Only the middle does not lose.
        assert_eq!(found.proofs[..9], [-1, -1, -1, -1, 0, -1, -1, -1, -1]);
        assert!(found.simulations < 100_000);
        assert_eq!(found.visits.iter().sum::<u32>(), found.simulations);
    }
}

#[test]
fn proofs_are_what_minimax_finds() {
    fn check<G: Playouts + Exact>(games: &[G]) -> usize {
        let mut proven = 0;
        for game in games {
            for simulations in [1, 8, 40, 200] {
                for kind in kinds(simulations) {
                    let found = report(game, kind);
                    check_proofs(&found, game, &vec![true; game.size().num_actions()]);
                    proven += found.proofs.iter().filter(|&&proof| proof != OPEN).count();
                }
            }
        }
        proven
    }
    let reversi = [4, 6].map(|size| Reversi::new(size).expect("a size"));
    let gomoku = [5, 6].map(|size| Gomoku::new(size).expect("a size"));
    let mut proven = 0;
    for left in [3, 5, 6] {
        proven += check(&late(&toe_tac_tic(), left, 0..6));
        proven += reversi.iter().map(|start| check(&late(start, left, 0..4))).sum::<usize>();
        proven += gomoku.iter().map(|start| check(&late(start, left, 0..4))).sum::<usize>();
    }
    assert!(proven > 2000, "{proven}");
}

#[test]
fn a_game_that_is_proven_ends_as_it_is_proven() {
    for kind in kinds(50) {
        for start in late(&Reversi::new(6).expect("a size"), 14, 0..4) {
            let (mut game, mut known) = (start, None);
            let mut search = Search::new(&game, kind.0, 1).expect("memory");
            while !game.is_over() {
                let found = run(&mut search, kind.1);
                let for_black =
                    |value: i8| if game.turn() == Color::Black { value } else { -value };
                let proven = found.proven.map(for_black);
                assert!(known.is_none() || proven == known, "{game:?}");
                known = proven;
                let best = found.best.expect("the game goes on");
                game.play(best).expect("a legal action");
                search.advance(best).expect("a legal action");
            }
            assert_eq!(known, game.outcome().map(Outcome::sign));
        }
    }
}

/// Black to play; White takes the last points whatever Black does.
fn lost() -> Reversi {
    let games = late(&Reversi::new(6).expect("a size"), 8, 0..40);
    let is_lost = |game: &Reversi| minimax(game) == -1 && game.legal_actions().len() > 2;
    games.into_iter().find(is_lost).expect("a lost position")
}

#[test]
fn a_lost_root_is_searched_as_if_nothing_were_known_with_an_eighth_of_the_simulations() {
    let game = lost();
    for kind in kinds(60) {
        let found = report(&game, kind);
        let plain = Settings { exact: false, simulations: 8, ..kind.0 };
        let plain = report(&game, (plain, kind.1));
        assert_eq!((found.proven, found.value, found.wins), (Some(-1), -1.0, false));
        assert_eq!(found.simulations, 8);
        for action in game.legal_actions() {
            assert_eq!((found.proofs[action.index()], found.q[action.index()]), (-1, -1.0));
        }
        if kind.0.threads == 1 {
            assert_eq!((found.visits, found.policy), (plain.visits, plain.policy));
            assert_eq!(found.best, plain.best);
        }
    }
}

#[test]
fn a_root_that_the_solver_knows_is_evaluated_once_and_not_searched() {
    let games = late(&Reversi::new(6).expect("a size"), 8, 0..100);
    let with_value = |value| games.iter().filter(move |&game| minimax(game) == value).take(6);
    assert_eq!((with_value(0).count(), with_value(1).count()), (6, 6));
    for game in with_value(0).chain(with_value(1)) {
        for kind in kinds(60) {
            let found = report(game, kind);
            assert_eq!((found.proven, found.simulations), (Some(minimax(game)), 0));
            assert_eq!(found.raw_value.is_nan(), !kind.1);
            assert!((found.prior.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let best = found.best.expect("the game goes on");
            assert_eq!(found.policy[best.index()], 1.0);
            let mut after = game.clone();
            after.play(best).expect("a legal action");
            assert_eq!(-minimax(&after), minimax(game));
        }
    }
}

#[test]
fn results_do_not_depend_on_what_was_solved_before() {
    let games = late(&Reversi::new(6).expect("a size"), 15, 0..6);
    let others = late(&Gomoku::new(7).expect("a size"), 30, 0..6);
    for kind in kinds(40).into_iter().filter(|kind| kind.0.threads == 1) {
        let untimed = |game| Report { elapsed: std::time::Duration::ZERO, ..report(game, kind) };
        let first: Vec<_> = games.iter().map(untimed).collect();
        let again: Vec<_> = games
            .iter()
            .zip(&others)
            .rev()
            .map(|(game, other)| {
                report(other, kind);
                untimed(game)
            })
            .collect();
        for (a, b) in first.iter().zip(again.iter().rev()) {
            assert_eq!(format!("{a:?}"), format!("{b:?}")); // NaN is equal to NaN.
        }
    }
}

#[test]
fn a_batch_proves_what_its_games_prove_alone() {
    let games = late(&Reversi::new(6).expect("a size"), 14, 0..8);
    for (settings, has_evaluator) in kinds(30).into_iter().filter(|kind| kind.0.threads == 1) {
        let settings = Settings { threads: 2, ..settings };
        let search = |game| Search::new(game, settings, 1).expect("memory");
        let mut searches: Vec<_> = games.iter().map(search).collect();
        if has_evaluator {
            let mut cache = Cache::new(0).expect("memory");
            run_with_evaluator(&mut searches, &mut Hashing, &mut cache, &mut || false)
                .expect("no error");
        } else {
            run_with_playouts(&mut searches, &mut || false).expect("no error");
        }
        for (search, game) in searches.iter().zip(&games) {
            let alone = report(game, (Settings { threads: 1, ..settings }, has_evaluator));
            let found = search.report();
            assert_eq!((found.proven, found.proofs), (alone.proven, alone.proofs));
            assert_eq!((found.visits, found.best), (alone.visits, alone.best));
        }
    }
}

#[test]
fn a_cut_off_by_the_move_limit_is_an_end_like_any_other() {
    let size = BoardSize::square(5).expect("a size");
    let game = Gomoku::with_rules(size, GomokuRules::default(), Some(3)).expect("rules");
    for kind in kinds(20_000) {
        let found = report(&game, kind);
        assert_eq!(found.proven, Some(0), "{kind:?}"); // Nobody has five stones by then.
    }
    // Without the limit Black would win the first two, and lose the last.
    let text = ". . . . . . .\n. . X X X . .\n. . . . . . .\n. O . . . O .\n. . . . . . .";
    let setup = Setup::from_text(text, Color::Black).expect("a board");
    let gomoku = Gomoku::from_setup(GomokuRules::default(), setup, Some(2)).expect("rules");
    let size = |side| BoardSize::square(side).expect("a size");
    let hex = Hex::with_rules(size(3), HexRules::default(), Some(2)).expect("rules");
    let reversi = Reversi::with_rules(size(4), ReversiRules, Some(3)).expect("rules");
    for kind in kinds(20_000) {
        assert_eq!(report(&gomoku, kind).proven, Some(0), "{kind:?}");
        assert_eq!(report(&hex, kind).proven, Some(0), "{kind:?}");
        assert_eq!(report(&reversi, kind).proven, Some(1), "{kind:?}");
    }
    assert_eq!((minimax(&hex), minimax(&reversi)), (0, 1));
}

#[test]
fn what_the_solver_found_of_one_root_says_nothing_of_another() {
    let found = Gomoku::from_text("XXXX.OO\nOO.....\n.......\n.......\n.......", Color::Black);
    // An own end of the game keeps the solver out: the tree finds that Black wins.
    let text = ". . . . . . .\n. . X X X . .\n. . . . . . .\n. O . . . O .\n. . . . . . .";
    let setup = Setup::from_text(text, Color::Black).expect("a board");
    let other = Gomoku::from_setup(GomokuRules::default(), setup, Some(3)).expect("rules");
    let settings = Settings { exact: true, simulations: 50_000, ..Settings::default() };
    let mut search = Search::new(&found.expect("a board"), settings, 1).expect("memory");
    assert_eq!(run(&mut search, false).best, Some(Action::new(4)));
    search.restart(&other, 1).expect("memory");
    for _ in 0..2 {
        let report = run(&mut search, false);
        assert_eq!((report.proven, report.proofs[4] == 1), (Some(1), false));
    }
}

#[test]
fn an_open_action_is_played_before_a_proven_draw_unless_its_mean_is_below_0() {
    let mut chosen = [[0_usize; 3]; 2];
    let mut check = |report: &Report, kind: &(Settings, bool)| {
        if let Some(plays_open) = check_draws(report) {
            // Only then was there anything to choose.
            let most = *report.visits.iter().max().expect("actions");
            let is_tempting = |(&proof, &visits): (&i8, &u32)| proof == 0 && visits == most;
            let tempts = report.proofs.iter().zip(&report.visits).any(is_tempting);
            chosen[usize::from(plays_open)][kind.0.selection as usize] += usize::from(tempts);
        }
    };
    let size = |side| BoardSize::square(side).expect("a size");
    let komi = Komi::new(0.0).expect("a komi");
    let go = Go::with_rules(size(3), Rules { komi, ..Rules::default() }, Some(9)).expect("rules");
    let reversi = Reversi::with_rules(size(6), ReversiRules, Some(24)).expect("rules");
    let mut games = late(&reversi, 12, 0..20).into_iter();
    for (moves, seed) in (4..8).flat_map(|moves| (0..60).map(move |seed| (moves, seed))) {
        let (mut player, mut game) = (RandomPlayer::new(seed), go.clone());
        for _ in 0..moves {
            if !game.is_over() {
                game.play_unchecked(player.select_action(&game));
            }
        }
        let other = games.next();
        let kinds = [3, 10, 30, 100].into_iter().flat_map(kinds);
        for kind in kinds.filter(|kind| kind.0.threads == 1) {
            check(&report(&game, kind), &kind);
            if let Some(other) = &other {
                check(&report(other, kind), &kind);
            }
        }
    }
    let [draws, opens] = chosen;
    assert!(draws.iter().sum::<usize>() > 5 && opens.iter().all(|&n| n > 0), "{chosen:?}");
}

#[test]
fn a_win_at_once_is_proven_though_it_was_never_visited() {
    let game =
        Gomoku::from_text("XXXX.\nOOO..\n.....\n.....\n.....", Color::Black).expect("a board");
    for kind in kinds(1) {
        let found = report(&game, kind);
        assert_eq!((found.proven, found.wins, found.proofs[4]), (Some(1), true, 1));
        assert_eq!(found.best.map(Action::index), Some(4));
    }
    let mut end = game;
    end.play_at(0, 4).expect("a legal action");
    assert_eq!(end.outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn a_search_for_the_margin_proves_nothing() {
    let settings =
        |reward| Settings { exact: true, reward, simulations: 50, ..Settings::default() };
    // A pass wins by 17.5 points at once.
    let mut game = Go::new(5).expect("a size");
    game.play_at(2, 2).expect("a legal action");
    game.play(game.size().pass()).expect("a legal action");
    for (reward, proven) in [(Reward::Outcome, Some(1)), (Reward::Margin, None)] {
        let found = report(&game, (settings(reward), false));
        assert_eq!(found.proven, proven);
        assert_eq!(found.proofs.iter().any(|&proof| proof != OPEN), proven.is_some());
    }
}

#[test]
#[should_panic(expected = "boards of one size are needed")]
fn boards_of_two_sizes_have_no_leaves_in_one_array() {
    let [small, large] = [5, 6].map(|size| Gomoku::new(size).expect("a size"));
    let search = |game| Search::new(game, Settings::default(), 1).expect("memory");
    let mut cache = Cache::new(0).expect("memory");
    let mut searches = [search(&small), search(&large)];
    let _ = run_with_evaluator(&mut searches, &mut Hashing, &mut cache, &mut || false);
}

#[test]
fn an_interrupt_ends_a_search_while_the_roots_of_many_games_are_solved() {
    let settings = Settings { exact: true, selection: Selection::Puct, ..Settings::default() };
    let search = |game| Search::new(game, settings, 1).expect("memory");
    let games = late(&Reversi::new(6).expect("a size"), 14, 0..100);
    let mut searches: Vec<_> = games.iter().map(search).collect();
    let mut questions = 0;
    let mut interrupt = || {
        questions += 1;
        questions == 2
    };
    let mut cache = Cache::new(0).expect("memory");
    let ended = run_with_evaluator(&mut searches, &mut Hashing, &mut cache, &mut interrupt);
    assert!(matches!(ended, Err(SearchError::Interrupted)));
    // Nothing was evaluated, and some roots are solved: they can be searched on.
    assert!(searches.iter().all(|search| search.report().best.is_none()));
    let solved =
        |searches: &[Search<Reversi>]| searches.iter().filter(|one| one.proven().is_some()).count();
    assert!((1..games.len()).contains(&solved(&searches)));
    run_with_evaluator(&mut searches, &mut Hashing, &mut cache, &mut || false).expect("no error");
    assert_eq!(solved(&searches), games.len());
}
