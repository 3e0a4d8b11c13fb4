// The people of the demonstration.

export interface DemoUser {
  /** What they type, and who they are in every token. */
  readonly id: string
  readonly name: string
  readonly roles?: readonly string[]
}

export const demoUsers: readonly DemoUser[] = [
  { id: "alice", name: "Alice", roles: ["admin"] },
  { id: "bob", name: "Bob" },
]

/** Shown on the page: it keeps nobody out. */
export const demoPassword = "holdpoint"
