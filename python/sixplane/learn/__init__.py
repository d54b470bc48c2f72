"""Learning from nothing: figures of a run, and its report."""

from sixplane.learn.diagnosis import Finding, diagnose
from sixplane.learn.metrics import Metrics, MetricsError, Row, Strength
from sixplane.learn.report import report_html, write_report
from sixplane.learn.sample_game import SampleGame, examine

__all__ = [
    "Finding",
    "Metrics",
    "MetricsError",
    "Row",
    "SampleGame",
    "Strength",
    "diagnose",
    "examine",
    "report_html",
    "write_report",
]
