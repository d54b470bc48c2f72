"""Folders of runs and matches: their figures, what looks wrong, and the page that shows them.

`sixplane train`, `sixplane match --out` and `sixplane selfplay --out` write folders, and `sixplane watch`
reads them. Nothing here trains, and nothing needs PyTorch.

| module | holds |
|---|---|
| `metrics`, `calls` | the rows of `metrics.csv`; the lines of `calls.csv` |
| `diagnosis` | what goes wrong in runs of training |
| `reader` | the reader of a folder that is being written, and what it gives a page, such as curves |
| `training`, `match`, `selfplay` | the readers of each kind of folder |
| `sample` | a game as the network of a run sees it |
| `page` | the page saved in one file: `report.html` |
| `tensorboard` | the rows for TensorBoard |
"""

__all__: list[str] = []
