// The one way out. Whoever makes requests is given one of these; which addresses it allows is decided where it is made.

export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>
