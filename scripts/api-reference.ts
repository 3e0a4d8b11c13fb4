// Writes docs/api from the exported names of the published entries, their doc comments and declarations: npm run
// docs:api. It reads the sources with the compiler's own API, which is marked unstable; the pinned version keeps it
// working.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { readCommandLine } from "@holdpoint/testkit/command-line"
import type { Node, SourceFile } from "typescript/unstable/ast"
import { isArrowFunction, isFunctionDeclaration, isVariableDeclaration } from "typescript/unstable/ast"
import { API, type Symbol as Named, NodeBuilderFlags, type Project, SymbolFlags } from "typescript/unstable/sync"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = "docs/api"

/** Packages that programs import. The others are commands, and their README says what can be imported. */
const packages = [
  ...["hub", "calls", "accounts", "server", "mcp", "agents", "slack", "email", "webhooks", "a2a"],
  ...["client", "terminal", "fetching", "testing"],
]
  .map((name) => `packages/${name}`)
  .concat("apps/nextcloud", "apps/shell", "apps/holdpoint")

interface Entry {
  /** The name by which programs import it. */
  readonly name: string
  readonly source: string
  /** The path of its page below docs/api. */
  readonly page: string
}

interface DocumentedName {
  readonly name: string
  readonly isType: boolean
  /** The doc comment; empty when there is none. */
  readonly words: string
  readonly declaration: string
}

export interface Reference {
  /** Text by path, from the root of the repository. */
  readonly pages: ReadonlyMap<string, string>
  /** Names without a doc comment. */
  readonly unexplained: readonly string[]
}

export function toReference(): Reference {
  const entries = packages.flatMap(entriesOf)
  const documented = readNames(entries)
  const pages = documented.map(({ entry, names }) => [join(folder, entry.page), toPage(entry, names)] as const)
  return {
    pages: new Map([[join(folder, "README.md"), toIndex(documented)], ...pages]),
    unexplained: documented.flatMap(({ entry, names }) =>
      names.filter(({ words }) => words === "").map(({ name }) => `${name} of ${entry.name}`),
    ),
  }
}

interface DocumentedEntry {
  readonly entry: Entry
  readonly names: readonly DocumentedName[]
}

function entriesOf(home: string): readonly Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, home, "package.json"), "utf8")) as {
    readonly name: string
    readonly exports: Readonly<Record<string, string>>
  }
  const isPublic = ([entry, source]: readonly [string, string]): boolean =>
    entry !== "./internal" && source.endsWith(".ts")
  return Object.entries(exports)
    .filter(isPublic)
    .map(([entry, source]) => ({
      name: entry.replace(".", name),
      source: join(home, source),
      page: `${entry.replace(/^\.\/?/, `${basename(name)}-`).replace(/-$/, "")}.md`,
    }))
}

/** Reads a project of the entries only, because reading the tests would take longer than everything else. */
function readNames(entries: readonly Entry[]): readonly DocumentedEntry[] {
  const config = join(root, "build", `api-reference-${process.pid}.tsconfig.json`)
  const files = entries.map(({ source }) => join(root, source))
  mkdirSync(join(root, "build"), { recursive: true })
  writeFileSync(config, JSON.stringify({ extends: "../tsconfig.json", files, include: [] }))
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error("The compiler did not open the project of the entries.")
    return entries.map((entry) => ({ entry, names: namesOf(project, join(root, entry.source)) }))
  } finally {
    api.close()
    rmSync(config)
  }
}

