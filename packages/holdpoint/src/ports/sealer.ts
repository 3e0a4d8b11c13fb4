// Sealing: secrets are stored only in the sealed form that a `Sealer` returns.

import type { SealBinding, Sealed } from "../core/sealed.ts"

/** Encrypts and decrypts what is stored, and binds it to the place where it is kept. */
export interface Sealer {
  /** The key of the ring that new seals use. */
  readonly keyId: string
  /** With `previous`, uses the same data key and the next generation. */
  seal(binding: SealBinding, fields: Readonly<Record<string, string>>, previous?: Sealed): Sealed
  /** Throws `sealed_unreadable` when it was altered, moved, or sealed with a key that is not in the ring. */
  open(binding: SealBinding, sealed: Sealed): Readonly<Record<string, string>>
  /** Returns the same fields, with their data key wrapped by the current key. */
  rewrap(binding: SealBinding, sealed: Sealed): Sealed
}

/** Seals short texts that clients carry and send back. A token sealed for one purpose does not open for another. */
export interface Tokens {
  seal(purpose: string, text: string): string
  /** Undefined when it was altered, was sealed for another purpose, or with a key that is not in the ring. */
  open(purpose: string, token: string): string | undefined
}
