"""Text for people: message catalogues, sections of a match, several languages at once, untrusted text made safe."""

__all__ = [
    "board_lines",
    "languages",
    "message_catalogue",
    "names",
    "negotiation",
    "sanitize",
    "sections",
    "texts",
]
