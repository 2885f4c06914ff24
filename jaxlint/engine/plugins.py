"""Rules of other distributions: loaded only when the project names them and the user allows them."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Final

from jaxlint.config import ConfigError
from jaxlint.config.toml_document import read_document

if TYPE_CHECKING:
    from jaxlint.rules.rule import Rule

GROUP: Final = "jaxlint.rules"
_OWN_PREFIX: Final = "JX"


def user_configuration(environment: Mapping[str, str]) -> str:
    """The file in which a user, not a project, allows plug-ins: `allow-plugins = ["name"]`."""
    base = environment.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):  # a relative one would lie in the checked project; its standard says to ignore it
        base = os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "jaxlint", "jaxlint.toml")


def allowed_by_user(environment: Mapping[str, str]) -> list[str]:
    """The distributions that the user's own configuration allows."""
    path = user_configuration(environment)
    if not os.path.isfile(path):
        return []
    document = read_document(path)
    names = document.values.get("allow-plugins", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(
            "expected an array of strings", path, *document.place(("allow-plugins",)), key="allow-plugins"
        )
    return names


def permitted(named: Iterable[str], allowed: Iterable[str]) -> tuple[list[str], list[str]]:
    """The plug-ins that may be loaded, and a warning for each that the project names and the user does not allow."""
    known = {_normal(name) for name in allowed}
    wanted = sorted(set(named))
    refused = [
        f"the plug-in {name} is named by the project but not allowed by you; to allow it: --allow-plugins {name}"
        for name in wanted
        if _normal(name) not in known
    ]
    return [name for name in wanted if _normal(name) in known], refused


def versions(names: Iterable[str]) -> list[str]:
    """Each plug-in with its version, for the key of the cache. Raises ConfigError for one that is not installed."""
    return [f"{name}=={_distribution(name).version}" for name in names]


def load_plugins(names: Sequence[str], roots: Iterable[str], shipped: Mapping[str, Rule]) -> dict[str, Rule]:
    """The rules of the named distributions by slug. Raises ConfigError for one that cannot be trusted or loaded."""
    found: dict[str, Rule] = {}
    for name in names:
        distribution = _distribution(name)
        _refuse_project_code(name, distribution, roots)
        for entry in distribution.entry_points:
            if entry.group == GROUP:
                for rule in _rules(name, entry):
                    _refuse_collision(name, rule, {**shipped, **found})
                    found[rule.slug] = rule
    return found


def _distribution(name: str) -> metadata.Distribution:
    try:
        return metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        raise ConfigError(f"the plug-in {name} is not installed beside jaxlint", key="plugins") from None


def _refuse_project_code(name: str, distribution: metadata.Distribution, roots: Iterable[str]) -> None:
    """Checking a project must never run code that came with it.

    A project may hold the environment that jaxlint itself runs from: code there already runs when Python starts.
    """
    place = os.path.realpath(str(distribution.locate_file("")))
    if place in {os.path.realpath(sysconfig.get_path(name)) for name in ("purelib", "platlib")}:
        return
    for root in roots:
        if place == os.path.realpath(root) or place.startswith(os.path.join(os.path.realpath(root), "")):
            raise ConfigError(
                f"the plug-in {name} lies inside the checked project, {root}, and is not loaded", key="plugins"
            )


def _rules(name: str, entry: metadata.EntryPoint) -> Iterable[Rule]:
    from jaxlint.rules.rule import Rule

    try:
        loaded = entry.load()
    except Exception as error:
        what = f"the plug-in {name} cannot be loaded: {type(error).__name__}: {error}"
        raise ConfigError(what, key="plugins") from None
    rules = [loaded] if isinstance(loaded, Rule) else list(loaded) if isinstance(loaded, (list, tuple)) else []
    if not rules or not all(isinstance(rule, Rule) for rule in rules):
        raise ConfigError(f"`{entry.name}` of the plug-in {name} is neither a Rule nor a list of them", key="plugins")
    return rules


def _refuse_collision(name: str, rule: Rule, known: Mapping[str, Rule]) -> None:
    if rule.code.startswith(_OWN_PREFIX):
        raise ConfigError(f"{rule.code} of the plug-in {name} takes a code that is jaxlint's own", key="plugins")
    if rule.slug in known or rule.code in {other.code for other in known.values()}:
        raise ConfigError(f"{rule.slug} ({rule.code}) of the plug-in {name} exists already", key="plugins")


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
