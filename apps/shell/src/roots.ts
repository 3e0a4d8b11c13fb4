// The folders that a call works in: the client's folders, if it names any and is on this machine; otherwise the folders
// that the project names in MCPBASH_ROOTS or config/roots.json.

import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { Server } from "@modelcontextprotocol/server"
import type { EnvironmentSettings, Root } from "./environment.ts"
import { isObject } from "./json.ts"
import { parseJson } from "./result/output.ts"

export interface RootsOptions extends Pick<EnvironmentSettings, "env"> {
  readonly report: (activity: string, error: unknown) => void
}

/** The roots of one client. Created by `createClientRoots`. */
export type ClientRoots = () => Promise<readonly Root[] | undefined>

/** How long a client may take to name its folders. A call waits for it. */
const timeoutMs = 2_000
const maxRoots = 100

/**
 * Asks a connected client of 2025 for its folders once, and again after it reports a change. The function returns
 * undefined for a client that cannot name folders.
 */
export function createClientRoots(server: Server, { report }: RootsOptions): ClientRoots {
  let roots: Promise<readonly Root[] | undefined> | undefined
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    roots = undefined
  })
  const list = async (): Promise<readonly Root[] | undefined> => {
    try {
      const { roots } = await server.listRoots(undefined, { timeout: timeoutMs })
      return roots.slice(0, maxRoots).flatMap(({ uri, name }) => toRoot(pathOf(uri), name))
    } catch (error) {
      report("asking a client for its folders", error)
      return undefined
    }
  }
  return async () => {
    if (server.getClientCapabilities()?.roots === undefined) return undefined
    roots ??= list()
    return roots
  }
}

/** The folders that the project names itself. Paths are relative to the project. */
export function projectRoots(project: string, { env, report }: RootsOptions): readonly Root[] {
  const configuredPaths = env.MCPBASH_ROOTS?.split(delimiter).filter((path) => path !== "") ?? []
  if (configuredPaths.length > 0) return configuredPaths.flatMap((path) => toRoot(resolve(project, path)))
  const file = join(project, "config", "roots.json")
  if (!existsSync(file)) return []
  try {
    const value = parseJson(readFileSync(file, "utf8"))?.value
    const roots = isObject(value) && Array.isArray(value.roots) ? value.roots : []
    return roots.slice(0, maxRoots).flatMap((root: unknown) => {
      if (typeof root === "string") return toRoot(resolve(project, root))
      if (!isObject(root) || typeof root.path !== "string") return []
      return toRoot(resolve(project, root.path), typeof root.name === "string" ? root.name : undefined)
    })
  } catch (error) {
    report("reading config/roots.json", error)
    return []
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    // The address is not a path on this machine.
    return undefined
  }
}

/** The root with its real path, because scripts compare real paths with it. Empty unless it is an existing folder. */
function toRoot(path: string | undefined, name?: string): readonly Root[] {
  if (path === undefined || path.includes("\n")) return []
  try {
    const realPath = realpathSync(path)
    return statSync(realPath).isDirectory() ? [{ path: realPath, ...(name === undefined ? {} : { name }) }] : []
  } catch {
    return []
  }
}
