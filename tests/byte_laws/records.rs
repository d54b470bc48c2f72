//! What holds of any bytes that are read as SGF. The fuzzer and the random tests share it.

use sixplane::record::sgf::Collection;
use sixplane::record::{Info, Recorded};
use sixplane::{ConnectFour, Go, Gomoku, Hex, Reversi, TicTacToe};

/// Asserts the laws for these bytes.
pub fn records_survive_being_written(bytes: &[u8]) {
    match Collection::from_bytes(bytes) {
        Err(error) => assert!(error.offset <= bytes.len(), "an error beyond the text: {error}"),
        Ok(collection) => {
            let written = collection.to_text();
            let again = Collection::from_text(&written);
            assert_eq!(again.as_ref(), Ok(&collection), "the text is another collection");
            let again = Collection::from_bytes(written.as_bytes());
            assert_eq!(again.as_ref(), Ok(&collection), "the bytes are another collection");
            assert_eq!(again.map(|again| again.to_text()), Ok(written), "they change again");
            let sum: usize = collection.games().map(|game| game.main_line().count()).sum();
            assert!(sum >= collection.games().count(), "a game without nodes");
            for game in collection.games() {
                let alone = Collection::from_text(&game.to_text()).expect("a tree alone");
                assert!(alone.games().eq([game]), "a tree alone is another tree");
            }
        }
    }
    survives_being_written::<Go>(bytes);
    survives_being_written::<Reversi>(bytes);
    survives_being_written::<Gomoku>(bytes);
    survives_being_written::<ConnectFour>(bytes);
    survives_being_written::<TicTacToe>(bytes);
    survives_being_written::<Hex>(bytes);
}

fn survives_being_written<G: Recorded>(bytes: &[u8]) {
    let given = G::Given::default();
    let followed = Collection::from_bytes(bytes)
        .and_then(|collection| G::follow(collection.first_game(), &given, None));
    let strict = G::from_sgf_bytes(bytes, &given, None);
    match followed {
        Err(error) => {
            assert!(error.offset <= bytes.len(), "an error beyond the text: {error}");
            assert_eq!(strict.err(), Some(error));
        }
        Ok((game, warnings)) => {
            for warning in &warnings {
                assert!(
                    warning.error.offset <= bytes.len(),
                    "a warning beyond the text: {warning}"
                );
            }
            let left_out = warnings.into_iter().find(|warning| warning.kind.leaves_out());
            assert_eq!(strict.err(), left_out.map(|warning| warning.error));
            let text = game.to_sgf(&Info::default());
            let again = G::from_sgf(&text, &G::Given::default(), None);
            let again = again.unwrap_or_else(|error| panic!("{error} in {text}"));
            assert!(again == game, "another {} comes back from {text}", G::NAME);
            assert_eq!(again.planes(), game.planes());
        }
    }
}
