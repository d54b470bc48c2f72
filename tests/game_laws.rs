//! The laws of every game, proved of each game of sixplane on boards of all sorts.

mod connect_four {
    use sixplane::{BoardSize, ConnectFour, Game};

    fn starts() -> Vec<ConnectFour> {
        let sizes = [(4, 4), (4, 7), (6, 7), (8, 8), (12, 5), (11, 12), (12, 12)];
        let start =
            |(rows, cols)| ConnectFour::with_rules(BoardSize::new(rows, cols).unwrap(), (), None);
        sizes.map(|size| start(size).unwrap()).into()
    }

    crate::laws::laws_of_every_game!(starts);
}

mod go {
    use sixplane::{BoardSize, Game, Go, KoRule, Komi, Rules};

    /// Boards of every number of words, and every rule on the small ones, where all happens soon.
    fn starts() -> Vec<Go> {
        let sizes = [
            (2, 2),
            (2, 3),
            (4, 3),
            (5, 5),
            (7, 9),
            (8, 8),
            (5, 13),
            (9, 14),
            (12, 16),
            (19, 19),
            (25, 25),
        ];
        let mut starts = Vec::new();
        for (rows, cols) in sizes {
            for (i, ko) in KoRule::ALL.into_iter().enumerate() {
                for suicide in [false, true] {
                    if rows * cols > 60 && suicide != (i == 1) {
                        continue;
                    }
                    let komi = Komi::new(if suicide { 0.0 } else { 6.5 }).unwrap();
                    let rules = Rules { ko, suicide, komi, ..Rules::default() };
                    let size = BoardSize::new(rows, cols).unwrap();
                    starts.push(Go::with_rules(size, rules, None).unwrap());
                }
            }
        }
        starts
    }

    crate::laws::laws_of_every_game!(starts);
}

mod reversi {
    use sixplane::{BoardSize, Game, Reversi, ReversiRules};

    fn starts() -> Vec<Reversi> {
        let sizes = [(4, 4), (4, 6), (6, 4), (6, 6), (8, 8), (8, 10), (10, 14), (14, 14), (24, 24)];
        let start = |(rows, cols)| {
            Reversi::with_rules(BoardSize::new(rows, cols).unwrap(), ReversiRules, None)
        };
        sizes.map(|size| start(size).unwrap()).into()
    }

    crate::laws::laws_of_every_game!(starts);
}

mod gomoku {
    use sixplane::{BoardSize, Game, Gomoku, GomokuRules};

    fn starts() -> Vec<Gomoku> {
        let mut starts = Vec::new();
        for (rows, cols) in [(5, 5), (5, 6), (7, 9), (8, 8), (9, 14), (15, 15), (19, 19), (25, 25)]
        {
            let size = BoardSize::new(rows, cols).unwrap();
            for exact_five in [false, true] {
                let rules = GomokuRules { exact_five };
                starts.push(Gomoku::with_rules(size, rules, None).unwrap());
            }
        }
        starts
    }

    crate::laws::laws_of_every_game!(starts);
}

mod hex {
    use sixplane::{BoardSize, Game, Hex, HexRules};

    fn starts() -> Vec<Hex> {
        let sizes = [(2, 2), (3, 3), (3, 5), (8, 8), (8, 9), (11, 11), (13, 13), (19, 19)];
        let mut starts = Vec::new();
        for (rows, cols) in sizes {
            for swap in [false, true].into_iter().take(1 + usize::from(rows == cols)) {
                let size = BoardSize::new(rows, cols).unwrap();
                starts.push(Hex::with_rules(size, HexRules { swap }, None).unwrap());
            }
        }
        starts
    }

    crate::laws::laws_of_every_game!(starts);
}
