/** One connection to a server: how it is started, and what VS Code's client is told to do differently. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, type LanguageClientOptions } from "vscode-languageclient/node";
import type { Found } from "./discovery";
import { explain, EXPLAIN } from "./explain";
import { LANGUAGES } from "./schema";
import { serverSettings } from "./settings";

/** Make a client that is not started yet. */
export function makeClient(found: Found, output: vscode.LogOutputChannel): LanguageClient {
  // In a folder that is not trusted, nothing that looks at the current folder may find one of its files.
  const options = vscode.workspace.isTrusted ? {} : { cwd: homedir() };
  const server = { command: found.program, args: ["serve"], options };
  const client = new LanguageClient("assay", "Assay", server, clientOptions(output));
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...capabilities.experimental, assay: { showsPages: true, showsMessages: true } };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  return client;
}

function clientOptions(output: vscode.LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    middleware: {
      executeCommand: (command, args, next) =>
        command === EXPLAIN ? explain(args, (code) => next(command, [code])) : next(command, args),
      workspace: {
        configuration: ({ items }) =>
          items.map(({ section, scopeUri }) => (section === "assay" ? settingsAt(scopeUri) : null)),
      },
    },
  };
}

function settingsAt(scope: string | undefined): object {
  const resource = scope === undefined ? null : vscode.Uri.parse(scope);
  return serverSettings(vscode.workspace.getConfiguration("assay", resource), vscode.workspace.isTrusted);
}
