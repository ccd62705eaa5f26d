"""`replay simulate`: random matches, or matches between bots, written as logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from attrs import evolve

from ...core.errors import LogError, os_error_message
from ...core.game import AnyGame
from ...core.match import plain_result, registry
from ...core.match.header import new_header
from ...core.text.texts import Texts
from ..call_errors import CallError, UserMessage
from ..logs.locations import Address, Location, location, write_file
from ..logs.worker_pool import WorkerPool
from ..option_parsing import parse_options
from ..options import (
    GameArgument,
    JobsOption,
    JsonOption,
    LangOption,
    OptionOption,
    PlainOption,
    bot_factory_of,
    game_of,
    seed_of,
    texts_for,
)
from ..render.console import ConsoleWriter
from ..tournament.bot_records import BotRecords, match_data
from ..tournament.random_matches import NAMES, PlayRandom, RandomMatch
from ..tournament.ratings import Ratings
from ..tournament.results_page import write_results
from ..tournament.tournament import MatchFiles, PlayedMatch, PlayMatch, Tournament, start_or_resume, with_texts

MAX_GAMES = 1_000_000_000
MAX_BOT_TIMEOUT_S = 86_400.0
MAX_BOTS = 100

FolderOption = Annotated[str, typer.Option("-o", metavar="DIR", help="The folder for the logs; made if missing.")]
SeatsOption = Annotated[int | None, typer.Option("--seats", metavar="N", help="How many seats; default: the most.")]
GamesOption = Annotated[int, typer.Option("--games", min=1, max=MAX_GAMES, metavar="N", help="How many matches.")]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="HEX", help="64 hex digits; default: a fresh seed, which is printed.")
]
BotsOption = Annotated[
    str | None,
    typer.Option("--bots", metavar="BOT,…", help="Who plays: random, greedy, ismcts:200 (iterations), ismcts:200ms, …"),
]
BotTimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--bot-timeout",
        min=0.001,
        max=MAX_BOT_TIMEOUT_S,
        metavar="SECONDS",
        help="Time for each of a bot's commands; default: 60.",
    ),
]
RatingOption = Annotated[
    bool, typer.Option("--rating", help="Include a rating of each bot, with intervals over deals.")
]
DuplicateOption = Annotated[
    bool, typer.Option("--duplicate", help="Play each deal once for each rotation of the bots over the seats.")
]
PageOption = Annotated[
    bool, typer.Option("--page", help="Write the results as DIR/index.html, with a page of each match.")
]
BotClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="With --bots: a Dask cluster to run on, as tcp://HOST:8786."),
]
BOT_TIMEOUT_S = 60.0


def simulate(
    game: GameArgument,
    folder: FolderOption,
    seats: SeatsOption = None,
    option: OptionOption = None,
    games: GamesOption = 1,
    seed: SeedOption = None,
    bots: BotsOption = None,
    jobs: JobsOption = None,
    cluster: BotClusterOption = None,
    bot_timeout: BotTimeoutOption = None,
    rating: RatingOption = False,
    duplicate: DuplicateOption = False,
    page: PageOption = False,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Play matches at random, or between bots, and write their logs as DIR/ID.log.

    The same seed plays the same matches and writes the same bytes, with any number of processes. With --bots, the same
    call resumes a run that was stopped. No other log is ever overwritten.
    """
    chosen = game_of(game)
    names, where = _names(chosen, seats), location(folder)
    writer, texts = ConsoleWriter(plain=plain), texts_for(lang)
    shown = not (plain or (json and writer.is_terminal))
    if bots is not None:
        tournament = _tournament(chosen, len(names), option or [], bots, seed, bot_timeout)
        tournament = evolve(tournament, duplicate=duplicate)
        _play_tournament(
            tournament,
            where,
            games,
            seed is not None,
            WorkerPool(jobs, cluster, chunk=1),
            writer,
            texts,
            json=json,
            shown=shown,
            ratings=Ratings() if rating else None,
            kept=[] if page else None,
        )
        return 0
    if (cluster, bot_timeout, rating, duplicate, page) != (None, None, False, False, False):
        raise CallError(
            "only-with-bots",
            "--cluster, --bot-timeout, --rating, --duplicate and --page need --bots",
        )
    run = PlayRandom(chosen.name, names, parse_options(chosen, option or []), seed_of(seed), where)
    _play_random(run, games, WorkerPool(jobs), writer, texts, json=json, shown=shown)
    return 0


def _play_random(
    run: PlayRandom, games: int, pool: WorkerPool, writer: ConsoleWriter, texts: Texts, *, json: bool, shown: bool
) -> None:
    """Play matches at random, and print their results."""
    game, tally = registry.find(run.game), _Tally()
    new_header(
        game, run.names, dict(run.options), run.seed, match="", started=None, engine=""
    )  # raises for bad options
    _make_folder(run.folder)
    with _told_of_seed(run.seed):
        for played in pool.map(run, range(games), texts.title(game), shown=shown):
            if played.exists:
                english = "{file}: it exists already; give another folder or another seed"
                raise CallError("log-there", english, file=played.log)
            tally.add(played)
            if json:
                writer.json(_data(played))
    if not json:
        seeded = texts.format("simulated-seed", seed=run.seed.hex())
        writer.print(*tally.lines(texts, game, run.names, run.folder), seeded)


