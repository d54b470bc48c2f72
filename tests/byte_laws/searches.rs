//! Searches of any position with any settings.

use sixplane::search::{
    Cache, Evaluations, Evaluator, Leaves, Noise, OPEN, Report, Reward, Search, Selection,
    Settings, View, run_with_evaluator,
};
use sixplane::{Action, Exact, Game, Playouts};

use super::exact::{EMPTY, empty, minimax};
use super::{Bytes, below, legal_action, with_game};

/// A search ends with a legal action, its visits sum to what was asked, its values are bounded, and what it says is
/// certain is what minimax finds.
pub fn a_search_finds_a_legal_action(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = (|| with_game!(&mut bytes, searched))();
}

/// Logits and values that follow from the planes.
#[derive(Debug)]
pub struct Hashing;

impl Evaluator for Hashing {
    type Error = std::convert::Infallible;

    fn evaluate(&mut self, leaves: Leaves) -> Result<Evaluations, Self::Error> {
        let mut all = Evaluations::default();
        for planes in leaves.planes.chunks(leaves.num_planes * leaves.size.points()) {
            let hash = planes.iter().fold(7_u32, |hash, &cell| {
                (hash ^ u32::from(cell)).wrapping_mul(0x0100_0193).rotate_left(11)
            });
            let number =
                |i: usize| (hash.rotate_left(i as u32 % 32) >> 8) as f32 / (1 << 24) as f32;
            all.logits.extend((0..leaves.size.num_actions()).map(|i| 4.0 * number(i)));
            all.values.push(2.0 * number(31) - 1.0);
        }
        Ok(all)
    }
}

fn settings(bytes: &mut Bytes<'_>) -> Option<(Settings, bool)> {
    let has_evaluator = below(bytes, 2)? == 1;
    let selection = match below(bytes, 3)? {
        0 if has_evaluator => Selection::Puct,
        1 if has_evaluator => Selection::Gumbel,
        _ => Selection::Ucb,
    };
    let flags = bytes.next()?;
    let is_set = |bit: u32| flags >> bit & 1 == 1;
    let settings = Settings {
        selection,
        simulations: 1 + below(bytes, 40)? as u32,
        max_nodes: if is_set(0) { 64 } else { 1 << 14 },
        c: f32::from(bytes.next()?) / 64.0,
        noise: is_set(1).then_some(Noise { alpha: 0.3, fraction: 0.25 }),
        rave: (is_set(2) && !has_evaluator).then_some(100.0),
        prior_visits: if is_set(3) && !has_evaluator { 10.0 } else { 0.0 },
        first_play: is_set(4).then_some(0.2),
        leaves: if is_set(5) { 4 } else { 1 },
        symmetry: is_set(6).then_some(u64::from(flags)),
        reward: if is_set(7) && !has_evaluator { Reward::Margin } else { Reward::Outcome },
        view: if is_set(0) { View::Player } else { View::Black },
        history: usize::from(is_set(1)),
        considered: 1 + below(bytes, 20)?,
        ..Settings::default()
    };
    let exact = settings.reward == Reward::Outcome && below(bytes, 2)? == 1;
    let settings = Settings { exact, ..settings };
    Some((settings, has_evaluator))
}

fn searched<G: Playouts + Exact>(start: &G, bytes: &mut Bytes<'_>) -> Option<()> {
    let mut game = start.clone();
    for _ in 0..below(bytes, 40)? {
        if game.is_over() {
            break;
        }
        game.play(legal_action(bytes, &game)?).expect("a legal action");
    }
    let (settings, has_evaluator) = settings(bytes)?;
    let mut search = Search::new(&game, settings, u64::from(bytes.next()?)).expect("memory");
    let mut cache = Cache::new(8).expect("memory");
    let mut kept = 0;
    for _ in 0..3 {
        let allowed = allowed(&game, bytes)?;
        search.restrict(Some(&allowed));
        if has_evaluator {
            let searches = std::slice::from_mut(&mut search);
            run_with_evaluator(searches, &mut Hashing, &mut cache, &mut || false)
                .expect("no error");
        } else {
            search.run(&mut || false).expect("no error");
        }
        let report = search.report();
        let Some(best) = check(&report, &game, &settings, kept, &allowed) else { break };
        check_draws(&report);
        if !settings.exact {
            let is_open = report.proofs.iter().all(|&proof| proof == OPEN);
            assert!(report.proven.is_none() && is_open);
        } else if game.check_solvable().is_ok() && empty(&game) <= EMPTY {
            check_proofs(&report, &game, &allowed);
        }
        let action = if below(bytes, 2)? == 0 { best } else { legal_action(bytes, &game)? };
        let is_known = settings.selection != Selection::Gumbel;
        kept = if is_known { report.visits[action.index()].saturating_sub(1) } else { 0 };
        search.advance(action).expect("a legal action");
        game.play(action).expect("the same");
        assert!(search.root() == &game);
    }
    Some(())
}

