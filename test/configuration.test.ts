// The reference of settings is generated from their table, and the files for production name settings that exist.

import { readFile } from "node:fs/promises"
import { defaultLimits } from "@holdpoint/hub"
import { describe, expect, it } from "vitest"
import { settings } from "../apps/holdpoint/src/settings.ts"
import { documentPath, toConfigurationDocument } from "../scripts/configuration.ts"

it("the reference has an up-to-date row for every setting; npm run docs:configuration writes it", async () => {
  const written = await readFile(documentPath, "utf8")
  expect(written).toBe(toConfigurationDocument())
  for (const { path } of settings) expect(written).toContain(`| \`${path}\` |`)
})

it("gives the defaults that the library has", () => {
  const entries = settings
    .filter(({ path }) => path.startsWith("limits."))
    .map(({ path, kind, defaultText = "" }) => [path.slice("limits.".length), kind.fromText(defaultText)])
  expect(Object.fromEntries(entries)).toEqual(defaultLimits)
})

it("lets systemd start the server again as often as it takes", async () => {
  const unit = await readFile(new URL("../docs/production/holdpoint.service", import.meta.url), "utf8")
  // Without these, five quick starts without a database are the last ones.
  for (const line of ["StartLimitIntervalSec=0", "Restart=on-failure", "RestartSec=2"])
    expect(unit.split("\n")).toContain(line)
})

describe.each(["Dockerfile", "compose.yaml", "holdpoint.service"])("docs/production/%s", (name) => {
  it("sets variables that are settings, to values that they take", async () => {
    const text = await readFile(new URL(`../docs/production/${name}`, import.meta.url), "utf8")
    const set = [...text.matchAll(/\b(HOLDPOINT_\w+)(?:=|: )(\S+)/g)].map(([, variable, value]) => ({
      variable,
      value,
    }))
    expect(set.length).toBeGreaterThan(2)
    for (const { variable = "", value = "" } of set) {
      const setting = settings.find(({ env }) => env.includes(variable))
      expect(setting, variable).toBeDefined()
      // A value that is filled in when the file is used cannot be judged here.
      if (!/\$\{|…/.test(value)) expect(setting?.kind.fromText(value), `${variable}=${value}`).toBeDefined()
    }
  })
})
