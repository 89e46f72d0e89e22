import assert from "node:assert/strict";
import { test } from "node:test";
import { SETTINGS } from "../src/schema";
import { serverSettings, type Configuration } from "../src/settings";

/** A configuration in which each key holds `value`, said to come from `source`. */
function configuration(entries: Record<string, { value: unknown; source: string }>): Configuration {
  return {
    get: (key) => entries[key]?.value,
    inspect: (key) => ({ key, defaultValue: "default", ...(entries[key] && { [entries[key].source]: entries[key].value }) }),
  };
}

test("defaults are not sent, so that they do not win over the project's files", () => {
  assert.deepEqual(serverSettings(configuration({}), true), {});
});

test("what somebody set is sent, from wherever it is set, and nested as its key says", () => {
  const set = configuration({
    ignore: { value: ["race/*"], source: "globalValue" },
    timeout: { value: 3, source: "workspaceValue" },
    "races.enabled": { value: false, source: "workspaceFolderValue" },
    "races.defines": { value: ["X"], source: "globalLanguageValue" },
  });
  assert.deepEqual(serverSettings(set, true), { ignore: ["race/*"], timeout: 3, races: { enabled: false, defines: ["X"] } });
});

test("a trusted workspace does not by itself allow the project's code to run", () => {
  assert.ok(SETTINGS.includes("trust"));
  assert.equal(serverSettings(configuration({}), true)["trust"], undefined);
  assert.equal(serverSettings(configuration({ trust: { value: true, source: "globalValue" } }), true)["trust"], true);
});

test("without the editor's trust it never may", () => {
  assert.deepEqual(serverSettings(configuration({ trust: { value: true, source: "globalValue" } }), false), { trust: false });
});
