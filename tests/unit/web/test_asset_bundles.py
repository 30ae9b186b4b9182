"""Style sheets and scripts are served with their imports, without comments and spare spaces."""

from __future__ import annotations

from pathlib import Path

from corr.web.assets import bundle_file


def write_files(folder: Path, **files: str) -> Path:
    """Write files into a folder, and return the first."""
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder / next(iter(files)).replace("_", ".")


def test_an_imported_script_comes_first_and_only_once(tmp_path: Path) -> None:
    first = write_files(
        tmp_path,
        hall_js='// The hall.\nimport { lamp } from "./lamp.js";\nimport "./door.js";\nopen(lamp);\n',
        door_js='import { lamp } from "./lamp.js";\n\nexport function open(what) {\n  // Slowly.\n  return what;\n}\n',
        lamp_js="export const lamp = 1;\n",
    )

    assert bundle_file(first) == "const lamp=1;\nfunction open(what){\nreturn what;\n}\nopen(lamp);\n"


def test_circular_imports_are_served_once_each(tmp_path: Path) -> None:
    first = write_files(tmp_path, a_js='import "./b.js";\na();\n', b_js='import "./a.js";\nb();\n')

    assert bundle_file(first) == "b();\na();\n"


def test_a_style_sheet_loses_comments_and_spaces(tmp_path: Path) -> None:
    first = write_files(
        tmp_path,
        room_css='/* A room. */\n@import "wall.css";\n\n.room > p, .hall a:hover {\n  margin: 0 calc(1rem + 2px);\n}\n',
        wall_css="@media (max-width: 46rem) { .wall { color: red; } }\n",
    )

    assert bundle_file(first) == (
        "@media (max-width:46rem){.wall{color:red}}.room>p,.hall a:hover{margin:0 calc(1rem + 2px)}"
    )


def test_strings_are_unchanged_and_comments_next_to_them_removed(tmp_path: Path) -> None:
    strings = ['"http://host, // b"', """'[a=""] , b'""", "`${a} = ${b}`"]
    first = write_files(tmp_path, a_js=f"const all = [{', '.join(strings)}]; // it's here\n")

    assert bundle_file(first) == f"const all=[{','.join(strings)}];\n"
