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
import { type FileProblem, trustedPath } from "./trust.ts"

/** The tools of one folder, and the problems and warnings about its files. */
export interface FolderContents {
  readonly tools: readonly ShellTool[]
  readonly problems: readonly ToolProblem[]
  /** Warnings about what may be a mistake. They exclude no tool. */
  readonly notes: readonly ToolProblem[]
}

/** Reads the folder `name` as it is now. `root` is a real path that is trusted. */
export function readToolFolder(root: string, name: string): FolderContents {
  const relativeToRoot = (path: string): string => relative(root, path)
  const trustedFolder = trustedPath(join(root, name), root)
  if ("problem" in trustedFolder) return onlyProblems({ path: name, ...trustedFolder.problem })
  const folder = trustedFolder.realPath
  const names = readdirSync(folder).filter((name) => !name.startsWith("."))
  const candidates = toCandidates(folder, names)
  if (candidates.length === 0) {
    const orphan = names.find((name) => name.endsWith(metaEnd))
    if (orphan === undefined) return { ...noContents, notes: [{ path: name, ...noScript }] }
    return onlyProblems({
      path: relativeToRoot(join(folder, orphan)),
      message: "has no script beside it.",
      suggestion: "Add tool.sh.",
    })
  }
  const programs = candidates.filter(({ isMain }) => isMain)
  if (programs.length > 1) return onlyProblems({ path: name, ...toSeveralMainProblem(programs) })
  const contents = candidates.map((candidate) => readTool({ root, folder, name, candidate }))
  return {
    tools: contents.flatMap(({ tools }) => tools),
    problems: contents.flatMap(({ problems }) => problems),
    notes: contents.flatMap(({ notes }) => notes),
  }
}

const noContents: FolderContents = { tools: [], problems: [], notes: [] }
const onlyProblems = (...problems: readonly ToolProblem[]): FolderContents => ({ ...noContents, problems })

const noScript: FileProblem = {
  message: "has no script and is left out.",
  suggestion: "Add the script as tool.sh, tool.py or the like.",
}

const toSeveralMainProblem = (candidates: readonly Candidate[]): FileProblem => ({
  message: `has ${candidates.map(({ file }) => file).join(" and ")}, and only one of them can be the tool.`,
  suggestion: "Rename the others.",
})

const metaEnd = ".meta.json"
const isMainName = (file: string): boolean => /^tool(?:\.|$)/.test(file)

/** Files that are never scripts: data, documents, and what editors leave behind. */
const nonScriptPattern =
  /(?:\.meta\.\w+|~|\.(?:bak|orig|rej|swp|tmp|md|txt|json|ya?ml|html?|css|csv|png|svg|ico|lock))$/i

/** The smoke test that mcp-bash writes beside a tool. */
const smokeTest = "smoke.sh"

function toCandidates(folder: string, names: readonly string[]): readonly Candidate[] {
  const files = names.filter((name) => !nonScriptPattern.test(name) && name !== smokeTest && isFile(join(folder, name)))
  const metaOf = (file: string): { readonly meta?: string } => {
    const meta = [`${file}${metaEnd}`, `${stemOf(file)}${metaEnd}`].find((candidateName) =>
      names.includes(candidateName),
    )
    return meta === undefined ? {} : { meta }
  }
  const mainFiles = files.filter(isMainName)
  const startable = mainFiles.filter((file) => isExecutable(join(folder, file)))
  const otherScripts = files.filter((file) => !isMainName(file) && metaOf(file).meta !== undefined)
  const candidates = [
    ...(startable.length > 0 ? startable : mainFiles).map((file) => ({ file, ...metaOf(file), isMain: true })),
    ...otherScripts.map((file) => ({ file, ...metaOf(file), isMain: false })),
  ]
  if (candidates.length > 0) return candidates
  const executables = files.filter((file) => isExecutable(join(folder, file)))
  return executables.length === 1 ? executables.map((file) => ({ file, isMain: false })) : []
}

const stemOf = (file: string): string => file.replace(/\.[^.]*$/, "")

function isFile(path: string): boolean {
  const stats = lstatSync(path)
  return stats.isFile() || stats.isSymbolicLink()
}

function readTool({ root, folder, name, candidate }: ScriptFile): FolderContents {
  const path = join(name, candidate.file)
  const script = trustedPath(join(folder, candidate.file), root)
  if ("problem" in script) return onlyProblems({ path, ...script.problem })
  const head = readHead(script.realPath)
  const startFault = startProblem(script.realPath, head)
  if (startFault !== undefined) return onlyProblems({ path, ...startFault })
  const metadata = readMetadata({ root, folder, name, candidate }, head)
  if ("problem" in metadata) return onlyProblems(metadata.problem)
  const { fields, path: metaPath } = metadata
  const defaultName = candidate.isMain ? basename(name) : stemOf(candidate.file)
  const { tool, problems } = describe(fields, { name: defaultName, description: `Runs the script ${path}.` })
  if (problems.length > 0)
    return onlyProblems(...problems.map(({ field, ...problem }) => ({ path: `${metaPath}: ${field}`, ...problem })))
  const icons = withOwnIcons(tool, { root, folder })
  if ("problem" in icons) return onlyProblems({ path: `${metaPath}: icons`, ...icons.problem })
  const shellTool: ShellTool = {
    ...icons.tool,
    ...{ program: script.realPath, folder, root, metadata: JSON.stringify(fields) },
  }
  const listProblem = clientProblem(shellTool)
  if (listProblem !== undefined) return onlyProblems({ path: metaPath, ...listProblem })
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
