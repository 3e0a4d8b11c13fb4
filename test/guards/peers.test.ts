// Optional peers are loaded when they are needed: a program that uses other parts of the library runs without them.

import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { peersLoadedBy, peersOfEntries } from "./peers.ts"
import { read } from "./sources.ts"

const home = "packages/holdpoint"
const manifest = JSON.parse(read(join(home, "package.json")).text) as {
  readonly exports: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}
const optional = Object.keys(manifest.peerDependenciesMeta)

describe("importing the library", () => {
  it.each(Object.entries(manifest.exports))("loads no optional peer that %s does not need", (entry, file) => {
    const loaded = peersLoadedBy(join(home, file), optional, (path) => read(path).text)
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
