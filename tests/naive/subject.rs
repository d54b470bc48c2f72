//! The naive Go answers the cases.

use crate::cases::Subject;
use crate::naive::{Board, Naive, Refusal, Rules, Side};

impl Subject for Naive {
    fn set_up(rules: Rules, board: &Board, turn: Side) -> Naive {
        let game = Naive::from_board(rules, board.clone(), turn);
        for point in 0..game.points() {
            let stands = board[point].is_none() || !game.liberties(board, point).is_empty();
            assert!(stands, "a chain of the drawing has no liberty");
        }
        game
    }

    fn play(&mut self, action: usize) -> Result<(), String> {
        Naive::play(self, action).map_err(|refusal| refusal.name().to_owned())
    }

    fn reason(&self, action: usize) -> Option<String> {
        self.refusal(action).map(Refusal::name).map(str::to_owned)
    }

    fn set_turn(&mut self, side: Side) {
        Naive::set_turn(self, side);
    }

    fn board(&self) -> Board {
        self.board.clone()
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn captures(&self) -> [usize; 2] {
        self.captures
    }

    fn liberties_at(&self, point: usize) -> usize {
        assert!(self.board[point].is_some(), "no stone there");
        self.liberties(&self.board, point).len()
    }

    fn is_eye(&self, point: usize, side: Side, rule: &str) -> bool {
        Naive::is_eye(self, point, side, rule)
    }

    fn owners(&self) -> Board {
        self.ownership()
    }

    fn areas(&self) -> (usize, usize) {
        Naive::areas(self)
    }

    fn half_score(&self) -> i32 {
        Naive::half_score(self)
    }
}
