// The published packages of this repository, by their manifests.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../", import.meta.url))

export interface Workspace {
  /** The folder, from the root of the repository. */
  readonly folder: string
  readonly name: string
  /** The entries for users, which are not those for our other packages. */
  readonly exports: Readonly<Record<string, string>>
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string>>
}

export function readWorkspaces(): readonly Workspace[] {
  return ["packages", "apps", "tools"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => posix.join(folder, name)))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: readJson(`${folder}/package.json`) as Manifest }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest: { name, exports = {} } }) => ({ folder, name, exports: publicIn(exports) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

const publicIn = (exports: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(exports).filter(([entry, file]) => entry !== "./internal" && file.endsWith(".ts")))

export const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"))
