// How deep a value is nested. What comes from elsewhere is refused at the edge when it is deeper than anything that people
// write: parsers take any depth, and what walks through it afterwards does not.

export const mostLevels = 100

export const tooDeepWords = `is nested more than ${mostLevels} levels deep`

/** Looks no further down than the limit, so that it cannot be caught by what it looks for. */
export function isTooDeep(value: unknown, levels = mostLevels): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1))
}
