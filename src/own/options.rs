//! The options of rules, and how a board looks.

use std::borrow::Cow;

/// The value of an option.
///
/// ```
/// use sixplane::own::Value;
///
/// const OPTIONS: &[(&str, Value)] = &[("length", Value::Int(5)), ("opening", Value::text("free"))];
/// assert_eq!(OPTIONS[0].1, Value::Int(5));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A word.
    Text(Cow<'static, str>),
}

impl Value {
    /// A word.
    #[must_use]
    pub const fn text(word: &'static str) -> Self {
        Self::Text(Cow::Borrowed(word))
    }
}

/// The options that a game is played with. To ask for one that the rules do not have, or for another type of
/// value, is a mistake in the rules, and panics.
///
/// ```
/// use sixplane::own::{Options, Value};
///
/// let options: Options = [("length", Value::Int(5)), ("open", Value::Bool(true))].into_iter().collect();
/// assert_eq!((options.int("length"), options.bool("open")), (5, true));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<(&'static str, Value)>);

impl Options {
    /// The value of an option that is true or false.
    ///
    /// # Panics
    /// If the rules have no such option.
    #[must_use]
    pub fn bool(&self, name: &str) -> bool {
        if let Some(&Value::Bool(value)) = self.get(name) { value } else { missing(name, "Bool") }
    }

    /// The value of an option that is a whole number.
    ///
    /// # Panics
    /// If the rules have no such option.
    #[must_use]
    pub fn int(&self, name: &str) -> i64 {
        if let Some(&Value::Int(value)) = self.get(name) { value } else { missing(name, "Int") }
    }

    /// The value of an option that is a number.
    ///
    /// # Panics
    /// If the rules have no such option.
    #[must_use]
    pub fn float(&self, name: &str) -> f64 {
        if let Some(&Value::Float(value)) = self.get(name) { value } else { missing(name, "Float") }
    }

    /// The value of an option that is a word.
    ///
    /// # Panics
    /// If the rules have no such option.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        if let Some(Value::Text(value)) = self.get(name) { value } else { missing(name, "Text") }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(option, _)| *option == name).map(|(_, value)| value)
    }
}

fn missing(name: &str, kind: &str) -> ! {
    panic!("the rules have no option {name:?} that is a Value::{kind}")
}

impl FromIterator<(&'static str, Value)> for Options {
    fn from_iter<I: IntoIterator<Item = (&'static str, Value)>>(options: I) -> Self {
        Self(options.into_iter().collect())
    }
}

/// How a board looks in pictures, in the terminal and on the page.
///
/// ```
/// use sixplane::own::Look;
///
/// assert_eq!(Look::default(), Look::Squares);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Stones stand in squares, as in Reversi.
    #[default]
    Squares,
    /// Stones stand on the crossings of lines, as in Go.
    Lines,
    /// Discs fall into columns, as in Connect Four: a click on a column plays there.
    Drops,
}
