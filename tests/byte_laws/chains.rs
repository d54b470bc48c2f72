//! The chains that a board of Go brings up to date with each stone, beside labels and dilations.

use sixplane::bits::{Bits, Frame};
use sixplane::games::go::Board;
use sixplane::{Color, morphology, with_words};

use super::{Bytes, below, size};

/// After every stone, a board's chains are the labelled groups of its stones, their liberties are dilations,
/// and the legal points follow from both; a board made anew from the same stones says the same.
pub fn chains_of_a_board_are_the_labelled_groups_of_its_stones(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = (|| {
        let size = size(&mut bytes, 2)?;
        with_words!(size, W => walk(Board::<W>::new(size), &mut bytes))
    })();
}

fn walk<const W: usize>(mut board: Board<W>, bytes: &mut Bytes<'_>) -> Option<()> {
    let (suicide, mut turn) = (below(bytes, 2)? == 1, Color::Black);
    let mut changes = Vec::new();
    loop {
        let legal: Vec<usize> = board.legal(turn, suicide).iter().collect();
        match below(bytes, 16)? {
            0 => board.pass(),
            // The same board, its chains found anew.
            1 => board.set_stones(Color::ALL.map(|color| board.stones(color))),
            _ if legal.is_empty() => board.pass(),
            _ => board.play(legal[below(bytes, legal.len())?], turn, &mut changes),
        }
        compare(&board);
        let mut anew = Board::new(board.size());
        anew.set_stones(Color::ALL.map(|color| board.stones(color)));
        compare(&anew);
        // Now and then the same color twice.
        turn = if below(bytes, 8)? == 0 { turn } else { turn.opponent() };
    }
}

fn compare<const W: usize>(board: &Board<W>) {
    let frame = Frame::new(board.size());
    let empty = frame.board() & !(board.stones(Color::Black) | board.stones(Color::White));
    assert_eq!(board.empty(), empty);
    // By color: stones of chains with one liberty, and of those with more.
    let [mut one, mut more] = [[Bits::EMPTY; 2]; 2];
    for color in Color::ALL {
        for chain in morphology::groups(&frame, board.stones(color)) {
            let liberties = frame.dilate(chain, empty);
            let head = board.chain_at(chain.first().expect("a group has points"));
            assert!(chain.iter().all(|stone| board.chain_at(stone) == head));
            assert_eq!(head.map(|head| board.chain_stones(head)), Some(chain));
            assert_eq!(head.map(|head| board.chain_liberties(head)), Some(liberties));
            let kind = match liberties.count() {
                0 => panic!("a chain without liberties stayed"),
                1 => &mut one,
                _ => &mut more,
            };
            kind[color.index()] |= chain;
        }
    }
    assert!(empty.iter().all(|point| board.chain_at(point).is_none()));
    assert_eq!(board.atari(), one[0] | one[1]);
    assert_eq!(board.without_liberties(), None);
    for color in Color::ALL {
        let (own, other) = (color.index(), color.opponent().index());
        let lives = frame.dilate(empty | more[own] | one[other], empty);
        assert_eq!(board.legal_before_ko(color, false), lives);
        assert_eq!(board.legal_before_ko(color, true), lives | frame.dilate(one[own], empty));
    }
}
