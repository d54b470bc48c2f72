//! Rules by their tables: what is read, what is refused, and what comes of faults.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::calls::table_of;
use super::fault::RulesError;
use super::foreign::{Foreign, TableError};
use super::judge::{Board, Stones};
use super::table::{Header, Table, Tables, VERSION};
use super::*;
use crate::color::Color;
use crate::game::Game;
use crate::games::reversi::{Reversi, ReversiRules};
use crate::geometry::Action;
use crate::log::Change;
use crate::planes::{Plane, read_bits};
use crate::playout::{Playouts, Scratch};
use crate::random::RandomStream;
use crate::state::LegalPoints;

/// Reversi by the game of the crate, asked by planes: it turns stones, passes and ends in several ways.
struct Turned(BoardSize);

impl Turned {
    fn game<const W: usize>(&self, position: &Position<W>) -> Reversi {
        let stones = ByColor {
            black: position.stones(Color::Black).iter().collect(),
            white: position.stones(Color::White).iter().collect(),
        };
        let mut setup = crate::Setup::from_stones(self.0, &stones, position.turn).unwrap();
        (setup.passed, setup.done) = (position.passes > 0, position.passes == 2);
        Reversi::from_setup(ReversiRules, setup, None).unwrap()
    }
}

impl OwnRules<2> for Turned {
    const DEFAULT_SIZE: (usize, usize) = (6, 6);
    const HAS_PASS: bool = true;
    const ENDINGS: &'static [&'static str] = &["full", "no_moves"];

    fn new(size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
        Ok(Self(size))
    }

    fn setup(&self) -> ByColor<Bits<2>> {
        let start = Reversi::with_rules(self.0, ReversiRules, None).unwrap();
        let stones = |plane| read_bits(start.state().planes().plane_cells(plane));
        ByColor { black: stones(Plane::Black), white: stones(Plane::White) }
    }

    fn legal(&self, position: &Position<2>) -> Bits<2> {
        let mut legal = Bits::EMPTY;
        legal.0.copy_from_slice(&self.game(position).state().legal().0[..2]);
        legal
    }

    fn play(&self, position: &mut Position<2>, point: usize) {
        let mut game = self.game(position);
        let color = game.turn();
        game.play(Action::new(point)).unwrap();
        let stones = |color: Color| read_bits(game.state().planes().plane_cells(color.into()));
        (position.own, position.opponent) = (stones(color), stones(color.opponent()));
    }

    fn may_pass(&self, position: &Position<2>) -> bool {
        self.game(position).may_pass()
    }

    fn ending(&self, position: &Position<2>) -> Standing {
        let game = self.game(position);
        Standing { ending: game.ending_rule(), score: game.score() }
    }
}

fn all(tables: &'static Tables) -> Result<Vec<Foreign>, TableError> {
    #[allow(unsafe_code, reason = "what a capsule holds is a pointer")]
    // SAFETY: `Tables::leak` has made them, with their header and as many tables as they say.
    unsafe {
        Foreign::read(std::ptr::from_ref(tables).cast())
    }
}

fn foreign<R: OwnRules<W>, const W: usize>(rules: PhantomData<R>) -> Foreign {
    all(Tables::leak(vec![table_of(rules, "Rules")])).unwrap()[0]
}

#[test]
fn rules_by_their_table_give_the_same_games() {
    let size = BoardSize::square(6).unwrap();
    let judge = foreign(PhantomData::<Turned>).on_board(size, &[]).unwrap();
    let start = Reversi::with_rules(size, ReversiRules, None).unwrap();
    let mut setup = judge.setup().unwrap();
    // Reversi has its own player to begin.
    setup.turn = start.turn();
    assert_eq!(&setup, start.state().setup());
    let (mut changes, mut legal) = (Vec::new(), LegalPoints::EMPTY);
    let mut rng = RandomStream::new(1);
    for _ in 0..30 {
        let mut game = start.clone();
        let mut board = Board { turn: game.turn(), ..Board::default() };
        for color in Color::ALL {
            board.stones[color.index()] =
                read_bits(game.state().planes().plane_cells(color.into()));
        }
        let mut scratch = Scratch::default();
        let mut played = Vec::new();
        game.playout(&mut scratch, &mut rng, Some(&mut played));
        for action in played {
            game.play(action).unwrap();
            changes.clear();
            let judged = judge.next(&board, Some(action), &mut changes, &mut legal).unwrap();
            board.change(&changes);
            board.turn = game.turn();
            board.passes = u8::from(game.state().passed()) + u8::from(game.state().passed_twice());
            let cells = |color: Color| read_bits(game.state().planes().plane_cells(color.into()));
            assert_eq!(board.stones, Color::ALL.map(cells));
            let word = judged.ending.checked_sub(1).map(|number| Turned::ENDINGS[number]);
            assert_eq!(word, game.ending());
            assert_eq!(judged.score.to_bits(), game.score().to_bits());
            if !game.is_over() {
                assert_eq!((&legal, judged.may_pass), (game.state().legal(), game.may_pass()));
            }
        }
        assert!(game.is_over());
    }
}

