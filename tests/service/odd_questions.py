"""Questions that nobody should ask, and everybody may."""

ODD = {
    "emoji": "🤔🎉",
    "control characters": "Vilka\x00 etapper\x1b[31m finns\x08?",
    "Arabic": "ما هي المراحل؟",
    "Finnish": "Mitä vaiheita on?",
    "SQL": "'; DROP TABLE chunks; --",
    "HTML": "<img src=x onerror=alert(1)><script>alert(2)</script>",
    "path": "../../../../etc/passwd",
    "template": "{{7*7}} ${7*7} <%= 7*7 %> #{7*7} %s %n {0.__class__}",
    "query syntax": 'title:("etapp" AND *) OR ~2^5 [a TO b]',
    "right to left": "\u202eetapper\u202c",
    "long": "etapper " * 240,
    "one letter": "a",
}
