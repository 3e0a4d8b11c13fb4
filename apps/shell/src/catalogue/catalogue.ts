// The tools of one folder, kept current: read again when something changes, and read for every call.

import { relative, resolve } from "node:path"
import type { Catalogue, ShellTool } from "../tool.ts"
import { type Inspection, inspectTools, rootOf, tryReadToolFolder } from "./inspect.ts"
import { toListed } from "./listed.ts"
import { trustProblemOfRoot } from "./trust.ts"
import { createFolderWatch } from "./watch.ts"

/** Reads and watches the tools of a folder, or of the folder `tools` below it. */
export function createCatalogue(path: string): Catalogue {
  const absolutePath = resolve(path)
  let inspection = inspectTools(absolutePath)
  const listeners = new Set<() => void>()
  const watch = createFolderWatch(() => refresh())
  const refresh = (): void => {
    const listBefore = listOf(inspection)
    inspection = inspectTools(absolutePath)
    watch.set(foldersToWatch(absolutePath, inspection))
    if (listOf(inspection) !== listBefore) for (const listener of [...listeners]) listener()
  }
  watch.set(foldersToWatch(absolutePath, inspection))
  return {
    tools: () => inspection.tools,
    find(name) {
      const listedTool = inspection.tools.find((tool) => tool.name === name)
      const currentTool = listedTool === undefined ? undefined : rereadTool(absolutePath, listedTool)
      if (currentTool !== undefined) return currentTool
      refresh()
      return inspection.tools.find((tool) => tool.name === name)
    },
    problems: () => inspection.problems,
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
function rereadTool(path: string, { name, root, folder }: ShellTool): ShellTool | undefined {
  if (rootOf(path) !== root || trustProblemOfRoot(root) !== undefined) return undefined
  return tryReadToolFolder(root, relative(root, folder)).tools.find((tool) => tool.name === name)
}

const listOf = ({ tools }: Inspection): string => JSON.stringify(tools.map(toListed))

/** A change in any of these folders may change the list. */
const foldersToWatch = (path: string, { root, folders }: Inspection): readonly string[] =>
  root === undefined ? [path] : [path, root, ...folders]
