// The stored form of sealed secrets. Only a sealer can open it.

/** Fields sealed with their own data key, which a key of the key ring wraps. All text is base64url. */
export interface Sealed {
  /** The key of the ring that wraps the data key. */
  readonly keyId: string
  readonly wrapped: string
  /** Incremented each time the fields are replaced, and bound to each of them. */
  readonly generation: number
  readonly fields: Readonly<Record<string, string>>
}

/** The identity that sealed data is bound to. Sealed data that was copied to another record cannot be opened. */
export interface SealBinding {
  readonly tenant: string
  readonly owner: string
  readonly record: string
}
