// Reads foreign JSON by dotted paths (`user.name`, `items.0.id`). Own properties only, never the prototype.

/** The value at the path; undefined when there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value
  for (const name of path.split(".")) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return current
}

/** The text or number at the path; an empty text counts as absent. */
export function readPath(value: unknown, path: string): string | number | undefined {
  const member = valueAt(value, path)
  return (typeof member === "string" && member !== "") || typeof member === "number" ? member : undefined
}

/** The first text found at one of the paths, made safe to show. */
export function nameFrom(value: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const name = toLine(String(readPath(value, path) ?? ""))
    if (name !== "") return name
  }
  return undefined
}

/** Makes foreign text safe for one line: no control characters, and at most 200 characters. */
function toLine(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim()]
  return characters.length > 200 ? `${characters.slice(0, 199).join("")}…` : characters.join("")
}
