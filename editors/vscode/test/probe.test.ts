import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { machine } from "../src/probe";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "assay-probe-"));
after(() => fs.rmSync(folder, { recursive: true }));

function program(name: string, text: string, mode = 0o755): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text, { mode });
  return file;
}

test("a program that says its version runs", async () => {
  const answer = await machine.run(program("good", '#!/bin/sh\necho "assay 1.2.3"\n'));
  assert.deepEqual(answer, { kind: "runs", version: "1.2.3" });
});

test("what is not there, and a folder, are absent", async () => {
  assert.deepEqual(await machine.run(path.join(folder, "none")), { kind: "absent" });
  assert.deepEqual(await machine.run(folder), { kind: "absent" });
});

test("another program of the name is told apart", async () => {
  const answer = await machine.run(program("other", '#!/bin/sh\necho "gold: 99 %"\n'));
  assert.deepEqual(answer, { kind: "broken", reason: "it is another program of the same name" });
});

test("the program of an environment whose Python is gone is broken", async () => {
  const answer = await machine.run(program("stale", "#!/nowhere/bin/python\n"));
  assert.equal(answer.kind, "broken");
  assert.match(answer.kind === "broken" ? answer.reason : "", /does not run .*ENOENT/);
});

test("a failing program is broken, and a long answer is not waited for", async () => {
  assert.equal((await machine.run(program("failing", "#!/bin/sh\nexit 3\n"))).kind, "broken");
  assert.equal((await machine.run(program("endless", "#!/bin/sh\nexec yes\n"))).kind, "broken");
});
