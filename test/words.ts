// The rules of plain English that a machine can check, as data, and the places that break them. Pure.

export interface WordRule {
  readonly pattern: RegExp
  /** The suggestion: what to write instead. */
  readonly instead: string
}

/** Applied to every line of sources and documents, code included: names follow the same rules. */
export const wordRules: readonly WordRule[] = [
  { pattern: /(?<!")\bnobody\b/i, instead: "name the subject: “no caller may …”, “without a person …”" },
  { pattern: /\bwho(?:so)?ever\b/i, instead: "name the subject: “the first process to …”, “the person who …”" },
  {
    pattern:
      /(?<!\bthere |\bthere’s )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|other\b|fewer\b|later\b|way\b|need\b)[a-z]/i,
    instead: "“is not a …”; or “has no …”",
  },
  { pattern: /\bfor ever\b/i, instead: "“forever”; or say until when" },
  { pattern: /(?<!["?])\banew\b(?![&"])/i, instead: "“again”, “a new …”" },
  { pattern: /\bin earnest\b/i, instead: "“in production”" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "“fix”" },
  { pattern: /\bby whom\b/i, instead: "active: “who …”" },
  { pattern: /^\s*(?:\/\/|\/\*\*|\*) (?:Of|Whom) /, instead: "begin with the thing that the comment is about" },
  {
    pattern: /[.:;] Who(?:se|m)? (?!may|can|must|is|are|was|has)[^?]*[,.:;](?: |$)/,
    instead: "“The person who …”, “The client that …”",
  },
  {
    pattern:
      /\b(?:const|let|function|interface|type|class) (?:put|turn|way|play|book|ground|place|found|news|shown|told)\b(?! from| of)/i,
    instead: "a name that says what the thing is: “match”, “route”, “existing”, “position”, “visibleItems”",
  },
]

/** Each breach as `line: text → what to write instead`. */
export function breachesIn(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      wordRules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ instead }) => `${index + 1}: ${line.trim().slice(0, 120)} → ${instead}`),
    )
}
