//! Brings the documentation of the Python module from its stub into the compiled module, so that it is
//! written once: `#[doc = stub!(Game.play)]` is what `python/sixplane/_core.pyi` says of `Game.play`. And tells
//! the module with which profile it was compiled.

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::mem;
use std::path::Path;

const STUB: &str = "python/sixplane/_core.pyi";
const QUOTES: &str = "\"\"\"";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={STUB}");
    // Cargo says `debug` for the profile `dev`, and `release` for what inherits from that.
    let profile = if env::var("PROFILE")? == "release" { "release" } else { "dev" };
    println!("cargo::rustc-env=SIXPLANE_PROFILE={profile}");
    if env::var_os("CARGO_FEATURE_PYTHON").is_none() {
        return Ok(());
    }
    let mut rules = String::new();
    for (name, text) in docstrings(&fs::read_to_string(STUB)?) {
        writeln!(rules, "({name}) => {{ {text:?} }};")?;
    }
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("stub.rs"), format!("macro_rules! stub {{\n{rules}}}\n"))?;
    Ok(())
}

/// What a stub says of its classes, methods and functions, by their dotted names.
fn docstrings(stub: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut class = "";
    let mut name = String::new();
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let depth = line.len() - start.len();
        if let Some(defined) = name_after(start, "class ") {
            (class, name) = (defined, defined.to_owned());
        } else if let Some(defined) = name_after(start, "def ") {
            name = if depth == 0 { defined.to_owned() } else { format!("{class}.{defined}") };
        } else if let Some(first) = start.trim_start_matches('r').strip_prefix(QUOTES) {
            let mut text = first.to_owned();
            while !text.ends_with(QUOTES) {
                let next = lines.next().expect("what Python parses ends its docstrings");
                text = format!("{text}\n{}", next.get(depth..).unwrap_or_default());
            }
            // What follows the docstring of a definition is that of an attribute.
            found.push((mem::take(&mut name), text.trim_end_matches('"').trim_end().to_owned()));
        }
    }
    found.retain(|(name, _)| !name.is_empty());
    found
}

/// The name that follows a keyword of Python at the start of a line.
fn name_after<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    line.strip_prefix(keyword)?
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .next()
}
