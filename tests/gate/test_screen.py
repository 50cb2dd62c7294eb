from __future__ import annotations

import pytest

from ankare.errors import QuestionError
from ankare.gate.screen import screen


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\x00\x07", "a\ud800b", "x" * 11])
def test_what_is_no_question_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(QuestionError) as caught:
        screen(text, 10)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "kept"), [("  Vad? ", "Vad?"), ("Va\x00d?", "Va d?"), ("😀", "😀"), ("<b>hej</b>", "<b>hej</b>")]
)
def test_a_question_stays_as_the_user_wrote_it(text: str, kept: str) -> None:
    assert screen(text, 100) == kept
