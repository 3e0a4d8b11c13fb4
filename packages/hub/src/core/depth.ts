// Limits the nesting depth of input. Parsers accept any depth, but code that walks the value would overflow the stack,
// so deep input is refused at the edge.

export const mostLevels = 100

export const tooDeepWords = `is nested more than ${mostLevels} levels deep`

/**
 * Whether a value is nested too deeply. Descends no further than the limit, so that the check cannot overflow the
 * stack.
 */
export function isTooDeep(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1))
}
