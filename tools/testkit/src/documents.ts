// Reads from Markdown what can be checked: paths, fenced blocks, and the tables of docs/storage.md. Pure.

import { dirname, join, normalize } from "node:path"

export interface Block {
  readonly language: string
  /** `file=path` or `file=path#region` after the language. */
  readonly from: string | undefined
  readonly line: number
  readonly text: string
}

export function blocksOf(markdown: string): readonly Block[] {
  const fence = /^( *)(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*([^\n`]*)\n([\s\S]*?)^\1\2[ \t]*$/gm
  return [...markdown.matchAll(fence)].map((match) => ({
    language: match[3] ?? "",
    from: /\bfile=(\S+)/.exec(`${match[3]} ${match[4]}`)?.[1],
    line: markdown.slice(0, match.index).split("\n").length,
    text: dedent((match[5] ?? "").trimEnd()),
  }))
}

/**
 * Returns the whole source, or the text from `// #region name` or `# #region name` to its end, without common
 * indentation.
 */
export function snippetOf(source: string, region: string | undefined): string | undefined {
  if (region === undefined) return source.trimEnd()
  const lines = source.split("\n")
  const comment = (line: string): string | undefined => /^(?:\/\/|#) (.*)$/.exec(line.trim())?.[1]
  const start = lines.findIndex((line) => comment(line) === `#region ${region}`)
  if (start < 0) return undefined
  const end = lines.findIndex((line, index) => index > start && comment(line)?.startsWith("#endregion"))
  return dedent(
    lines
      .slice(start + 1, end < 0 ? undefined : end)
      .join("\n")
      .trimEnd(),
  )
}

function dedent(text: string): string {
  const lines = text.split("\n")
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length)
  const least = Math.min(...indents, 80)
  return lines.map((line) => line.slice(least)).join("\n")
}

const folders = ["packages", "apps", "examples", "docs", "bench", "test", "scripts", ".ci"]
const library = "packages/hub/src"
const layers = ["core", "ports", "hub", "vault", "identity", "stores", "surfaces", "http", "client", "testing"]
const extension = /\.(?:ts|js|mjs|json|md|sh|sql|ya?ml|html|css)$/

/** Returns the paths that a document names, in links, code and commands, and that do not exist. */
export function pathsIn(
  document: { readonly path: string; readonly text: string },
  files: readonly string[],
): readonly string[] {
  const blocks = blocksOf(document.text)
  const commands = blocks.filter(({ language }) => /^(?:sh|bash|shell|console)$/.test(language))
  const prose = document.text.replace(/^( *)(`{3,}|~{3,})[\s\S]*?^\1\2[ \t]*$/gm, "")
  const links = linksIn(prose)
    .map((link) => link.replace(/#.*/, ""))
    .filter((target) => target !== "")
  const code = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text)
  const here = dirname(document.path)
  const missing = [
    ...links.filter((target) => !/^[a-z]+:/i.test(target) && !exists(join(here, target), files)),
    ...code.flatMap(wordsOf).filter((word) => isPath(word) && !isThere(word, here, files)),
    ...commands
      .flatMap(({ text }) => wordsOf(text))
      .filter((word) => folders.includes(word.replace(/^\.\//, "").split("/")[0] ?? "") && word.includes("/"))
      .filter((word) => isPlain(word) && !isThere(word, here, files)),
  ]
  return [...new Set(missing)]
}

/** The targets of links and pictures. */
export const linksIn = (prose: string): readonly string[] =>
  [...prose.matchAll(/\]\(<?([^)\s>]+)[^)]*\)/g)].map(([, target = ""]) => target)

const wordsOf = (text: string): readonly string[] =>
  text.split(/\s+/).map((word) => word.replace(/^["'(]+|["'),;:]+$/g, "").replace(/[:#]L?\d+$/, ""))

/** Whether the word can be a path: not a placeholder, an address, an option or a home folder. */
const isPlain = (word: string): boolean =>
  /^[\w./@-]+$/.test(word) && !/^[-~@]|^\/|\.{3}|[A-Z]{2,}(?!.*\.md$)/.test(word)

function isPath(word: string): boolean {
  if (!isPlain(word)) return false
  // A bare name of a data file may be the reader's own file.
  if (!word.includes("/")) return /^\w[\w.-]*\.(?:ts|js|md)$|^(?:package|tsconfig|biome)\b.*\.json$/.test(word)
  const first = word.split("/")[0] ?? ""
  return [...folders, ...layers, ".", ".."].includes(first) || extension.test(word)
}

/** Whether the path exists below the root, the document's folder, or the library's folder or sources. */
function isThere(word: string, here: string, files: readonly string[]): boolean {
  const paths = [word, join(here, word), join(library, word)]
  if (paths.some((path) => exists(path, files))) return true
  return !word.startsWith(".") && files.some((file) => file.endsWith(`/${word.replace(/\/$/, "")}`))
}

function exists(path: string, files: readonly string[]): boolean {
  const plain = normalize(path).replace(/\/$/, "")
  return plain === "." || files.some((file) => file === plain || file.startsWith(`${plain}/`))
}

/**
 * Returns the sections whose heading is a table's name in code, with the names in code in the first column of their
 * tables.
 */
export function tablesIn(markdown: string): Readonly<Record<string, readonly string[]>> {
  const sections = markdown.split(/^#+ /m).flatMap((section) => {
    const name = /^[^\n]*?`(\w+)`/.exec(section)?.[1]
    return name === undefined
      ? []
      : [[name, [...section.matchAll(/^\|\s*`(\w+)`/gm)].map(([, column = ""]) => column).sort()] as const]
  })
  return Object.fromEntries(sections.sort(([a], [b]) => (a < b ? -1 : 1)))
}
