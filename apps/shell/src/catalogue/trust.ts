// Whether only the server's user and root can change a file. A script that others can change runs whatever they write,
// with the rights of the server.

import type { Stats } from "node:fs"
import { lstatSync, realpathSync } from "node:fs"
import { dirname, relative, sep } from "node:path"
import { isPrivateGroup } from "./private-group.ts"

/** Why a file is not used, and what to do about it. */
export interface Distrust {
  readonly message: string
  readonly suggestion?: string
}

/**
 * Follows links and returns the real path, or why the file is not used: it is outside of `root`, or others can change it
 * or a folder above it. `root` is a real path that `distrustOfRoot` accepts.
 */
export function trustedPath(path: string, root: string): { readonly real: string } | { readonly distrust: Distrust } {
  const real = realPathOf(path)
  if (real === undefined)
    return { distrust: { message: "does not exist, or is a link to a missing file.", suggestion: "Remove it." } }
  if (!isWithin(real, root))
    return {
      distrust: {
        message: `is a link out of the folder of the tools, to ${real}.`,
        suggestion: "Put the file itself here, or write a small script that starts the other one.",
      },
    }
  for (let current = real; current !== root; current = dirname(current)) {
    const distrust = distrustOf(current, lstatSync(current))
    if (distrust !== undefined) return { distrust }
  }
  return { real }
}

/** Why no script of this folder is used. `root` is a real path. */
export function distrustOfRoot(root: string): Distrust | undefined {
  const distrust = distrustOf(root, lstatSync(root))
  if (distrust !== undefined) return distrust
  for (let parent = dirname(root); ; parent = dirname(parent)) {
    const stats = lstatSync(parent)
    // In a folder with the sticky bit, such as /tmp, others cannot rename or remove what is not theirs.
    const above = (stats.mode & sticky) === 0 ? distrustOf(parent, stats) : distrustOfOwner(parent, stats)
    if (above !== undefined) return { ...above, message: `is below ${parent}, which ${above.message}` }
    if (parent === dirname(parent)) return undefined
  }
}

const sticky = 0o1000

function distrustOf(path: string, stats: Stats): Distrust | undefined {
  // On Windows, Node can read neither owners nor modes.
  if (process.getuid === undefined) return undefined
  const { mode, gid } = stats
  if ((mode & 0o002) !== 0)
    return { message: "can be changed by every user of this machine.", suggestion: `Run: chmod o-w ${quoted(path)}` }
  if ((mode & 0o020) !== 0 && !isPrivateGroup(gid))
    return {
      message: "can be changed by every member of its group.",
      suggestion: `Run: chmod g-w ${quoted(path)}`,
    }
  return distrustOfOwner(path, stats)
}

function distrustOfOwner(path: string, { uid }: Stats): Distrust | undefined {
  const serverUid = process.getuid?.()
  if (serverUid === undefined || uid === serverUid || uid === 0) return undefined
  return {
    message: `belongs to another user (${uid}; this server runs as ${serverUid}).`,
    suggestion: `Run the server as that user, or as root: chown ${serverUid} ${quoted(path)}`,
  }
}

export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

function isWithin(path: string, root: string): boolean {
  const from = relative(root, path)
  return from !== "" && from !== ".." && !from.startsWith(`..${sep}`)
}

/** For a line that can be pasted into a shell. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
