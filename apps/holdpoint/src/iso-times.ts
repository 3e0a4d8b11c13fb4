// Prints times as ISO 8601 instead of milliseconds, for programs that read --json. Content of askers and people is
// unchanged.

/** Members called `at`, or ending in `At`, are times. */
const isTime = (name: string): boolean => name === "at" || name.endsWith("At")

/** Members whose content was written by askers or people. */
const foreignMembers: ReadonlySet<string> = new Set(["content", "context", "requestedSchema"])

export function withIsoTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIsoTimes)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, memberOf(name, member)]))
}

function memberOf(name: string, member: unknown): unknown {
  if (typeof member === "number" && isTime(name)) return new Date(member).toISOString()
  return foreignMembers.has(name) ? member : withIsoTimes(member)
}
