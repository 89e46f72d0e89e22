/**
 * The settings that the server gets: only those that somebody set.
 *
 * VS Code fills in the default of every setting that the manifest declares; sent on, they would win over the
 * project's own files.
 */

import { SETTINGS } from "./schema";

/** The part of VS Code's configuration that is needed here. */
export interface Configuration {
  get(key: string): unknown;
  inspect(key: string): object | undefined;
}

export type Tree = { [key: string]: unknown };

/** Give the settings that somebody set; without trust the project's code may not run, whatever its files say. */
export function serverSettings(configuration: Configuration, trusted: boolean): Tree {
  const tree: Tree = {};
  for (const key of SETTINGS) {
    if (isSet(configuration.inspect(key))) put(tree, key.split("."), configuration.get(key));
  }
  return trusted ? tree : { ...tree, trust: false };
}

function isSet(inspected: object | undefined): boolean {
  return Object.entries(inspected ?? {}).some(
    ([name, value]) => /^(global|workspace|workspaceFolder)(Language)?Value$/.test(name) && value !== undefined,
  );
}

function put(tree: Tree, [head, ...rest]: string[], value: unknown): void {
  if (head === undefined) return;
  if (rest.length === 0) tree[head] = value;
  else put((tree[head] ??= {}) as Tree, rest, value);
}
