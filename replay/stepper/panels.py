"""The panels over the screen: a question, a list to choose from, a text to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from .panes import Lines

MAX_SHOWN = 300
"""The number of choices that are listed; typing narrows them down."""


class AskScreen(ModalScreen[str | None]):
    """A question, answered with a line of text; None: cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, question: str, initial: str = "") -> None:
        super().__init__()
        self.question = question
        self.initial = initial

    def compose(self) -> ComposeResult:
        """Yield the panel."""
        with Vertical(classes="panel") as panel:
            panel.border_title = Content(self.question)
            yield Input(self.initial, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close the panel with the typed text."""
        self.dismiss(event.value)


class ChooseScreen(ModalScreen[int | None]):
    """A list to choose from; the result is the index of the choice. Typing filters the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", show=False),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
    ]

    def __init__(self, question: str, choices: Sequence[Text], *, at: int, hint: str, more: str) -> None:
        super().__init__()
        self.question = question
        self.choices = list(choices)
        self.wanted: list[str] = []
        """The typed words, case-folded."""
        self.at = at
        self.hint = hint
        self.more = more

    def compose(self) -> ComposeResult:
        """Yield the panel."""
        with Vertical(classes="panel") as panel:
            panel.border_title = Content(self.question)
            panel.border_subtitle = Content(self.more)
            yield Input(placeholder=self.hint)
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """List all choices and set the focus."""
        self._list("")
        listed = self.query_one(OptionList)
        listed.highlighted = min(self.at, listed.option_count - 1) if listed.option_count else None
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter the list by what is typed."""
        self._list(event.value)

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Choose the highlighted item."""
        listed = self.query_one(OptionList)
        if listed.highlighted is not None:
            listed.action_select()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close the panel with the choice."""
        self.dismiss(int(event.option_id or 0))

    def replace(self, place: int, choice: Text) -> None:
        """Replace a choice; one that contains the typed words only now comes last."""
        self.choices[place], name = choice, str(place)
        for listed in self.query(OptionList):  # none before the panel is there
            if any(each.id == name for each in listed.options):
                listed.replace_option_prompt(name, choice)
            elif self._fits(place) and listed.option_count < MAX_SHOWN:
                listed.add_option(Option(choice, id=name))

    def action_move(self, by: int) -> None:
        """Move the highlight up or down."""
        listed = self.query_one(OptionList)
        listed.action_cursor_down() if by > 0 else listed.action_cursor_up()

    def _list(self, typed: str) -> None:
        """List the choices that contain all the typed words."""
        self.wanted = typed.casefold().split()
        fitting = list(filter(self._fits, range(len(self.choices))))
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(Option(self.choices[place], id=str(place)) for place in fitting[:MAX_SHOWN])
        listed.highlighted = 0 if fitting else None

    def _fits(self, place: int) -> bool:
        text = self.choices[place].plain.casefold()
        return all(word in text for word in self.wanted)


class ReadScreen(ModalScreen[None]):
    """A text that is shown until a key is pressed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"scroll({by})", show=False) for key, by in (("up", -1), ("down", 1))),
        *(Binding(key, f"scroll({by})", show=False) for key, by in (("pageup", -10), ("pagedown", 10))),
        Binding("escape,enter,space,q,question_mark,y", "dismiss(None)", show=False),
    ]

    def __init__(self, title: str, lines: Callable[[int], Sequence[Text]]) -> None:
        super().__init__()
        self.heading = title
        self.lines = lines

    def compose(self) -> ComposeResult:
        """Yield the panel."""
        with Vertical(classes="panel") as panel:
            panel.border_title = Content(self.heading)
            yield Lines()

    def on_mount(self) -> None:
        """Show the text."""
        self.query_one(Lines).show(self.lines)

    def on_click(self) -> None:
        """Close the panel."""
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        """Scroll by some lines."""
        self.query_one(Lines).scroll_relative(y=by, animate=False)
