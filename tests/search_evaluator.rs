//! Laws of search with an evaluator, beside a plain tree that does the same slowly.

use std::collections::HashMap;

use sixplane::search::{
    Cache, Evaluations, Evaluator, Leaves, Noise, Report, Reward, Search, SearchError, Selection,
    Settings, run_with_evaluator,
};
use sixplane::{
    Action, BoardSize, Exact, Game, Go, Gomoku, KoRule, Komi, Outcome, Playouts, Reversi, Rules,
};

/// What makes evaluations useless.
type Spoil = fn(&mut Evaluations);

/// Numbers that look random and follow from the planes alone.
#[derive(Default)]
struct Hashing {
    salt: u64,
    reward: Reward,
    calls: usize,
    leaves: usize,
    fails_at: Option<usize>,
    spoils: Option<Spoil>,
}

fn hash(bytes: &[u8], salt: u64) -> f32 {
    let mix =
        |state: u64, byte: u64| (state ^ byte).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    let state = bytes.iter().fold(mix(0xcbf2_9ce4_8422_2325, salt), |s, &b| mix(s, u64::from(b)));
    (state >> 40) as f32 / (1 << 24) as f32
}

impl Hashing {
    fn judge(salt: u64, reward: Reward, size: BoardSize, planes: &[u8]) -> (Vec<f32>, f32) {
        let hash = |action: usize| hash(planes, 1000 * salt + action as u64);
        let actions = 0..size.num_actions();
        let most = if reward == Reward::Margin { 32.0 } else { 1.0 };
        (actions.clone().map(|a| 3.0 * hash(a)).collect(), most * (2.0 * hash(actions.end) - 1.0))
    }
}

impl Evaluator for Hashing {
    type Error = &'static str;

    fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, &'static str> {
        self.calls += 1;
        self.leaves += leaves.count;
        if self.fails_at == Some(self.calls) {
            return Err("out of order");
        }
        let mut all = Evaluations::default();
        for planes in leaves.planes.chunks(leaves.num_planes * leaves.size.points()) {
            let (logits, value) = Self::judge(self.salt, self.reward, leaves.size, planes);
            all.logits.extend(logits);
            all.values.push(value);
        }
        assert_eq!(all.values.len(), leaves.count);
        if let Some(spoil) = self.spoils {
            spoil(&mut all);
        }
        Ok(all)
    }
}

/// A node of the plain tree: a whole game, its actions and what came of them.
struct Plain<G> {
    game: G,
    salt: u64,
    reward: Reward,
    actions: Vec<(Action, f32)>,
    children: HashMap<Action, Plain<G>>,
    visits: HashMap<Action, u32>,
    sums: HashMap<Action, f64>,
    value: f64,
}

impl<G: Playouts + Exact> Plain<G> {
    fn new(game: G, salt: u64, reward: Reward) -> Self {
        let (actions, value) = if let Some(outcome) = game.outcome() {
            let win = f64::from(Outcome::sign(outcome));
            let black = if reward == Reward::Margin { 10.0 * win + game.score() } else { win };
            let sign = if game.turn() == sixplane::Color::Black { 1.0 } else { -1.0 };
            (Vec::new(), sign * black)
        } else {
            let planes: Vec<u8> = game.planes().iter().copied().collect();
            let (logits, value) = Hashing::judge(salt, reward, game.size(), &planes);
            let legal = game.legal_actions();
            let sum: f64 = legal.iter().map(|a| f64::from(logits[a.index()]).exp()).sum();
            let prior = |a: Action| (f64::from(logits[a.index()]).exp() / sum) as f32;
            (legal.into_iter().map(|a| (a, prior(a))).collect(), f64::from(value))
        };
        let (children, visits, sums) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { game, salt, reward, actions, children, visits, sums, value }
    }

    fn count(&self, action: Action) -> f64 {
        f64::from(self.visits.get(&action).copied().unwrap_or(0))
    }

    fn score(&self, settings: &Settings, action: Action, prior: f64) -> f64 {
        let c = f64::from(settings.c);
        let total: f64 = self.actions.iter().map(|&(action, _)| self.count(action)).sum();
        let (n, sum) = (self.count(action), self.sums.get(&action).copied().unwrap_or(0.0));
        match settings.selection {
            Selection::Ucb if n == 0.0 => 100.0 + prior,
            Selection::Ucb => sum / n + c * (2.0 * total.ln() / n).sqrt(),
            _ => {
                let mean = match settings.first_play {
                    _ if n > 0.0 => sum / n,
                    None => 0.0,
                    Some(reduction) => {
                        self.sums.values().sum::<f64>() / total.max(1.0) - f64::from(reduction)
                    }
                };
                let rate = ((1.0 + (total + 1.0) + 19652.0) / 19652.0).ln() + c;
                mean + rate * prior * (total + 1.0).sqrt() / (1.0 + n)
            }
        }
    }

