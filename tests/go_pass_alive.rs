//! Unconditional life beside its definition over sets, beside all that the other color can play on the smallest
//! boards, and in games.

use std::collections::{BTreeSet, HashMap};

use crate::naive::{Board, Ko, Naive, Rules, Side};
use crate::product;
use crate::walks::{Seen, law, walks};

use sixplane::players::random::RandomPlayer;
use sixplane::{Action, BoardSize, Color, Game, Go, KoRule};

fn owned(game: &Go, side: Side) -> BTreeSet<usize> {
    let owner = if side == Side::Black { 1 } else { -1 };
    let owners = game.pass_alive();
    owners.iter().enumerate().filter(|&(_, &own)| own == owner).map(|(point, _)| point).collect()
}

#[test]
fn pass_alive_is_benson_over_sets() {
    let seen = Seen::default();
    law(150, &walks(), |walk| {
        walk.play(|step, game, naive| {
            // Sets are slow.
            if step % 16 != 15 && step != walk.choices.len() || !walk.is_due(step) {
                return;
            }
            let [black, white] = [Side::Black, Side::White].map(|side| {
                let points = naive.pass_alive(side);
                assert_eq!(owned(game, side), points, "{side:?}\n{game}");
                seen.note_if(!points.is_empty(), "life");
                seen.note_if(points.iter().any(|&p| naive.board[p].is_none()), "a region");
                seen.note_if(
                    points.iter().any(|&p| naive.board[p] == Some(side.other())),
                    "a dead stone",
                );
                seen.note_if(
                    naive.rules.suicide && !points.is_empty(),
                    "life although suicide is allowed",
                );
                points.len() as i32
            });
            let (all, komi) = (naive.points() as i32, f64::from(naive.rules.half_komi) / 2.0);
            let bound = |lead: i32| f64::from(lead) - komi;
            let bounds = if game.is_over() {
                (game.score(), game.score())
            } else {
                (bound(2 * black - all), bound(all - 2 * white))
            };
            assert_eq!(game.score_bounds(), bounds);
            seen.note_if(game.is_over(), "an end");
        });
    });
    seen.report(
        "pass_alive_is_benson_over_sets",
        &["life", "a region", "a dead stone", "life although suicide is allowed", "an end"],
    );
}

/// Every legal board of a size.
fn boards(rules: Rules) -> Vec<Board> {
    let mut boards = vec![vec![]];
    for _ in 0..rules.rows * rules.cols {
        let longer = |board: Board| {
            [None, Some(Side::Black), Some(Side::White)]
                .map(|cell| [board.clone(), vec![cell]].concat())
        };
        boards = boards.into_iter().flat_map(longer).collect();
    }
    let naive = Naive::new(rules);
    let stands = |board: &Board| {
        let is_free = |p: usize| board[p].is_none() || !naive.liberties(board, p).is_empty();
        (0..board.len()).all(is_free)
    };
    boards.into_iter().filter(stands).collect()
}

/// What White can do to each board while Black always passes: black stones that stay whatever it does, and points on
/// which White can come to live.
fn attacks(rules: Rules, boards: &[Board]) -> Vec<(BTreeSet<usize>, BTreeSet<usize>)> {
    let numbers: HashMap<&Board, usize> = boards.iter().enumerate().map(|(i, b)| (b, i)).collect();
    let at = |board: &Board| Naive::from_board(rules, board.clone(), Side::White);
    let after: Vec<Vec<usize>> = boards
        .iter()
        .map(|board| {
            let game = at(board);
            let plays = (0..game.points()).filter(|&p| game.refusal(p).is_none());
            plays.map(|p| numbers[&game.place(p, Side::White).board]).collect()
        })
        .collect();
    let black =
        |board: &Board| (0..board.len()).filter(|&p| board[p] == Some(Side::Black)).collect();
    let mut found: Vec<(BTreeSet<usize>, BTreeSet<usize>)> =
        boards.iter().map(|board| (black(board), at(board).living(Side::White))).collect();
    loop {
        let before = found.clone();
        for (i, after) in after.iter().enumerate() {
            for &j in after {
                let (stay, lost) = found[j].clone();
                found[i].0.retain(|stone| stay.contains(stone));
                found[i].1.extend(lost);
            }
        }
        if found == before {
            return found;
        }
    }
}

