// The public names of every entry equal a snapshot. To change them on purpose: `npx vitest run names -u`.

import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { filesUnder, read, root, toCode } from "./sources.ts"

const agreed = "test/guards/names"

const entries = ["packages/holdpoint", "tools/url-mode-conformance"].flatMap((home) => {
  const { name, exports } = JSON.parse(read(`${home}/package.json`).text) as Manifest
  return Object.entries(exports).map(([entry, target]) => ({
    name: entry.replace(".", name),
    path: join(home, target),
    agreed: `${entry.replace(/^\.\/?/, `${basename(home)}-`).replace(/-$/, "")}.txt`,
  }))
})

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
}

describe("the public names", () => {
  it.each(entries)("of $name equal the snapshot", async ({ path, agreed }) => {
    expect(existsSync(join(root, path)), `${path} is exported and does not exist`).toBe(true)
    const values = Object.keys(await import(/* @vite-ignore */ join(root, path)))
    const names = [...values, ...typeNamesOf(read(path).text).map((name) => `type ${name}`)].sort()
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(`names/${agreed}`)
  })

  it("have a snapshot for every entry and for nothing else", () => {
    expect(filesUnder(agreed)).toEqual(entries.map((entry) => `${agreed}/${entry.agreed}`).sort())
  })

  it("are few: below 60 in the main entry, at most 14 per agent or chat entry, below 380 without those", () => {
    const counts = entries
      .filter(({ path }) => path.startsWith("packages/holdpoint/"))
      .map(({ name, agreed: file }) => ({ name, count: read(`${agreed}/${file}`).text.trim().split("\n").length }))
    const isOfAgents = ({ name }: { readonly name: string }): boolean => ofAgents.has(name)
    for (const { name, count } of counts.filter(isOfAgents)) expect(count, name).toBeLessThanOrEqual(14)
    const all = counts.filter((entry) => !isOfAgents(entry)).reduce((sum, { count }) => sum + count, 0)
    expect(counts.find(({ name }) => name === "@holdpoint/hub")?.count).toBeLessThan(60)
    expect(all, "Every public name is kept for good: leave out what an author can do without.").toBeLessThan(380)
  })

  it("include every kind of exported type", () => {
    const text = [
      'export type { A, B as C } from "./a.ts"',
      'export { d, type E } from "./d.ts"',
      "export interface F {}",
      "export type G<T> = T[]",
      "// export type H = 1",
      "type I = 1",
    ].join("\n")
    expect(typeNamesOf(text)).toEqual(["A", "C", "E", "F", "G"])
  })
})

/** Entries that most authors never import: for streams of agents, for programs that talk to them, for chats and for webhooks. */
const ofAgents: ReadonlySet<string> = new Set(
  ["stream", "client", "a2a", "ai-sdk", "mcp-client", "a2a-client", "slack", "webhooks", "email"].map(
    (entry) => `@holdpoint/sdk/${entry}`,
  ),
)

function typeNamesOf(text: string): readonly string[] {
  const { code } = toCode(text)
  const listed = [...code.matchAll(/\bexport\s+(type\s+)?\{([^}]*)\}/g)].flatMap(([, all, names = ""]) =>
    names.split(",").flatMap((name) => {
      const [, type, exported] = /^\s*(type\s+)?(?:[\w$]+\s+as\s+)?([\w$]+)\s*$/.exec(name) ?? []
      return exported !== undefined && (all ?? type) !== undefined ? [exported] : []
    }),
  )
  const declared = [...code.matchAll(/\bexport\s+(?:declare\s+)?(?:interface|type)\s+([\w$]+)/g)].map(
    ([, name = ""]) => name,
  )
  return [...listed, ...declared]
}