    /// One simulation: the value for the player to play here. `None` where scores are so near that
    /// rounding decides.
    fn simulate(&mut self, settings: &Settings) -> Option<f64> {
        if self.actions.is_empty() {
            return Some(self.value);
        }
        let mut best = (f64::NEG_INFINITY, Action::new(0));
        for &(action, prior) in &self.actions {
            let score = self.score(settings, action, f64::from(prior));
            if score > best.0 {
                best = (score, action);
            }
        }
        let near = |&(action, prior): &(Action, f32)| {
            let score = self.score(settings, action, f64::from(prior));
            // Margins are larger numbers, which are rounded more.
            let rounding = if self.reward == Reward::Margin { 1e-4 } else { 2e-6 };
            (1e-12..rounding).contains(&(best.0 - score))
        };
        if self.actions.iter().any(near) {
            return None;
        }
        let action = best.1;
        let value = -if let Some(child) = self.children.get_mut(&action) {
            child.simulate(settings)?
        } else {
            let mut game = self.game.clone();
            game.play(action).expect("a legal action");
            let child = Self::new(game, self.salt, self.reward);
            let value = child.value;
            self.children.insert(action, child);
            value
        };
        *self.visits.entry(action).or_default() += 1;
        *self.sums.entry(action).or_default() += value;
        Some(value)
    }
}

fn settings(selection: Selection, simulations: u32) -> Settings {
    Settings { selection, simulations, c: Settings::default_c(selection), ..Settings::default() }
}

fn search<G: Playouts + Exact>(
    games: &[G],
    settings: Settings,
    evaluator: &mut Hashing,
) -> Vec<Report> {
    let mut searches: Vec<_> = (0..)
        .zip(games)
        .map(|(seed, game)| Search::new(game, settings, seed).expect("memory"))
        .collect();
    run_with_evaluator(&mut searches, evaluator, &mut Cache::default(), &mut || false)
        .expect("a search");
    searches.iter().map(Search::report).collect()
}

fn go(side: usize, ko: KoRule) -> Go {
    let size = BoardSize::square(side).expect("a size");
    let komi = Komi::new(0.5).expect("a komi");
    Go::with_rules(size, Rules { ko, komi, ..Rules::default() }, None).expect("no handicap")
}

fn agrees_with_the_plain_tree<G: Playouts + Exact>(game: &G, simulations: u32) {
    let mut all = 0;
    let searches = [
        (Selection::Ucb, 1, None, Reward::Outcome),
        (Selection::Puct, 1, None, Reward::Outcome),
        (Selection::Puct, 2, None, Reward::Outcome),
        (Selection::Puct, 1, Some(0.0), Reward::Outcome),
        (Selection::Puct, 2, Some(0.25), Reward::Outcome),
        (Selection::Ucb, 3, None, Reward::Margin),
        (Selection::Puct, 3, None, Reward::Margin),
    ];
    for (selection, salt, first_play, reward) in searches {
        let mut plain = Plain::new(game.clone(), salt, reward);
        let mut settings = Settings { first_play, reward, ..settings(selection, simulations) };
        let mut done = 0;
        while done < simulations && plain.simulate(&settings).is_some() {
            done += 1;
        }
        all += done;
        settings.simulations = done;
        let mut evaluator = Hashing { salt, reward, ..Hashing::default() };
        let report = &search(std::slice::from_ref(game), settings, &mut evaluator)[0];
        for action in game.legal_actions() {
            let visits = plain.visits.get(&action).copied().unwrap_or(0);
            assert_eq!(report.visits[action.index()], visits, "{selection:?} {action:?}");
            if visits > 0 {
                let mean = plain.sums[&action] / f64::from(visits);
                assert!((f64::from(report.q[action.index()]) - mean).abs() < 1e-4);
            }
        }
        assert_eq!(report.visits.iter().sum::<u32>(), done);
    }
    assert!(all > simulations / 2, "{all} simulations before rounding decided");
}

#[test]
fn a_search_agrees_with_a_plain_tree() {
    agrees_with_the_plain_tree(&go(2, KoRule::Positional), 3000);
    agrees_with_the_plain_tree(&go(3, KoRule::Situational), 1000);
    agrees_with_the_plain_tree(&go(5, KoRule::Simple), 1000);
    agrees_with_the_plain_tree(&Reversi::new(4).expect("a size"), 1000);
    agrees_with_the_plain_tree(&Gomoku::new(5).expect("a size"), 1000);
}

