// Reads the folder of the tools once: every tool, every problem, and the folders to watch.

import { lstatSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { ShellTool, ToolProblem } from "../tool.ts"
import { type Found, readToolFolder } from "./folder.ts"
import { isExecutable } from "./program.ts"
import { distrustOfRoot, realPathOf } from "./trust.ts"

/** What a folder of tools has, read at one moment. */
export interface Inspection extends Found {
  /** The folder that has all tools, as a real path: the given one, or `tools` below it. Undefined when it is missing. */
  readonly root: string | undefined
  /** The folders below it, in which tools are. */
  readonly folders: readonly string[]
  /** Whether no script of the folder may be used. */
  readonly isRefused: boolean
}

/** Reads all tools of a folder, or of the folder `tools` below it. */
export function inspectTools(given: string): Inspection {
  const root = rootOf(given)
  if (root === undefined) return refused(undefined, { message: "is not a folder.", suggestion: "Create it." })
  const distrust = distrustOfRoot(root)
  if (distrust !== undefined) return refused(root, distrust)
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."))
  const folders = entries.filter((entry) => isFolder(join(root, entry.name)))
  if (folders.length > mostFolders)
    return refused(root, { message: `has ${folders.length} folders; ${mostFolders} are allowed.` })
  const found = folders.map(({ name }) => reading(root, name))
  const tools = found.flatMap((one) => one.tools).sort((a, b) => (a.name < b.name ? -1 : 1))
  const twice = duplicatesIn(tools)
  return {
    ...{ root, isRefused: false, folders: folders.map(({ name }) => join(root, name)) },
    tools: tools.filter(({ name }) => !twice.has(name)),
    problems: [...found.flatMap(({ problems }) => problems), ...[...twice].map(([, problem]) => problem)],
    notes: [
      ...found.flatMap(({ notes }) => notes),
      ...entries.filter(({ name }) => isScriptFile(join(root, name))).map(({ name }) => atRoot(name)),
    ],
  }
}

const mostFolders = 2_000

const refused = (root: string | undefined, problem: Omit<ToolProblem, "path">): Inspection => ({
  ...{ root, isRefused: true, folders: [], tools: [], notes: [] },
  problems: [{ path: ".", ...problem }],
})

/** Projects of mcp-bash have the folder `tools`; a tool itself may be called “tools”, too. */
export function rootOf(given: string): string | undefined {
  const real = realPathOf(given)
  if (real === undefined || !isFolder(real)) return undefined
  const below = join(real, "tools")
  const isProject = isFolder(below) && !readdirSync(below).some((name) => /^tool(?:\.|$)/.test(name))
  return isProject ? realPathOf(below) : real
}

/** A folder that disappears, or that cannot be read, while it is read. */
export function reading(root: string, name: string): Found {
  try {
    return readToolFolder(root, name)
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`
    return { tools: [], problems: [{ path: name, message }], notes: [] }
  }
}

/** None of them is used: which one a client means cannot be told. */
function duplicatesIn(tools: readonly ShellTool[]): ReadonlyMap<string, ToolProblem> {
  const byName = Map.groupBy(tools, ({ name }) => name)
  const pathOf = ({ root, program }: ShellTool): string => program.slice(root.length + 1)
  return new Map(
    [...byName].flatMap(([name, same]) => {
      if (same.length === 1) return []
      const message = `have the same name, “${name}”, and none of them is used.`
      const suggestion = 'Give each its own "name".'
      return [[name, { path: same.map(pathOf).join(" and "), message, suggestion }] as const]
    }),
  )
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

const isScriptFile = (path: string): boolean => lstatSync(path).isFile() && isExecutable(path)

const atRoot = (name: string): ToolProblem => ({
  path: name,
  message: "is not in a folder of its own and is left out.",
  suggestion: `Move it to ${name.replace(/\.[^.]*$/, "")}/tool${/\.[^.]*$/.exec(name)?.[0] ?? ""}.`,
})
