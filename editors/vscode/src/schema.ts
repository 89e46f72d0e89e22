// Generated from the program's schema by `python -m assay.server.vscode`; do not edit.

/** Languages that the server checks, by their VS Code identifier. */
export const LANGUAGES = [
  "c"
] as const;

/** The server's settings, without `assay.`. */
export const SETTINGS = [
  "select",
  "ignore",
  "exclude",
  "baseline",
  "timeout",
  "maxFileSize",
  "trust",
  "races.enabled",
  "races.codeLens",
  "races.defines",
  "races.includePaths"
] as const;

/** The rules of the server that the extension was made with. */
export const RULES = [
  {
    "code": "assay/suppression-without-reason",
    "summary": "A suppression comment does not say why the finding is acceptable."
  },
  {
    "code": "assay/unknown-code",
    "summary": "A suppression comment names a rule that does not exist."
  },
  {
    "code": "assay/unused-suppression",
    "summary": "A suppression comment silences nothing."
  },
  {
    "code": "race/lock-order",
    "summary": "Threads take locks in different orders and can wait for each other for ever."
  },
  {
    "code": "race/lost-update",
    "summary": "Two threads change a variable from its old value; one update can vanish."
  },
  {
    "code": "race/missing-join",
    "summary": "A thread's data is used while that thread may still run."
  },
  {
    "code": "race/mixed-atomic",
    "summary": "A variable is accessed atomically in one place and plainly in another."
  },
  {
    "code": "race/read-write",
    "summary": "A thread reads a variable while another writes it."
  },
  {
    "code": "race/self-deadlock",
    "summary": "A thread waits for a lock that it holds already."
  },
  {
    "code": "race/write-write",
    "summary": "Two threads write a variable and nothing orders the writes."
  },
  {
    "code": "race/wrong-lock",
    "summary": "Two threads hold locks, but no lock that both hold."
  }
] as const;
