"""Cards, options, commands and state of MABR: data only."""

from __future__ import annotations

from typing import Literal

from ...core import game as k


class Message(k.Message):
    """Why a command or an option is refused, in the words of this game's catalogues."""

    package = __package__


class Rule(k.RuleBook):
    """The rulebook (004, MABR: the sparkle of marble) and our rulings, by number."""

    MABR_1 = "The fixed cards lie singly, kana known to all; of every other letter the cards are one stack."
    MABR_2 = "In the first round every seat draws; from the second on a turn is a draw, a word or a swap."
    MABR_3 = (
        "To draw, declare a commonly known abbreviation, take a card of each of its letters, look, and lay them down."
    )
    MABR_4 = "A letter whose stack has too few cards cannot be spelled."
    MABR_5 = "An abbreviation that anyone has used cannot be used again in the game."
    MABR_6 = "A card once laid down may not be looked at again."
    MABR_7 = (
        "A word says which card is which of its kana, each card once; at least one own face-down card is turned up "
        "(our ruling), which can only be said to be a kana of its letter."
    )
    MABR_8 = "A word may also use own face-up cards and fixed cards, each once, as the kana that it shows."
    MABR_9 = "Newly turned cards stay face up and score: voiced or half-voiced 2 each, others 1 each."
    MABR_10 = (
        "A swap exchanges an own face-down card with one of the same letter of another seat; who swaps may look, once "
        "(and does: our ruling)."
    )
    MABR_11 = "The goal is 20 points with 2 seats, 18 with 3, 16 with 4."
    MABR_12 = (
        "The word by which a seat reaches the goal has at least four kana; what counts is what the seat says it turns "
        "up (our ruling)."
    )
    MABR_13 = "When a seat reaches the goal, every other seat has one more turn; then the game ends."
    MABR_14 = "Most points win; of equals, who has fewer face-up cards."
    MABR_R1 = "Only the letters of the thirteen stacks can be declared."
    MABR_R2 = "An abbreviation has at least two letters."
    MABR_R3 = (
        "Words are hiragana of at least two kana, or what `min_word` says, all of them on a card; a small kana is laid "
        "with its full-size card, and counts as one."
    )
    MABR_R4 = (
        "If a card is not what was said, all see the cards up to the first wrong one; they score nothing, and the turn "
        "ends."
    )
    MABR_R5 = "What is looked at or shown stays visible until the seat in turn conceals it and so ends its turn."
    MABR_R6 = (
        "A seat may pass if it can draw nothing: no unused abbreviation of the lexicon, or, if the seats judge, fewer "
        "than two cards in all stacks. In the first round it may also pass after a void, later always if `pass` is "
        "free. When every seat's last turn was a pass, the game ends."
    )
    MABR_R7 = (
        "By the option `judge`: an abbreviation or word must be in the lexicon, or is void if more than half of the "
        "other seats object. The lexicon kifu-ja-2 has nouns, adverbs, greetings and well-known places, and verbs and "
        "adjectives as a dictionary gives them."
    )
    MABR_R8 = "Who is still tied shares the victory."
    MABR_R9 = "A swap moves only the kana: places keep their numbers."
    MABR_R10 = "So many rounds as `idle_rounds` without a draw or a right word end the game."
    MABR_R11 = "With two seats the one other seat judges alone: its objection is more than half."


KANA = {
    "K": "かきくけこ",
    "S": "さしすせそ",
    "T": "たちつてと",
    "N": "なにぬねのん",
    "H": "はひふへほ",
    "M": "まみむめも",
    "Y": "やゆよ",
    "R": "らりるれろ",
    "G": "がぎぐげご",
    "Z": "ざじずぜぞ",
    "D": "だぢづでど",
    "B": "ばびぶべぼ",
    "P": "ぱぴぷぺぽ",
}
"""The kana of each stack letter, ascending, in the order in which stacks are dealt."""

FIXED = {"A": "あ", "I": "い", "U": "う", "E": "え", "O": "お", "W": "わ"}
"""The fixed cards: letter to kana (MABR-1)."""
FIXED_LETTERS = {kana: letter for letter, kana in FIXED.items()}

LETTERS = "".join(KANA)
LETTER = {kana: letter for letter, stack in KANA.items() for kana in stack}
"""The stack letter of a kana; a fixed card's kana is not in it."""

SMALL = "ぁぃぅぇぉっゃゅょゎゕゖ"
FULL_SIZE = str.maketrans(SMALL, "あいうえおつやゆよわかけ")
VOCABULARY = (*range(len(LETTER)), *FIXED, *LETTERS, *FIXED.values(), *LETTER, *SMALL)
"""Seats and places, then letters, then kana: a row has at most all cards of the stacks."""

VOICED = frozenset("".join(KANA[letter] for letter in "GZDBP"))


def laid(word: str) -> str:
    """Return a word as it is laid with cards: small kana in full size (MABR-R3)."""
    return word.translate(FULL_SIZE)


