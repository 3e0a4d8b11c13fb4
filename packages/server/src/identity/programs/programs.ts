// Creates, authenticates, lists and removes programs that ask over HTTP. A key is returned only once. Every process
// immediately refuses the key of a removed program.

import { randomBytes } from "node:crypto"
import type { PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { type AskRule, hashOf, isHashOf, newToken, programProblems, toPrincipalId } from "@holdpoint/hub/internal"
import type { NewEntry } from "@holdpoint/hub/storage"
import { allPrograms, type Program, programKind } from "./records.ts"

/** The programs of all tenants. Created by `createPrograms`. */
export interface Programs {
  /** Creates a program. Throws `invalid_config` with every problem. The key is returned once and never stored. */
  add(wanted: NewProgram): Promise<{ readonly program: Program; readonly key: string }>
  /** Finds the program with this key, and records its use. Undefined for any other text. */
  find(key: string): Promise<Program | undefined>
  /** Whether the program still exists, for requests that take long. */
  has(program: Program): Promise<boolean>
  /** Lists a tenant's programs by name, then by age. */
  list(tenant: string): Promise<readonly Program[]>
  /**
   * Removes a program. False when it was already removed. Its open questions stay open until they are answered or
   * expire.
   */
  remove(program: Pick<Program, "id" | "tenant">, by?: PrincipalId): Promise<boolean>
}

/** The data of a new program. */
export interface NewProgram {
  readonly tenant: string
  readonly name: string
  readonly may: AskRule
  readonly madeBy?: PrincipalId
}

/** The prefix of every key, for people and for tools that search for leaked keys. */
export const keyPrefix = "hp_"
const keyShape = /^hp_([0-9a-f]{16})_[\w-]{43}$/
/** The shortest interval between two writes of the last use. */
const usedEveryMs = 60_000
const pageSize = 200

/** The beginning of a program's key, which may be shown so that people recognise the key. */
export const shownKeyOf = ({ id }: Pick<Program, "id">): string => `${keyPrefix}${id}_…`

/** Creates the store of programs with keys. */
export function createPrograms({ storage, runtime }: ProgramsParts): Programs {
  const records = storage.records(programKind)

  async function noteUse(program: Program): Promise<Program> {
    const now = runtime.now()
    if (program.lastUsedAt !== undefined && now - program.lastUsedAt < usedEveryMs) return program
    const updated = { ...program, version: program.version + 1, lastUsedAt: now }
    // The write fails when a concurrent request wrote the record, or when the program was just removed. The next
    // request reads the record again.
    return (await records.replace(updated)) ? updated : program
  }

  return {
    async add({ tenant, name, may, madeBy }) {
      const problems = programProblems({ name, may })
      if (problems.length > 0) throw new HoldpointError("invalid_config", "The program cannot be added.", { problems })
      const id = randomBytes(8).toString("hex")
      const key = `${keyPrefix}${id}_${newToken()}`
      const by = madeBy === undefined ? {} : { madeBy: toPrincipalId(madeBy) }
      const createdAt = runtime.now()
      const program: Program = { id, tenant, version: 1, name, keyHash: hashOf(key), may, ...by, createdAt }
      if (await records.insert(program, entryOf("program_added", program, { at: createdAt, by: madeBy })))
        return { program, key }
      throw new HoldpointError("internal", "Two programs got the same id. Try again.")
    },
    async find(key) {
      const id = keyShape.exec(key)?.[1]
      const program = id === undefined ? undefined : await records.get(id)
      return program !== undefined && isHashOf(key, program.keyHash) ? noteUse(program) : undefined
    },
    has: async ({ id }) => (await records.get(id)) !== undefined,
    async list(tenant) {
      const programs: Program[] = []
      for (let afterId = ""; ; ) {
        const page = await records.list({ tenant, owner: allPrograms, afterId, limit: pageSize })
        programs.push(...page)
        const last = page.at(-1)
        if (last === undefined || page.length < pageSize)
          return programs.sort((a, b) => a.name.localeCompare(b.name) || a.createdAt - b.createdAt)
        afterId = last.id
      }
    },
    async remove({ id, tenant }, by) {
      // Retries, because requests of a busy program change the record concurrently.
      for (let program = await records.get(id); program !== undefined; program = await records.get(id)) {
        if (program.tenant !== tenant) return false
        if (await records.remove(program, entryOf("program_removed", program, { at: runtime.now(), by }))) return true
      }
      return false
    },
  }
}

interface ProgramsParts {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
}

function entryOf(
  kind: "program_added" | "program_removed",
  { id, tenant, name }: Program,
  { at, by }: { readonly at: number; readonly by: PrincipalId | undefined },
): NewEntry {
  return { id, tenant, kind, at, detail: { message: name, ...(by === undefined ? {} : { by: toPrincipalId(by) }) } }
}
