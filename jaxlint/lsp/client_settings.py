"""What the client's own configuration says: settings as on a command line, and which extras are wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jaxlint.config import ConfigError
from jaxlint.config.errors import suggestion

SECTION: Final = "jaxlint"
_KEYS: Final = (
    "settings", "inlayHints", "shapeHints", "codeLens", "workspaceDiagnostics", "python", "verifyTimeout",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """`settings` hold above those of files; `python` is the interpreter that verifies, None the server's own."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    inlay_hints: bool = False
    shape_hints: bool = False
    code_lens: bool = False
    workspace_diagnostics: bool = True
    python: str | None = None
    verify_timeout: float = 120.0


def read_settings(given: object) -> ClientSettings:
    """The settings that a client gives, perhaps in a section of our name. Raises ConfigError for what is none."""
    if given is None:
        return ClientSettings()
    if not isinstance(given, Mapping):
        raise ConfigError("expected an object", key=SECTION)
    inner = given.get(SECTION, given)
    if inner is None:
        return ClientSettings()
    if not isinstance(inner, Mapping):
        raise ConfigError("expected an object", key=SECTION)
    for key in inner:
        if key not in _KEYS:
            raise ConfigError(f"`{key}` is no setting of the server{suggestion(str(key), _KEYS)}", key=SECTION)
    settings = _value(inner, "settings", dict, {})
    return ClientSettings(
        {str(key): value for key, value in settings.items() if value is not None},
        _value(inner, "inlayHints", bool, False),
        _value(inner, "shapeHints", bool, False),
        _value(inner, "codeLens", bool, False),
        _value(inner, "workspaceDiagnostics", bool, True),
        _value(inner, "python", str, "") or None,
        float(_value(inner, "verifyTimeout", (int, float), 120.0)),
    )


def _value(given: Mapping[str, Any], key: str, kind: Any, default: Any) -> Any:  # noqa: ANN401 - JSON
    """The value of a key; null means the default."""
    value = given.get(key)
    if value is None:
        return default
    if not isinstance(value, kind):
        raise ConfigError(f"`{value!r}` is not what this setting takes", key=f"{SECTION}.{key}")
    return value
