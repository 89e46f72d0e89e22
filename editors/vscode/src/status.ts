/** The language status item: which server runs and why. */

import * as vscode from "vscode";
import { LANGUAGES } from "./schema";
import { describe, type State } from "./state";

const SEVERITIES = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
};

/** Shows the state beside the documents that the server checks. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;

  constructor() {
    this.#item = vscode.languages.createLanguageStatusItem(
      "assay.status",
      LANGUAGES.map((language) => ({ language })),
    );
    this.#item.name = "Assay";
  }

  show(state: State): void {
    const { text, detail, notes, severity, busy } = describe(state, vscode.workspace.isTrusted);
    this.#item.text = text;
    this.#item.detail = [detail, ...notes].join("; ");
    this.#item.severity = SEVERITIES[severity];
    this.#item.busy = busy;
    this.#item.command = { command: "assay.showStatus", title: state.kind === "missing" ? "Find a Server" : "Show" };
    void vscode.commands.executeCommand("setContext", "assay.running", state.kind === "running");
  }

  dispose(): void {
    this.#item.dispose();
  }
}
