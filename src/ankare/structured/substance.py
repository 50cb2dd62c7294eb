"""Is a question that names no metric still one about figures, or one for the documents?

"How much was it in 2024", "how many printers are there", "gross margin": one thing at most beside the slots, which may be a
metric by a name that the profile does not know; it is asked back. "How much does the council offer for Mill Lane 3" says more
than that: documents may speak to it, and where they do not their refusal tells what they lack.
"""

from __future__ import annotations

from ankare.language.dictionary import is_verb_form
from ankare.language.languages import get_language
from ankare.structured.intent import ParsedIntent


def speaks_of_more_than_figures(intent: ParsedIntent) -> bool:
    """Does an intent without a metric name something of its own, or more than one thing that could be counted?"""
    if not intent.subject or intent.near_metrics:
        return False
    if intent.language == "zh":
        runs = (*intent.left_out, *filter(None, (intent.unknown_entity, intent.qualifier)))
        return sum(len(_chinese_words(run)) for run in runs) > 1
    if intent.unknown_entity or intent.qualifier:
        return True
    return sum(not is_verb_form(word.casefold(), intent.language) for word in intent.left_out) > 1


def _chinese_words(run: str) -> list[str]:
    """The words of a run of Chinese that carry something; names of measures and function words do not."""
    analysis = get_language("zh")
    words = [token.text for token in analysis.tokens(run)]
    return [word for word in words if len(word) > 1 and not analysis.analyze(word).stop]
