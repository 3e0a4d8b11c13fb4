// Statements whose parameters are members of an input row, `$name`, turned into statements with numbered parameters.

export interface NumberedStatement {
  readonly text: string
  /** The member of an input row that belongs to each parameter, in order. */
  readonly members: readonly string[]
}

/** Numbers the named parameters of a statement, from `parametersBefore` + 1. Parameters with a number stay as they are. */
export function toNumbered(text: string, mark: "?" | "$", parametersBefore = 0): NumberedStatement {
  const members: string[] = []
  const numberedText = text.replace(/\$([a-z_]+|\d+)/g, (_, name: string) => {
    if (/^\d/.test(name)) return `${mark}${name}`
    if (!members.includes(name)) members.push(name)
    return `${mark}${parametersBefore + members.indexOf(name) + 1}`
  })
  return { text: numberedText, members }
}
