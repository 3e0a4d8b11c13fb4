// Whether only the server's user and root can change a file. A script that others can change runs whatever they write,
// with the rights of the server.

import type { Stats } from "node:fs"
import { lstatSync, realpathSync } from "node:fs"
import { dirname, relative, sep } from "node:path"
import { isPrivateGroup } from "./private-group.ts"

/** Why a file is not used, and what to do about it. */
export interface FileProblem {
  readonly message: string
  readonly suggestion?: string
}

/**
 * Follows links and returns the real path, or the problem: the file is outside of `root`, or others can change it
 * or a folder above it. `root` is a real path that `trustProblemOfRoot` accepts.
 */
export function trustedPath(
  path: string,
  root: string,
): { readonly realPath: string } | { readonly problem: FileProblem } {
  const resolvedPath = realPathOf(path)
  if (resolvedPath === undefined)
    return { problem: { message: "does not exist, or is a link to a missing file.", suggestion: "Remove it." } }
  if (!isWithin(resolvedPath, root))
    return {
      problem: {
        message: `is a link that leads out of the folder of the tools, to ${resolvedPath}.`,
        suggestion: "Put the file itself here, or write a small script that starts the other one.",
      },
    }
  for (let ancestor = resolvedPath; ancestor !== root; ancestor = dirname(ancestor)) {
    const problem = trustProblemOf(ancestor, lstatSync(ancestor))
    if (problem !== undefined) return { problem }
  }
  return { realPath: resolvedPath }
}

/** Why no script of this folder is used. `root` is a real path. */
export function trustProblemOfRoot(root: string): FileProblem | undefined {
  const problem = trustProblemOf(root, lstatSync(root))
  if (problem !== undefined) return problem
  for (let parent = dirname(root); ; parent = dirname(parent)) {
    const stats = lstatSync(parent)
    // In a folder with the sticky bit, such as /tmp, others cannot rename or remove what is not theirs.
    const parentProblem = (stats.mode & stickyBit) === 0 ? trustProblemOf(parent, stats) : ownerProblemOf(parent, stats)
    if (parentProblem !== undefined)
      return { ...parentProblem, message: `is below ${parent}, which ${parentProblem.message}` }
    if (parent === dirname(parent)) return undefined
  }
}

const stickyBit = 0o1000

function trustProblemOf(path: string, stats: Stats): FileProblem | undefined {
  // On Windows, Node can read neither owners nor modes.
  if (process.getuid === undefined) return undefined
  const { mode, gid } = stats
  if ((mode & 0o002) !== 0)
    return {
      message: "can be changed by every user of this machine.",
      suggestion: `Run: chmod o-w ${quoteForShell(path)}`,
    }
  if ((mode & 0o020) !== 0 && !isPrivateGroup(gid))
    return {
      message: "can be changed by every member of its group.",
      suggestion: `Run: chmod g-w ${quoteForShell(path)}`,
    }
  return ownerProblemOf(path, stats)
}

function ownerProblemOf(path: string, { uid }: Stats): FileProblem | undefined {
  const serverUid = process.getuid?.()
  if (serverUid === undefined || uid === serverUid || uid === 0) return undefined
  return {
    message: `belongs to another user (${uid}; this server runs as ${serverUid}).`,
    suggestion: `Run the server as that user, or as root: chown ${serverUid} ${quoteForShell(path)}`,
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
  const relativePath = relative(root, path)
  return relativePath !== "" && relativePath !== ".." && !relativePath.startsWith(`..${sep}`)
}

/** Quotes a path for a command line that people can paste into a shell. */
export const quoteForShell = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
