//! The tests of the core: one program, since each program would compile the games anew.
//!
//! `cargo test --test all go_laws` runs those of one file.

// What the tests share.
mod byte_laws;
mod cases;
mod effort;
mod laws;
mod naive;
mod oracle;
mod product;
mod walks;

mod batch;
mod bytes;
mod card;
mod connect_four;
mod exact;
mod examples;
mod functional;
mod game_laws;
mod go_cases;
mod go_laws;
mod go_naive;
mod go_pass_alive;
mod go_perft;
mod go_planes;
mod go_playthrough;
mod go_superko;
mod go_two_levels;
mod gomoku;
mod heuristic_values;
mod hex;
mod hex_solver;
mod playout;
mod record;
mod record_bytes;
mod record_main_line;
mod record_points;
mod reversi;
mod score_table;
mod search;
mod search_evaluator;
mod search_exact;
mod search_root;
mod setup;
mod sgf;
mod tic_tac_toe;
mod toe_tac_tic;
