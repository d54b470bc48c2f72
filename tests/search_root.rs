//! Laws of what a search finds out about its root.

// The values compared are whole numbers.
#![allow(clippy::float_cmp)]

use sixplane::search::{Search, Selection, Settings};
use sixplane::{
    Action, BoardSize, Color, Exact, Game, Go, Gomoku, Komi, Outcome, Playouts, Reversi, Rules,
};

/// What a search should know of its root, found by playing every legal action.
fn wins_at_once<G: Playouts>(game: &G) -> Vec<usize> {
    let wins = |action: &Action| {
        let mut after = game.clone();
        after.play(*action).expect("a legal action");
        after.outcome() == Some(Outcome::Win(game.turn()))
    };
    game.legal_actions().into_iter().filter(wins).map(Action::index).collect()
}

fn knows_every_win<G: Playouts + Exact>(game: &G, seed: u64) -> usize {
    let mut game = game.clone();
    let mut state = seed;
    let mut found = 0;
    while !game.is_over() {
        let wins = wins_at_once(&game);
        let mut search = Search::new(&game, Settings { simulations: 1, ..Settings::default() }, 1)
            .expect("memory");
        search.run(&mut || false).expect("memory");
        let report = search.report();
        assert_eq!(report.wins, !wins.is_empty(), "{game:?}");
        if report.wins {
            let best = report.best.expect("the game goes on").index();
            assert!(wins.contains(&best));
            assert_eq!((report.value, report.policy[best], report.q[best]), (1.0, 1.0, 1.0));
            assert!((report.policy.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            found += 1;
        }
        let legal = game.legal_actions();
        for action in &legal {
            let mut after = game.clone();
            after.play(*action).expect("a legal action");
            assert!(game.may_end(*action) || !after.is_over(), "{game:?} {action:?}");
        }
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let passes = legal.last().filter(|a| **a == game.size().pass() && state >> 61 == 0);
        let next = passes.copied().unwrap_or(legal[(state >> 33) as usize % legal.len()]);
        game.play(next).expect("a legal action");
    }
    found
}

#[test]
fn what_wins_at_once_is_always_played() {
    let size = BoardSize::square(4).expect("a size");
    let short = Go::with_rules(size, Rules::default(), Some(9)).expect("no handicap");
    let rules = Rules { komi: Komi::new(0.5).expect("a komi"), ..Rules::default() };
    let small = BoardSize::square(3).expect("a size");
    let small = Go::with_rules(small, rules, None).expect("no handicap");
    let mut found = [0; 5];
    for seed in 0..12 {
        found[0] += knows_every_win(&small, seed);
        found[1] += knows_every_win(&short, seed);
        found[2] += knows_every_win(&Gomoku::new(6).expect("a size"), seed);
        found[3] += knows_every_win(&Reversi::new(4).expect("a size"), seed);
        let exact = Gomoku::from_text(
            ". . . . . . .\n. X X . X X X\nO . O O O . O\n. . . . . . .\n. . . . . . .",
            if seed % 2 == 0 { Color::Black } else { Color::White },
        );
        found[4] += knows_every_win(&exact.expect("a position"), seed);
    }
    assert!(found.iter().all(|&found| found > 0), "{found:?}");
}

#[test]
fn an_action_that_is_not_allowed_is_never_visited() {
    let mut game = Go::new(3).expect("a size");
    for seed in 0..40 {
        let allowed: Vec<bool> = (0..10).map(|action| (action + seed) % 3 == 0).collect();
        let legal = game.legal_actions();
        let wanted: Vec<usize> =
            legal.iter().map(|action| action.index()).filter(|&action| allowed[action]).collect();
        for selection in [Selection::Ucb, Selection::Puct, Selection::Gumbel] {
            let settings =
                Settings { selection, simulations: 40, threads: 2, ..Settings::default() };
            let mut search = Search::new(&game, settings, seed).expect("memory");
            for mask in [None, Some(&*allowed), None] {
                search.restrict(mask);
                search.run(&mut || false).expect("memory");
                let report = search.report();
                let visited = (0..10).filter(|&action| report.visits[action] > 0);
                if mask.is_some() {
                    assert!(visited.clone().all(|action| wanted.contains(&action)), "{game:?}");
                    assert_eq!(report.best.is_some(), !wanted.is_empty());
                    assert_eq!(report.simulations, if wanted.is_empty() { 0 } else { 40 });
                } else {
                    assert!(report.visits.iter().sum::<u32>() >= 40);
                }
            }
        }
        if game.play(legal[seed as usize % legal.len()]).is_err() || game.is_over() {
            game = Go::new(3).expect("a size");
        }
    }
}

#[test]
fn a_search_that_begins_anew_is_a_new_one_of_its_seed() {
    let game = Gomoku::new(6).expect("a size");
    for rave in [None, Some(300.0)] {
        let settings = Settings { simulations: 300, rave, ..Settings::default() };
        let new = |seed| Search::new(&game, settings, seed).expect("memory");
        let visits = |search: &mut Search<Gomoku>| {
            search.run(&mut || false).expect("memory");
            search.report().visits
        };
        let [one, two] = [1, 2].map(|seed| visits(&mut new(seed)));
        assert_ne!(one, two);
        let mut search = new(1);
        assert_eq!(visits(&mut search), one);
        search.restart(&game, 2).expect("memory");
        assert_eq!(visits(&mut search), two);
        search.restart(&game, 2).expect("memory");
        search.configure(300, None, 1);
        assert_eq!(visits(&mut search), one);
    }
}

#[test]
fn what_is_allowed_is_so_at_one_root_and_the_priors_are_those_of_it() {
    let game = Go::new(3).expect("a size");
    let only = |action: usize| (0..10).map(|other| other == action).collect::<Vec<_>>();
    let settings = Settings { simulations: 60, ..Settings::default() };
    let mut search = Search::new(&game, settings, 1).expect("memory");
    let priors = |search: &mut Search<Go>| {
        search.run(&mut || false).expect("memory");
        let report = search.report();
        assert!((report.prior.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        report.prior.iter().filter(|&&prior| prior > 0.0).count()
    };
    assert_eq!(priors(&mut search), 10);
    for goes_on in [true, false] {
        search.restrict(Some(&only(4)));
        assert_eq!(priors(&mut search), 1);
        if goes_on {
            search.advance(Action::new(4)).expect("a legal action");
            assert_eq!(priors(&mut search), 9);
        } else {
            search.restart(&game, 1).expect("memory");
            assert_eq!(priors(&mut search), 10);
        }
        search.restart(&game, 1).expect("memory");
    }
}

#[test]
fn of_equal_visits_the_highest_mean_is_played() {
    let game = Gomoku::new(5).expect("a size");
    for seed in 0..5 {
        let settings = Settings { simulations: 25, ..Settings::default() };
        let mut search = Search::new(&game, settings, seed).expect("memory");
        search.run(&mut || false).expect("memory");
        let report = search.report();
        assert_eq!(report.visits[..25], [1; 25]);
        let best = report.best.expect("the game goes on").index();
        assert!(report.q[..25].iter().all(|&q| q <= report.q[best]), "{report:?}");
    }
}
