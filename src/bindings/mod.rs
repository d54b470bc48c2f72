//! The Python module `sixplane._core`: the only place that names pyo3 or numpy.
//!
//! | question | file |
//! |---|---|
//! | What does a Python class do? | `game`, one of each game's name, `batch`, `search`, `solve`, `sgf` |
//! | Where do planes become NumPy arrays? | `planes`; after a step of a batch `arrays`, in `memory` that is used again |
//! | Where are arguments read? | `convert`; those of batches and searches in `batch_arguments`, `search_options` |
//! | Where do errors become exceptions? | `error` |
//! | How does one class hold any game? | `any_game`; a batch of them: `any_batch`; searches: `searches`; `kinds` lists what Python makes of each |
//! | Where are rules asked that are Python code, or in a crate of their own? | `own_game`; its class is in `own_class`, and `all_games` adds it to the list |
//! | How does a crate of another game become a module? | `crate_module`, which is compiled into that crate alone |
//! | What keeps two calls apart? | `exclusive` |
//! | What of Python is called? | `callbacks` |
//! | What happens when the interpreter ends? | `at_exit` |
//!
//! What Python sees is documented in its stub, `python/sixplane/_core.pyi`; `stub!(Game.play)` is what that
//! says of `Game.play`.

// The stub is in Python's style; brackets in its examples are no links.
#![allow(clippy::doc_markdown, clippy::doc_link_with_quotes, rustdoc::broken_intra_doc_links)]
// PyO3 gives a method its object by value.
#![allow(clippy::needless_pass_by_value)]

// The macro `stub!`, which `build.rs` writes. It comes first: a macro is known below its definition.
include!(concat!(env!("OUT_DIR"), "/stub.rs"));

mod all_games;
mod any_batch;
mod any_game;
mod arrays;
mod at_exit;
mod batch;
mod batch_arguments;
mod callbacks;
mod connect_four;
mod convert;
mod coordinates;
mod error;
mod evaluator;
mod exclusive;
mod functional;
mod game;
mod go;
mod gomoku;
mod hex;
mod kinds;
mod mask;
mod memory;
mod morphology;
mod own_class;
mod own_game;
mod pickle;
mod planes;
mod players;
mod record;
mod reversi;
mod search;
mod search_options;
mod search_result;
mod searches;
mod selfplay;
mod sgf;
mod solve;
mod tic_tac_toe;

/// The compiled part of sixplane.
// An interpreter without the global lock may stay without it: `tests/test_objects_in_threads.py`.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        any_batch::PyGameBatch,
        any_game::PyGame,
        coordinates::coordinates,
        functional::{
            areas, batch_areas, batch_canonical_form, batch_next_states, canonical_form, children,
            liberties, next_state,
        },
        go::own_eyes,
        mask::{sample_action, sample_legal},
        morphology::{chain_liberties, dilate_planes, label_planes},
        players::{score_table_actions, score_table_evaluate, score_table_points},
        search::PyMcts,
        selfplay::{default_threads, selfplay},
        sgf::{PyCollection, PyNode, parse_sgf, record_name, recorded_action},
        solve::exact_values,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::at_exit::register(module)?;
        super::kinds::add_classes(module)?;
        // Not `add`, which would make it one of the public names.
        let set_callbacks = wrap_pyfunction!(super::callbacks::_set_callbacks, module)?;
        module.setattr("_set_callbacks", set_callbacks)?;
        let own_rules = module.py().get_type::<super::own_game::PyOwnRules>();
        module.setattr("_OwnRules", own_rules)?;
        let crate_rules = module.py().get_type::<super::own_game::PyCrateRules>();
        module.setattr("_CrateRules", crate_rules)?;
        module.setattr("_read_crate", wrap_pyfunction!(super::own_game::read_crate, module)?)?;
        module.add("GO_RULES", super::go::named_rules(module.py())?)?;
        module.add("PROFILE", env!("SIXPLANE_PROFILE"))?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