/// Which actions a search may choose, a legal one among them; all of them in two of three cases.
fn allowed<G: Game>(game: &G, bytes: &mut Bytes<'_>) -> Option<Vec<bool>> {
    let count = game.size().num_actions();
    if game.is_over() || below(bytes, 3)? > 0 {
        return Some(vec![true; count]);
    }
    let (pattern, legal) = (bytes.next()?, legal_action(bytes, game)?.index());
    let is_allowed = |action| action == legal || pattern >> (action % 8) & 1 == 1;
    Some((0..count).map(is_allowed).collect())
}

/// Checks a report; `kept` visits at most came from an earlier search.
fn check<G: Game>(
    report: &Report,
    game: &G,
    settings: &Settings,
    kept: u32,
    allowed: &[bool],
) -> Option<Action> {
    let Some(best) = report.best else {
        assert!(game.is_over(), "a search found nothing to play");
        return None;
    };
    game.check(best).expect("the best action is legal");
    let visits: u32 = report.visits.iter().sum();
    let least = report.simulations;
    assert!(
        (least..=least + kept).contains(&visits),
        "{visits} visits, {least} simulations, {kept} kept"
    );
    assert!(report.simulations <= settings.simulations);
    let total: f32 = report.policy.iter().sum();
    assert!((total - 1.0).abs() < 1e-3, "the policy sums to {total}");
    let most = if settings.reward == Reward::Margin { 1e4 } else { 1.0 + 1e-5 };
    for (i, (&visits, &q)) in report.visits.iter().zip(&report.q).enumerate() {
        let may_choose = allowed[i] && game.check(Action::new(i)).is_ok();
        assert!(may_choose || (visits, report.policy[i], report.prior[i]) == (0, 0.0, 0.0));
        assert!(q.is_nan() || q.abs() <= most, "a value of {q}");
    }
    let mut line = game.clone();
    for &action in &report.principal_variation {
        line.play(action).expect("the principal variation is legal");
    }
    Some(best)
}

/// Checks that an open action is the one to play before a proven draw, unless its mean is below 0. Returns which of
/// the two it is, where there are both.
pub fn check_draws(report: &Report) -> Option<bool> {
    let with_proof = |proof| (0..report.visits.len()).filter(move |&i| report.proofs[i] == proof);
    let (best, has_draw) = (report.best?.index(), with_proof(0).next().is_some());
    if report.proven.is_some() || !has_draw {
        return None;
    }
    let most = with_proof(OPEN).map(|i| report.visits[i]).max().filter(|&most| most > 0)?;
    // Gumbel chooses among the most visited, and the others of equal visits the highest mean.
    let mut first = with_proof(OPEN).filter(|&i| report.visits[i] == most);
    let plays_open = report.proofs[best] == OPEN;
    if plays_open {
        assert!(report.visits[best] == most && report.q[best] >= 0.0, "{report:?}");
    } else {
        assert!(report.proofs[best] == 0 && first.any(|i| report.q[i] < 0.0), "{report:?}");
    }
    Some(plays_open)
}

/// Checks what a report says is certain, near the end of a game.
#[allow(clippy::float_cmp)] // What is certain is a whole number.
pub fn check_proofs<G: Game>(report: &Report, game: &G, allowed: &[bool]) {
    let mut value = -1;
    for action in game.legal_actions().into_iter().filter(|action| allowed[action.index()]) {
        let mut after = game.clone();
        after.play_unchecked(action);
        let (exact, found) = (-minimax(&after), report.proofs[action.index()]);
        assert!(found == OPEN || found == exact, "{action:?} of {game:?}");
        assert!(found == OPEN || report.q[action.index()] == f32::from(exact));
        value = value.max(exact);
        if Some(action) == report.best && report.proven.is_some() {
            assert_eq!(Some(exact), report.proven, "the action to play, {action:?} of {game:?}");
        }
    }
    if let Some(proven) = report.proven {
        assert_eq!((proven, report.value), (value, f32::from(value)), "{game:?}");
        assert_eq!(report.wins, proven == 1);
    } else {
        check_mean(report);
    }
}

/// Checks that the value of what is open is the mean of the visits of actions that may be played. Where one is a draw
/// for certain, its mean is not told.
fn check_mean(report: &Report) {
    let with_proof = |proof| (0..report.visits.len()).filter(move |&i| report.proofs[i] == proof);
    let visits: u32 = with_proof(OPEN).map(|i| report.visits[i]).sum();
    if visits > 0 && with_proof(0).all(|i| report.visits[i] == 0) {
        let open = with_proof(OPEN).filter(|&i| report.visits[i] > 0);
        let sum: f32 = open.map(|i| report.q[i] * report.visits[i] as f32).sum();
        assert!((sum / visits as f32 - report.value).abs() < 1e-3, "{report:?}");
    }
}
