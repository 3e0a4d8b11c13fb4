// Documents stay correct: paths exist, snippets equal their sources, dependencies are explained, columns are described.

import { mkdtempSync, rmSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { blocksOf, linksIn, pathsIn, snippetOf, tablesIn } from "@holdpoint/testkit/documents"
import { describe, expect, it } from "vitest"
import { filesUnder, read, root } from "./guards/sources.ts"

const files = filesUnder(".")
const documents = files.filter((path) => path.endsWith(".md")).map(read)
const decisions = documents.filter(({ path }) => /^docs\/decisions\/\d/.test(path))

describe("every document", () => {
  it("names only paths that exist", () => {
    const missing = documents.flatMap((document) =>
      pathsIn(document, files).map((path) => `${document.path} names ${path}`),
    )
    expect(missing, `\n${missing.join("\n")}\n`).toEqual([])
  })

  it("shows TypeScript only as an exact copy of a source", () => {
    // The API reference is generated from the sources, and has its own test.
    const written = documents.filter(({ path }) => !path.startsWith("docs/api/"))
    const wrong = written.flatMap((document) =>
      blocksOf(document.text)
        .filter(
          ({ language, from }) => from !== undefined || /^(?:ts|typescript|js|javascript|tsx|mts)$/.test(language),
        )
        .flatMap(({ line, from, text }) => {
          const position = `${document.path}:${line}`
          if (from === undefined) return [`${position} does not say its source (file=path or file=path#region)`]
          const [path = "", region] = from.split("#")
          if (!files.includes(path)) return [`${position} is from ${path}, which does not exist`]
          const snippet = snippetOf(read(path).text, region)
          if (snippet === undefined) return [`${position}: ${path} has no "// #region ${region}"`]
          return snippet === text ? [] : [`${position} differs from ${from}`]
        }),
    )
    expect(wrong, `\n${wrong.join("\n")}\n`).toEqual([])
  })
})

describe("README.md", () => {
  const readme = documents.find(({ path }) => path === "README.md")?.text ?? ""

  it("is there, and under 120 lines", () => {
    expect(readme).not.toBe("")
    expect(readme.split("\n").length).toBeLessThan(120)
  })

  it.each(["npm ci && npm start", "npm ci && npm test"])("says %s", (command) => {
    expect(readme.includes(command)).toBe(true)
  })
})

describe("every published package", () => {
  const repository = "https://github.com/holdpoint/holdpoint"
  const published = files
    .filter((path) => /^(?:packages|apps)\/[^/]+\/package\.json$/.test(path))
    .map((path) => ({ folder: dirname(path), manifest: readManifest(path) }))

  it.each(published)("of $folder has a description, keywords and the address of its source", ({ folder, manifest }) => {
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/^[A-Z].{20,160}\.$/),
      homepage: `${repository}/tree/main/${folder}#readme`,
      repository: { type: "git", url: `git+${repository}.git`, directory: folder },
    })
    expect(manifest.keywords?.length).toBeGreaterThan(3)
  })

  it.each(published)("of $folder has a README of its own, with how to install or run it", ({ folder, manifest }) => {
    const text = documents.find(({ path }) => path === `${folder}/README.md`)?.text ?? ""
    const commands = blocksOf(text).filter(({ language }) => language === "sh")
    expect(commands.some((block) => new RegExp(`np(?:x|m install) ${manifest.name}\\b`).test(block.text))).toBe(true)
  })

  it("has only links in its README that lead to existing files and work after an installation", () => {
    const wrong = published.flatMap(({ folder }) =>
      linksIn(read(`${folder}/README.md`).text).flatMap((link) => {
        const path = new RegExp(`^${repository}/(?:blob|tree)/main/([^#]+)`).exec(link)?.[1]
        const isThere = path === undefined ? /^(?:https:|#)/.test(link) : files.some((file) => file.startsWith(path))
        return isThere ? [] : [`${folder}/README.md: ${link}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe("docs/decisions", () => {
  it("mention every dependency of every package", () => {
    const texts = decisions.map(({ text }) => text).join("\n")
    const manifests = files.filter((path) => /(?:^|\/)package\.json$/.test(path)).map(readManifest)
    const ours = manifests.map(({ name }) => name)
    const untold = manifests
      .flatMap((manifest) => [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies])
      .flatMap((dependencies) => Object.keys(dependencies ?? {}))
      .filter((name, index, all) => all.indexOf(name) === index && !ours.includes(name) && !isMentioned(name, texts))
    expect(untold).toEqual([])
  })

  it("are pages of under 60 lines", () => {
    expect(decisions.length).toBeGreaterThan(0)
    expect(decisions.filter(({ text }) => text.split("\n").length >= 60).map(({ path }) => path)).toEqual([])
  })
})

describe("docs/storage.md", () => {
  it("describes every column of every table, and nothing else", async () => {
    const text = documents.find(({ path }) => path === "docs/storage.md")?.text ?? ""
    expect(tablesIn(text)).toEqual(await columnsOfNewDatabase())
  })
})

describe("every file", () => {
  const isText = (path: string): boolean => !/\.(?:png|jpe?g|gif|ico|woff2?|tgz|db)$/.test(path)

  it("names no folder of somebody's machine and no package registry", () => {
    const machine = [root.replace(/\/$/, ""), homedir()].filter((path) => path.split("/").length > 2)
    const patterns = [
      /(?<![\w.~-])\/(?:home|Users|root|work|workspace)\/[\w.-]+/,
      /[A-Z]:\\Users\\/,
      /\bregistry\.[\w-]+\.\w+|"resolved":\s+"http|^\s*(?:@[\w-]+:)?registry\s*=/m,
    ]
    const revealing = files.filter(isText).flatMap((path) => {
      const { text } = read(path)
      const hits = [...machine.filter((one) => text.includes(one)), ...patterns.map((one) => one.exec(text)?.[0])]
      return hits.flatMap((what) => (what === undefined ? [] : [`${path}: ${what}`]))
    })
    expect(revealing).toEqual([])
  })
})

interface Manifest {
  readonly name: string
  readonly keywords?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const readManifest = (path: string): Manifest => JSON.parse(read(path).text) as Manifest

function isMentioned(name: string, text: string): boolean {
  const word = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  return new RegExp(`(?<![\\w@/-])${word}(?![\\w/-])`).test(text)
}

/** The columns of a new database after all migrations, without SQLite's own tables. */
async function columnsOfNewDatabase(): Promise<Readonly<Record<string, readonly string[]>>> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-docs-"))
  const path = join(folder, "a.db")
  try {
    const storage = await openSqlite(path)
    await storage.close()
    const database = new DatabaseSync(path, { readOnly: true })
    const rows = database
      .prepare(
        `SELECT t.name AS name, c.name AS column FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.name`,
      )
      .all()
    database.close()
    const tables = Object.groupBy(rows, ({ name }) => String(name))
    return Object.fromEntries(
      Object.entries(tables).map(([name, of = []]) => [name, of.map((row) => String(row.column))]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