function namesOf(project: Project, file: string): readonly DocumentedName[] {
  const { checker, program } = project
  const source = program.getSourceFile(file)
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${relative(root, file)} exports nothing.`)
  return checker
    .getExportsOfModule(module)
    .map((exported) => {
      const named = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      return {
        name: exported.name,
        isType: (named.flags & SymbolFlags.Value) === 0,
        words: checker.getDocumentationCommentOfSymbol(named).trim(),
        // Shows a renamed export under its public name.
        declaration: declarationOf(project, named).replace(named.name, exported.name),
      }
    })
    .sort((a, b) => Number(a.isType) - Number(b.isType) || (a.name < b.name ? -1 : 1))
}

function declarationOf(project: Project, named: Named): string {
  const nodes = named.declarations.flatMap((handle) => handle.resolve(project) ?? [])
  const signatures = nodes.filter((node) => isFunctionDeclaration(node) && node.body === undefined)
  return (signatures.length > 0 ? signatures : nodes).map((node) => shorten(project, named, node)).join("\n")
}

/** The source of a declaration, without bodies of functions and values of constants. */
function shorten({ checker }: Project, named: Named, node: Node): string {
  const { text } = node.getSourceFile() as SourceFile
  const upTo = (end: number): string => text.slice(node.getStart(), end).trim()
  if (isFunctionDeclaration(node))
    return plain(upTo(node.body?.getStart() ?? node.end).replace(/^export (?:async )?/, ""))
  if (!isVariableDeclaration(node)) return plain(upTo(node.end).replace(/^export /, ""))
  if (node.type !== undefined) return plain(`const ${upTo(node.type.end)}`)
  const body = bodyOf(node.initializer)
  if (body !== undefined) return plain(`const ${upTo(body.getStart()).replace(/\s*=>$/, "")}`)
  const type = checker.getTypeOfSymbol(named)
  return type === undefined
    ? `const ${named.name}`
    : `const ${named.name}: ${checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation)}`
}

/** The body of an arrow function, or of the function that it returns. */
function bodyOf(value: Node | undefined): Node | undefined {
  return value !== undefined && isArrowFunction(value) ? (bodyOf(value.body) ?? value.body) : undefined
}

const plain = (declaration: string): string => declaration.replaceAll(/[ \t]+$/gm, "")

function toPage({ name, source }: Entry, names: readonly DocumentedName[]): string {
  const sections = names.map(
    ({ name, words, declaration }) => `## ${name}\n\n${words}\n\n\`\`\`ts\n${declaration}\n\`\`\``,
  )
  return `${[`# ${name}`, openingOf(source), note, ...sections].join("\n\n")}\n`
}

const note = "Made from the sources by `npm run docs:api`. [All entries](.)"

function toIndex(documented: readonly DocumentedEntry[]): string {
  const sections = documented.map(({ entry, names }) => {
    const links = names.map(({ name }, at) => `[${name}](${entry.page}#${anchorOf(names, at)})`)
    return `## [${entry.name}](${entry.page})\n\n${openingOf(entry.source)}\n\n${links.join(", ")}`
  })
  const head = `# API reference

Every public name, entry by entry, with its declaration. Made from the sources by \`npm run docs:api\`; a test fails when it is
out of date. To begin, read [five-minutes.md](../five-minutes.md).`
  return `${[head, ...sections].join("\n\n")}\n`
}

/** The anchor of a heading. GitHub numbers headings that differ in case only. */
function anchorOf(names: readonly DocumentedName[], at: number): string {
  const anchor = names[at]?.name.toLowerCase() ?? ""
  const before = names.slice(0, at).filter(({ name }) => name.toLowerCase() === anchor).length
  return before === 0 ? anchor : `${anchor}-${before}`
}

/** The comment that opens the entry's source, without the entry's own name. */
function openingOf(source: string): string {
  const [comment = ""] = /^(?:\/\/.*\n)+/.exec(readFileSync(join(root, source), "utf8")) ?? []
  const words = comment
    .replaceAll(/^\/\/ ?/gm, "")
    .replace(/^(?:The public entry )?`?@?holdpoint[\w/]*`?: /, "")
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const help = `npm run docs:api

Writes docs/api from the exported names of the published packages, and prints the names that have no doc comment.

  --help  show this help
`

if (import.meta.main) {
  readCommandLine(help)
  const { pages, unexplained } = toReference()
  if (existsSync(join(root, folder))) rmSync(join(root, folder), { recursive: true })
  mkdirSync(join(root, folder))
  for (const [path, text] of pages) writeFileSync(join(root, path), text)
  if (unexplained.length > 0) console.log(`These names have no doc comment:\n  ${unexplained.join("\n  ")}`)
}
