import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, expanded, type Answer, type Surroundings } from "../src/discovery";

const RUNS: Answer = { kind: "runs", version: "1.0" };
const ABSENT: Answer = { kind: "absent" };

const AROUND: Surroundings = {
  setting: "",
  folders: [
    { name: "first", path: "/w/first" },
    { name: "second", path: "/w/second" },
  ],
  interpreters: async () => ["/conda/bin/python"],
  environment: { PATH: "relative::/usr/bin:/opt/bin", TOOLS: "/tools" },
  home: "/home/me",
  trusted: true,
  windows: false,
};

function probe(programs: Record<string, Answer>, links: Record<string, string> = {}) {
  const asked: string[] = [];
  return {
    asked,
    run: async (program: string) => (asked.push(program), programs[program] ?? ABSENT),
    real: async (file: string) => links[file] ?? file,
  };
}

async function chosen(around: Partial<Surroundings>, programs: string[], links: Record<string, string> = {}) {
  const disk = probe(Object.fromEntries(programs.map((program) => [program, RUNS])), links);
  return (await choose({ ...AROUND, ...around }, disk)).found?.program;
}

test("every place is looked at in order: setting, environments of each folder, interpreter, PATH", async () => {
  const disk = probe({});
  const { found, passedOver } = await choose({ ...AROUND, setting: "/set/assay" }, disk);
  assert.equal(found, undefined);
  assert.deepEqual(disk.asked, [
    "/set/assay",
    "/w/first/.venv/bin/assay",
    "/w/first/venv/bin/assay",
    "/w/second/.venv/bin/assay",
    "/w/second/venv/bin/assay",
    "/conda/bin/assay",
    "/usr/bin/assay",
    "/opt/bin/assay",
  ]);
  assert.deepEqual(passedOver, [{ program: "/set/assay", reason: "there is no such program" }]);
});

test("the first that runs is taken, and why is said", async () => {
  const disk = probe({ "/w/second/.venv/bin/assay": RUNS, "/usr/bin/assay": RUNS });
  const { found } = await choose(AROUND, disk);
  assert.deepEqual(found, {
    program: "/w/second/.venv/bin/assay",
    why: "the virtual environment `.venv` of second",
    named: false,
    version: "1.0",
  });
});

test("the Python extension is not asked when an environment of the workspace has the server", async () => {
  const interpreters = () => Promise.reject(new Error("asked"));
  assert.equal(await chosen({ interpreters }, ["/w/first/venv/bin/assay"]), "/w/first/venv/bin/assay");
});

test("a program that does not run is passed over, with its reason", async () => {
  const disk = probe({ "/w/first/.venv/bin/assay": { kind: "broken", reason: "it is not executable" }, "/opt/bin/assay": RUNS });
  const { found, passedOver } = await choose(AROUND, disk);
  assert.equal(found?.why, "on the `PATH`");
  assert.deepEqual(passedOver, [{ program: "/w/first/.venv/bin/assay", reason: "it is not executable" }]);
});

test("without trust no program inside the workspace is run, not even to ask for its version", async () => {
  const disk = probe({ "/w/first/.venv/bin/assay": RUNS, "/w/first/tool": RUNS, "/usr/bin/assay": RUNS });
  const { found, passedOver } = await choose({ ...AROUND, trusted: false, setting: "/w/first/tool" }, disk);
  assert.equal(found?.program, "/usr/bin/assay");
  assert.deepEqual(disk.asked.filter((program) => program.startsWith("/w/")), []);
  assert.deepEqual(passedOver, [{ program: "/w/first/tool", reason: "it is inside a folder that is not trusted" }]);
});

test("without trust a link into the workspace, and a workspace behind a link, are seen through", async () => {
  const around = { trusted: false, folders: [{ name: "w", path: "/link" }] };
  const links = { "/usr/bin/assay": "/real/evil", "/link": "/real" };
  assert.equal(await chosen(around, ["/usr/bin/assay", "/opt/bin/assay"], links), "/opt/bin/assay");
  assert.equal(await chosen({ trusted: true, folders: around.folders }, ["/usr/bin/assay"], links), "/usr/bin/assay");
});

test("a folder whose name starts alike, or with dots, is not mistaken", async () => {
  const around = { trusted: false, folders: [{ name: "bin", path: "/usr/bi" }] };
  assert.equal(await chosen(around, ["/usr/bin/assay"]), "/usr/bin/assay");
  const dotted = { trusted: false, folders: [{ name: "o", path: "/opt" }], environment: { PATH: "/opt/..bin:/usr/bin" } };
  assert.equal(await chosen(dotted, ["/opt/..bin/assay", "/usr/bin/assay"]), "/usr/bin/assay");
});

test("the setting may be relative to the first folder, or a name on the PATH", async () => {
  assert.equal(await chosen({ setting: "bin/assay" }, ["/w/first/bin/assay"]), "/w/first/bin/assay");
  assert.equal(await chosen({ setting: "assay-next" }, ["/opt/bin/assay-next"]), "/opt/bin/assay-next");
});

test("variables in the setting are filled in", () => {
  const cases = {
    "~/bin/assay": "/home/me/bin/assay",
    "${userHome}/assay": "/home/me/assay",
    "${workspaceFolder}/x": "/w/first/x",
    "${workspaceFolder:second}/x": "/w/second/x",
    "${workspaceFolder:none}/x": "${workspaceFolder:none}/x",
    "${env:TOOLS}/assay": "/tools/assay",
    "/a~b": "/a~b",
  };
  for (const [written, meant] of Object.entries(cases)) assert.equal(expanded(written, AROUND), meant);
});
