"""`replay simulate`: matches at random or between bots, written as logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from secrets import token_bytes
from typing import Annotated, Any

import typer

from ..core import catalogue
from ..core.errors import LogError, of_system
from ..core.game import Game
from ..core.header import SEED_BYTES
from ..core.log import log_bytes
from ..core.match import Match
from ..core.texts import Texts
from .contest import Boards, Contest, Playing, begin
from .crew import Crew
from .locations import Address, Location, found, location, put
from .options import (
    ClusterOption,
    GameArgument,
    JobsOption,
    JsonOption,
    LangOption,
    OptionOption,
    PlainOption,
    game_of,
    maker_of,
    texts,
)
from .paper import Paper
from .play import NAMES, matches
from .progress import tracked
from .refusals import Phrase, Unusable
from .spelling import read_options
from .standings import Standings, match_data

AnyMatch = Match[Any, Any, Any]

MOST = 1_000_000_000
A_DAY = 86400.0

FolderOption = Annotated[str, typer.Option("-o", metavar="DIR", help="The folder for the logs; made if missing.")]
SeatsOption = Annotated[int | None, typer.Option("--seats", metavar="N", help="How many seats; else the most.")]
GamesOption = Annotated[int, typer.Option("--games", min=1, max=MOST, metavar="N", help="How many matches.")]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="HEX", help="64 hex digits; else a fresh seed, which is told.")
]
BotsOption = Annotated[
    str | None,
    typer.Option(
        "--bots", metavar="BOT,…", help="Who plays: random, greedy, ismcts:200 (iterations), ismcts:200ms, others."
    ),
]
LimitOption = Annotated[
    float | None,
    typer.Option("--limit", min=0.001, max=A_DAY, metavar="SECONDS", help="For a bot's command; else 60."),
]
LIMIT = 60.0


def simulate(
    game: GameArgument,
    folder: FolderOption,
    seats: SeatsOption = None,
    option: OptionOption = None,
    games: GamesOption = 1,
    seed: SeedOption = None,
    bots: BotsOption = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    limit: LimitOption = None,
    lang: LangOption = None,
    json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Play matches of random legal commands, or between bots, and write their logs, ID.log each.

    The same seed plays the same matches and writes the same bytes, in however many processes. With --bots, the same
    call again goes on with a run that was stopped. No other log that is there already is ever written over.
    """
    chosen = game_of(game)
    names, where = _names(chosen, seats), location(folder)
    paper, words = Paper(plain=plain), texts(lang)
    shown = not (plain or (json and paper.is_terminal))
    if bots is not None:
        contest = _contest(chosen, len(names), option or [], bots, seed, limit)
        _hold(
            contest,
            where,
            games,
            seed is not None,
            Crew(jobs, cluster, chunk=1),
            paper,
            words,
            json=json,
            shown=shown,
        )
        return 0
    if (jobs, cluster, limit) != (None, None, None):
        raise Unusable(
            "only-with-bots", "--jobs, --cluster and --limit go with --bots: without, matches are played in one process"
        )
    run_seed = _seed(seed)
    played = matches(chosen, names, read_options(chosen, option or []), run_seed, games)
    tally = _Tally()
    for match, path in _saved(tracked(played, words.title(chosen), games, shown=shown), where):
        tally.add(match)
        if json:
            paper.json(_data(match, path))
    if not json:
        paper.print(*tally.told(words, chosen, names, where), words.say("simulated-seed", seed=run_seed.hex()))
    return 0


def _contest(
    game: Game[Any, Any, Any], seats: int, option: list[str], bots: str, seed: str | None, limit: float | None
) -> Contest:
    """Read what the call says of the bots; raises `BotError` or `Unusable`."""
    if not bots.isprintable():  # it stands in the logs, and on terminals
        raise Unusable(
            "unprintable-bots",
            "--bots {bots}: some of this cannot be printed; give names of letters and signs",
            bots=ascii(bots[:60]),
        )
    named = tuple(bot.strip() for bot in bots.split(","))
    if len(named) > seats:
        raise Unusable(
            "too-many-bots", "--bots {bots}: {count} bots for {seats} seats", bots=bots, count=len(named), seats=seats
        )
    for bot in named:
        maker_of(bot)
    options = read_options(game, option)
    contest = Contest(game.name, seats, options, named, _seed(seed), LIMIT if limit is None else limit)
    contest.header(0)  # raises what is wrong with the options
    return contest


