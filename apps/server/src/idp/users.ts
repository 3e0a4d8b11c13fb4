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
