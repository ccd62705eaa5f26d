"""Players that read and write as bots: a program on a pipe, and a model behind an address.

Both are made of what a seat may know (`InformationState`) alone: refusals are judged in a state drawn from its view.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import weakref
from collections.abc import Callable
from threading import Timer
from typing import Any

from attrs import mutable

from ...errors import BotError, Message
from ...game import Shuffler
from ...match.bot import Bot, InformationState
from ...match.header import Header
from ...text.texts import Texts
from .listing import Listing, legal_of
from .presenter import SeatPresenter
from .prompt import prompt
from .reader import AnswerReader
from .refusals import Refused
from .table import TRIES

KEY = "KIFU_OPENAI_KEY"
"""The environment variable that has the key of the address; it is in no text that a model reads, and in no log."""

MAX_ANSWER = 1_000_000
SECONDS = 600
LANG = "KIFU_TEXT_LANG"
"""The environment variable that says in which language the players read; else English."""


class SeatText:
    """What a seat reads, made of its information state: in a state drawn from its view its answers are judged."""

    def __init__(self, lang: str, seed: bytes) -> None:
        self._texts, self._seed = Texts(lang), seed

    def rules(self, known: InformationState[Any, Any]) -> str:
        """Return the prompt of the seat."""
        game, options = known.game, getattr(known.view, "options", known.game.options())
        seats = tuple(f"seat {seat}" for seat in range(len(game.scene(known.view).places)))
        header = Header(game.name, game.version, seats, options, None, "", None, "")
        return prompt(game, header, known.seat, self._texts, None)

    def present(self, known: InformationState[Any, Any], since: int, listing: Listing) -> str:
        """Return the events from one on, the table, and the legal commands."""
        scene = known.game.scene(known.view)
        presenter = SeatPresenter(known.game, self._texts, len(scene.places))
        return presenter.text(presenter.lines(known.history[since:]), scene, [known.seat], listing, None)

    def reader(self, known: InformationState[Any, Any]) -> AnswerReader:
        """Return what reads the seat's answers, in a state that agrees with its view."""
        game, seat, count = known.game, known.seat, len(known.history)
        state = game.determinize(known.view, Shuffler(self._seed, count))
        listing = Listing(game, legal_of(game, state, seat), seat, count, self._texts, None)
        return AnswerReader(listing, lambda command: game.apply(state, seat, command))


@mutable
class TextCounts:
    """What a player of texts has read and written in a match, in characters, and how many answers were refused."""

    refused: int = 0
    read: int = 0
    written: int = 0


class ReadingBot:
    """A bot of somebody who reads; after `TRIES` refusals at a turn it has no answer."""

    def __init__(self, seed: bytes, make: Callable[[], Program | Model]) -> None:
        self.counts = TextCounts()
        self._text, self._make, self._since = SeatText(os.environ.get(LANG, "en"), seed), make, 0
        self._reader: Program | Model | None = None

    def __call__(self, known: InformationState[Any, Any]) -> Any:
        """Return the command of an answer; raises `BotError` if none of `TRIES` gives one."""
        if self._reader is None:
            rules = self._text.rules(known)
            self._reader = self._make()
            self._reader.rules(rules)
            self.counts.read += len(rules)
        answers = self._text.reader(known)
        question = self._text.present(known, self._since, answers.listing)
        self._since = len(known.history)
        short = ""
        for _ in range(TRIES):
            answer = self._reader.answer(question)
            self.counts.read += len(question)
            self.counts.written += len(answer)
            try:
                return answers.read(answer)
            except Refused as refused:
                short, question = refused.short, str(refused)
                self.counts.refused += 1
        raise BotError(f"{TRIES} refusals, {short}")


class Program:
    """A program that reads lines of JSON on standard input and answers on standard output."""

    def __init__(self, command: str) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 (the program that the caller named)
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
        except (OSError, ValueError) as cause:
            raise BotError("cannot be started") from cause
        weakref.finalize(self, _end, self._process)

    def rules(self, text: str) -> None:
        """Send `{"rules": TEXT}`."""
        self._send({"rules": text})

    def answer(self, text: str) -> str:
        """Send `{"observe": TEXT}` and read `{"answer": TEXT}`; a program that is silent for `SECONDS` is ended."""
        assert self._process.stdout is not None
        patience = Timer(SECONDS, self._process.kill)
        patience.daemon = True
        patience.start()
        try:
            self._send({"observe": text})  # which waits where nobody reads
            line = self._process.stdout.readline(MAX_ANSWER)
        finally:
            patience.cancel()
        try:
            return str(json.loads(line)["answer"])
        except (ValueError, TypeError, KeyError, RecursionError):
            raise BotError("gave no line of JSON with an answer") from None

    def _send(self, value: dict[str, str]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(value, ensure_ascii=False) + "\n")
            self._process.stdin.flush()
        except OSError as cause:
            raise BotError("the program has ended") from cause


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                sys.exc_info()  # it has gone before


class Model:
    """A model behind an address that speaks OpenAI's chat completions."""

    def __init__(self, name: str, url: str) -> None:
        self._name, self._url = name, url.rstrip("/") + "/chat/completions"
        self._messages: list[dict[str, str]] = []

    def rules(self, text: str) -> None:
        """Begin the conversation with the prompt."""
        self._messages = [{"role": "system", "content": text}]

    def answer(self, text: str) -> str:
        """Say what the seat observes, and return what the model answers."""
        self._messages.append({"role": "user", "content": text})
        body = json.dumps({"model": self._name, "messages": self._messages}).encode()
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(KEY):
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self._url, body, headers)  # noqa: S310 (checked when the bot is made)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310
                answer = json.loads(response.read(MAX_ANSWER))["choices"][0]["message"]["content"] or ""
        except (OSError, ValueError, TypeError, LookupError, urllib.error.URLError) as cause:
            raise BotError("the model gave no answer") from cause
        self._messages.append({"role": "assistant", "content": str(answer)})
        return str(answer)


def text(seed: bytes, argument: str = "") -> Bot:
    """Return the bot `text:PROGRAM`; raises `BotError` without a program that can be started."""
    try:
        words = shlex.split(argument)
    except ValueError:  # a quotation that does not end
        words = []
    if not words:
        raise BotError(Message("bot-no-program", "give a program, as in text:PROGRAM"))
    if shutil.which(words[0]) is None:
        raise BotError(Message("bot-program-missing", "there is no program {program}", program=repr(words[0])))
    return ReadingBot(seed, lambda: Program(argument))


def openai(seed: bytes, argument: str = "") -> Bot:
    """Return the bot `openai:MODEL@URL`; raises `BotError` for an address that is none."""
    name, _, url = argument.rpartition("@")
    if not name or not url.startswith(("http://", "https://")):
        raise BotError(Message("bot-no-model", "give a model and its address, as in openai:MODEL@https://HOST/v1"))
    return ReadingBot(seed, lambda: Model(name, url))
