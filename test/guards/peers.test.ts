// Optional peers are loaded when they are needed: a program that uses other parts of the library runs without them.

import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { peersLoadedBy, peersOfEntries } from "./peers.ts"
import { filesUnder, read } from "./sources.ts"

const entries = filesUnder("packages")
  .filter((path) => /^packages\/[^/]+\/package\.json$/.test(path))
  .flatMap((path) => {
    const {
      name,
      exports,
      peerDependenciesMeta = {},
    } = JSON.parse(read(path).text) as {
      readonly name: string
      readonly exports: Readonly<Record<string, string>>
      readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
    }
    return Object.entries(exports)
      .filter(([, file]) => file.endsWith(".ts"))
      .map(([entry, file]) => ({
        entry: entry.replace(".", name),
        file: join(dirname(path), file),
        optional: Object.keys(peerDependenciesMeta),
      }))
  })

describe("importing a package", () => {
  it.each(entries)("loads no optional peer that $entry does not need", ({ entry, file, optional }) => {
    const loaded = peersLoadedBy(file, optional, (path) => read(path).text)
    const unneeded = [...loaded].filter(([peer]) => !peersOfEntries[entry]?.includes(peer))
    expect(unneeded).toEqual([])
  })

  it("finds a peer in an imported file, but not in a type or an import()", () => {
    const files: Readonly<Record<string, string>> = {
      "a.ts": 'import "./b.ts"\nimport type { Pool } from "pg"\nconst load = () => import("nodemailer")',
      "b.ts": 'export { z } from "oidc-provider/z"',
    }
    const loaded = peersLoadedBy("a.ts", ["pg", "nodemailer", "oidc-provider"], (path) => files[path] ?? "")
    expect([...loaded]).toEqual([["oidc-provider", "b.ts"]])
  })
})
