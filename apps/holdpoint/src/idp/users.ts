// The demo's users.

export interface DemoUser {
  /** The user name, and the `sub` claim of every token. */
  readonly id: string
  readonly name: string
  readonly roles?: readonly string[]
}

export const demoUsers: readonly DemoUser[] = [
  { id: "alice", name: "Alice", roles: ["admin"] },
  { id: "bob", name: "Bob" },
]

/** The user's address, in a domain that is reserved for examples (RFC 2606): no message can reach it. */
export const emailOf = ({ id }: DemoUser): string => `${id}@example.com`