#[test]
fn games_in_a_batch_are_searched_as_alone_whatever_the_threads() {
    let games: Vec<Go> = (0..40)
        .map(|i| go(5, KoRule::Positional).replay([Action::new(i % 25)]).expect("an empty board"))
        .collect();
    for selection in [Selection::Ucb, Selection::Puct, Selection::Gumbel] {
        let noise = Some(Noise { alpha: 0.3, fraction: 0.25 });
        let noise = noise.filter(|_| selection == Selection::Puct);
        let alone = Settings { noise, symmetry: Some(1), leaves: 3, ..settings(selection, 50) };
        let together = search(&games, Settings { threads: 2, ..alone }, &mut Hashing::default());
        for (seed, (game, together)) in (0..).zip(games.iter().zip(&together)) {
            let mut one = [Search::new(game, alone, seed).expect("memory")];
            let result = run_with_evaluator(
                &mut one,
                &mut Hashing::default(),
                &mut Cache::default(),
                &mut || false,
            );
            assert_eq!(result, Ok(()));
            let report = one[0].report();
            assert_eq!(report.visits, together.visits);
            assert_eq!(report.policy, together.policy);
            assert_eq!(report.visits.iter().sum::<u32>(), 50);
        }
    }
}

#[test]
fn all_leaves_of_a_wave_go_to_one_call() {
    let games = vec![go(9, KoRule::Positional); 10];
    let mut evaluator = Hashing::default();
    search(&games, Settings { leaves: 4, ..settings(Selection::Puct, 40) }, &mut evaluator);
    // The roots, then four leaves of each game ten times; few of them are the same.
    assert_eq!(evaluator.calls, 11);
    assert!((350..=410).contains(&evaluator.leaves), "{}", evaluator.leaves);
}

#[test]
fn cached_evaluations_change_nothing_and_are_asked_for_once() {
    let cases = [
        (0, Selection::Puct, None),
        (2, Selection::Gumbel, None),
        (0, Selection::Gumbel, Some(1)),
        (2, Selection::Puct, Some(2)),
    ];
    for (history, selection, symmetry) in cases {
        let games = vec![Reversi::new(4).expect("a size"); 3];
        let settings = Settings { history, symmetry, ..settings(selection, 300) };
        let plain = search(&games, settings, &mut Hashing::default());
        let (mut evaluator, mut cache) = (Hashing::default(), Cache::new(1 << 16).expect("memory"));
        let mut asked = Vec::new();
        for _ in 0..2 {
            let mut searches: Vec<_> = (0..)
                .zip(&games)
                .map(|(i, game)| Search::new(game, settings, i).expect("memory"))
                .collect();
            run_with_evaluator(&mut searches, &mut evaluator, &mut cache, &mut || false)
                .expect("a search");
            for (search, plain) in searches.iter().zip(&plain) {
                assert_eq!(search.report().visits, plain.visits);
            }
            asked.push(evaluator.leaves);
        }
        // A few positions have the same place.
        assert!(asked[1] <= asked[0] + 30, "{asked:?}");
    }
}

#[test]
fn what_goes_wrong_leaves_the_trees_as_they_were() {
    let faults: [(Option<usize>, Option<Spoil>); 6] = [
        (Some(5), None),
        (None, Some(|all| all.values[0] = f32::NAN)),
        (None, Some(|all| all.values[0] = 1.5)),
        (None, Some(|all| all.logits[3] = f32::NAN)),
        (None, Some(|all| all.logits.fill(f32::NEG_INFINITY))),
        (None, Some(|all| all.logits.truncate(7))),
    ];
    let game = go(5, KoRule::Positional);
    for (fails_at, spoils) in faults {
        let settings = Settings { leaves: 4, ..settings(Selection::Puct, 100) };
        let mut searches = [
            Search::new(&game, settings, 0).expect("memory"),
            Search::new(&game, settings, 1).expect("memory"),
        ];
        let mut cache = Cache::new(10).expect("memory");
        let mut healthy = Hashing { fails_at, ..Hashing::default() };
        let mut run = |searches: &mut [Search<Go>], evaluator: &mut Hashing| {
            run_with_evaluator(searches, evaluator, &mut cache, &mut || false)
        };
        if fails_at.is_some() {
            let result = run(&mut searches, &mut healthy);
            assert_eq!(result, Err(SearchError::Evaluator("out of order")));
            assert_eq!(searches[0].report().visits.iter().sum::<u32>(), 12);
        } else {
            run(&mut searches, &mut healthy).expect("a search");
        }
        let before = searches.each_ref().map(Search::report);
        let mut whole = [Search::new(&game, settings, 0).expect("memory")];
        let mut spoiled = Hashing { spoils, fails_at: fails_at.map(|_| 1), ..Hashing::default() };
        let error = run(&mut searches, &mut spoiled).expect_err("a fault");
        assert!(matches!(error, SearchError::Evaluation(_)) || fails_at.is_some(), "{error:?}");
        let after = searches.each_ref().map(Search::report);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!((&before.visits, &before.policy), (&after.visits, &after.policy));
        }
        // Nothing is still thought to be on its way: the search goes on as one that never failed does.
        run(&mut searches, &mut Hashing::default()).expect("a search");
        let sum = before[0].visits.iter().sum::<u32>();
        assert_eq!(searches[0].report().visits.iter().sum::<u32>(), sum + 100);
        if fails_at.is_none() {
            for _ in 0..2 {
                run(&mut whole, &mut Hashing::default()).expect("a search");
            }
            assert_eq!(searches[0].report().visits, whole[0].report().visits);
        }
    }
}

