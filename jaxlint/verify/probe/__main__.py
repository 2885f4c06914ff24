"""`python -m jaxlint.verify.probe`: the prober by itself, with the options that `jaxlint verify` has for it."""

from __future__ import annotations

import sys
from typing import Any

import click

from jaxlint.verify.probe.request import TIMEOUT, ProbeRequest


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1)
@click.option("--probe", "targets", multiple=True, metavar="PATH[::FUNCTION]", help="Probe this function.")
@click.option(
    "--arg", "args", multiple=True, metavar="NAME=VALUE", help="An argument, such as x=f32[3,4] or n=static:3."
)
@click.option("--execute", is_flag=True, help="Run the functions as well, on made-up numbers.")
@click.option("--python", metavar="PY", help="The interpreter that has the project's JAX. [default: jaxlint's own]")
@click.option("--platform", metavar="NAME", help="Compile for cpu, cuda, rocm or tpu, which must be there.")
@click.option("--lower-for", metavar="P,P", default="", help="Try to lower for platforms that are not there.")
@click.option("--timeout", type=float, default=TIMEOUT, show_default=True, help="Seconds that one function may take.")
@click.option("--recorded", metavar="FILE", help="The JSON report of an observed run, whose inputs are used.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.option("-o", "--output-file", metavar="FILE")
@click.option("--fail-on", metavar="VERDICTS", default="", help="Exit with 1 when one of these verdicts is found.")
@click.option("--select", metavar="RULES", default="")
@click.option("--min-confidence", type=click.Choice(("certain", "likely", "possible")))
@click.option("--isolated", is_flag=True)
@click.pass_context
def probe(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401 - click hands over what the decorators declare
    """Probe functions on the user's own JAX."""
    from jaxlint.verify.probe.command import run

    settings: dict[str, Any] = {}
    if select := options.pop("select"):
        settings["select"] = _split(select)
    if confidence := options.pop("min_confidence"):
        settings["min-confidence"] = confidence
    for name in ("lower_for", "fail_on"):
        options[name] = tuple(_split(options[name]))
    context.exit(run(ProbeRequest(**options, settings=settings)))


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def main() -> int:
    """Run the command with the error handling of `jaxlint` itself."""
    from jaxlint.cli import cli
    from jaxlint.cli import main as run_cli

    cli.add_command(probe, "probe")
    return run_cli(["probe", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
