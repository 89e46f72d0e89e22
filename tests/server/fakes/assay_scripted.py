"""A feature for the language ``script`` that does what the document tells it to.

``@warn`` is a finding there, with every ``@also`` as a related place; ``@fix`` is one with a fix, ``@unsure`` an
inconclusive one, ``@there(name)`` one that points into a neighbour, ``@read(name)`` tells a neighbour's text.
``@offer`` is something to carry out.  ``@slow``, ``@hang``, ``@crash``, ``@crash-once(path)``, ``@hang-once(path)`` and
``@raise`` misbehave; ``@take(seconds)`` takes its time, and ``@count(path)`` leaves a byte for each analysis.
"""

import os
import re
import time
from functools import partial
from pathlib import Path

from assay.analyzers.findings import (
    Confidence,
    Edit,
    Explanation,
    Finding,
    Fix,
    Related,
    Severity,
    Span,
    Verification,
    VerificationResult,
)
from assay.features.feature import Offer, Outcome, Rule

LINE = re.compile(r"\r\n|\n|\r")


def page(code):
    return f"# {code}\n\nAll about {code}.\n"


def places(text, pattern):
    for row, line in enumerate(LINE.split(text)):
        for match in re.finditer(pattern, line):
            yield match, Span.of(row, match.start(), row, match.end())


class Scripted:
    name = "scripted"
    languages = frozenset({"script"})
    rules = tuple(
        Rule(code, f"About {code}.", Severity.WARNING, partial(page, code))
        for code in ("script/warn", "script/fix", "script/unsure", "script/there", "script/read")
    )

    def check(self, document, context):
        self.misbehave(document.text, context)
        also = tuple(Related("the other place", span) for _, span in places(document.text, "@also"))
        for _, span in places(document.text, "@warn"):
            yield finding("script/warn", "x_1 *is* wrong", span, related=also)
        for _, span in places(document.text, "@unsure"):
            yield finding("script/unsure", "perhaps", span, confidence=Confidence.INCONCLUSIVE)
        for _, span in places(document.text, "@fix"):
            yield finding("script/fix", "fixable", span, fixes=(fix(span),))
        for match, span in places(document.text, r"@there\(([^)]*)\)"):
            path = document.path.parent / match[1]
            there = next(where for _, where in places(context.read(path), "@target"))
            yield finding("script/there", "elsewhere", span, related=(Related("over there", there, str(path)),))
        for match, span in places(document.text, r"@read\(([^)]*)\)"):
            yield finding("script/read", f"read {context.read(document.path.parent / match[1])}", span)

    def misbehave(self, text, context):
        if "@crash" in text and "@crash-once" not in text:
            os._exit(3)
        for match, _ in places(text, r"@crash-once\(([^)]*)\)"):
            if not Path(match[1]).exists():
                Path(match[1]).touch()
                os._exit(3)
        for match, _ in places(text, r"@count\(([^)]*)\)"):
            with Path(match[1]).open("a") as file:
                file.write(".")
        for match, _ in places(text, r"@take\(([^)]*)\)"):
            time.sleep(float(match[1]))
        for match, _ in places(text, r"@hang-once\(([^)]*)\)"):
            if not Path(match[1]).exists():
                Path(match[1]).touch()
                time.sleep(1000)
        if "@hang" in text and "@hang-once" not in text:
            time.sleep(1000)
        if "@raise" in text:
            raise ValueError("a bug")
        steps = 0
        while "@slow" in text:
            time.sleep(0.01)
            steps += 1
            context.progress(f"step {steps}", 0.5)
            context.budget.check()

    def offer(self, document, span, context):
        for _, where in places(document.text, "@offer"):
            if where.overlaps(span):
                yield Offer(self.name, "Do as offered", "refactor.rewrite", where, {"word": "done"})

    async def carry_out(self, offer, document, context):
        while "@work" in document.text:
            time.sleep(0.01)
            context.progress("working", None)
            context.budget.check()
        return Outcome((Edit(offer.span, offer.data["word"]),), "It is done.")


def finding(code, message, span, **more):
    more.setdefault("confidence", Confidence.PROVED)
    why = Explanation("because of this", details="Step *one*, then two.", reproduce="assay check it")
    return Finding(code, message, span, Severity.WARNING, evidence=(why,), data={"key": "value"}, **more)


def fix(span):
    checked = Verification("compiled", "the file", VerificationResult.PASSED)
    return Fix("Replace it", (Edit(span, "fixed"),), checked, preferred=True)


feature = Scripted()
