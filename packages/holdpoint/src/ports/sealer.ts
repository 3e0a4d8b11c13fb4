// Sealing. Whoever keeps a secret gives it away here and keeps what comes back.

import type { SealBinding, Sealed } from "../core/sealed.ts"

export interface Sealer {
  /** The key of the ring that new seals use. */
  readonly keyId: string
  /** With `previous`, under the same data key and with the next generation. */
  seal(place: SealBinding, fields: Readonly<Record<string, string>>, previous?: Sealed): Sealed
  /** Throws `sealed_unreadable` when it was altered, moved, or sealed with a key that is not in the ring. */
  open(place: SealBinding, sealed: Sealed): Readonly<Record<string, string>>
  /** The same fields, the data key wrapped by the current key. */
  rewrap(place: SealBinding, sealed: Sealed): Sealed
}

/** Seals short texts that travel through other people's hands and come back. One purpose never opens another's. */
export interface Tokens {
  seal(purpose: string, text: string): string
  /** Undefined when it was altered, was sealed for another purpose, or with a key that is not in the ring. */
  open(purpose: string, token: string): string | undefined
}
