// The public names of every entry equal a snapshot. To change them on purpose: `npx vitest run names -u`.

import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { filesUnder, read, root, sources, toCode } from "./sources.ts"

const agreed = "test/guards/names"

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string>>
}

interface Entry {
  readonly home: string
  readonly name: string
  readonly path: string
}

const homes = ["packages", "apps", "tools"]
  .flatMap((folder) => filesUnder(folder))
  .filter((path) => /^[^/]+\/[^/]+\/package\.json$/.test(path))
  .map((path) => ({ home: dirname(path), manifest: JSON.parse(read(path).text) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true)
const all: readonly Entry[] = homes.flatMap(({ home, manifest: { name, exports = {} } }) =>
  Object.entries(exports)
    .filter(([, target]) => target.endsWith(".ts"))
    .map(([entry, target]) => ({ home, name: entry.replace(".", name), path: join(home, target) })),
)
const isInternal = ({ name }: Entry): boolean => name.endsWith("/internal")
const entries = all.filter((entry) => !isInternal(entry))
const fileOf = ({ name }: Entry): string => `${name.replace("@holdpoint/", "").replaceAll("/", "-")}.txt`
const countOf = (entry: Entry): number =>
  read(`${agreed}/${fileOf(entry)}`)
    .text.trim()
    .split("\n").length

describe("the public names", () => {
  it.each(entries)("of $name equal the snapshot", async (entry) => {
    expect(existsSync(join(root, entry.path)), `${entry.path} is exported and does not exist`).toBe(true)
    const values = Object.keys(await import(/* @vite-ignore */ join(root, entry.path)))
    const names = [...values, ...typeNamesOf(read(entry.path).text).map((name) => `type ${name}`)].sort()
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(`names/${fileOf(entry)}`)
  })

  it("have a snapshot for every entry and for nothing else", () => {
    expect(filesUnder(agreed)).toEqual(entries.map((entry) => `${agreed}/${fileOf(entry)}`).sort())
  })

  it("are few: at most 60 in an entry, and at most 496 in the packages that programs build on", () => {
    for (const entry of entries) expect(countOf(entry), entry.name).toBeLessThanOrEqual(60)
    const sum = entries
      .filter(({ home }) => home.startsWith("packages/"))
      .reduce((all, entry) => all + countOf(entry), 0)
    expect(sum, "Every public name is kept for good: leave out what an author can do without.").toBeLessThanOrEqual(496)
  })

  it("are in one package each", () => {
    const places = new Map<string, Set<string>>()
    for (const entry of entries)
      for (const name of read(`${agreed}/${fileOf(entry)}`)
        .text.trim()
        .split("\n"))
        places.set(name, (places.get(name) ?? new Set()).add(entry.home))
    const twice = [...places].filter(([, found]) => found.size > 1).map(([name, found]) => [name, ...found].join(" "))
    expect(twice.length).toBeLessThanOrEqual(13)
  })

  it("of internal entries are used by another package", () => {
    const used = new Set(
      sources().flatMap(({ text }) =>
        [...text.matchAll(/\{([^{}]*)\}\s*(?:=\s*await\s+import\(|from)\s*"(@?holdpoint[^"]*\/internal)"/g)].flatMap(
          ([, names = "", from = ""]) =>
            names.split(",").map(
              (name) =>
                `${from} ${name
                  .trim()
                  .replace(/^type\s+/, "")
                  .replace(/\s.*$/, "")}`,
            ),
        ),
      ),
    )
    const unused = all.filter(isInternal).flatMap(({ name, path }) => {
      const { code } = toCode(read(path).text)
      const names = [...code.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
        list.split(",").map((one) =>
          one
            .trim()
            .replace(/^type\s+/, "")
            .replace(/^.*\sas\s+/, ""),
        ),
      )
      return names.filter((one) => one !== "" && !used.has(`${name} ${one}`)).map((one) => `${name} ${one}`)
    })
    expect(unused).toEqual([])
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
