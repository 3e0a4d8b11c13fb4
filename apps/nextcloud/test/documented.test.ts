// docs/nextcloud.md documents the tools, resources and prompts that exist.

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { accessTools } from "../src/consent/access-tools.ts"
import { prompts } from "../src/prompts/table.ts"
import { resources } from "../src/resources/table.ts"
import { toolsets } from "../src/tool.ts"
import { defaultToolsets } from "../src/tool-selection.ts"
import { table } from "../src/tools/table.ts"

const document = readFileSync(new URL("../../../docs/nextcloud.md", import.meta.url), "utf8")
const missing = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !document.includes(`\`${name}\``))

describe("docs/nextcloud.md", () => {
  it.each(toolsets)("says how many tools %s has, and whether it is offered by default", (app) => {
    const row = new RegExp(`^\\| \`${app}\`[^|]*\\| (\\d+) \\| (yes)? ?\\|$`, "m").exec(document)
    expect(Number(row?.[1])).toBe(table.filter((tool) => tool.app === app).length)
    expect(row?.[2] === "yes").toBe(defaultToolsets.includes(app))
  })

  it("names every resource, prompt and access tool", () => {
    expect(missing(resources.map(({ uri }) => uri))).toEqual([])
    expect(missing(prompts.map(({ name }) => name))).toEqual([])
    expect(missing(accessTools.map(({ name }) => name))).toEqual([])
  })
})
