// Hostile texts: shapes that make a pattern or a loop with a hidden square visible.

export interface Shape {
  readonly name: string
  /** Creates a text of about this many characters. */
  readonly make: (length: number) => string
}

/** A text of one repeated unit, with a beginning and an end that patterns may look for in vain. */
const repeated = (name: string, unit: string, { start = "", end = "" } = {}): Shape => ({
  name,
  make: (length) => `${start}${unit.repeat(Math.ceil(length / unit.length))}${end}`,
})

export const shapes: readonly Shape[] = [
  repeated("spaces and a letter", " ", { start: "a", end: "a" }),
  repeated("tabs and a letter", "\t", { start: "a", end: "a" }),
  repeated("line breaks and a letter", "\n", { start: "a", end: "a" }),
  repeated("Windows line breaks and a letter", "\r\n", { start: "a", end: "a" }),
  repeated("carriage returns and a letter", "\r", { start: "a", end: "a" }),
  repeated("dots and a letter", ".", { end: "a" }),
  repeated("letters", "a", { end: "!" }),
  repeated("capitals", "A", { end: "!" }),
  repeated("digits and a letter", "1", { end: "x" }),
  repeated("slashes and a letter", "/", { start: "https://a", end: "a" }),
  repeated("colons", ":"),
  repeated("commas and a letter", ",", { end: "a" }),
  repeated("equals signs and a letter", "=", { end: "!" }),
  repeated("hyphens and a dot", "-", { start: "a", end: "." }),
  repeated("at signs", "@"),
  repeated("hashes", "#", { end: "a" }),
  repeated("double quotes", '"', { end: "a" }),
  repeated("single quotes", "'", { end: "a" }),
  repeated("backslashes", "\\", { start: '"', end: "a" }),
  repeated("open brackets", "["),
  repeated("brackets of links", "[a]("),
  repeated("closing brackets and a letter", ")", { start: "https://a.example/", end: "a" }),
  repeated("open braces", "{"),
  repeated("open tags", "<a"),
  repeated("tags", "<a>"),
  repeated("comments", "<!--"),
  repeated("asterisks", "*", { end: "a" }),
  repeated("underscores", "_", { end: "a" }),
  repeated("backticks", "`", { end: "a" }),
  repeated("words", "a b "),
  repeated("names with dots", "a."),
  repeated("names with hyphens", "a-"),
  repeated("pairs", "a=b;"),
  repeated("quoted pairs", 'a="b", '),
  repeated("options", "a,"),
  repeated("lines", "a\n"),
  repeated("indented lines", "\n a"),
  repeated("lines of spaces", " \n"),
  repeated("list items", "- a\n"),
  repeated("addresses", "http://a "),
  repeated("percent signs", "%"),
  repeated("marks", "\u0301", { start: "a", end: "a" }),
  repeated("marks of directions", "\u202e", { end: "a" }),
  repeated("invisible characters", "\u200b", { end: "a" }),
  repeated("letters with marks", "e\u0301"),
  repeated("pairs of surrogates", "😀"),
  repeated("lone surrogates", "\ud83d"),
  repeated("zeros", "\0", { end: "a" }),
]
