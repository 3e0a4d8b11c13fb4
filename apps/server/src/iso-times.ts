// Times for programs that read --json: as ISO 8601 in place of milliseconds. What an asker or a person wrote stays as it is.

/** Members whose names end in `At`, and `at`, are times here. */
const isTime = (name: string): boolean => name === "at" || name.endsWith("At")

/** Their members have names that somebody else chose. */
const foreign: ReadonlySet<string> = new Set(["content", "context", "requestedSchema"])

export function withIsoTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIsoTimes)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, memberOf(name, member)]))
}

function memberOf(name: string, member: unknown): unknown {
  if (typeof member === "number" && isTime(name)) return new Date(member).toISOString()
  return foreign.has(name) ? member : withIsoTimes(member)
}
