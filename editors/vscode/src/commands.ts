/** The commands that the extension itself does; those of the server come with its connection. */

import * as vscode from "vscode";
import type { Server } from "./server";
import { describe } from "./state";

const PAGE = "https://github.com/assay-ls/assay/blob/main/docs/editors/vscode.md";

interface Choice extends vscode.QuickPickItem {
  readonly act: () => Thenable<unknown> | void;
}

export function registerCommands(server: Server, output: vscode.LogOutputChannel): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand("assay.restart", () => server.restart()),
    vscode.commands.registerCommand("assay.showOutput", () => output.show()),
    vscode.commands.registerCommand("assay.showStatus", () => showStatus(server, output)),
  );
}

/** Say what the status item says, in full, with what can be done about it. */
async function showStatus(server: Server, output: vscode.LogOutputChannel): Promise<void> {
  const items = [...facts(server, output), ...choices(server, output)];
  const picked = await vscode.window.showQuickPick(items, { title: "Assay: Status", matchOnDetail: true });
  await picked?.act();
}

function facts(server: Server, output: vscode.LogOutputChannel): Choice[] {
  const { text, detail, notes, severity } = describe(server.state, vscode.workspace.isTrusted);
  const icon = severity === "information" ? "info" : severity;
  const act = (): void => output.show();
  return [
    { label: `$(${icon}) ${text}`, detail, act },
    ...notes.map((note) => ({ label: "$(info) Note", detail: note, act })),
  ];
}

function choices(server: Server, output: vscode.LogOutputChannel): Choice[] {
  const found = "found" in server.state ? server.state.found : undefined;
  const how = found === undefined ? "Look for the Server Again" : "Restart the Server";
  const manual: Choice = {
    label: "$(link-external) How to Install Assay",
    detail: PAGE,
    act: () => vscode.env.openExternal(vscode.Uri.parse(PAGE)),
  };
  return [
    ...(found === undefined ? [manual] : []),
    { label: `$(refresh) ${how}`, detail: found?.program ?? "", act: () => server.restart() },
    { label: "$(output) Show the Output", act: () => output.show() },
    {
      label: "$(settings-gear) Open the Settings",
      act: () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:assay-ls.assay"),
    },
    ...(found === undefined ? [] : [manual]),
  ];
}
