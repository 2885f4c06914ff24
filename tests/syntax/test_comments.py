"""Comments are found where Python sees comments, and belong to the lines that a person means."""

from __future__ import annotations

import pytest

from jaxlint.syntax.comments import scan_comments

CODE = '''"""# jaxlint: no
"""
x = 1  # jaxlint: ignore[a]
y = f(  # noqa
    1,
    # jaxlint: ignore[in]
    2)  # NOQA: JX1
# jaxlint: ignore[b]

@deco(
  1)
@d2
def f(
    a):  # jaxlint: ignore
    # jaxlint: disable
    z = "# noqa"; w = \\
       3 # noqa
    if a:
        # jaxlint: disable[q]
        b

    c
d  # nothing
# jaxlint: file-ignore'''

#: (text, line, own line, first, last, indentation, block end)
EXPECTED = [
    ("# jaxlint: ignore[a]", 3, False, 3, 3, 0, 0),
    ("# noqa", 4, False, 4, 7, 0, 0),
    ("# jaxlint: ignore[in]", 6, False, 4, 7, 4, 0),
    ("# NOQA: JX1", 7, False, 4, 7, 4, 0),
    ("# jaxlint: ignore[b]", 8, True, 10, 14, 0, 24),
    ("# jaxlint: ignore", 14, False, 13, 14, 4, 0),
    ("# jaxlint: disable", 15, True, 16, 17, 4, 22),
    ("# noqa", 17, False, 16, 17, 7, 0),
    ("# jaxlint: disable[q]", 19, True, 20, 20, 8, 20),
    ("# jaxlint: file-ignore", 24, True, 0, 0, 0, 24),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_comments_and_their_lines(newline: str) -> None:
    text = CODE.replace("\n", newline)
    found = scan_comments(text)
    assert [
        (c.text, c.line, c.is_own_line, c.first_line, c.last_line, c.indentation, c.block_end) for c in found
    ] == EXPECTED
    assert all(text[c.offset :].startswith(c.text) for c in found)
    assert [c.column for c in found][:2] == [8, 9]


def test_files_without_a_mention_have_none() -> None:
    assert scan_comments("x = 1  # a comment\n'# jaxlint: ignore'\n") == ()