#[test]
fn a_playout_by_the_table_is_that_of_the_game_with_the_same_random_numbers() {
    struct Line(crate::games::tic_tac_toe::TicTacToe);

    impl OwnRules<1> for Line {
        const DEFAULT_SIZE: (usize, usize) = (3, 3);

        fn new(size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
            Ok(Self(crate::TicTacToe::with_rules(size, (), None)?))
        }

        fn legal(&self, position: &Position<1>) -> Bits<1> {
            !position.taken()
        }

        fn ending(&self, position: &Position<1>) -> Standing {
            let stones = Color::ALL.map(|color| position.stones(color).iter().collect());
            let [black, white] = stones;
            let stones = ByColor { black, white };
            let setup = crate::Setup::from_stones(self.0.size(), &stones, position.turn).unwrap();
            let game = crate::TicTacToe::from_setup((), setup, None).unwrap();
            Standing { ending: game.ending_rule(), score: game.score() }
        }
    }

    let game = crate::TicTacToe::new(3).unwrap();
    let judge = foreign(PhantomData::<Line>).on_board(game.size(), &[]).unwrap();
    let (mut ours, mut theirs) = (RandomStream::new(7), RandomStream::new(7));
    for _ in 0..200 {
        let (mut expected, mut played) = (Vec::new(), Vec::new());
        let mut scratch = Scratch::default();
        let score = game.playout(&mut scratch, &mut ours, Some(&mut expected));
        let found =
            judge.playout(&Stones::default(), Color::Black, 0, 27, &mut theirs, Some(&mut played));
        assert_eq!(found, Ok(score));
        assert_eq!(played, expected);
        assert_eq!(ours, theirs);
        let without = judge.playout(&Stones::default(), Color::Black, 0, 27, &mut theirs, None);
        assert_eq!(without, Ok(game.playout(&mut scratch, &mut ours, None)));
    }
    let mut none = Vec::new();
    assert_eq!(
        judge.playout(&Stones::default(), Color::Black, 0, 0, &mut theirs, Some(&mut none)),
        Ok(0.0)
    );
    assert_eq!((none.len(), ours), (0, theirs));
}

/// Rules with a fault.
struct Faulty {
    fault: String,
    dropped: Option<Arc<AtomicUsize>>,
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

impl Drop for Faulty {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
        assert!(self.dropped.is_none());
    }
}

impl OwnRules<1> for Faulty {
    const DEFAULT_SIZE: (usize, usize) = (2, 3);
    const OPTIONS: &'static [(&'static str, Value)] = &[
        ("fault", Value::text("none")),
        ("n", Value::Int(-3)),
        ("x", Value::Float(0.5)),
        ("b", Value::Bool(true)),
    ];

    fn new(size: BoardSize, options: &Options) -> Result<Self, SetupError> {
        let fault = options.text("fault").to_owned();
        match fault.as_str() {
            "new panics" => panic!("no {size}"),
            "refused" => return Err(SetupError::new("there is no such board")),
            "no option" => assert!(options.bool("n")),
            _ => {}
        }
        assert_eq!((options.int("n"), options.float("x"), options.bool("b")), (-3, 0.5, true));
        Ok(Self { fault, dropped: None })
    }

    fn setup(&self) -> ByColor<Bits<1>> {
        match self.fault.as_str() {
            "setup panics" => std::panic::panic_any(7),
            "setup twice" => ByColor { black: Bits::point(1), white: Bits::point(1) },
            "setup beyond" => ByColor { black: Bits::point(6), white: Bits::EMPTY },
            _ => ByColor::default(),
        }
    }

    fn legal(&self, position: &Position<1>) -> Bits<1> {
        match self.fault.as_str() {
            "legal panics" => panic!("of legal"),
            "occupied" => Bits::point(2),
            "stuck" => Bits::EMPTY,
            _ => !position.taken(),
        }
    }

    fn play(&self, position: &mut Position<1>, point: usize) {
        match self.fault.as_str() {
            "play panics" => position.own.insert(point + 100),
            "two" => (position.own, position.opponent) = (Bits::point(point), Bits::point(point)),
            "beyond" => position.own.insert(60),
            _ => position.own.insert(point),
        }
    }

    fn ending(&self, _position: &Position<1>) -> Standing {
        match self.fault.as_str() {
            "word" => Standing::draw("fallen"),
            "score" => Standing { ending: Some("full"), score: f64::NAN },
            "large score" => Standing { ending: Some("full"), score: -1e39 },
            "largest score" => Standing { ending: Some("full"), score: f32::MAX.into() },
            _ => Standing::GOES_ON,
        }
    }
}

