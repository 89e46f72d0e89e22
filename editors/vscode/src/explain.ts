/** `assay.explain`: show a rule's page, which the server gives as Markdown, in a preview. */

import * as vscode from "vscode";
import { RULES } from "./schema";

export const EXPLAIN = "assay.explain";
const SCHEME = "assay-rule";

const pages = new Map<string, string>();

/** Lets VS Code read the pages that were shown. */
export function registerPages(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => pages.get(uri.path) ?? "This page is gone. Run `Assay: Explain a Rule` again.",
  });
}

/** Show the page of a rule: the one that an action names, or one that the person picks. */
export async function explain(args: readonly unknown[], ask: (code: string) => unknown): Promise<unknown> {
  const code = typeof args[0] === "string" ? args[0] : await picked();
  if (code === undefined) return undefined;
  const page = await ask(code);
  if (typeof page === "string") await show(code, page);
  return page;
}

async function show(code: string, page: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${code.replaceAll("/", "-")}.md` });
  pages.set(uri.path, page);
  try {
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  } catch {
    await vscode.window.showTextDocument(uri); // the Markdown preview is an extension, which can be disabled
  }
}

/** Offer the rules, those of the findings in the open document first. */
async function picked(): Promise<string | undefined> {
  const here = codesHere();
  const known = RULES.map(({ code, summary }) => ({ label: code, detail: summary }));
  const others = [...here].filter((code) => !RULES.some((rule) => rule.code === code)).map((label) => ({ label }));
  const items = [...others, ...known].sort((a, b) => Number(here.has(b.label)) - Number(here.has(a.label)));
  const item = await vscode.window.showQuickPick(items, { placeHolder: "The rule to explain", matchOnDetail: true });
  return item?.label;
}

function codesHere(): Set<string> {
  const document = vscode.window.activeTextEditor?.document;
  const found = document === undefined ? [] : vscode.languages.getDiagnostics(document.uri);
  return new Set(found.filter(({ source }) => source === "assay").map(({ code }) => codeOf(code)));
}

function codeOf(code: vscode.Diagnostic["code"]): string {
  return String(typeof code === "object" ? code.value : code);
}
