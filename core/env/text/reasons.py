"""The reason that may stand with a command: `build Y G because …`, `…, so I must draw`, `緑がほしいので引きます`."""

from __future__ import annotations

import re
from collections.abc import Callable

_SO = re.compile(
    r"(?i)(?P<reason>.*?)[,;] ?(?:and )?(?:so|therefore|thus|hence)\b,?"
    r"(?: i(?:['\u2019](?:ll|d|m going to)| will| must| should| shall| would| have to| am going to)?)? (?P<rest>.*)"
)
_SENTENCES = re.compile(r"(?P<reason>(?=[^.!。！]*[^\W\d_]).+(?:[.!]\s|[。！]))\s*(?P<rest>[^.!。！]+[.!。！]?)")
_COLON = re.compile(r"(?i)(?P<reason>(?:it is |it['\u2019]s )?my turn\b[^:]*|there\b[^:]+): (?P<rest>(?:i|let)\b.+)")
_DASH = re.compile(r"(?i)(?P<rest>.+?) [-\u2013\u2014] (?P<reason>(?:its?|i|we|there|my|this|to)\b[^0-9]+)")
_LOOSE = (_COLON, _DASH, _SENTENCES)
"""Where nothing but a mark says that it is a reason."""
_GIVEN = (
    re.compile(
        r"(?i)(?P<rest>.*?)(?<=[\s,;(\u2013\u2014-])"
        r"(?:because|since|so that|in order to|so as to|hoping|as (?:i|they|we|there))\b(?P<reason>.*)"
    ),
    _SO,
    re.compile("(?P<rest>.*?)[\u3001。] ?(?:なぜなら|理由は|というのも)(?P<reason>.*)"),
    re.compile("(?P<reason>.*[るいただすうくむぬつんな])(?:ので|から|ため|ために)\u3001?(?!です)(?P<rest>.+)"),
    re.compile("(?P<rest>[^。]+)。(?P<reason>[^。]+)(?:ので|から(?:です)?|ため(?:です)?)。?"),
    *_LOOSE,
)
_ENDS = re.compile("[.!]\\s|[。！]")
_YET = re.compile(
    r"(?i)\b(?:but|however|instead|rather|though|although|unless|or|actually|wait|otherwise|if|then|hmm|nope|nah"
    r"|second thought)\b|#"
    r"|\bno(?=\s?[,.;!\u2013\u2014]|$)|しかし|だが|けど|けれど|ただし|もし|または|やはり|やっぱり|代わり|いや"
)
"""What turns a reason into another choice, or leaves one open."""
_DOUBT = re.compile(
    r"(?i)\b(?:sa(?:y|ys|id)|told|tells?|ask(?:s|ed)?|expects?|believe|guess|plans?|want|wrong|a lie|bad|stop|never|not"
    r"|cannot|kidding|joking|sorry|mistake|would|could|should|might|may|rival|opponents?|he|she|him|her|they|them"
    r"|previous|earlier|last|next|later|tomorrow|yesterday|yet|already|perhaps|maybe|possibly|probably|suppos\w+|imagine\w*"
    r"|hypothe\w+|examples?|instance|ideas?|options?|alternatives?|candidates?|thinks|dream\w*|jok\w+|lie|false|untrue"
    r"|trap|forget|forb\w+|illegal|avoid\w*|refus\w+|reject\w*|cancel\w*|und(?:o|one|ecided)|unsure|doubt\w*|mean"
    r"|seat \d+)\b|n['\u2019]t\b|嘘|冗談|間違い|[たて]なら|言[いっわう]|相手|席[0-9]"
    "|例|悪手|反対|だめ|駄目|の話|やめ|仮|取り消"
)
"""What may stand beside a command that is somebody else's, or is not to be played."""


def without_reason(line: str, names_command: Callable[[str], bool]) -> str:
    """Return a line without the reason that it gives before or behind its command; "" if it gives none, or more.

    What only a word or a mark makes a reason, as `so`, a colon or the end of a sentence, is more if it names a command:
    `draw is slow, so #2`.
    """
    found = next(filter(None, (pattern.fullmatch(line) for pattern in _GIVEN)), None)
    if found is None or _YET.search(found["reason"]):
        return ""
    if found.start("reason") and any(map(names_command, _ENDS.split(found["reason"])[1:])):
        return ""  # `draw because I must. Build G.`
    is_loose = found.re in _LOOSE
    if (is_loose or found.re is _SO) and names_command(found["reason"]):
        return ""
    return "" if is_loose and _DOUBT.search(found["reason"]) else found["rest"].strip(" ,;(.。\u2013\u2014-")


def is_harmless(aside: str, names_command: Callable[[str], bool]) -> bool:
    """Return True if what is said aside neither names a command nor may change one."""
    return not (_YET.search(aside) or _DOUBT.search(aside) or names_command(aside))
