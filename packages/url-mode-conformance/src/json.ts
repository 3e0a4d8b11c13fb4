// Reads messages of unknown shape: the server under test may send anything.

export type Json = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The value at this path; undefined where the path ends early. */
export function dig(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (!isRecord(found) || !Object.hasOwn(found, name)) return undefined
    found = found[name]
  }
  return found
}

/** A message, or every message of a batch; none when the text is not JSON. */
export function readMessages(text: string): readonly Json[] {
  try {
    const read: unknown = JSON.parse(text)
    return (Array.isArray(read) ? read : [read]).filter(isRecord)
  } catch {
    return []
  }
}

/** Whether a member of this name occurs at any depth. */
export function bears(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((item) => bears(item, name))
  return isRecord(value) && (Object.hasOwn(value, name) || Object.values(value).some((item) => bears(item, name)))
}

/** For reports: short, on one line. */
export function brief(value: unknown, most = 300): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")
  return text.length <= most ? text : `${text.slice(0, most)}…`
}