def value(kana: str) -> int:
    """Return the points of a card: 2 for voiced and half-voiced kana, else 1 (MABR-9)."""
    return 2 if kana in VOICED else 1


def face(card: str) -> k.Face:
    """Show the kana side of a card, or its letter side."""
    if card in LETTERS:
        return k.Face(card, "blue")
    return k.Face(card, "orange" if card in VOICED else "ink")


@k.options
class Options:
    """The options of a match, fixed before the deal."""

    first: int = k.seat_option(default=0)
    """The seat that has the first turn."""
    judge: Literal["lexicon", "table"] = "lexicon"
    """Who judges abbreviations and words (MABR-R7): the `lexicon`, or the other seats at the `table`."""
    lexicon: str = "kifu-ja-2"
    """The name of a word list, read only if the lexicon judges."""
    min_word: int = 2
    """The fewest kana a word may have (MABR-R3)."""
    pass_after_void: bool = True
    """True if in the first round, too, a seat may pass once a declaration was voided in its turn (MABR-R6)."""
    pass_: Literal["stuck", "free"] = "stuck"  # noqa: S105 (no password)
    """When a seat may pass from the second round on (MABR-R6): where it can draw nothing, or always."""
    idle_rounds: int = 3
    """After so many rounds without a draw or a word that succeeds the game ends (MABR-R10); 0: it goes on."""

    @property
    def is_pass_free(self) -> bool:
        """Return True if a seat may pass although it can draw."""
        return self.pass_ == "free"  # noqa: S105 (no password)


Kanas = tuple[str, ...]
Places = tuple[int, ...]


@k.command("deal")
class Deal:
    """The table shuffles each letter's stack, top card first."""

    stacks: tuple[tuple[str, Kanas], ...] = k.mapping(mark=k.secret())


@k.command("draw")
class Draw:
    """An abbreviation: one card of each of its letters, in order."""

    abbreviation: str = k.public()


@k.command("word")
class Word:
    """A word, and for each of its letters a place of the seat or the fixed letter of the card."""

    word: str = k.public()
    cards: tuple[k.Index | str, ...] = k.public()


@k.command("swap")
class Swap:
    """The card at an own place for the one at a place of another seat."""

    place: k.Index = k.public()
    seat: k.Seat = k.public()
    other: k.Index = k.public()


@k.command("judge")
class Judge:
    """Accept or object to what was declared."""

    accept: bool = k.secret()


@k.command("conceal")
class Conceal:
    """Lay down what is visible, and end the turn."""


@k.command("pass")
class Pass:
    """Do nothing."""


Command = Deal | Draw | Word | Swap | Judge | Conceal | Pass


def places_seen(state: State, viewer: int | None) -> tuple[Places, ...]:
    """Return the places of each seat whose kana a viewer sees."""
    if not state.look or not (state.shown or viewer == state.turn):
        return state.turned
    return k.replace_at(state.turned, state.turn, (*state.turned[state.turn], *state.look))


def visible(state: State, viewer: int | None) -> tuple[tuple[bool, ...], ...]:
    """Cards that are turned up: everybody; what the seat in turn looks at: that seat, or everybody if it is shown."""
    rows = zip(state.rows, places_seen(state, viewer), strict=True)
    return tuple([tuple([place in places for place in range(len(row))]) for row, places in rows])


@k.state
class State:
    """The whole table."""

    options: Options
    stacks: tuple[Kanas, ...] = k.nobody()
    """The stacks in the order of their letters, top card first; empty before the deal."""
    rows: tuple[Kanas, ...] = k.seen_by(visible)
    """The cards of each seat by place, in the order drawn."""
    turned: tuple[Places, ...] = k.public()
    """The places of each seat that are face up, ascending."""
    used: tuple[str, ...] = k.public()
    """The abbreviations used, in order."""
    turns: int = k.public()
    """How many turns have ended."""
    passes: int = k.public()
    """How many turns in a row, up to the last one, were passes."""
    reached: k.Seat | None = k.public()
    """The seat that reached the goal first."""
    declared: Draw | Word | None = k.public()
    """The declaration that the other seats judge now."""
    votes: tuple[bool | None, ...] = k.own(sizes="judged")
    """The judgement of each seat, None if it is still due; empty if nothing is declared."""
    look: Places = k.public()
    """The places of the seat in turn that are visible until it conceals them."""
    shown: bool = k.public()
    """True if they are visible to all (MABR-R4), not to the seat in turn alone."""
    voided: bool = k.public()
    """True if a declaration was voided in this turn (MABR-R7)."""
    progress: int = k.public()
    """How many turns will have ended with the last one in which a card was drawn or a word succeeded (MABR-R10)."""

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.rows)

    @property
    def turn(self) -> int:
        """Return the seat in turn."""
        return k.Seat((self.options.first + self.turns) % len(self.rows))
