"""A feature that does what the checked text tells it to, for tests of everything around features.

The text holds commands such as ``@find(fake/one)``: a finding at the command, with every ``@also`` as a related
place; ``@crash``, ``@hang``, ``@slow``, ``@memory``, ``@raise``, ``@deep`` misbehave; ``@read(name)`` finds the text of
a neighbour.
"""

import ctypes
import faulthandler
import os
import re
import sys
import time
from functools import partial

from assay.analyzers.findings import (
    Confidence,
    Edit,
    Explanation,
    Finding,
    Fix,
    Position,
    Related,
    Severity,
    Skipped,
    Span,
    Verification,
    VerificationResult,
)
from assay.features.feature import Rule


def page(code):
    return f"# {code}\n\nA page.\n"


def places(text, pattern):
    for row, line in enumerate(re.split(r"\r\n|\n|\r", text)):
        for match in re.finditer(pattern, line):
            yield match, Span.of(row, match.start(), row, match.end())


def deep(number):
    return deep(number + 1)


class Fake:
    name = "fake"
    languages = frozenset({"c", "python"})
    rules = tuple(
        Rule(code, f"About {code}.", Severity.WARNING, partial(page, code))
        for code in ("fake/one", "fake/two", "fake/three")
    )

    def check(self, document, context):
        text = document.text
        self.misbehave(document, context)
        if "@skip" in text:
            yield Skipped("A part was not modelled. Nothing to do.", next(places(text, "@skip"))[1])
        for match, _ in places(text, r"@read\(([^)]*)\)"):
            found = context.read(document.path.parent / match[1])
            yield self.finding("fake/two", f"{match[1]} holds {found!r}", Span.of(0, 0, 0, 1), document)
        for match, span in places(text, r"@find\(([^)]*)\)"):
            yield self.finding(match[1], f"found {match[1]}", span, document)

    def misbehave(self, document, context):
        text = document.text
        if "@crash" in text:
            os._exit(3)
        if "@segv" in text:
            faulthandler.disable()
            ctypes.string_at(0)
        if "@hang" in text:
            if document.path.parent.is_dir():
                document.path.with_suffix(".pid").write_text(str(os.getpid()))
            time.sleep(1000)
        while "@slow" in text:
            context.budget.check()
        if "@memory" in text:
            bytearray(2_000_000_000)
        if "@raise" in text:
            raise ValueError("a bug\nwith two lines")
        if "@deep" in text:
            deep(0)
        if "@noise" in text:
            sys.stdout.write("noise on standard output\n")
            os.write(1, b"more noise")

    def finding(self, code, message, span, document):
        text = document.text
        related = [Related(f"also here: {match[1]}", where) for match, where in places(text, r"@also\(([^)]*)\)")]
        for match, _ in places(text, r"@there\(([^)]*)\)"):
            related.append(Related("over there", Span.of(0, 0, 0, 3), str(document.path.parent / match[1])))
        at = Position(span.start.line, 0)
        fix = Fix(
            "Say so", (Edit(Span(at, at), "/* so */ "),), Verification("by hand", "it", VerificationResult.PASSED), True
        )
        return Finding(
            code=code,
            message=message,
            span=span,
            severity=Severity.ERROR if "@error" in text else Severity.WARNING,
            confidence=Confidence.INCONCLUSIVE if "@unsure" in text else Confidence.LIKELY,
            evidence=(Explanation("the text says so", "It is written there.", "grep @find"),),
            related=tuple(related),
            fixes=(fix,) if "@fix" in text else (),
            data={"pairs": [{"variable": "x", "lines": [span.start.line + 1, span.start.line + 1]}]},
        )

    def offer(self, document, span, context):
        return ()

    async def carry_out(self, offer, document, context):
        raise NotImplementedError


feature = Fake()
