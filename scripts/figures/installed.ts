// How many packages npm installs for a package, itself included: read from package-lock.json, on Linux with an x64
// processor. Peers that are not optional are installed, too.

import { readJson } from "./workspaces.ts"

interface Locked {
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
  readonly peerDependencies?: Names
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

type Names = Readonly<Record<string, string>>
type Lock = Readonly<Record<string, Locked>>

export const readLock = (): Lock => (readJson("package-lock.json") as { readonly packages: Lock }).packages

export function countInstalled(lock: Lock, folder: string): number {
  const installed = new Set<string>()
  const add = (path: string): void => {
    if (installed.has(path)) return
    installed.add(path)
    for (const name of neededBy(lock[path] ?? {})) {
      const foundPath = pathOf(lock, path, name)
      if (foundPath !== undefined && isForLinux(lock[foundPath] ?? {})) add(foundPath)
    }
  }
  add(folder)
  return installed.size
}

function neededBy({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta }: Locked) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  return [...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers]
}

/** Where Node finds a package that another one imports: in its own folder, or in one above. */
function pathOf(lock: Lock, importer: string, name: string): string | undefined {
  for (let folder = importer; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const locked = lock[path]
    if (locked !== undefined) return locked.link === true ? locked.resolved : path
    if (folder === "") return undefined
  }
}

const isForLinux = ({ os, cpu, libc }: Locked): boolean =>
  has(os, "linux") && has(cpu, "x64") && (libc === undefined || libc.includes("glibc"))

const has = (allowed: readonly string[] | undefined, value: string): boolean =>
  allowed === undefined ||
  allowed.includes(value) ||
  (allowed[0]?.startsWith("!") === true && !allowed.includes(`!${value}`))
