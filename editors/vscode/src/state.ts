/** What the server is doing, and the words that the status item has for it. */

import type { Found, PassedOver } from "./discovery";

interface Looked {
  readonly passedOver: readonly PassedOver[];
}

export type State =
  | { readonly kind: "looking" }
  | ({ readonly kind: "missing" } & Looked)
  | ({ readonly kind: "starting" | "running" | "stopped"; readonly found: Found } & Looked)
  | ({ readonly kind: "failed"; readonly found: Found; readonly reason: string } & Looked);

export interface Description {
  readonly text: string;
  readonly detail: string;
  /** What was passed over and why, and what is restricted. */
  readonly notes: readonly string[];
  readonly severity: "information" | "warning" | "error";
  readonly busy: boolean;
}

/** Say in one line what runs and why, or what does not and what to do. */
export function describe(state: State, trusted: boolean): Description {
  const passedOver = state.kind === "looking" ? [] : state.passedOver;
  const notes = passedOver.map(({ program, reason }) => `${program}: ${reason}`);
  const restricted = trusted ? [] : ["this folder is not trusted, so checks are static only"];
  return { ...headline(state), notes: [...notes, ...restricted] };
}

function headline(state: State): Omit<Description, "notes"> {
  switch (state.kind) {
    case "looking":
      return { text: "Assay", detail: "looking for the server", severity: "information", busy: true };
    case "missing":
      return {
        text: "Assay: not found",
        detail: "install it with `pip install assay-ls`, or set `assay.path`",
        severity: "error",
        busy: false,
      };
    case "starting":
      return { text: "Assay", detail: `starting ${which(state.found)}`, severity: "information", busy: true };
    case "running": {
      const severity = state.passedOver.length > 0 ? "warning" : "information";
      return { text: `Assay ${state.found.version}`, detail: which(state.found), severity, busy: false };
    }
    case "stopped":
      return { text: "Assay: stopped", detail: which(state.found), severity: "warning", busy: false };
    case "failed":
      return { text: "Assay: failed", detail: `${which(state.found)}: ${state.reason}`, severity: "error", busy: false };
  }
}

function which(found: Found): string {
  return `${found.program} (${found.why})`;
}
