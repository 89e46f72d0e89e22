/** What the editor knows about where the server may be. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import type { Surroundings } from "./discovery";

const PYTHON_EXTENSION = "ms-python.python";
const PATIENCE_MS = 5_000;

/** The part of the Python extension's public interface that is used. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** Reads the surroundings anew at every question, and tells when the chosen interpreter changes. */
export class Workspace implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInterpreter = this.#changed.event;
  #python: vscode.Disposable | undefined;

  now(): Surroundings {
    return {
      setting: vscode.workspace.getConfiguration("assay").get("path", ""),
      folders: folders().map(({ name, uri }) => ({ name, path: uri.fsPath })),
      interpreters: () => this.#interpreters(),
      environment: process.env,
      home: homedir(),
      trusted: vscode.workspace.isTrusted,
      windows: process.platform === "win32",
    };
  }

  async #interpreters(): Promise<string[]> {
    const api = await pythonApi();
    if (api === undefined) return [];
    this.#python ??= api.environments.onDidChangeActiveEnvironmentPath(() => this.#changed.fire());
    const resources = folders().length > 0 ? folders().map(({ uri }) => uri) : [undefined];
    return resources.map((resource) => api.environments.getActiveEnvironmentPath(resource).path);
  }

  dispose(): void {
    this.#python?.dispose();
    this.#changed.dispose();
  }
}

/** Folders without a place on this machine's disk, such as those of a repository on the web, hold no programs. */
function folders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<Partial<PythonApi>>(PYTHON_EXTENSION);
  if (extension === undefined) return undefined;
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));
  const api = await Promise.race([Promise.resolve(extension.activate()).catch(() => undefined), late]);
  return api?.environments === undefined ? undefined : (api as PythonApi);
}
