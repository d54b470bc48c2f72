//! Laws that only the inside of Go can state.

use super::board::EMPTY;
use super::liberties::Liberties;
use super::*;
use crate::bits::Bits;
use crate::players::random::RandomPlayer;
use crate::{with_words, zobrist};

impl<const W: usize> Board<W> {
    /// The slow, plain check of everything that the fast path keeps.
    fn assert_valid(&self) {
        assert!((self.stones[0] & self.stones[1]).is_empty());
        for color in Color::ALL {
            let own = self.stones(color);
            let mut rest = own;
            while let Some(point) = rest.first() {
                let chain = self.frame().fill(Bits::point(point), own);
                rest &= !chain;
                let liberties = self.frame().dilate(chain, self.empty());
                let head = self.head_of(point);
                assert_eq!(self.chain_stones(head), chain, "ring of the chain at {point}");
                assert_eq!(self.length[head] as usize, chain.count());
                let mut pseudo = Liberties::NONE;
                for stone in chain {
                    assert!(self.is_stone(stone, color));
                    assert_eq!(self.head_of(stone), head, "head of the chain at {stone}");
                    let in_atari = self.atari.contains(stone);
                    assert_eq!(in_atari, liberties.count() == 1, "atari at {stone}");
                    let neighbors = self.neighbors(stone);
                    let is_empty = neighbors.map(|n| self.cells[n] == EMPTY);
                    pseudo.add(Liberties::of_stone(neighbors, is_empty));
                }
                assert_eq!(self.chain[head].liberties, pseudo);
                let key = chain.iter().fold(0, |key, stone| key ^ zobrist::stone(color, stone));
                assert_eq!(self.chain[head].key, key);
            }
        }
        assert!((self.atari & self.empty()).is_empty());
        assert!(self.empty().iter().all(|point| self.cells[point] == EMPTY));
    }
}

/// Random legal actions, eyes and all, so that captures and repetitions abound.
fn random_game(game: &mut Go, seed: u64, moves: usize, mut each: impl FnMut(&Go, Action)) {
    let mut player = RandomPlayer::new(seed);
    for _ in 0..moves {
        if game.is_over() {
            return;
        }
        let action = player.select_action_avoiding(game, |_| false);
        game.play(action).unwrap();
        each(game, action);
    }
}

fn sizes() -> [BoardSize; 6] {
    [(2, 2), (2, 5), (4, 4), (7, 9), (9, 9), (13, 5)].map(|(r, c)| BoardSize::new(r, c).unwrap())
}

#[test]
fn chains_and_the_atari_map_equal_a_fresh_count() {
    let mut ataris = 0;
    for (size, suicide) in sizes().into_iter().flat_map(|size| [(size, false), (size, true)]) {
        let rules = Rules { suicide, ..Rules::default() };
        for seed in 0..20 {
            let mut game = Go::with_rules(size, rules, None).unwrap();
            random_game(&mut game, seed, 200, |game, _| {
                with_inner!(&game.inner, inner => inner.board.assert_valid());
                let mut before = game.clone();
                before.undo().unwrap();
                with_inner!(&before.inner, inner => inner.board.assert_valid());
                let liberties = game.liberties();
                ataris += liberties.iter().filter(|&&count| count == 1).count();
            });
        }
    }
    assert!(ataris > 0);
}

/// With keys of 8 bits many a lookup meets a collision; every hit must still be confirmed
/// stone by stone.
#[test]
fn keys_cut_to_8_bits_give_the_same_masks() {
    let (mut positions, mut refused) = (0, 0);
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4)] {
        let size = BoardSize::new(rows, cols).unwrap();
        for (ko, suicide) in [KoRule::Positional, KoRule::Situational]
            .into_iter()
            .flat_map(|ko| [(ko, false), (ko, true)])
        {
            let rules = Rules { ko, suicide, ..Rules::default() };
            for seed in 0..20 {
                let mut game = Go::with_rules(size, rules, None).unwrap();
                let mut narrow = game.clone();
                with_inner!(&mut narrow.inner, inner => {
                    inner.superko.as_mut().unwrap().narrow_keys(8);
                });
                narrow.rebuild();
                random_game(&mut game, seed, 300, |game, action| {
                    narrow.play(action).unwrap();
                    assert_eq!(narrow.planes(), game.planes());
                    positions += 1;
                    let points = (0..size.points()).map(Action::new);
                    refused += points
                        .filter(|&a| game.check(a) == Err(crate::PlayError::Forbidden("superko")))
                        .count();
                });
            }
        }
    }
    // Every refusal is a hit in both games, the wide and the narrow one; the others are
    // collisions that were seen through.
    let hits = super::superko::HITS.with(std::cell::Cell::get);
    println!("{positions} positions, {refused} refusals, {hits} hits");
    assert!(positions > 10_000 && refused > 1_000 && hits > 2 * refused + 1_000);
}

#[test]
fn liberties_of_the_largest_board_fit_their_word() {
    // Every second line full of one color: the most pseudo-liberties a board can have.
    let size = BoardSize::square(25).unwrap();
    with_words!(size, W => {
        let mut board = Board::<W>::new(size);
        let comb = (0..size.points()).filter(|p| (p / 25) % 2 == 0 || p % 25 == 0).collect();
        board.set_stones([comb, Bits::EMPTY]);
        board.assert_valid();
        let head = board.chain_at(0).unwrap();
        assert_eq!(board.chain_liberties(head).count(), 12 * 24);
    });
}