def _hold(
    contest: Contest,
    folder: Location,
    games: int,
    seeded: bool,
    crew: Crew,
    paper: Paper,
    words: Texts,
    *,
    json: bool,
    shown: bool,
) -> None:
    """Have all matches played that are not there yet, and tell what came of all."""
    _make(folder)
    contest = begin(contest, folder, contest.seed if seeded else None)
    title, standings = words.title(catalogue.find(contest.game)), Standings(words)
    boards = Boards(contest, folder, games)
    for played in crew.each(Playing(contest), boards, title, shown=shown):
        if played.content:
            put(boards[played.index][1], played.content)
        standings.add(played)
        if json:
            paper.json(match_data(played))
    if json:
        paper.json({"summary": standings.data(), "seed": contest.seed.hex()})
    else:
        paper.print(*standings.lines(title, folder), words.say("simulated-seed", seed=contest.seed.hex()))


class _Tally:
    """What came of the matches together."""

    def __init__(self) -> None:
        self.games = 0
        self.events = 0
        self.wins: Counter[int] = Counter()

    def add(self, match: AnyMatch) -> None:
        self.games += 1
        self.events += len(match.events)
        self.wins.update(match.result.winners if match.result is not None else ())

    def told(self, words: Texts, game: Game[Any, Any, Any], names: tuple[str, ...], folder: Location) -> Iterator[str]:
        title = words.title(game)
        yield words.say("simulated", games=self.games, title=title, events=self.events, folder=str(folder))
        wins = tuple(self.wins[seat] for seat in range(len(names)))
        yield words.find("simulated-wins", game, names, wins=wins) or ""


def _names(game: Game[Any, Any, Any], seats: int | None) -> tuple[str, ...]:
    count = game.seats[-1] if seats is None else seats
    if count not in game.seats:
        least, most = game.seats[0], game.seats[-1]
        if least == most:
            raise Unusable(
                "seats-exactly", "{game} takes {count} seats, not {asked}", game=game.name, count=least, asked=count
            )
        raise Unusable(
            "seats",
            "{game} takes {least} to {most} seats, not {asked}",
            game=game.name,
            least=least,
            most=most,
            asked=count,
        )
    return tuple(NAMES[seat] if seat < len(NAMES) else f"Seat {seat}" for seat in range(count))


def _seed(typed: str | None) -> bytes:
    if typed is None:
        return token_bytes(SEED_BYTES)
    try:
        seed = bytes.fromhex(typed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise Unusable("no-seed", "--seed {asked}: a seed is {digits} hex digits", asked=typed, digits=2 * SEED_BYTES)
    return seed


def _make(folder: Location) -> None:
    if isinstance(folder, Address):
        return  # comes to be with the first log in it
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as cause:
        why = Phrase("no-folder-made", "cannot be made a folder: {why}", why=of_system(cause))
        raise LogError("file", why, path=str(folder)) from None


def _saved(played: Iterable[AnyMatch], folder: Location) -> Iterator[tuple[AnyMatch, Location]]:
    _make(folder)
    for match in played:
        log = folder / f"{match.header.match}.log"
        if found(log) is not None:
            raise Unusable("log-there", "{file}: is there already; give another folder or another seed", file=log)
        put(log, log_bytes(match))
        yield match, log


def _data(match: AnyMatch, path: Location) -> dict[str, Any]:
    result = match.result
    return {
        "log": str(path),
        "match": match.header.match,
        "events": len(match.events),
        "finished": result is not None,
        "points": list(result.points) if result is not None else None,
        "winners": list(result.winners) if result is not None else None,
    }
