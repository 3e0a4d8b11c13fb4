// The record of a program that asks over HTTP. Of its key only a hash is kept.

import type { PrincipalId } from "../../core/principal.ts"
import type { AskRule } from "../../core/program.ts"
import type { KeptRecord, RecordKind } from "../../ports/records.ts"

/** A program with a key. Its id stands in the key, so that a key is found without being stored. */
export interface Program extends KeptRecord {
  readonly name: string
  /** SHA-256 of the key. */
  readonly keyHash: string
  readonly may: AskRule
  /** The person who made it; absent when it was made on the command line. */
  readonly madeBy?: PrincipalId
  readonly createdAt: number
  /** Written at most once a minute. */
  readonly lastUsedAt?: number
}

export const programKind: RecordKind<Program> = {
  name: "program",
  owner: () => allPrograms,
  dueAt: () => undefined,
  expiresAt: () => undefined,
}

export const allPrograms = "programs"
