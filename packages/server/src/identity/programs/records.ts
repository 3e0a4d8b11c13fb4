// The record of a program that asks over HTTP. Only a hash of the key is stored.

import type { PrincipalId } from "@holdpoint/hub"
import type { AskRule } from "@holdpoint/hub/internal"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

/** A program with a key. The key contains the program's id, so that the record is found without a stored key. */
export interface Program extends KeptRecord {
  readonly name: string
  /** SHA-256 of the key. */
  readonly keyHash: string
  readonly may: AskRule
  /** The person who created the program. Absent when it was created on the command line. */
  readonly madeBy?: PrincipalId
  readonly createdAt: number
  /** The time of the last use. Written at most once a minute. */
  readonly lastUsedAt?: number
}

export const programKind: RecordKind<Program> = {
  name: "program",
  owner: () => allPrograms,
  dueAt: () => undefined,
  expiresAt: () => undefined,
}

export const allPrograms = "programs"
