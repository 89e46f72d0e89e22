/**
 * Where the server is: the `assay.path` setting, then the workspace's virtual environments, then the PATH.
 *
 * Nothing here touches the editor or the disk; `Probe` does, so that every order and refusal can be tested.
 */

import * as path from "node:path";

/** A folder of the workspace. */
export interface Folder {
  readonly name: string;
  readonly path: string;
}

/** What determines where the server is looked for. */
export interface Surroundings {
  /** The `assay.path` setting as the user wrote it; empty when it is not set. */
  readonly setting: string;
  readonly folders: readonly Folder[];
  /** The interpreters chosen in the Python extension; asked only when nothing before them is there. */
  readonly interpreters: () => Promise<readonly string[]>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly trusted: boolean;
  readonly windows: boolean;
}

/** A place to look, and the words for it. */
export interface Candidate {
  readonly program: string;
  readonly why: string;
  /** Whether the user named it, so that its absence is worth telling. */
  readonly named: boolean;
}

export type Answer =
  | { readonly kind: "runs"; readonly version: string }
  | { readonly kind: "absent" }
  | { readonly kind: "broken"; readonly reason: string };

/** Looks at the disk: `run` asks a program for its version, `real` follows links. */
export interface Probe {
  run(program: string): Promise<Answer>;
  real(file: string): Promise<string>;
}

export interface Found extends Candidate {
  readonly version: string;
}

export interface PassedOver {
  readonly program: string;
  readonly reason: string;
}

export interface Choice {
  readonly found: Found | undefined;
  readonly passedOver: readonly PassedOver[];
}

/** Choose the first candidate that runs and may be run. */
export async function choose(around: Surroundings, probe: Probe): Promise<Choice> {
  const passedOver: PassedOver[] = [];
  const seen = new Set<string>();
  for await (const candidate of candidates(around)) {
    if (seen.has(candidate.program)) continue;
    seen.add(candidate.program);
    const { program } = candidate;
    if (!around.trusted && (await isInside(program, around.folders, probe))) {
      if (candidate.named) passedOver.push({ program, reason: "it is inside a folder that is not trusted" });
      continue;
    }
    const answer = await probe.run(program);
    if (answer.kind === "runs") return { found: { ...candidate, version: answer.version }, passedOver };
    if (answer.kind === "broken") passedOver.push({ program, reason: answer.reason });
    else if (candidate.named) passedOver.push({ program, reason: "there is no such program" });
  }
  return { found: undefined, passedOver };
}

/** Give the places to look at, in order. */
export async function* candidates(around: Surroundings): AsyncGenerator<Candidate> {
  for (const program of fromSetting(around)) yield { program, why: "set in `assay.path`", named: true };
  for (const { name, path: folder } of around.folders) {
    for (const environment of [".venv", "venv"]) {
      const program = path.join(folder, environment, around.windows ? "Scripts" : "bin", programName(around));
      yield { program, why: `the virtual environment \`${environment}\` of ${name}`, named: false };
    }
  }
  for (const interpreter of await around.interpreters()) {
    const program = path.join(path.dirname(interpreter), programName(around));
    yield { program, why: "beside the interpreter chosen in the Python extension", named: false };
  }
  for (const program of onPath(programName(around), around)) yield { program, why: "on the `PATH`", named: false };
}

function programName(around: Surroundings): string {
  return around.windows ? "assay.exe" : "assay";
}

/** A path with a separator is relative to the first folder; a bare name is looked for on the PATH. */
function fromSetting(around: Surroundings): string[] {
  const written = expanded(around.setting.trim(), around);
  if (written === "") return [];
  if (path.isAbsolute(written)) return [path.normalize(written)];
  if (!/[/\\]/.test(written)) return onPath(written, around);
  return [path.resolve(around.folders[0]?.path ?? around.home, written)];
}

/** Fill in `~` and the variables of VS Code's own settings; an unknown one stays, and so names no file. */
export function expanded(written: string, around: Surroundings): string {
  return written
    .replace(/^~(?=$|[/\\])/, () => around.home)
    .replace(/\$\{(workspaceFolder|userHome|env)(?::([^}]*))?\}/g, (whole, kind: string, name?: string) => {
      if (kind === "userHome") return around.home;
      if (kind === "env") return around.environment[name ?? ""] ?? "";
      const folder = name === undefined ? around.folders[0] : around.folders.find((one) => one.name === name);
      return folder?.path ?? whole;
    });
}

/** Relative entries of the PATH are left out: what they name depends on the folder that happens to be open. */
function onPath(name: string, around: Surroundings): string[] {
  const variable = Object.keys(around.environment).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const entries = (around.environment[variable] ?? "").split(around.windows ? ";" : ":");
  return entries.filter((entry) => path.isAbsolute(entry)).map((entry) => path.join(entry, name));
}

async function isInside(program: string, folders: readonly Folder[], probe: Probe): Promise<boolean> {
  const places = [program, await probe.real(program)];
  for (const folder of folders) {
    const roots = [folder.path, await probe.real(folder.path)];
    if (places.some((place) => roots.some((root) => contains(root, place)))) return true;
  }
  return false;
}

function contains(root: string, place: string): boolean {
  const way = path.relative(root, place);
  return way !== ".." && !way.startsWith(".." + path.sep) && !path.isAbsolute(way);
}
