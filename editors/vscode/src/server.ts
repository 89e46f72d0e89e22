/** The server of this window: found, started, watched, and replaced when what determines it changes. */

import * as vscode from "vscode";
import { State as ClientState, type LanguageClient } from "vscode-languageclient/node";
import { makeClient } from "./client";
import { choose, type Choice, type Found } from "./discovery";
import { machine } from "./probe";
import type { State } from "./state";
import type { Workspace } from "./surroundings";

/** At most one server at a time; changes are carried out one after the other. */
export class Server implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<State>();
  readonly onDidChangeState = this.#changed.event;
  #state: State = { kind: "looking" };
  #client: LanguageClient | undefined;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly workspace: Workspace,
    private readonly output: vscode.LogOutputChannel,
  ) {}

  get state(): State {
    return this.#state;
  }

  /** Look for a server, and start it in place of the one that runs. */
  restart(): Promise<void> {
    return this.#next(async () => {
      await this.#end();
      await this.#start(await this.#choice());
    });
  }

  /** Look for a server, and change it only if another one is to run now. */
  lookAgain(): Promise<void> {
    return this.#next(async () => {
      const choice = await choose(this.workspace.now(), machine);
      if ("found" in this.#state && this.#state.found.program === choice.found?.program) return;
      if (this.#state.kind === "missing" && choice.found === undefined) return;
      await this.#end();
      await this.#start(choice);
    });
  }

  stop(): Promise<void> {
    return this.#next(() => this.#end());
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #next(step: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue.then(step).catch((error: unknown) => this.output.error(String(error)));
    return this.#queue;
  }

  #become(state: State): void {
    this.#state = state;
    this.#changed.fire(state);
  }

  async #choice(): Promise<Choice> {
    this.#become({ kind: "looking" });
    return choose(this.workspace.now(), machine);
  }

  async #start({ found, passedOver }: Choice): Promise<void> {
    for (const { program, reason } of passedOver) this.output.warn(`passed over ${program}: ${reason}`);
    if (found === undefined) {
      this.output.warn("no Assay was found. Install it with `pip install assay-ls`, or set `assay.path`.");
      this.#become({ kind: "missing", passedOver });
      return;
    }
    this.output.info(`using ${found.program}, version ${found.version}: ${found.why}`);
    this.#become({ kind: "starting", found, passedOver });
    const client = makeClient(found, this.output);
    this.#client = client;
    client.onDidChangeState(({ newState }) => this.#follow(client, newState, found, passedOver));
    try {
      await client.start();
    } catch (error) {
      this.#become({ kind: "failed", found, passedOver, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #follow(client: LanguageClient, state: ClientState, found: Found, passedOver: Choice["passedOver"]): void {
    if (client !== this.#client) return;
    const kind = state === ClientState.Running ? "running" : state === ClientState.Starting ? "starting" : "stopped";
    this.#become({ kind, found, passedOver });
  }

  async #end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      this.output.warn(`the server before did not stop in order: ${String(error)}`);
    }
  }
}
