// Shortens an asker's message to one line. Pure.

/** Returns the first line, cut if it is long. The page of the question shows the whole message. */
export function shorten(message: string): string {
  const [line = "", ...otherLines] = message.trim().split("\n")
  const characters = [...line]
  if (characters.length > longest) return `${characters.slice(0, longest).join("").trimEnd()}…`
  return otherLines.length > 0 ? `${line} …` : line
}

const longest = 120
