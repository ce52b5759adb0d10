"""The command weir-lab: its commands and their arguments. commands.py carries them out."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from weir_lab.add.adding import Wanted
from weir_lab.cli import commands, needs
from weir_lab.course import live as live_pages
from weir_lab.experiments import experiment as experiments
from weir_lab.many_connections import planning
from weir_lab.report.screen import console

HELP = ("-h", "--help")
WITH_NEEDS = ("run", "add", "replay", "many-connections", "teach", "why")  # the others measure nothing

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": HELP},
    help="Measures every architecture of weir, and its peers, on this machine. Refuses figures that can't be true.",
)

Out = Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Folder for results.")]


@app.callback()
def _whole(context: typer.Context) -> None:
    if context.obj and context.invoked_subcommand not in WITH_NEEDS:
        raise typer.Exit


def _end(status: int) -> NoReturn:
    raise typer.Exit(status)


@app.command()
def run(
    context: typer.Context,
    experiment: Annotated[
        str,
        typer.Argument(
            metavar="[EXPERIMENT]",
            help="A name from `./run lab list`, or a file.toml of your own; `choose`, unless given.",
        ),
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="Two short rounds of it; without a name, the experiment `quick`.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew, even if an interrupted run could be continued.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Measure in the order of an earlier result, which names its seed."),
    ] = None,
    out: Out = Path("results"),
) -> None:
    """Run an experiment. Leaves a result and report.html. Ctrl-C keeps all finished runs; the same command goes on."""
    name = experiment or ("quick" if quick else "choose")
    is_shortened = quick and name != "quick"
    _end(_list(needs.of_experiment(name)) if context.obj else commands.run(name, fresh, out, seed, is_shortened))


@app.command()
def many_connections(
    context: typer.Context,
    connections: Annotated[int, typer.Option(min=1, metavar="N", help="Number of connections.")] = 100_000,
    engine: Annotated[
        str,
        typer.Option(metavar="NAME", help="Engine of weir. The processes of prefork have descriptors of their own."),
    ] = planning.SEVERAL_PROCESSES,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Number of workers; as many as the connections need, unless given."),
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, metavar="N", help="Requests under way at a time.")] = 100,
    out: Out = Path("results"),
) -> None:
    """Open very many connections to one weir, in steps. Measures the memory of each, and checks that every one is
    answered. Leaves many-connections.json."""
    _end(_list(["weir"]) if context.obj else commands.many_connections(connections, engine, workers, at_once, out))


@app.command()
def replay(
    context: typer.Context,
    seed: Annotated[str, typer.Argument(metavar="SEED", help="seed0 to seed4.")],
    quick: Annotated[bool, typer.Option("--quick", help="Make each run shorter than the original.")] = False,
    publish: Annotated[
        bool, typer.Option("--publish", help="Leave the result in docs/results/replays, to be committed.")
    ] = False,
    out: Out = Path("results"),
) -> None:
    """Repeat the published measurement of an earlier project, and show both figures."""
    _end(_list(needs.of_replay(seed)) if context.obj else commands.play_again(seed, quick, publish, out))


@app.command()
def teach(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="[NUMBER]", min=1, help="The experiment to begin with.")] = 1,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask for no prediction, and go on.")] = False,
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="No experiments: two engines side by side, with their live pages on one page and one load against "
            "both. The page says where to look while few clients ask, many are idle, some are slow, and many are busy.",
        ),
    ] = False,
    engines: Annotated[
        str, typer.Option(metavar="A,B", help="With --live: the two engines; `weir engines` lists them.")
    ] = ",".join(live_pages.ENGINES),
    seconds: Annotated[
        float | None,
        typer.Option(
            min=1, metavar="N", help="With --live: end after so many seconds; unless given, go on until Ctrl-C."
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, metavar="N", help="With --live: the port of the page; 0: any free one.")
    ] = 0,
    opens: Annotated[bool, typer.Option("--open", help="With --live: open the page in the browser.")] = False,
    out: Out = Path("results"),
) -> None:
    """An hour for a class: six experiments, each with a question, your prediction, a measurement, an explanation.
    Leaves hour.html. With --live, a lecture: two engines at work, side by side in a browser."""
    if context.obj:
        _end(_list(needs.of_teach(live)))
    if not live and (engines, seconds, port, opens) != (",".join(live_pages.ENGINES), None, 0, False):
        raise commands.Failed("--engines, --seconds, --port and --open go with --live")
    _end(commands.teach_live(engines, seconds, port, opens) if live else commands.teach_hour(number, yes, out))


@app.command()
def why(
    context: typer.Context,
    a: Annotated[str, typer.Argument(metavar="[A]", help="An engine; all neighbours, unless given.")] = "",
    b: Annotated[str, typer.Argument(metavar="[B]", help="The engine to set beside it.")] = "",
    with_callgrind: Annotated[
        bool, typer.Option("--callgrind", help="Also count instructions under valgrind, which takes longer.")
    ] = False,
    out: Out = Path("results"),
) -> None:
    """Why two engines differ: calls, context switches, CPU, flame graphs and the difference of their sources, on one
    page."""
    _end(_list(needs.of_why(with_callgrind)) if context.obj else commands.why_they_differ(a, b, with_callgrind, out))


@app.command()
def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="result.json or its folder: the earlier result.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="result.json or its folder: the later result.")],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the comparison as a page.")] = None,
) -> None:
    """Compare two results, row by row: is B faster, slower, or can't the lab tell?"""
    _end(commands.compare(a, b, html))


