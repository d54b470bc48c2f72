/// Rules with a fault, which shows once two stones are there. Where no fault is named, the fuller board wins.
struct Faulty {
    points: usize,
    fault: String,
}

impl OwnRules<1> for Faulty {
    const DEFAULT_SIZE: (usize, usize) = (2, 3);
    const OPTIONS: &'static [(&'static str, Value)] =
        &[("fault", Value::text("none")), ("weight", Value::Float(0.5)), ("count", Value::Int(1))];
    const ENDINGS: &'static [&'static str] = &["full"];
    const HAS_PASS: bool = true;

    fn new(size: BoardSize, options: &Options) -> Result<Self, SetupError> {
        let fault = options.text("fault").to_owned();
        match fault.as_str() {
            "new panics" => panic!("no board {size}"),
            "refused" => return Err(SetupError::new("there is no such board")),
            _ => Ok(Self { points: size.points(), fault }),
        }
    }

    fn setup(&self) -> sixplane::ByColor<Bits<1>> {
        assert!(self.fault != "setup panics", "no stones");
        sixplane::ByColor::default()
    }

    fn legal(&self, position: &Position<1>) -> Bits<1> {
        let taken = position.taken();
        match self.fault.as_str() {
            _ if taken.count() < 2 => !taken,
            "legal panics" => panic!("of legal"),
            "occupied" => taken,
            "stuck" => Bits::EMPTY,
            "uneven" => !(taken | Bits::point(0)),
            _ => !taken,
        }
    }

    fn play(&self, position: &mut Position<1>, point: usize) {
        let is_late = position.taken().count() >= 1;
        match self.fault.as_str() {
            "endless" => return,
            "point 5" => assert_ne!(point, 5),
            "play panics" if is_late => position.own.insert(point + 100),
            "two stones" if is_late => position.opponent.insert(point),
            "beyond" if is_late => position.own.insert(60),
            _ => {}
        }
        position.own.insert(point);
    }

    fn may_pass(&self, position: &Position<1>) -> bool {
        self.fault != "stuck" && position.taken().count() >= 2
    }

    fn ending(&self, position: &Position<1>) -> Standing {
        let count = position.taken().count();
        match self.fault.as_str() {
            "ending panics" if count >= 2 => panic!("of ending"),
            "word" if count >= 2 => Standing::draw("fallen"),
            "score" if count >= 2 => Standing { ending: None, score: f64::NAN },
            "large score" if count >= 2 => Standing { ending: None, score: 1e39 },
            "moody" if count >= 2 => {
                use std::sync::atomic::{AtomicU32, Ordering};
                static ASKED: AtomicU32 = AtomicU32::new(0);
                Standing { ending: None, score: f64::from(ASKED.fetch_add(1, Ordering::SeqCst)) }
            }
            _ if count == self.points || position.passes == 2 => Standing::draw("full"),
            _ => Standing::GOES_ON,
        }
    }
}
