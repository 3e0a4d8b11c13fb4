// The public names of each package: what its entries export, types included.

import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { toCode } from "../../test/guards/sources.ts"
import type { Workspace } from "./workspaces.ts"
import { root } from "./workspaces.ts"

export interface NameCount {
  readonly name: string
  readonly entries: number
  /** The names of the front entry. */
  readonly front: number
  /** The sum over all entries. */
  readonly all: number
}

export function countNames({ folder, name, exports }: Workspace): NameCount {
  const counts = Object.entries(exports).map(([entry, file]) => ({
    entry,
    count: namesOf(join(root, folder, file)).size,
  }))
  return {
    name,
    entries: counts.length,
    front: counts.find(({ entry }) => entry === ".")?.count ?? 0,
    all: counts.reduce((sum, { count }) => sum + count, 0),
  }
}

/** The names that a module exports, also those of the modules that it exports whole. */
export function namesOf(path: string): ReadonlySet<string> {
  const { code, literals } = toCode(readFileSync(path, "utf8"))
  const listed = [...code.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap(([, names = ""]) =>
    names.split(",").flatMap((name) => /([\w$]+)\s*$/.exec(name)?.[1] ?? []),
  )
  const declared = [...code.matchAll(declaration)].map(([, name = ""]) => name)
  const whole = [...code.matchAll(/\bexport\s+\*\s+from\s+"(\d+)"/g)].flatMap(([, index]) => [
    ...namesOf(join(dirname(path), literals[Number(index)] ?? "")),
  ])
  return new Set([...listed, ...declared, ...whole])
}

const declaration =
  /\bexport\s+(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\s+([\w$]+)/g
