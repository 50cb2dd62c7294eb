"""What are the agents told, in which version, and how does evidence stand in it as data that cannot speak?"""

from ankare.answer.prompts.excerpts import Allowance
from ankare.answer.prompts.fence import Fence, PromptChunk, fence
from ankare.answer.prompts.messages import (
    correction_messages,
    draft_messages,
    review_messages,
    rewrite_messages,
    rewrite_summary,
    synthesis_messages,
)
from ankare.answer.prompts.templates import Prompt, prompt

__all__ = [
    "Allowance",
    "Fence",
    "Prompt",
    "PromptChunk",
    "correction_messages",
    "draft_messages",
    "fence",
    "prompt",
    "review_messages",
    "rewrite_messages",
    "rewrite_summary",
    "synthesis_messages",
]