fn values(fault: &str) -> [Value; 4] {
    [Value::Text(fault.to_owned().into()), Value::Int(-3), Value::Float(0.5), Value::Bool(true)]
}

#[test]
fn every_fault_of_rules_is_named() {
    let (rules, size) = (foreign(PhantomData::<Faulty>), BoardSize::new(2, 3).unwrap());
    let failed = |text: &str| RulesError::Failed(text.to_owned());
    let refused = |text: &str| RulesError::Refused(text.to_owned());
    let made = |fault: &str| rules.on_board(size, &values(fault));
    assert_eq!(made("new panics").unwrap_err(), failed("panicked: no 2x3"));
    assert_eq!(made("refused").unwrap_err(), refused("there is no such board"));
    let option = "panicked: the rules have no option \"n\" that is a Value::Bool";
    assert_eq!(made("no option").unwrap_err(), failed(option));
    let few = rules.on_board(size, &values("none")[..3]).unwrap_err();
    assert_eq!(few, refused("3 values for 4 options"));
    let large = rules.on_board(BoardSize::square(9).unwrap(), &values("none")).unwrap_err();
    assert_eq!(large, refused("the rules are for boards of at most 64 points, not 9x9"));
    let start = |fault: &str| made(fault).unwrap().setup().unwrap_err();
    assert_eq!(start("setup panics"), failed("panicked: without a message"));
    assert_eq!(start("setup twice"), failed("setup: a stone is given twice at point 1"));
    assert!(start("setup beyond").to_string().starts_with("setup: "));
    let word = "ending returns the word \"fallen\": ENDINGS has [\"full\", \"line\"]";
    for (fault, text) in [
        ("legal panics", "panicked: of legal"),
        ("occupied", "legal allows a play on the occupied point 2"),
        ("stuck", "the game goes on, but no action is legal: ending must end it"),
        ("play panics", "panicked: index out of bounds: the len is 1 but the index is 1"),
        ("two", "play puts two stones on one point"),
        ("beyond", "play puts a stone beyond the board"),
        ("word", word),
        ("score", "ending returns the score NaN, which must be finite, also as float32"),
        ("large score", "ending returns the score -1e39, which must be finite, also as float32"),
    ] {
        let judge = made(fault).unwrap();
        let (mut changes, mut legal) = (vec![Change::flip(5)], Bits::point(4));
        let found = judge.next(&Board::default(), Some(Action::new(2)), &mut changes, &mut legal);
        assert_eq!(found, Err(failed(text)), "{fault}");
        assert_eq!(
            (changes, legal),
            (vec![Change::flip(5)], Bits::point(4)),
            "nothing has changed"
        );
    }
    for fault in ["legal panics", "stuck", "score", "large score"] {
        let (judge, mut rng) = (made(fault).unwrap(), RandomStream::new(1));
        let found = judge.playout(&Stones::default(), Color::Black, 0, 9, &mut rng, None);
        assert!(matches!(found, Err(RulesError::Failed(_))), "{fault}");
        assert_eq!(rng, RandomStream::new(1));
    }
}

#[test]
fn a_score_may_be_the_largest_that_a_batch_holds() {
    let (rules, size) = (foreign(PhantomData::<Faulty>), BoardSize::new(2, 3).unwrap());
    let judge = rules.on_board(size, &values("largest score")).unwrap();
    let (mut changes, mut legal) = (Vec::new(), LegalPoints::EMPTY);
    let judged = judge.next(&Board::default(), None, &mut changes, &mut legal).unwrap();
    assert_eq!(judged.score.to_bits(), f64::from(f32::MAX).to_bits());
}

