// A message of an asker in one short line. Pure.

/** The first line, cut where it is long. The page of the question has all of it. */
export function shortened(message: string): string {
  const [line = "", ...more] = message.trim().split("\n")
  const characters = [...line]
  if (characters.length > longest) return `${characters.slice(0, longest).join("").trimEnd()}…`
  return more.length > 0 ? `${line} …` : line
}

const longest = 120