#[test]
fn what_is_alive_on_the_smallest_boards_is_what_no_attack_captures() {
    for (rows, cols, living) in [(2, 2, 1), (2, 3, 5), (3, 2, 5), (3, 3, 100)] {
        for suicide in [false, true] {
            let rules = Rules { suicide, ..Rules::new(rows, cols, Ko::Simple) };
            let (boards, mut count) = (boards(rules), 0);
            for (board, (stay, lost)) in boards.iter().zip(attacks(rules, &boards)) {
                let naive = Naive::from_board(rules, board.clone(), Side::White);
                let game = product::set_up(rules, board, Side::White);
                let alive = naive.living(Side::Black);
                assert_eq!(owned(&game, Side::Black), naive.pass_alive(Side::Black));
                assert!(alive.is_subset(&stay), "{game}");
                // Benson proves that nothing else is alive where suicide is forbidden.
                assert!(suicide || alive == stay, "{game}");
                assert!(owned(&game, Side::Black).is_disjoint(&lost), "{game}");
                count += usize::from(!alive.is_empty());
            }
            assert!(count >= living, "{rows}x{cols}, {suicide}: {count}");
        }
    }
}

/// Black's answer that takes white stones from its own points and keeps these, or a pass if all is done.
///
/// Taking several stones at once may leave a point in the middle of a region: Black then needs the next move, too.
fn answer(game: &Go, own: &BTreeSet<usize>) -> Action {
    let (planes, cols) = (game.state().planes(), game.size().cols());
    let is_white = |&point: &usize| planes.stone(point) == Some(Color::White);
    let whites = own.iter().copied().filter(is_white).collect::<BTreeSet<_>>();
    if whites.is_empty() && owned(game, Side::Black).is_superset(own) {
        return game.size().pass();
    }
    let after = |point: usize| {
        let mut after = game.clone();
        after.play(Action::new(point)).is_ok().then_some(after)
    };
    let is_beside = |&point: &usize| whites.iter().any(|w| [1, cols].contains(&w.abs_diff(point)));
    let keeps = |point: &usize| {
        after(*point).is_some_and(|game| owned(&game, Side::Black).is_superset(own))
    };
    let takes = |point: &usize| after(*point).is_some_and(|game| game.captures() != before(&game));
    let (near, far): (Vec<usize>, Vec<usize>) = own.iter().partition(|point| is_beside(point));
    let found = near.iter().find(|p| keeps(p)).or_else(|| near.iter().find(|p| takes(p)));
    let found = found.or_else(|| far.iter().find(|p| keeps(p)));
    Action::new(*found.unwrap_or_else(|| panic!("no play keeps what Black has\n{game}\n{own:?}")))
}

/// What had been captured before the last action.
fn before(game: &Go) -> sixplane::ByColor<usize> {
    let mut before = game.clone();
    before.undo().unwrap();
    before.captures()
}

#[test]
fn who_takes_what_stands_in_its_own_area_keeps_it() {
    let mut kept = 0;
    for seed in 0..600 {
        let (rows, cols) = [(2, 3), (3, 3), (3, 5), (4, 4), (5, 5), (5, 4)][seed as usize % 6];
        let (ko, suicide) = (KoRule::ALL[seed as usize / 6 % 3], seed / 18 % 2 == 1);
        let rules = sixplane::Rules { ko, suicide, ..sixplane::Rules::default() };
        let mut game = Go::with_rules(BoardSize::new(rows, cols).unwrap(), rules, None).unwrap();
        let mut player = RandomPlayer::new(seed);
        let mut own = BTreeSet::new();
        for moves in 0..60 * rows * cols {
            own = owned(&game, Side::Black);
            if game.is_over() || !own.is_empty() && moves % 5 == 0 {
                break;
            }
            // Neither fills its eyes, so that something comes to live.
            let action = player.select_action(&game);
            game.play_unchecked(action);
        }
        if game.is_over() || own.is_empty() {
            continue;
        }
        let (least, _) = game.score_bounds();
        let mut left = 4 * rows * cols;
        while !game.is_over() {
            let action = if game.turn() == Color::Black {
                answer(&game, &own)
            } else if left > 0 {
                left -= 1;
                let legal = game.legal_actions();
                let play = legal[(left * 7919 + seed as usize) % legal.len()];
                // Two passes would end it too soon.
                if play == game.size().pass() && game.state().passed() { legal[0] } else { play }
            } else {
                game.size().pass()
            };
            game.play(action).unwrap();
        }
        assert!(game.score() >= least, "{seed}\n{game}");
        kept += 1;
    }
    assert!(kept > 100, "{kept}");
}
