//! Life of chains whose color always passes.

use sixplane::games::go::{Board, EyeRule};
use sixplane::{Color, with_words};

use super::{Bytes, below, size};

/// What is pass-alive stays so, whatever the other color plays.
pub fn what_is_pass_alive_stays_alive(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let _ = (|| {
        let size = size(&mut bytes, 2)?;
        with_words!(size, W => attack(Board::<W>::new(size), &mut bytes))
    })();
}

fn attack<const W: usize>(mut board: Board<W>, bytes: &mut Bytes<'_>) -> Option<()> {
    let (suicide, mut turn, mut changes) = (below(bytes, 2)? == 1, Color::Black, Vec::new());
    loop {
        // Own eyes are left alone, so that something comes to live.
        for _ in 0..below(bytes, 64)? {
            let eyes = board.eyes(turn, EyeRule::Diagonal);
            match (board.legal(turn, suicide) & !eyes).iter().collect::<Vec<_>>()[..] {
                [] => board.pass(),
                ref plays => board.play(plays[below(bytes, plays.len())?], turn, &mut changes),
            }
            turn = turn.opponent();
        }
        let (color, mut attacked) = (turn.opponent(), board.clone());
        let mut owned = board.pass_alive(color, suicide);
        for _ in 0..below(bytes, 64)? {
            let plays: Vec<_> = attacked.legal(turn, suicide).iter().collect();
            if plays.is_empty() {
                break;
            }
            attacked.play(plays[below(bytes, plays.len())?], turn, &mut changes);
            attacked.pass();
            let still = attacked.pass_alive(color, suicide);
            assert!((owned & !still).is_empty(), "{owned:?} {still:?}");
            assert!((still & attacked.pass_alive(turn, suicide)).is_empty());
            owned = still;
        }
    }
}
