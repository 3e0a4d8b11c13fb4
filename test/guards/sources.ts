// The repository's files, and a TypeScript reader that is good enough for guards: it removes comments and separates
// literals. Walks folders instead of using git, so that a copy without history can be checked too.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../", import.meta.url))

export interface Source {
  /** The path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
}

const ignored = new Set(["node_modules", "dist", "build", "coverage", "out", ".git", ".holdpoint"])

/** Returns every file under a folder of the repository; none when the folder does not exist. */
export function filesUnder(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !ignored.has(name) && !name.endsWith(".log"))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : entry.isFile() ? [path] : []
    })
    .sort()
}

export function read(path: string): Source {
  return { path, text: readFileSync(join(root, path), "utf8") }
}

let known: readonly Source[] | undefined

/** Returns all sources of this repository, tests included, read on the first call. */
export function sources(): readonly Source[] {
  known ??= ["packages", "apps", "tools", "examples", "bench", "test", "scripts"]
    .flatMap(filesUnder)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map(read)
  return known
}

export function isUnder(path: string, ...folders: readonly string[]): boolean {
  return folders.some((folder) => new RegExp(`^${folder.replaceAll("*", "[^/]+")}/`).test(path))
}

export interface Code {
  /** The code without comments, in which every literal is `"n"`, an index into `literals`. Lines are kept. */
  readonly code: string
  readonly literals: readonly string[]
}

// One pattern for each kind of token that may contain another: comments, strings, template parts, regular expressions.
const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const string = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y
const template = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y
const regex = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const beforeRegex = /(?:^|[=(,:[!&|?{};+*%<>~^-]|\b(?:return|typeof|case|in|of|await|yield))\s*$/

const codes = new Map<string, Code>()

/** Cached, because several guards read the same files. */
export function toCode(text: string): Code {
  const code = codes.get(text) ?? readCode(text)
  codes.set(text, code)
  return code
}

function readCode(text: string): Code {
  const literals: string[] = []
  /** The number of open braces since each `${`; a template continues where its brace closes. */
  const depths: number[] = []
  let code = ""
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)?.[0]
    if (match !== undefined) at += match.length
    return match
  }
  const lines = (skipped: string): string => "\n".repeat(skipped.split("\n").length - 1)
  const literal = (value: string): void => {
    code += `"${literals.push(value) - 1}"${lines(value)}`
  }
  const readTemplate = (): void => {
    literal(take(template) ?? "")
    if (text[at] === "`") at += 1
    else {
      at += 2
      code += "+("
      depths.push(0)
    }
  }
  while (at < text.length) {
    const skipped = take(comment)
    const quoted = skipped === undefined ? take(string) : undefined
    if (skipped !== undefined) code += ` ${lines(skipped)}`
    else if (quoted !== undefined) literal(quoted.slice(1, -1))
    else if (text[at] === "/" && beforeRegex.test(code.slice(-40))) literal(take(regex) ?? String(text[at++]))
    else readCharacter()
  }
  return { code, literals }

  function readCharacter(): void {
    const character = text[at++]!
    const depth = depths.at(-1)
    if (character === "`") readTemplate()
    else if (character === "}" && depth === 0) {
      depths.pop()
      code += ")+"
      readTemplate()
    } else {
      if (depth !== undefined && (character === "{" || character === "}")) {
        depths[depths.length - 1] = depth + (character === "{" ? 1 : -1)
      }
      code += character
    }
  }
}

export interface Import {
  readonly specifier: string
  /** Whether the import is erased before the program runs. */
  readonly typeOnly: boolean
  /** Whether the module is loaded by `import()`, when that line runs. */
  readonly isCall: boolean
}

export function importsOf(text: string): readonly Import[] {
  const { code, literals } = toCode(text)
  const statement = /\b(?:im|ex)port\s+(type\s+(?!from\b))?(?:[\w$*{}\s,]*?\bfrom\s*)?"(\d+)"/g
  const call = /\bimport\s*\(\s*"(\d+)"/g
  return [
    ...[...code.matchAll(statement)].map(([, type, index]) => ({ index, typeOnly: type !== undefined, isCall: false })),
    ...[...code.matchAll(call)].map(([, index]) => ({ index, typeOnly: false, isCall: true })),
  ].map(({ index, ...kind }) => ({ specifier: literals[Number(index)] ?? "", ...kind }))
}
