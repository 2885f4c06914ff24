"""`jaxlint clean`: the cache is removed."""

from __future__ import annotations

import os

from jaxlint.config import ConfigError
from jaxlint.config.roots import project_root
from jaxlint.engine.cache import FOLDER, remove_cache
from jaxlint.engine.command_line import SettingsOptions, working_directory
from jaxlint.engine.exit_codes import CLEAN
from jaxlint.files.console import write_stdout
from jaxlint.text import escape


def run_clean(cache_dir: str | None) -> int:
    """Remove the cache of the project in the current folder. Raises ConfigError."""
    directory = working_directory()
    configuration = SettingsOptions(cache_dir=cache_dir).configuration(directory)
    folder = configuration.run(directory).cache_dir or os.path.join(project_root(directory), FOLDER)
    try:
        is_removed = remove_cache(folder)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ConfigError(f"cannot be deleted: {reason.lower()}", folder) from None
    write_stdout([f"Deleted {escape(folder)}" if is_removed else f"Nothing to delete: {escape(folder)} does not exist"])
    return CLEAN
