/** The extension's start and end: its parts are made here, and told about what changes in the editor. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { registerPages } from "./explain";
import { LANGUAGES } from "./schema";
import { Server } from "./server";
import { StatusItem } from "./status";
import { Workspace } from "./surroundings";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Assay", { log: true });
  const workspace = new Workspace();
  const status = new StatusItem();
  const current = new Server(workspace, output);
  server = current;
  current.onDidChangeState((state) => status.show(state));
  context.subscriptions.push(output, workspace, status, current, registerPages(), registerCommands(current, output));
  context.subscriptions.push(...reactions(current, workspace));
  void current.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** What can change which server is to run. */
function reactions(current: Server, workspace: Workspace): vscode.Disposable[] {
  const again = (): void => void current.lookAgain();
  return [
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("assay.path") && again()),
    vscode.workspace.onDidChangeWorkspaceFolders(again),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void current.restart()),
    workspace.onDidChangeInterpreter(again),
    // Somebody who was told that there is no server installs one, and comes back.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && current.state.kind === "missing" && again()),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      const ours = LANGUAGES.some((language) => language === editor?.document.languageId);
      if (ours && current.state.kind === "missing") again();
    }),
  ];
}
