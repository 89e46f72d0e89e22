import assert from "node:assert/strict";
import { test } from "node:test";
import { describe } from "../src/state";

const found = { program: "/v/bin/assay", why: "on the `PATH`", named: false, version: "1.0" };

test("a running server is named with its version, its place and why it was taken", () => {
  const shown = describe({ kind: "running", found, passedOver: [] }, true);
  assert.deepEqual(shown, {
    text: "Assay 1.0",
    detail: "/v/bin/assay (on the `PATH`)",
    notes: [],
    severity: "information",
    busy: false,
  });
});

test("a fallback is a warning that says what was passed over and why", () => {
  const passedOver = [{ program: "/set/assay", reason: "there is no such program" }];
  const shown = describe({ kind: "running", found, passedOver }, true);
  assert.equal(shown.severity, "warning");
  assert.deepEqual(shown.notes, ["/set/assay: there is no such program"]);
});

test("without a server it says what to do", () => {
  const shown = describe({ kind: "missing", passedOver: [] }, true);
  assert.equal(shown.severity, "error");
  assert.match(shown.detail, /pip install assay-ls.*assay\.path/);
});

test("a failure says why, and a folder without trust is told", () => {
  const shown = describe({ kind: "failed", found, passedOver: [], reason: "it ended" }, false);
  assert.match(shown.detail, /^\/v\/bin\/assay .*: it ended$/);
  assert.match(shown.notes.join(), /^this folder is not trusted/);
  assert.equal(shown.severity, "error");
});
