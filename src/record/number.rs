//! Numbers as programs and people write them.

/// What may stand behind a number of points, how many points it is, and what it adds.
const UNITS: [(&str, f64, f64); 11] = [
    ("目半", 1.0, 0.5),
    ("집반", 1.0, 0.5),
    ("目", 1.0, 0.0),
    ("집", 1.0, 0.0),
    ("点", 1.0, 0.0),
    // Chinese stones: one is worth two points.
    ("子", 2.0, 0.0),
    ("points", 1.0, 0.0),
    ("point", 1.0, 0.0),
    ("pts", 1.0, 0.0),
    ("pt", 1.0, 0.0),
    ("moku", 1.0, 0.0),
];

/// The number that a text surely means: `6.5`, `6,5`, `6½`, `6 1/2`, `６.５`, `6.5目`, `+6.5`.
pub(super) fn number(text: &str) -> Option<f64> {
    let text: String = text.chars().map(plain).collect::<String>().to_ascii_lowercase();
    let text = text.replace('½', " 1/2").replace('¼', " 1/4").replace('¾', " 3/4");
    let text = text.trim();
    let unit = UNITS.iter().find(|(unit, ..)| text.ends_with(unit));
    let &(unit, worth, more) = unit.unwrap_or(&("", 1.0, 0.0));
    let text = text.strip_suffix(unit)?.trim();
    let (sign, text) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let mut words = text.split_ascii_whitespace();
    let value = match (words.next()?, words.next(), words.next()) {
        (word, None, None) => decimal(word).or_else(|| fraction(word))?,
        (whole, Some(part), None) => whole.parse::<u16>().ok().map(f64::from)? + fraction(part)?,
        _ => return None,
    };
    Some(sign * (value * worth + more))
}

/// The character of ASCII that stands for the same.
fn plain(char: char) -> char {
    match char {
        // Those of East Asian keyboards.
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(char) - 0xff01 + u32::from('!')).unwrap_or(char)
        }
        '\u{2212}' | '\u{2013}' => '-',
        '\u{2044}' => '/',
        '\u{3002}' => '.',
        // "3 and 3/4" in Chinese.
        '又' => ' ',
        _ if char.is_whitespace() => ' ',
        _ => char,
    }
}

/// Digits with a point or a comma among them. What may be a comma between thousands is no number.
fn decimal(word: &str) -> Option<f64> {
    let (whole, part) = word.split_once(['.', ',']).unwrap_or((word, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_thousands = word.contains(',') && part.len() > 2;
    if !are_digits(whole) || !are_digits(part) || whole.len() + part.len() == 0 || is_thousands {
        return None;
    }
    format!("0{whole}.{part}0").parse().ok()
}

/// Halves and quarters.
fn fraction(word: &str) -> Option<f64> {
    let (part, whole) = word.split_once('/')?;
    match (part.parse::<u8>().ok()?, whole) {
        (part @ 1, "2") => Some(f64::from(part) / 2.0),
        (part @ 1..=3, "4") => Some(f64::from(part) / 4.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn what_is_surely_meant_is_read() {
        for (text, value) in [
            ("7.5", 7.5),
            ("7,5", 7.5),
            ("7,50", 7.5),
            ("+7.5", 7.5),
            ("-7.5", -7.5),
            ("\u{2212}7.5", -7.5),
            (".5", 0.5),
            ("6.", 6.0),
            ("007", 7.0),
            ("６.５", 6.5),
            ("６．５", 6.5),
            ("－６，５", -6.5),
            ("6.5目", 6.5),
            ("６目半", 6.5),
            ("6집반", 6.5),
            ("6.5点", 6.5),
            ("６。５", 6.5),
            ("6.5 points", 6.5),
            ("7 Moku", 7.0),
            ("6½", 6.5),
            ("½", 0.5),
            ("-5½", -5.5),
            ("6 1/2", 6.5),
            ("1/2", 0.5),
            ("3 3/4", 3.75),
            ("3¾", 3.75),
            ("3又3/4子", 7.5),
            ("3.75子", 7.5),
            (" \u{3000}7\n", 7.0),
        ] {
            assert_eq!(number(text), Some(value), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "",
            " ",
            "-",
            "+",
            ".",
            ",",
            "five",
            "nan",
            "inf",
            "1e3",
            "0x7",
            "7.5.5",
            "7,5,5",
            "1,000",
            "7 5",
            "6 1/3",
            "6 5/4",
            "1/0",
            "/2",
            "6 1/2 1/2",
            "B+6.5",
            "6.5?",
            "--7",
            "目",
            "x目",
            "6½½",
            "7 -1/2",
        ] {
            assert_eq!(number(text), None, "{text:?}");
        }
        assert_eq!(number(&"9".repeat(500)), Some(f64::INFINITY));
    }
}
