"""The scripts that check a built site and put it among those of other versions."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Two pages, a folder of rustdoc and a picture."""
    site = tmp_path / "site"
    (site / "rust" / "sixplane").mkdir(parents=True)
    (site / "guide").mkdir()
    (site / "rust" / "sixplane" / "index.html").write_text('<a href="nowhere.html">made by others</a>')
    (site / "a b.svg").write_text("<svg/>")
    (site / "index.html").write_text(
        '<h1 id="top">One</h1><a href="guide/">in a folder</a><a href="#top">here</a>'
        '<img src="a%20b.svg"><a href="https://example.org/nowhere">elsewhere</a>'
    )
    (site / "guide" / "index.html").write_text(
        '<a href="../index.html#top">back</a><a href="../rust/sixplane/index.html">the crate</a>'
    )
    return site


def test_a_site_without_dead_links_has_none(site: Path) -> None:
    assert load("check_site").dead_links(site) == []


@pytest.mark.parametrize("link", ["gone.html", "guide/#gone", "#gone", "gone.svg", "rust/gone/index.html"])
def test_a_dead_link_is_named_with_its_page(site: Path, link: str) -> None:
    page = site / "index.html"
    page.write_text(f'{page.read_text()}<a href="{link}">dead</a>')
    assert load("check_site").dead_links(site) == [f"index.html: {link}"]


def test_everything_that_a_module_exports_is_asked_for() -> None:
    public = load("check_site").public()
    assert "sixplane.evaluate" in public
    assert public["sixplane.GameBatch.step"] == ["sixplane.GameBatch.step"] * 2
    assert "sixplane.search.SearchResult.sample" in public
    assert "sixplane.torchrl.BoardGameEnv" in public, "also of a library that is not here"


def test_each_version_has_a_folder_and_the_newest_release_comes_first(site: Path, tmp_path: Path) -> None:
    publish, folder = load("publish_site").publish, tmp_path / "pages"
    assert publish(site, folder, "main") == ["latest"]
    assert "url=latest/" in (folder / "index.html").read_text()
    publish(site, folder, "v0.9.0")
    assert publish(site, folder, "v0.10.0") == ["latest", "0.10.0", "0.9.0"]
    assert "url=0.10.0/" in (folder / "index.html").read_text()
    assert json.loads((folder / "versions.json").read_text()) == ["latest", "0.10.0", "0.9.0"]

    # A page that is gone from the site goes from its version alone.
    (site / "a b.svg").unlink()
    publish(site, folder, "main")
    assert not (folder / "latest" / "a b.svg").exists()
    assert (folder / "0.9.0" / "a b.svg").exists()


def test_without_a_site_nothing_is_published(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make docs"):
        load("publish_site").publish(tmp_path, tmp_path / "pages", "main")
    assert not (tmp_path / "pages").exists()
