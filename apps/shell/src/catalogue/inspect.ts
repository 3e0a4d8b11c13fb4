// Reads the folder of the tools once: every tool, every problem, and the folders to watch.

import { lstatSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { ShellTool, ToolProblem } from "../tool.ts"
import { type FolderContents, readToolFolder } from "./folder.ts"
import { isExecutable } from "./program.ts"
import { realPathOf, trustProblemOfRoot } from "./trust.ts"

/** The tools and problems of a folder of tools, read at one moment. */
export interface Inspection extends FolderContents {
  /** The folder that has all tools, as a real path: the folder itself, or `tools` below it. Undefined when it is missing. */
  readonly root: string | undefined
  /** The folders below the root that may have tools. */
  readonly folders: readonly string[]
  /** Whether no script of the folder may be used. */
  readonly isRefused: boolean
}

/** Reads all tools of a folder, or of the folder `tools` below it. */
export function inspectTools(path: string): Inspection {
  const root = rootOf(path)
  if (root === undefined)
    return toRefusedInspection(undefined, { message: "is not a folder.", suggestion: "Create it." })
  const trustProblem = trustProblemOfRoot(root)
  if (trustProblem !== undefined) return toRefusedInspection(root, trustProblem)
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."))
  const folders = entries.filter((entry) => isFolder(join(root, entry.name)))
  if (folders.length > maxFolders)
    return toRefusedInspection(root, { message: `has ${folders.length} folders; at most ${maxFolders} are allowed.` })
  const contents = folders.map(({ name }) => tryReadToolFolder(root, name))
  const tools = contents.flatMap((folder) => folder.tools).sort((a, b) => (a.name < b.name ? -1 : 1))
  const duplicates = duplicatesIn(tools)
  return {
    ...{ root, isRefused: false, folders: folders.map(({ name }) => join(root, name)) },
    tools: tools.filter(({ name }) => !duplicates.has(name)),
    problems: [...contents.flatMap(({ problems }) => problems), ...[...duplicates].map(([, problem]) => problem)],
    notes: [
      ...contents.flatMap(({ notes }) => notes),
      ...entries.filter(({ name }) => isScriptFile(join(root, name))).map(({ name }) => toOutsideFolderNote(name)),
    ],
  }
}

const maxFolders = 2_000

const toRefusedInspection = (root: string | undefined, problem: Omit<ToolProblem, "path">): Inspection => ({
  ...{ root, isRefused: true, folders: [], tools: [], notes: [] },
  problems: [{ path: ".", ...problem }],
})

/**
 * The real path of the folder that has all tools: `tools` below `path` in a project of mcp-bash, else `path` itself. A
 * folder `tools` that has a script of its own is a tool. Undefined when `path` is not a folder.
 */
export function rootOf(path: string): string | undefined {
  const realPath = realPathOf(path)
  if (realPath === undefined || !isFolder(realPath)) return undefined
  const toolsFolder = join(realPath, "tools")
  const isProject = isFolder(toolsFolder) && !readdirSync(toolsFolder).some((name) => /^tool(?:\.|$)/.test(name))
  return isProject ? realPathOf(toolsFolder) : realPath
}

/** Like `readToolFolder`, but a folder that cannot be read, or disappears meanwhile, becomes a problem. */
export function tryReadToolFolder(root: string, name: string): FolderContents {
  try {
    return readToolFolder(root, name)
  } catch (error) {
    const message = `cannot be read: ${error instanceof Error ? error.message : String(error)}`
    return { tools: [], problems: [{ path: name, message }], notes: [] }
  }
}

/** The names that several tools have, each with its problem. None of these tools is used. */
function duplicatesIn(tools: readonly ShellTool[]): ReadonlyMap<string, ToolProblem> {
  const byName = Map.groupBy(tools, ({ name }) => name)
  const pathOf = ({ root, program }: ShellTool): string => program.slice(root.length + 1)
  return new Map(
    [...byName].flatMap(([name, sameNameTools]) => {
      if (sameNameTools.length === 1) return []
      const message = `have the same name, “${name}”, and none of them is used.`
      const suggestion = 'Give each its own "name".'
      return [[name, { path: sameNameTools.map(pathOf).join(" and "), message, suggestion }] as const]
    }),
  )
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

const isScriptFile = (path: string): boolean => lstatSync(path).isFile() && isExecutable(path)

const toOutsideFolderNote = (name: string): ToolProblem => ({
  path: name,
  message: "is not in a folder of its own and is left out.",
  suggestion: `Move it to ${name.replace(/\.[^.]*$/, "")}/tool${/\.[^.]*$/.exec(name)?.[0] ?? ""}.`,
})
