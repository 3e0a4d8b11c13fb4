// Statements whose parameters are members of an input row, `$name`, turned into statements with numbered parameters.

export interface Placed {
  readonly text: string
  /** The member of an input row that belongs to each parameter, in order. */
  readonly members: readonly string[]
}

/** Numbers the parameters of a statement, after those that `before` has. Parameters with a number stay as they are. */
export function toPlaced(text: string, mark: "?" | "$", before = 0): Placed {
  const members: string[] = []
  const placed = text.replace(/\$([a-z_]+|\d+)/g, (_, name: string) => {
    if (/^\d/.test(name)) return `${mark}${name}`
    if (!members.includes(name)) members.push(name)
    return `${mark}${before + members.indexOf(name) + 1}`
  })
  return { text: placed, members }
}
