// Reads one folder below the folder of the tools: which of its files are scripts, which metadata belongs to each, and
// the tools that follow.

import { lstatSync, readdirSync } from "node:fs"
import { basename, join, relative } from "node:path"
import type { ShellTool, ToolProblem } from "../tool.ts"
import { withOwnIcons } from "./icons.ts"
import { clientProblem } from "./listed.ts"
import { type DescribedTool, describe } from "./metadata.ts"
import { type Candidate, readMetadata, type ScriptFile } from "./metadata-file.ts"
import { isExecutable, readHead, startProblem } from "./program.ts"
import { type Distrust, trustedPath } from "./trust.ts"

/** What one folder has. */
export interface FolderContents {
  readonly tools: readonly ShellTool[]
  readonly problems: readonly ToolProblem[]
  /** Warnings about what may be a mistake. They exclude no tool. */
  readonly notes: readonly ToolProblem[]
}

/** Reads the folder `name` as it is now. `root` is a real path that is trusted. */
export function readToolFolder(root: string, name: string): FolderContents {
  const relativeToRoot = (path: string): string => relative(root, path)
  const trusted = trustedPath(join(root, name), root)
  if ("distrust" in trusted) return onlyProblems({ path: name, ...trusted.distrust })
  const folder = trusted.real
  const names = readdirSync(folder).filter((one) => !one.startsWith("."))
  const candidates = toCandidates(folder, names)
  if (candidates.length === 0) {
    const orphan = names.find((one) => one.endsWith(metaEnd))
    if (orphan === undefined) return { ...noContents, notes: [{ path: name, ...noScript }] }
    return onlyProblems({
      path: relativeToRoot(join(folder, orphan)),
      message: "has no script beside it.",
      suggestion: "Add tool.sh.",
    })
  }
  const programs = candidates.filter(({ isMain }) => isMain)
  if (programs.length > 1) return onlyProblems({ path: name, ...severalMain(programs) })
  const read = candidates.map((candidate) => readTool({ root, folder, name, candidate }))
  return {
    tools: read.flatMap(({ tools }) => tools),
    problems: read.flatMap(({ problems }) => problems),
    notes: read.flatMap(({ notes }) => notes),
  }
}

const noContents: FolderContents = { tools: [], problems: [], notes: [] }
const onlyProblems = (...problems: readonly ToolProblem[]): FolderContents => ({ ...noContents, problems })

const noScript: Distrust = {
  message: "has no script and is left out.",
  suggestion: "Add the script as tool.sh, tool.py or the like.",
}

const severalMain = (candidates: readonly Candidate[]): Distrust => ({
  message: `has ${candidates.map(({ file }) => file).join(" and ")}, and only one of them can be the tool.`,
  suggestion: "Rename the others.",
})

const metaEnd = ".meta.json"
const isMainName = (file: string): boolean => /^tool(?:\.|$)/.test(file)

/** Files that are never scripts: data, documents, and what editors leave behind. */
const neverScript = /(?:\.meta\.\w+|~|\.(?:bak|orig|rej|swp|tmp|md|txt|json|ya?ml|html?|css|csv|png|svg|ico|lock))$/i

/** The smoke test that mcp-bash writes beside a tool. */
const smokeTest = "smoke.sh"

function toCandidates(folder: string, names: readonly string[]): readonly Candidate[] {
  const files = names.filter((name) => !neverScript.test(name) && name !== smokeTest && isFile(join(folder, name)))
  const metaOf = (file: string): { readonly meta?: string } => {
    const meta = [`${file}${metaEnd}`, `${stemOf(file)}${metaEnd}`].find((one) => names.includes(one))
    return meta === undefined ? {} : { meta }
  }
  const main = files.filter(isMainName)
  const startable = main.filter((file) => isExecutable(join(folder, file)))
  const others = files.filter((file) => !isMainName(file) && metaOf(file).meta !== undefined)
  const named = [
    ...(startable.length > 0 ? startable : main).map((file) => ({ file, ...metaOf(file), isMain: true })),
    ...others.map((file) => ({ file, ...metaOf(file), isMain: false })),
  ]
  if (named.length > 0) return named
  const only = files.filter((file) => isExecutable(join(folder, file)))
  return only.length === 1 ? only.map((file) => ({ file, isMain: false })) : []
}

const stemOf = (file: string): string => file.replace(/\.[^.]*$/, "")

function isFile(path: string): boolean {
  const stats = lstatSync(path)
  return stats.isFile() || stats.isSymbolicLink()
}

function readTool({ root, folder, name, candidate }: ScriptFile): FolderContents {
  const path = join(name, candidate.file)
  const script = trustedPath(join(folder, candidate.file), root)
  if ("distrust" in script) return onlyProblems({ path, ...script.distrust })
  const head = readHead(script.real)
  const startFault = startProblem(script.real, head)
  if (startFault !== undefined) return onlyProblems({ path, ...startFault })
  const metadata = readMetadata({ root, folder, name, candidate }, head)
  if ("problem" in metadata) return onlyProblems(metadata.problem)
  const { fields, path: metaPath } = metadata
  const byDefault = candidate.isMain ? basename(name) : stemOf(candidate.file)
  const { tool, problems } = describe(fields, { name: byDefault, description: `Runs the script ${path}.` })
  if (problems.length > 0)
    return onlyProblems(...problems.map(({ field, ...problem }) => ({ path: `${metaPath}: ${field}`, ...problem })))
  const icons = withOwnIcons(tool, { root, folder })
  if ("problem" in icons) return onlyProblems({ path: `${metaPath}: icons`, ...icons.problem })
  const shellTool: ShellTool = {
    ...icons.tool,
    ...{ program: script.real, folder, root, metadata: JSON.stringify(fields) },
  }
  const refused = clientProblem(shellTool)
  if (refused !== undefined) return onlyProblems({ path: metaPath, ...refused })
  return { tools: [shellTool], problems: [], notes: notesOn(fields, tool, path) }
}

function notesOn(
  fields: Readonly<Record<string, unknown>>,
  { inputSchema }: DescribedTool,
  path: string,
): ToolProblem[] {
  const notes: ToolProblem[] = []
  if (fields.description === undefined)
    notes.push({ path, message: "has no description, which models need to choose a tool.", suggestion: "Describe it." })
  if (inputSchema.properties === undefined)
    notes.push({ path, message: "does not declare its arguments.", suggestion: "Add an inputSchema." })
  return notes
}
