// What a sealed set of secrets looks like from outside. Only the vault can open it.

/** Fields sealed with a data key of their own, which is wrapped by a key of the ring. All text is base64url. */
export interface Sealed {
  /** The key of the ring that wraps the data key. */
  readonly keyId: string
  readonly wrapped: string
  /** Raised each time the fields are replaced, and bound to each of them. */
  readonly generation: number
  readonly fields: Readonly<Record<string, string>>
}

/** What a sealed record belongs to. Moved elsewhere, it does not open. */
export interface SealBinding {
  readonly tenant: string
  readonly owner: string
  readonly record: string
}
