"""The docs: links work, everything they name exists, and commands are valid."""

from __future__ import annotations

import base64
import hashlib
import re
import runpy
import shlex
import subprocess
import sys

import click
import pytest

from corr.cli import main
from corr.config import KEYS
from tests.support.docs import BLOCKS, PAGES, ROOT, Block, anchors, code_block, inline_code

CORR = f"{shlex.quote(sys.executable)} -m corr.cli"
LINKS = [
    (page, link)
    for page, text in PAGES.items()
    for link in re.findall(r"\]\(([^)\s]+)\)", text)
    if not link.startswith("http")
]
PATH = re.compile(r"(?<![\w/.-])(?:corr|worker|tests|bench|scripts|templates|docs)/[\w./-]+")
COMMAND = re.compile(
    r"""(?:^|(?<=[\s;|&]))(?:/usr/local/s?bin/)?(?:as_)?corr (?=[a-z])((?:"[^"\n]*"|[^"\n|;&>#)])*)""",
    re.MULTILINE,
)
MODULE = re.compile(r"python -m (bench\.[\w.]+)((?: --[\w-]+)*)")


def commands() -> list[tuple[str, str]]:
    """Return each of our commands that a page names, in a block or in a sentence."""
    blocks = [(each.page, each.text) for each in BLOCKS if each.language in ("sh", "console")]
    named = [(page, code) for page in PAGES for code in inline_code(page)]
    found = {
        (page, words.strip())
        for page, text in blocks + named
        for words in COMMAND.findall(re.sub(r"<<'END'\n.*?^END", "", text, flags=re.MULTILINE | re.DOTALL))
    }
    return sorted(found)


# ---------------------------------------------------------------- links and names


@pytest.mark.parametrize(("page", "link"), LINKS)
def test_every_link_has_a_target(page: str, link: str) -> None:
    path, _, anchor = link.partition("#")
    target = (ROOT / page).parent / path if path else ROOT / page

    assert target.exists()
    if anchor:
        assert anchor in anchors(str(target.resolve().relative_to(ROOT)))


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, new = set[str](), {"README.md"}
    while new:
        page = new.pop()
        reached.add(page)
        targets = {(ROOT / page).parent / link.partition("#")[0] for each, link in LINKS if each == page}
        new |= {str(target.resolve().relative_to(ROOT)) for target in targets} & PAGES.keys() - reached

    assert reached == PAGES.keys()


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_exists(page: str) -> None:
    drawn = [each.text for each in BLOCKS if each.page == page and each.language == "mermaid"]
    named = {path for text in inline_code(page) + drawn for path in PATH.findall(text)}

    assert sorted(path for path in named if not (ROOT / path.partition("::")[0]).exists()) == []


def test_every_module_named_without_its_folder_exists() -> None:
    there = {
        path.name for folder in ("corr", "worker", "tests", "bench") for path in (ROOT / folder).rglob("*.py")
    }
    texts = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("corr/**/*.py"),
        *ROOT.glob("worker/*.py"),
    ]
    named = {(name, path) for path in texts for name in re.findall(r"`(\w+\.py)`", path.read_text())}

    assert sorted((name, str(path)) for name, path in named if name not in there) == []


def test_every_page_that_the_code_names_exists() -> None:
    rooms = [
        *(ROOT / "corr").rglob("*.py"),
        *(ROOT / "tests").rglob("*.py"),
        *(ROOT / "worker").rglob("*.py"),
    ]
    named = {page for path in rooms for page in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text())}

    assert named
    assert sorted(named - PAGES.keys()) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_benchmark_in_the_docs_has_the_options_shown(page: str) -> None:
    for module, options in MODULE.findall(PAGES[page]):
        path = ROOT / module.replace(".", "/")
        source = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__main__.py"
        text = source.read_text()
        assert all(option in text for option in options.split()), module


def test_the_readme_is_one_page() -> None:
    assert len(PAGES["README.md"].encode()) <= 5_000


def test_every_folder_that_the_readme_lists_exists() -> None:
    named = re.findall(r"(?:^|  )([\w/]+/)(?= )", code_block("README.md", "corr/words/"), re.MULTILINE)

    assert len(named) > 8
    assert [folder for folder in named if not (ROOT / folder).is_dir()] == []