#[test]
#[should_panic(expected = "the rules write so many words")]
fn rules_are_not_asked_with_planes_of_another_length() {
    let size = BoardSize::square(6).unwrap();
    let judge = foreign(PhantomData::<Turned>).on_board(size, &[]).unwrap();
    let _ = judge.next_of::<1>(&Stones::default(), Color::Black, 0, None);
}

#[test]
fn rules_are_dropped_once_where_they_were_made() {
    struct Counted(#[expect(dead_code, reason = "it is dropped")] Faulty);

    impl OwnRules<1> for Counted {
        const DEFAULT_SIZE: (usize, usize) = (2, 3);

        fn new(_size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
            Ok(Self(Faulty { fault: String::new(), dropped: None }))
        }

        fn legal(&self, position: &Position<1>) -> Bits<1> {
            !position.taken()
        }

        fn ending(&self, _position: &Position<1>) -> Standing {
            Standing::GOES_ON
        }
    }

    let judge =
        foreign(PhantomData::<Counted>).on_board(BoardSize::new(2, 3).unwrap(), &[]).unwrap();
    // Other tests drop such rules meanwhile.
    let before = DROPPED.load(Ordering::SeqCst);
    drop(judge);
    assert!(DROPPED.load(Ordering::SeqCst) > before);
}

#[test]
fn tables_of_another_version_are_refused_by_their_header_alone() {
    let header = Header::new(VERSION + 1, "12.345.6-with-a-name-that-does-not-fit");
    // Nothing behind the header is read.
    let alone = Box::leak(Box::new(header));
    #[allow(unsafe_code)]
    // SAFETY: a header of another version.
    let found = unsafe { Foreign::read(std::ptr::from_ref(alone).cast()) };
    let made_by = "12.345.6-with-a-name-that-do".to_owned();
    assert_eq!(found.unwrap_err(), TableError::Version { found: VERSION + 1, made_by });
}

/// No UTF-8.
static BYTES: [u8; 2] = [0xff, 0xfe];

#[test]
fn what_a_table_says_is_checked() {
    struct Odd;

    impl OwnRules<1> for Odd {
        const DEFAULT_SIZE: (usize, usize) = (9, 9);

        fn new(_size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
            Ok(Self)
        }

        fn legal(&self, position: &Position<1>) -> Bits<1> {
            !position.taken()
        }

        fn ending(&self, _position: &Position<1>) -> Standing {
            Standing::GOES_ON
        }
    }

    let read = |change: fn(&mut Table)| {
        let mut table = table_of(PhantomData::<Odd>, "Odd");
        (table.rows, table.cols) = (3, 3);
        change(&mut table);
        all(Tables::leak(vec![table])).map(|all| all.len()).map_err(|error| error.to_string())
    };
    assert_eq!(read(|_| {}), Ok(1));
    let large = all(Tables::leak(vec![table_of(PhantomData::<Odd>, "Odd")])).unwrap_err();
    assert_eq!(large.to_string(), "Odd: the board 9x9 does not fit 1 words");
    assert!(read(|table| table.rows = 26).unwrap_err().starts_with("Odd: "));
    assert_eq!(
        read(|table| table.words = 5).unwrap_err(),
        "Odd: the board 3x3 does not fit 5 words"
    );
    let symmetries = read(|table| table.symmetries = 4).unwrap_err();
    assert_eq!(symmetries, "Odd: SYMMETRIES must be 1, 2 or 8, not 4");
    let title = read(|table| (table.title.start, table.title.length) = (BYTES.as_ptr(), 2));
    assert_eq!(title.unwrap_err(), "TITLE is no UTF-8");
}

#[test]
#[should_panic(expected = "the number of words must be one of [1, 2, 3, 4, 6, 8, 10]")]
fn a_table_has_a_number_of_words_that_boards_have() {
    struct Five;

    impl OwnRules<5> for Five {
        const DEFAULT_SIZE: (usize, usize) = (9, 9);

        fn new(_size: BoardSize, _options: &Options) -> Result<Self, SetupError> {
            Ok(Self)
        }

        fn legal(&self, position: &Position<5>) -> Bits<5> {
            !position.taken()
        }

        fn ending(&self, _position: &Position<5>) -> Standing {
            Standing::GOES_ON
        }
    }

    let _ = table_of(PhantomData::<Five>, "Five");
}
