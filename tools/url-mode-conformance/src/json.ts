// Reads messages of unknown shape: the server under test may send anything.

export type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The value at this path; undefined where the path ends early. */
export function dig(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const name of path) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}

/** The messages of a body: one, or those of a batch. Empty when the text is not JSON. */
export function readMessages(text: string): readonly Json[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord)
  } catch {
    return []
  }
}

/** Whether a member of this name occurs at any depth. */
export function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasMember(item, name))
  return isRecord(value) && (Object.hasOwn(value, name) || Object.values(value).some((item) => hasMember(item, name)))
}

/** Shortens a value for reports. */
export function brief(value: unknown, maxLength = 300): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`
}