#[test]
fn nothing_is_kept_of_an_answer_that_cannot_be_used() {
    let start = go(5, KoRule::Positional);
    let games = [start.clone(), start.replay([Action::new(3)]).expect("an empty board")];
    let settings = settings(Selection::Puct, 60);
    let mut cache = Cache::new(1 << 12).expect("memory");
    let mut run = |evaluator: &mut Hashing| {
        let search = |seed| Search::new(&games[seed], settings, seed as u64).expect("memory");
        let mut searches = [0, 1].map(search);
        let result = run_with_evaluator(&mut searches, evaluator, &mut cache, &mut || false);
        result.map(|()| searches.map(|search| search.report().visits))
    };
    // What is said of the first position could be used, of the second not.
    let spoils: Option<Spoil> = Some(|all| (all.logits[0], all.values[1]) = (9.0, f32::NAN));
    assert!(run(&mut Hashing { spoils, ..Hashing::default() }).is_err());
    let visits = run(&mut Hashing::default()).expect("a search");
    let plain = search(&games, settings, &mut Hashing::default());
    assert_eq!(visits.to_vec(), plain.into_iter().map(|one| one.visits).collect::<Vec<_>>());
}

#[test]
fn an_error_names_what_is_wrong() {
    let game = go(5, KoRule::Positional);
    let mut search = [Search::new(&game, settings(Selection::Puct, 10), 0).expect("memory")];
    let spoils: Option<Spoil> = Some(|all| all.logits[7] = f32::INFINITY);
    let mut evaluator = Hashing { spoils, ..Hashing::default() };
    let result =
        run_with_evaluator(&mut search, &mut evaluator, &mut Cache::default(), &mut || false);
    let expected = "in position 0 the logit of action 7 is inf: it must be a number, or -inf to leave \
                    the action out";
    assert_eq!(result, Err(SearchError::Evaluation(expected.to_owned())));
    let result = run_with_evaluator(
        &mut search,
        &mut Hashing::default(),
        &mut Cache::default(),
        &mut || true,
    );
    assert_eq!(result, Err(SearchError::Interrupted));
}

#[test]
fn a_full_tree_is_searched_on() {
    let settings = Settings { max_nodes: 100, leaves: 4, ..settings(Selection::Puct, 500) };
    let report = &search(&[go(5, KoRule::Positional)], settings, &mut Hashing::default())[0];
    assert_eq!(report.visits.iter().sum::<u32>(), 500);
    assert!(report.nodes <= 100);
}

#[test]
fn zero_threads_and_leaves_are_one_and_a_history_without_memory_is_told() {
    let game = Go::new(5).unwrap();
    let puct = Settings { selection: Selection::Puct, simulations: 20, ..Settings::default() };
    let run = |settings: Settings| {
        let mut searches = [Search::new(&game, settings, 1).unwrap()];
        let mut cache = Cache::new(0).unwrap();
        run_with_evaluator(&mut searches, &mut Hashing::default(), &mut cache, &mut || false)
            .map(|()| searches[0].report().visits)
    };
    assert_eq!(run(Settings { threads: 0, leaves: 0, ..puct }).unwrap(), run(puct).unwrap());
    for history in [usize::MAX / 2, usize::MAX] {
        assert!(matches!(run(Settings { history, ..puct }), Err(SearchError::NoMemory(_))));
    }
}