@app.command()
def report(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="result.json or its folder.")],
    plots: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write the main plots as SVG files into this folder.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(metavar="TARGET", help="Leave this target out of these plots (repeatable).")
    ] = None,
    text: Annotated[
        bool, typer.Option("--text", help="Print the summary, 80 columns wide, and write nothing.")
    ] = False,
) -> None:
    """Write report.html again, beside its result.json; of a replay, replay.html."""
    _end(commands.write_report(result, plots, without or [], text))


@app.command()
def tables(
    documents: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Markdown files; the documents of this repository, unless given."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit with 1 if a table differs from its result.")
    ] = False,
) -> None:
    """Renew the tables of documents, and the picture of winners, from the results that they name."""
    _end(commands.write_tables(documents or [], check))


@app.command()
def add(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the target is called.")],
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="-- COMMAND",
            help="The command of your server. {port} stands for the port that the lab chooses, and {site} for a folder "
            "of files.",
        ),
    ],
    path: Annotated[
        str, typer.Option(metavar="PATH", help="Path to ask for; / unless given, or a file if the command has {site}.")
    ] = "",
    ready: Annotated[
        str, typer.Option(metavar="TEXT", help="A path that answers, or a text in its output, once it is ready.")
    ] = "",
    cpu: Annotated[
        str, typer.Option(metavar="process|cgroup", help="How CPU is counted; cgroup if the server daemonises.")
    ] = "process",
    close: Annotated[bool, typer.Option("--close", help="Ask for a connection for each request.")] = False,
    directory: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Folder in which the command runs; the current one, unless given.")
    ] = Path(),
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the tables into this file.toml, not on the screen.")
    ] = None,
) -> None:
    """Try a server of your own: start it, ask it, and load it for a second. Says what is wrong with it, or prints the
    tables for an experiment."""
    wanted = Wanted(name, command, path, ready, cpu, close, directory, to)
    _end(_list(needs.OF_ADDING) if context.obj else commands.add_target(wanted))


@app.command(name="list")
def list_all() -> None:
    """List experiments, scenarios, targets, generators and replays; and how to install what is missing."""
    _end(commands.list_all())


@app.command()
def doctor(
    connections: Annotated[
        int, typer.Option(min=1, metavar="N", help="Connections that an experiment opens at once.")
    ] = 10_000,
) -> None:
    """Check whether this machine is fit to measure on. Each problem comes with its fix."""
    _end(commands.doctor(connections))


def _list(names: Sequence[str]) -> int:
    print("\n".join(names))
    return 0


def start(arguments: Sequence[str]) -> NoReturn:
    """With `needs` before a command, lists what that command needs, for tools/lab.sh."""
    asks_for_needs = arguments[:1] == ["needs"]
    if asks_for_needs and {*HELP} & {*arguments}:
        sys.exit(0)
    try:
        sys.exit(app(arguments[1:] if asks_for_needs else arguments, prog_name="./run lab", obj=asks_for_needs))
    except (commands.Failed, experiments.BadExperiment) as error:
        console(sys.stderr).print(f"weir-lab: {error}", style="red")
        sys.exit(1)


def main() -> None:
    start(sys.argv[1:])
