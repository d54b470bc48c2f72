//! Laws of search with rollouts: what it finds, and what its numbers say.

// The rewards compared are whole or half numbers.
#![allow(clippy::float_cmp)]

use std::time::Duration;

use sixplane::game::Access;
use sixplane::search::{
    Report, Reward, Search, SearchError, Selection, Settings, run_with_playouts,
};
use sixplane::{
    Action, Color, Exact, Game, Go, Gomoku, KoRule, Komi, Notation, Outcome, Playouts, Reversi,
    ReversiRules,
};
use sixplane::{Rules, Setup, SetupError, State};

fn search<G: Playouts + Exact>(game: &G, settings: &Settings, seed: u64) -> Report {
    let mut search = Search::new(game, *settings, seed).expect("memory");
    search.run(&mut || false).expect("memory");
    search.report()
}

fn simulations(simulations: u32) -> Settings {
    Settings { simulations, ..Settings::default() }
}

fn go(side: usize, komi: f64) -> Go {
    let size = sixplane::BoardSize::square(side).expect("a size");
    let komi = Komi::new(komi).expect("a komi");
    let rules = Rules { komi, ko: KoRule::Positional, ..Rules::default() };
    Go::with_rules(size, rules, None).expect("no handicap")
}

#[test]
fn visits_sum_to_simulations_whatever_the_threads() {
    for threads in [1, 2, 5] {
        for rave in [None, Some(300.0)] {
            let settings = Settings { threads, rave, ..simulations(3001) };
            let report = search(&go(5, 0.5), &settings, 3);
            assert_eq!(report.simulations, 3001);
            assert_eq!(report.visits.iter().sum::<u32>(), 3001);
            assert!((report.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn what_a_game_knows_is_no_visit() {
    for (threads, rave) in [(1, None), (1, Some(300.0)), (3, Some(300.0))] {
        for reward in [Reward::Outcome, Reward::Margin] {
            let settings =
                Settings { threads, rave, reward, prior_visits: 20.0, ..simulations(1501) };
            let report = search(&go(5, 0.5), &settings, 3);
            assert_eq!(report.visits.iter().sum::<u32>(), 1501);
            assert!((report.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let game = Gomoku::new(5).expect("a size");
            assert_eq!(search(&game, &settings, 3).visits.iter().sum::<u32>(), 1501);
        }
    }
}

#[test]
fn what_looks_best_is_visited_first() {
    let game = Go::from_text(
        "
        . . . . . . .
        . . . . . . .
        . . X O O . .
        . X O X X O .
        . . . . O O .
        . . . . . . .
        . . . . . . .",
        Color::Black,
    )
    .expect("a position");
    let taking = 4 * 7 + 2; // Takes a stone and saves two.
    for rave in [None, Some(300.0)] {
        for seed in 0..20 {
            let settings = Settings { rave, prior_visits: 20.0, ..simulations(1) };
            assert_eq!(search(&game, &settings, seed).visits[taking], 1);
        }
        let settings = Settings { rave, prior_visits: 20.0, c: 0.2, ..simulations(300) };
        let report = search(&game, &settings, 1);
        assert_eq!(report.best, Some(Action::new(taking)));
    }
}

#[test]
fn one_thread_repeats_exactly_and_another_seed_does_not() {
    for rave in [None, Some(300.0)] {
        let settings = Settings { rave, ..simulations(2000) };
        let one = search(&go(5, 0.5), &settings, 7);
        let same = search(&go(5, 0.5), &settings, 7);
        assert_eq!(
            (&one.visits, &one.principal_variation),
            (&same.visits, &same.principal_variation)
        );
        assert_ne!(one.visits, search(&go(5, 0.5), &settings, 8).visits);
    }
}

#[test]
fn games_together_are_searched_as_alone() {
    let games: Vec<Go> =
        (0..5).map(|i| go(5, 0.5).replay([Action::new(3 * i)]).expect("an empty board")).collect();
    let settings = Settings { threads: 2, ..simulations(500) };
    let search_of = |(i, game)| Search::new(game, settings, i).expect("memory");
    let mut together: Vec<_> = (0..).zip(&games).map(search_of).collect();
    run_with_playouts(&mut together, &mut || false).expect("memory");
    for ((i, game), together) in (0..).zip(&games).zip(&together) {
        let alone = search(game, &simulations(500), i);
        assert_eq!(together.report().visits, alone.visits);
    }
}

#[test]
#[ignore = "slow: make test-slow"]
fn finds_every_win_in_one_and_blocks_every_loss_in_one() {
    for row in 0..7 {
        for col in 0..3 {
            for (own, wins) in [("X", true), ("O", false)] {
                let mut lines = vec![vec!["."; 7]; 7];
                for point in &mut lines[row][col..col + 4] {
                    *point = own;
                }
                if col > 0 {
                    lines[row][col - 1] = if wins { "O" } else { "X" };
                }
                let text: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
                let game = Gomoku::from_text(&text.join("\n"), Color::Black).expect("a position");
                let settings = Settings { c: 0.5, ..simulations(30_000) };
                let best = search(&game, &settings, 1).best.expect("the game goes on");
                let point = row * 7 + col;
                let ends = [point.wrapping_sub(1), point + 4];
                assert!(ends.contains(&best.index()), "{text:#?}\n{best:?}");
            }
        }
    }
}

/// The outcome under best play, by trying everything.
fn minimax(game: &Reversi) -> f64 {
    if let Some(outcome) = game.outcome() {
        return f64::from(outcome.sign());
    }
    let results = game.legal_actions().into_iter().map(|action| {
        let mut next = game.clone();
        next.play_unchecked(action);
        minimax(&next)
    });
    match game.turn() {
        Color::Black => results.fold(-1.0, f64::max),
        Color::White => results.fold(1.0, f64::min),
    }
}

#[test]
#[ignore = "slow: make test-slow"]
fn plays_reversi_endgames_as_minimax_does() {
    use sixplane::players::random::RandomPlayer;
    let mut found = 0;
    for seed in 0..12 {
        let mut player = RandomPlayer::new(seed);
        let mut game = Reversi::new(6).expect("a size");
        while game.state().moves() < 25 && !game.is_over() {
            game.play_unchecked(player.select_action(&game));
        }
        if game.is_over() || game.legal_actions().len() < 2 {
            continue;
        }
        let best = search(&game, &simulations(30_000), seed).best.expect("the game goes on");
        let value = minimax(&game);
        let mut next = game.clone();
        next.play_unchecked(best);
        assert!(
            (minimax(&next) - value).abs() < 0.5,
            "{}",
            Reversi::NOTATION.draw(game.state().planes(), None)
        );
        found += 1;
    }
    assert!(found >= 6);
}

#[test]
fn two_by_two_is_black_by_one() {
    // At a komi of half a point Black wins, at one and a half White does.
    let black = search(&go(2, 0.5), &simulations(100_000), 1);
    let white = search(&go(2, 1.5), &simulations(100_000), 1);
    assert!(black.value > 0.8, "{}", black.value);
    assert!(white.value < -0.8, "{}", white.value);
    let even = search(&go(2, 1.0), &simulations(100_000), 1);
    assert!(even.value.abs() < 0.2, "{}", even.value);
}

#[test]
#[ignore = "slow: make test-slow"]
fn on_three_by_three_only_the_center_wins_all_nine_points() {
    // At a komi of eight and a half, nothing less wins.
    let game = go(3, 8.5);
    let report = search(&game, &simulations(200_000), 1);
    assert_eq!(report.best, Some(Action::new(4)));
    assert!(f64::from(report.visits[4]) > 0.95 * 200_000.0, "{:?}", report.visits);
    for (action, wins) in [(4, true), (0, false), (1, false)] {
        let next = game.replay([Action::new(action)]).expect("an empty board");
        let whites = search(&next, &simulations(200_000), 1).value;
        assert_eq!(whites < 0.0, wins, "{action}: {whites}");
    }
}

#[test]
fn a_margin_is_ten_more_than_the_lead() {
    // The only play of this board, after which Black leads by sixteen.
    let game =
        Reversi::from_text("X X X X\nX X X X\nX X X X\nX X O .", Color::Black).expect("a position");
    let settings = Settings { reward: Reward::Margin, ..simulations(10) };
    let report = search(&game, &settings, 1);
    assert_eq!(report.q[15], 26.0);
    assert_eq!(Reward::Margin.of(Outcome::Draw, 0.0), 0.0);
    assert_eq!(Reward::Margin.of(Outcome::Win(Color::White), -3.5), -13.5);
}

#[test]
fn advancing_keeps_the_subtree() {
    let game = go(5, 0.5);
    let mut search = Search::new(&game, simulations(5000), 1).expect("memory");
    search.run(&mut || false).expect("memory");
    let before = search.report();
    let best = before.best.expect("the game goes on");
    search.advance(best).expect("a legal action");
    let kept = search.report();
    // The visit that found the position was none of an action in it.
    assert_eq!(kept.visits.iter().sum::<u32>() + 1, before.visits[best.index()]);
    assert!((kept.value + before.q[best.index()]).abs() < 0.01);
    assert_eq!(kept.principal_variation[..], before.principal_variation[1..]);
    search.run(&mut || false).expect("memory");
    let after = search.report();
    assert_eq!(after.visits.iter().sum::<u32>(), kept.visits.iter().sum::<u32>() + 5000);
    assert!(search.advance(Action::new(25)).is_ok());
    assert!(search.advance(Action::new(99)).is_err());
}

#[test]
fn a_full_tree_goes_on_without_growing() {
    let settings = Settings { max_nodes: 500, ..simulations(20_000) };
    let report = search(&go(5, 0.5), &settings, 1);
    assert_eq!(report.visits.iter().sum::<u32>(), 20_000);
    assert!(report.nodes <= 500, "{}", report.nodes);
    let smallest = search(&go(5, 0.5), &Settings { max_nodes: 1, ..simulations(100) }, 1);
    assert_eq!(smallest.visits.iter().sum::<u32>(), 100);
    assert_eq!(smallest.nodes, 27);
}

#[test]
fn time_ends_a_search_and_so_does_an_interrupt() {
    let time = Some(Duration::from_millis(50));
    let limited = Settings { time, threads: 2, ..simulations(u32::MAX) };
    let report = search(&go(9, 7.5), &limited, 1);
    assert!(report.elapsed >= Duration::from_millis(50));
    assert_eq!(report.visits.iter().sum::<u32>(), report.simulations);
    let mut endless = Search::new(&go(9, 7.5), Settings { threads: 2, ..simulations(u32::MAX) }, 1)
        .expect("memory");
    assert_eq!(endless.run(&mut || true), Err(SearchError::Interrupted));
    let report = endless.report();
    assert_eq!(report.visits.iter().sum::<u32>(), report.simulations);
}

#[test]
fn gumbel_selection_follows_its_plan_with_rollouts() {
    let settings = Settings {
        selection: Selection::Gumbel,
        c: Settings::default_c(Selection::Gumbel),
        ..simulations(64)
    };
    let report = search(&go(9, 7.5), &settings, 1);
    assert_eq!(report.visits.iter().sum::<u32>(), 64);
    // Sixteen actions, of which ever fewer are followed further.
    assert_eq!(report.visits.iter().filter(|&&n| n > 0).count(), 16);
    let best = report.best.expect("the game goes on");
    assert_eq!(Some(&report.visits[best.index()]), report.visits.iter().max());
    assert!((report.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
}

#[test]
fn nothing_is_searched_when_the_game_is_over() {
    let mut game = go(5, 0.5);
    game.resign(Color::Black).expect("a running game");
    let report = search(&game, &simulations(10), 1);
    assert_eq!((report.best, report.simulations), (None, 0));
    assert!(report.value.is_nan());
}

/// Reversi that fails when it is asked what it knows, or says that all is even.
#[derive(Clone, Debug, PartialEq)]
struct Asked<const MAY_ASK: bool>(Reversi);

impl<const MAY_ASK: bool> Game for Asked<MAY_ASK> {
    type Rules = ReversiRules;

    const NAME: &'static str = Reversi::NAME;

    const NOTATION: Notation = Reversi::NOTATION;

    fn from_setup(
        rules: ReversiRules,
        setup: Setup,
        max_moves: Option<u32>,
    ) -> Result<Self, SetupError> {
        Reversi::from_setup(rules, setup, max_moves).map(Self)
    }

    fn rules(&self) -> &ReversiRules {
        self.0.rules()
    }

    fn state(&self) -> &State {
        self.0.state()
    }

    fn state_mut(&mut self, access: Access) -> &mut State {
        self.0.state_mut(access)
    }

    fn apply(&mut self, action: Action) {
        self.0.apply(action);
    }

    fn rebuild(&mut self) {
        self.0.rebuild();
    }

    fn reason(&self, point: usize) -> &'static str {
        self.0.reason(point)
    }

    fn may_pass(&self) -> bool {
        self.0.may_pass()
    }

    fn ending_rule(&self) -> Option<&'static str> {
        self.0.ending_rule()
    }

    fn score(&self) -> f64 {
        self.0.score()
    }
}

impl<const MAY_ASK: bool> Exact for Asked<MAY_ASK> {}

impl<const MAY_ASK: bool> Playouts for Asked<MAY_ASK> {
    fn write_heuristic_values(&self, _actions: &[Action], values: &mut [f32]) {
        assert!(MAY_ASK, "asked without prior visits");
        values.fill(0.0);
    }
}

#[test]
fn without_prior_visits_no_game_is_asked_and_with_them_it_matters() {
    let game = Reversi::new(6).expect("a size");
    for rave in [None, Some(300.0)] {
        let settings = Settings { rave, ..simulations(2000) };
        let plain = search(&game, &settings, 5);
        assert_eq!(plain.visits, search(&Asked::<false>(game.clone()), &settings, 5).visits);
        let settings = Settings { prior_visits: 20.0, ..settings };
        let even = search(&Asked::<true>(game.clone()), &settings, 5);
        assert_ne!(even.visits, search(&game, &settings, 5).visits);
    }
}

#[test]
fn a_tree_is_made_for_the_largest_board_it_meets() {
    let settings = Settings { max_nodes: 1, ..simulations(50) };
    let mut search = Search::new(&go(3, 0.5), settings, 1).expect("memory");
    for side in [3, 9, 25, 5] {
        search.restart(&go(side, 0.5), 2).expect("memory");
        search.run(&mut || false).expect("memory");
        let report = search.report();
        assert_eq!((report.nodes, report.simulations), (side * side + 2, 50));
        assert!(report.best.is_some());
    }
}

#[test]
fn nothing_is_found_by_no_simulations() {
    let game = go(5, 0.5);
    let mut search = Search::new(&game, simulations(0), 1).expect("memory");
    search.run(&mut || false).expect("memory");
    let report = search.report();
    assert_eq!((report.best, report.simulations), (None, 0));
    assert!(report.value.is_nan() && report.visits.iter().all(|&n| n == 0));
    // What was found before is kept.
    search.configure(30, None, 1);
    search.run(&mut || false).expect("memory");
    search.configure(0, None, 1);
    search.run(&mut || false).expect("memory");
    assert_eq!(search.report().best, None);
    search.configure(20, None, 1);
    search.run(&mut || false).expect("memory");
    assert_eq!(search.report().visits.iter().sum::<u32>(), 50);
}

#[test]
fn zero_threads_are_one_and_all_the_time_in_the_world_is_a_limit() {
    let game = go(5, 0.5);
    let settings = Settings { threads: 0, time: Some(Duration::MAX), ..simulations(20) };
    assert_eq!(search(&game, &settings, 1).visits, search(&game, &simulations(20), 1).visits);
    let mut searches = [Search::new(&game, settings, 1).unwrap()];
    run_with_playouts(&mut searches, &mut || false).unwrap();
    assert_eq!(searches[0].report().visits, search(&game, &simulations(20), 1).visits);
}
