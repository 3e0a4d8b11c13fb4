// Outbound HTTP. Code that makes requests is given a `Fetch`; its creator decides which addresses it allows.

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>
