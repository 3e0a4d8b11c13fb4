// Shortens an asker's message to one line. Pure.

/** Returns the first line, cut if it is long. The page of the question shows the whole message. */
export function shortened(message: string): string {
  const [line = "", ...more] = message.trim().split("\n")
  const characters = [...line]
  if (characters.length > longest) return `${characters.slice(0, longest).join("").trimEnd()}…`
  return more.length > 0 ? `${line} …` : line
}

const longest = 120
