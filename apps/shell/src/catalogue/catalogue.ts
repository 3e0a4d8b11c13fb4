// The tools of one folder, kept current: read again when something changes, and read for every call.

import { relative, resolve } from "node:path"
import type { Catalogue, ShellTool } from "../tool.ts"
import { type Inspection, inspectTools, reading, rootOf } from "./inspect.ts"
import { toListed } from "./listed.ts"
import { distrustOfRoot } from "./trust.ts"
import { createFolderWatch } from "./watch.ts"

/** Reads and watches the tools of a folder, or of the folder `tools` below it. */
export function createCatalogue(path: string): Catalogue {
  const given = resolve(path)
  let current = inspectTools(given)
  const listeners = new Set<() => void>()
  const watch = createFolderWatch(() => look())
  const look = (): void => {
    const before = listOf(current)
    current = inspectTools(given)
    watch.set(foldersOf(given, current))
    if (listOf(current) !== before) for (const listener of [...listeners]) listener()
  }
  watch.set(foldersOf(given, current))
  return {
    tools: () => current.tools,
    find(name) {
      const known = current.tools.find((tool) => tool.name === name)
      const now = known === undefined ? undefined : again(given, known)
      if (now !== undefined) return now
      look()
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

/** The same tool, read from the same folder once more. Undefined when it is not there any more. */
function again(given: string, { name, root, folder }: ShellTool): ShellTool | undefined {
  if (rootOf(given) !== root || distrustOfRoot(root) !== undefined) return undefined
  return reading(root, relative(root, folder)).tools.find((tool) => tool.name === name)
}

const listOf = ({ tools }: Inspection): string => JSON.stringify(tools.map(toListed))

/** The folders in which a change may change the list. */
const foldersOf = (given: string, { root, folders }: Inspection): readonly string[] =>
  root === undefined ? [given] : [given, root, ...folders]