def test_the_glossary_has_twenty_words_and_the_code_uses_each() -> None:
    words = re.findall(r"^\| ([\w ]+) \| ", PAGES["docs/glossary.md"], re.MULTILINE)[1:]
    code = " ".join(
        path.read_text() for room in ("corr", "tests/support") for path in (ROOT / room).rglob("*.py")
    )

    assert len(words) == 20
    named = [word.replace(" ", "") for word in words]
    assert [name for name in named if not re.search(rf"\b_?{name}s?\b", code, re.IGNORECASE)] == []


def test_pages_of_the_built_docs_run_only_their_own_scripts() -> None:
    policy = runpy.run_path(str(ROOT / "scripts" / "docs_policy.py"))
    inline = "var shown = 1"
    digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()

    page = policy["guarded"](f"<html><head></head><body><script>{inline}</script></body></html>")

    assert f"script-src 'self' 'sha256-{digest}'; " in page
    assert page.index("Content-Security-Policy") < page.index("<script>")
    assert "unsafe" not in page


def test_the_docs_site_lists_every_page() -> None:
    listed = re.findall(r"^ +- .+: ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)

    assert sorted(f"docs/{each}" for each in listed) == [page for page in PAGES if page.startswith("docs/")]


# ---------------------------------------------------------------- commands


@pytest.mark.parametrize(
    "each", [each for each in BLOCKS if each.language == "sh"], ids=lambda each: each.text[:30]
)
def test_shell_blocks_are_valid_shell(each: Block) -> None:
    subprocess.run(["sh", "-n"], input=each.text, text=True, check=True)
    for script in re.findall(r"<<'END'\n(#!/bin/sh\n.*?)^END", each.text, re.MULTILINE | re.DOTALL):
        subprocess.run(["sh", "-n"], input=script, text=True, check=True)


@pytest.mark.parametrize(("page", "words"), commands())
def test_our_commands_in_the_docs_exist(page: str, words: str) -> None:
    command: click.Command | None = main
    given = shlex.split(words)
    while isinstance(command, click.Group) and given:
        _, command, given = command.resolve_command(click.Context(command), given)

    assert command
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    assert {word for word in given if word.startswith("--")} <= known


@pytest.mark.parametrize("script", ["demo", "test", "check", "gallery", "audit", "bom", "docs"])
def test_a_script_that_a_page_names_can_be_run(script: str) -> None:
    path = ROOT / "scripts" / script

    assert path.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", str(path)], check=True)


# ---------------------------------------------------------------- settings and processes


def test_the_settings_table_is_complete_and_no_page_names_another() -> None:
    listed = re.findall(r"^\| `(CORR_\w+)`", PAGES["docs/configuration.md"], re.MULTILINE)
    named = {key for text in PAGES.values() for key in re.findall(r"\bCORR_[A-Z_]+\b", text)}
    of_the_tests = {key for key in named if re.match("CORR_(TEST|GALLERY|PICTURES)", key)}

    for_the_procfile = re.findall(r"\$\{(CORR_\w+)", (ROOT / "Procfile").read_text())
    assert sorted(listed) == sorted([*KEYS, *for_the_procfile])
    assert named - of_the_tests <= set(listed)


def test_every_started_process_is_in_the_procfile() -> None:
    lines = set(re.findall(r"^(\w+):", (ROOT / "Procfile").read_text(), re.MULTILINE))
    started = {name for text in PAGES.values() for name in re.findall(r"corr@(\w+)\b(?!\.)", text)}

    assert started == lines - {"release"}


def test_comments_and_docs_name_only_existing_identifiers() -> None:
    code = [path for room in ("corr", "worker") for path in (ROOT / room).rglob("*.py")]
    words = {
        word
        for room in ("corr", "worker", "bench", "tests", "templates")
        for path in (ROOT / room).rglob("*.*")
        if path.suffix in (".py", ".html", ".txt", ".toml") and "node_modules" not in path.parts
        for word in re.findall(
            r"[A-Za-z_]\w+", re.sub(r"`[^`\n]*`|^ *#.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
        )
    }
    texts = {page: text for page, text in PAGES.items() if page != "CHANGELOG.md"}
    texts |= {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in code}

    unknown = {
        (place, name)
        for place, text in texts.items()
        for name in re.findall(r"`(?:\w+\.)*(_?[A-Z]\w*[a-z_]\w*[A-Z]\w*|_\w+|[A-Z]+_[A-Z_]+)`", text)
        if name not in words
    }
    assert unknown == set()
