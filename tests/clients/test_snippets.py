"""The configurations in docs/editors.md, pasted as they stand: into the editor where it is one that they are for."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clients.project import PATIENCE, ROOT, environment, make_project

TEXT = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(lua|elisp)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SNIPPETS = FENCE.findall(TEXT)
LUA = [code for language, code in SNIPPETS if language == "lua"]
[NEWEST_LUA, NEWER_LUA, OLD_LUA] = LUA
ELISP = [code for language, code in SNIPPETS if language == "elisp"]
[EGLOT, EGLOT_SETTINGS, LSP_MODE] = ELISP

NEOVIM = """
local settled = vim.wait(60000, function() return #vim.diagnostic.get(0) >= 3 end, 20)
local found = {}
for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(found, one.lnum + 1) end
table.sort(found)
local file = io.open(vim.env.JAXLINT_REPORT, 'w')
file:write(vim.fn.json_encode({ lines = found }))
file:close()
vim.cmd('qall!')
"""
#: What newer versions of Neovim have, as far as the snippets call it; what they are given is written down.
STUBS = """
local given = {}
vim.fs = {
  find = function(names) given.markers = names return { '/a/pyproject.toml' } end,
  dirname = function() return '/a' end,
}
vim.lsp.start = function(config) given.config = config end
vim.lsp.config = function(name, config) given.name, given.config = name, config end
vim.lsp.enable = function(name) given.enabled = name end
vim.lsp.inlay_hint = { enable = function(on) given.hints = on end }
dofile(vim.env.JAXLINT_SNIPPET)
vim.cmd('enew')
vim.bo.filetype = 'python'
local file = io.open(vim.env.JAXLINT_REPORT, 'w')
file:write(vim.fn.json_encode(given))
file:close()
vim.cmd('qall!')
"""
EMACS = """
(require 'eglot)
(require 'json)
(find-file (getenv "JAXLINT_FILE"))
(python-mode)
(apply #'eglot (eglot--guess-contact))
(let ((end (+ (float-time) 60)))
  (while (and (< (length (flymake-diagnostics)) (string-to-number (getenv "JAXLINT_WANTED"))) (< (float-time) end))
    (accept-process-output nil 0.05)))
(let ((lines (sort (mapcar (lambda (one) (line-number-at-pos (flymake-diagnostic-beg one))) (flymake-diagnostics)) #'<))
      (hooked (memq 'eglot-ensure (default-value 'python-mode-hook))))
  (with-temp-file (getenv "JAXLINT_REPORT")
    (insert (json-encode `((lines . ,(vconcat lines)) (starts . ,(and hooked t)))))))
(eglot-shutdown (eglot-current-server) nil 20 nil)
"""


def run(folder: Path, program: str, *arguments: str, **variables: str) -> dict[str, Any]:
    """What an editor reports that runs in a project, with `jaxlint` on its PATH."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    project = make_project(folder)
    command = folder / "bin" / "jaxlint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxlint "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    given = {**environment(folder, project), **variables}
    given["PATH"] = f"{command.parent}{os.pathsep}{given['PATH']}"
    done = subprocess.run(
        [program, *arguments], cwd=project, env=given, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, timeout=PATIENCE,
    )  # fmt: skip
    report = folder / "report.json"
    assert report.exists(), done.stdout + done.stderr
    return dict(json.loads(report.read_text(encoding="utf-8")))


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def neovim(folder: Path, snippet: str, script: str) -> dict[str, Any]:
    pasted = written(folder, "init.lua", snippet)
    acts = written(folder, "acts.lua", script)
    arguments = ("--headless", "-i", "NONE", "-n")
    if script is STUBS:
        return run(folder, "nvim", *arguments, "-u", "NONE", "-c", f"luafile {acts}", JAXLINT_SNIPPET=pasted)
    return run(folder, "nvim", *arguments, "-u", pasted, "train.py", "-c", f"luafile {acts}")


def test_the_snippet_for_an_old_neovim_works_as_it_stands(tmp_path: Path) -> None:
    assert neovim(tmp_path, OLD_LUA, NEOVIM)["lines"] == [9, 10, 17]


@pytest.mark.parametrize("snippet", [NEWER_LUA, NEWEST_LUA], ids=["0.8", "0.11"])
def test_the_snippets_for_newer_ones_say_what_the_old_one_says(tmp_path: Path, snippet: str) -> None:
    given = neovim(tmp_path, snippet, STUBS)
    config = given["config"]
    assert config["cmd"] == ["jaxlint", "server"]
    assert config["settings"] == {"jaxlint": {"shapeHints": False}}
    if snippet is NEWEST_LUA:
        assert given["name"] == given["enabled"] == "jaxlint"
        assert config["filetypes"] == ["python"]
        assert given["hints"] is True
    else:
        assert config["root_dir"] == "/a"
    assert "pyproject.toml" in given.get("markers", config.get("root_markers", []))


@pytest.mark.parametrize(("snippet", "lines"), [(EGLOT, [9, 10, 17]), (EGLOT + EGLOT_SETTINGS, [9, 10])])
def test_the_snippets_for_eglot_work_as_they_stand(tmp_path: Path, snippet: str, lines: list[int]) -> None:
    arguments = ("--batch", "-q", "--eval", "(package-initialize)", "-l", written(tmp_path, "init.el", snippet))
    acts = written(tmp_path, "acts.el", EMACS)
    seen = run(tmp_path, "emacs", *arguments, "-l", acts, JAXLINT_WANTED=str(len(lines)))
    assert seen == {"lines": lines, "starts": True}


def test_the_snippet_for_lsp_mode_is_read(tmp_path: Path) -> None:
    """lsp-mode is in no package of Debian 12: what the snippet gives to it is looked at."""
    stubs = """
(require 'json)
(defvar given nil)
(defun make-lsp-client (&rest options) options)
(defun lsp-stdio-connection (command) command)
(defun lsp-activate-on (language) language)
(defun lsp-register-client (client) (setq given client))
(provide 'lsp-mode)
"""
    tell = '(with-temp-file (getenv "JAXLINT_REPORT") (insert (json-encode given)))'
    script = written(tmp_path, "lsp.el", f"{stubs}\n{LSP_MODE}\n{tell}\n")
    given = run(tmp_path, "emacs", "--batch", "-q", "-l", script)
    assert given["new-connection"] == ["jaxlint", "server"]
    assert given["server-id"] == "jaxlint"
    assert given["add-on?"] is True
