// Sealing: secrets are stored only in the sealed form that a `Sealer` returns.

import type { SealBinding, Sealed } from "../core/sealed.ts"

/** Encrypts and decrypts stored secrets, and binds each to its record. */
export interface Sealer {
  /** The key of the ring that new seals use. */
  readonly keyId: string
  /** With `previous`, uses the same data key and the next generation. */
  seal(binding: SealBinding, fields: Readonly<Record<string, string>>, previous?: Sealed): Sealed
  /** Opens sealed fields. Throws `sealed_unreadable` when they were altered, moved, or sealed with an unknown key. */
  open(binding: SealBinding, sealed: Sealed): Readonly<Record<string, string>>
  /** Returns the same fields, with their data key wrapped by the current key. */
  rewrap(binding: SealBinding, sealed: Sealed): Sealed
}

/** Seals short texts that clients carry and send back. A token sealed for one purpose does not open for another. */
export interface Tokens {
  seal(purpose: string, text: string): string
  /** Opens a token. Undefined when it was altered, or sealed for another purpose or with an unknown key. */
  open(purpose: string, token: string): string | undefined
}