def _tournament(
    game: AnyGame, seats: int, option: list[str], bots: str, seed: str | None, bot_timeout: float | None
) -> Tournament:
    """Return the tournament that the call describes; raises `BotError` or `CallError`."""
    if not bots.isprintable():  # the names are recorded in logs and printed on terminals
        raise CallError(
            "unprintable-bots",
            "--bots {bots}: some of this cannot be printed; give printable names",
            bots=ascii(bots[:60]),
        )
    players = tuple(bot.strip() for bot in bots.split(","))
    if len(players) > MAX_BOTS:
        raise CallError("too-many-bots", "--bots: {count} bots; {most} at most", count=len(players), most=MAX_BOTS)
    for bot in players:
        bot_factory_of(bot)
    options = parse_options(game, option)
    tournament = Tournament(
        game.name, seats, options, players, seed_of(seed), BOT_TIMEOUT_S if bot_timeout is None else bot_timeout
    )
    tournament.header(0)  # raises if an option has a bad value
    return tournament


def _play_tournament(
    tournament: Tournament,
    folder: Location,
    games: int,
    seeded: bool,
    pool: WorkerPool,
    writer: ConsoleWriter,
    texts: Texts,
    *,
    json: bool,
    shown: bool,
    ratings: Ratings | None = None,
    kept: list[PlayedMatch] | None = None,
) -> None:
    """Play the matches that are still missing, and print the results of all."""
    _make_folder(folder)
    tournament = start_or_resume(tournament, folder, tournament.seed if seeded else None)
    title, bot_records = texts.title(registry.find(tournament.game)), BotRecords(texts)
    files = MatchFiles(tournament, folder, games)
    with _told_of_seed(tournament.seed):
        for played in pool.map(PlayMatch(tournament), files, title, shown=shown):
            if played.content:
                write_file(files[played.index][1], played.content)
            counted = with_texts(played, folder)
            bot_records.add(counted)
            if ratings is not None:
                ratings.add(played.bots, played.result, played.deal)
            if json:
                writer.json(match_data(played))
            if kept is not None:
                kept.append(counted)
    rated = {} if ratings is None else {"ratings": ratings.data()}
    if kept is not None:
        write_results(folder, title, bot_records.data() | rated, kept, texts)
    if json:
        writer.json({"summary": {**bot_records.data(), **rated}, "seed": tournament.seed.hex()})
    else:
        lines = [*bot_records.lines(title, folder), *(ratings.lines(texts) if ratings is not None else ())]
        if games < (least := tournament.games_until_all_meet):
            lines.append(texts.format("tournament-not-all-met", games=least))
        writer.print(*lines, texts.format("simulated-seed", seed=tournament.seed.hex()))


@contextmanager
def _told_of_seed(seed: bytes) -> Iterator[None]:
    """Say the run's seed if the run is interrupted, so that it can be repeated."""
    try:
        yield
    except KeyboardInterrupt:
        english = "interrupted; the same matches again: --seed {seed}"
        raise KeyboardInterrupt(UserMessage("interrupted-run", english, seed=seed.hex())) from None


class _Tally:
    """The results of all matches, summed up."""

    def __init__(self) -> None:
        self.games = 0
        self.events = 0
        self.wins: Counter[int] = Counter()
        self.draws = self.lost = 0

    def add(self, played: RandomMatch) -> None:
        """Count one match."""
        self.games += 1
        self.events += played.events
        result = played.result
        if result is not None and not result.is_draw:
            self.wins.update(result.winners)
        self.draws += result is not None and result.is_draw
        self.lost += result is not None and not result.winners

    def lines(self, texts: Texts, game: AnyGame, names: tuple[str, ...], folder: Location) -> Iterator[str]:
        """Yield the summary: the number of matches and events, and each seat's wins."""
        title = texts.title(game)
        yield texts.format("simulated", games=self.games, title=title, events=self.events, folder=str(folder))
        wins = tuple(self.wins[seat] for seat in range(len(names)))
        yield texts.find("simulated-wins", game, names, wins=wins) or ""
        if self.draws:
            yield texts.format("simulated-draws", count=self.draws)
        if self.lost:
            yield texts.format("simulated-lost", count=self.lost)


def _names(game: AnyGame, seats: int | None) -> tuple[str, ...]:
    count = game.seats[-1] if seats is None else seats
    if count not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        if least == most:
            raise CallError(
                "seats-exactly", "{game} takes {count} seats, not {asked}", game=game.name, count=least, asked=count
            )
        raise CallError(
            "seats",
            "{game} takes {least} to {most} seats, not {asked}",
            game=game.name,
            least=least,
            most=most,
            asked=count,
        )
    return tuple(NAMES[seat] if seat < len(NAMES) else f"Seat {seat}" for seat in range(count))


def _make_folder(folder: Location) -> None:
    if isinstance(folder, Address):
        return  # it is made with the first log in it
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as cause:
        why = UserMessage("no-folder-made", "the folder cannot be made: {why}", why=os_error_message(cause))
        raise LogError("file", why, path=str(folder)) from None


def _data(played: RandomMatch) -> dict[str, Any]:
    return {
        "log": played.log,
        "match": played.match,
        "events": played.events,
        "finished": played.result is not None,
        **plain_result(played.result),
    }
