//! What a search found, as Python's named tuples of arrays.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

use super::callbacks::callback;
use crate::batch::NO_ACTION;
use crate::geometry::Action;
use crate::search::{OPEN, Report};

fn visits(report: &Report) -> impl Iterator<Item = i64> + '_ {
    report.visits.iter().map(|&n| i64::from(n))
}

fn line(report: &Report) -> Vec<usize> {
    report.principal_variation.iter().map(|a| a.index()).collect()
}

/// A `sixplane.search.SearchResult` of a game, which is to be a copy.
pub(super) fn result<'py>(
    py: Python<'py>,
    report: &Report,
    game: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = (
        PyArray1::from_vec(py, visits(report).collect()),
        PyArray1::from_slice(py, &report.q),
        PyArray1::from_slice(py, &report.policy),
        report.value,
        report.best.map(Action::index),
        line(report),
        report.simulations,
        report.elapsed.as_secs_f64(),
        report.nodes,
        PyArray1::from_slice(py, &report.prior),
        report.raw_value,
        report.wins,
    );
    let certain = [
        ("proven", report.proven.into_pyobject(py)?.into_any()),
        ("proofs", PyArray1::from_slice(py, &report.proofs).into_any()),
        ("game", game),
    ];
    callback(py, "SearchResult")?.call(fields, Some(&certain.into_py_dict(py)?))
}

/// A `sixplane.search.BatchSearchResult`.
pub(super) fn batch_result<'py>(
    py: Python<'py>,
    reports: &[Report],
) -> PyResult<Bound<'py, PyAny>> {
    let (games, actions) = (reports.len(), reports.first().map_or(0, |report| report.visits.len()));
    let rows = |row: fn(&Report) -> &[f32]| {
        let all: Vec<f32> = reports.iter().flat_map(|report| row(report).iter().copied()).collect();
        PyArray1::from_vec(py, all).reshape([games, actions])
    };
    let numbers = |number: fn(&Report) -> f32| PyArray1::from_iter(py, reports.iter().map(number));
    let visits: Vec<i64> = reports.iter().flat_map(visits).collect();
    let best = reports.iter().map(|r| r.best.map_or(NO_ACTION, |best| best.index() as i64));
    let lines: Vec<Vec<usize>> = reports.iter().map(line).collect();
    let seconds = reports.iter().map(|report| report.elapsed.as_secs_f64());
    let fields = (
        PyArray1::from_vec(py, visits).reshape([games, actions])?,
        rows(|report| &report.q)?,
        rows(|report| &report.policy)?,
        numbers(|report| report.value),
        PyArray1::from_iter(py, best),
        lines,
        PyArray1::from_iter(py, reports.iter().map(|r| i64::from(r.simulations))),
        PyArray1::from_iter(py, seconds),
        PyArray1::from_iter(py, reports.iter().map(|r| r.nodes as i64)),
        rows(|report| &report.prior)?,
        numbers(|report| report.raw_value),
        PyArray1::from_iter(py, reports.iter().map(|report| report.wins)),
    );
    let proven = reports.iter().map(|report| report.proven.unwrap_or(OPEN));
    let proofs = reports.iter().flat_map(|report| report.proofs.iter().copied()).collect();
    let certain = [
        ("proven", PyArray1::from_iter(py, proven).into_any()),
        ("proofs", PyArray1::from_vec(py, proofs).reshape([games, actions])?.into_any()),
    ];
    callback(py, "BatchSearchResult")?.call(fields, Some(&certain.into_py_dict(py)?))
}
