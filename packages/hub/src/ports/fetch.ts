// Outbound HTTP. Code that makes requests is given a `Fetch`; its creator decides which addresses it allows.

/** A `fetch` function for the outbound requests of the vault and of sign-in. */
export type Fetch = (
  input: string | URL,
  /** `timeoutMs` replaces the time limit of a guarded fetch for this request. */
  init?: RequestInit & { readonly timeoutMs?: number },
) => Promise<Response>
