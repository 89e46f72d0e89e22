/** The disk and the processes behind `discovery.ts`. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { homedir } from "node:os";
import type { Answer, Probe } from "./discovery";

const PATIENCE_MS = 15_000;
const LONGEST_ANSWER = 10_000;

/** Asks programs for their version, from the home folder, so that no file of a workspace takes part. */
export const machine: Probe = {
  async run(program: string): Promise<Answer> {
    if (!(await isFile(program))) return { kind: "absent" };
    try {
      await fs.access(program, constants.X_OK);
    } catch {
      return { kind: "broken", reason: "it is not executable" };
    }
    return asked(program);
  },

  async real(file: string): Promise<string> {
    try {
      return await fs.realpath(file);
    } catch {
      return file; // what is not there has no other name
    }
  },
};

async function isFile(file: string): Promise<boolean> {
  try {
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}

function asked(program: string): Promise<Answer> {
  const limits = { cwd: homedir(), timeout: PATIENCE_MS, maxBuffer: LONGEST_ANSWER, windowsHide: true };
  return new Promise((resolve) => {
    execFile(program, ["--version"], limits, (error, output) => {
      const version = /^assay (\S+)\s*$/.exec(output)?.[1];
      if (version !== undefined) resolve({ kind: "runs", version });
      else if (error?.killed) resolve({ kind: "broken", reason: "it did not say its version in time" });
      else if (error) resolve({ kind: "broken", reason: `it does not run (${firstLine(error.message)})` });
      else resolve({ kind: "broken", reason: "it is another program of the same name" });
    });
  });
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 200);
}
