// The tools of one folder, kept current: read again when something changes, and read for every call.

import { relative, resolve } from "node:path"
import type { Catalogue, ShellTool } from "../tool.ts"
import { type Inspection, inspectTools, rootOf, tryReadToolFolder } from "./inspect.ts"
import { toListed } from "./listed.ts"
import { distrustOfRoot } from "./trust.ts"
import { createFolderWatch } from "./watch.ts"

/** Reads and watches the tools of a folder, or of the folder `tools` below it. */
export function createCatalogue(path: string): Catalogue {
  const absolutePath = resolve(path)
  let current = inspectTools(absolutePath)
  const listeners = new Set<() => void>()
  const watch = createFolderWatch(() => refresh())
  const refresh = (): void => {
    const before = listOf(current)
    current = inspectTools(absolutePath)
    watch.set(foldersToWatch(absolutePath, current))
    if (listOf(current) !== before) for (const listener of [...listeners]) listener()
  }
  watch.set(foldersToWatch(absolutePath, current))
  return {
    tools: () => current.tools,
    find(name) {
      const listed = current.tools.find((tool) => tool.name === name)
      const reread = listed === undefined ? undefined : readAgain(absolutePath, listed)
      if (reread !== undefined) return reread
      refresh()
      return current.tools.find((tool) => tool.name === name)
    },
    problems: () => current.problems,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      listeners.clear()
      watch.close()
    },
  }
}

/** Reads the tool from its folder once more. Undefined when it is no longer there. */
function readAgain(path: string, { name, root, folder }: ShellTool): ShellTool | undefined {
  if (rootOf(path) !== root || distrustOfRoot(root) !== undefined) return undefined
  return tryReadToolFolder(root, relative(root, folder)).tools.find((tool) => tool.name === name)
}

const listOf = ({ tools }: Inspection): string => JSON.stringify(tools.map(toListed))

/** A change in any of these folders may change the list. */
const foldersToWatch = (path: string, { root, folders }: Inspection): readonly string[] =>
  root === undefined ? [path] : [path, root, ...folders]
