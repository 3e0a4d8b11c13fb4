// The pieces of a JSON Schema that several kinds of field share, read and reported. Schemas here come from
// JSON.parse, so they have no getters, no cycles and no numbers that are not finite.

import { type Advice, adviceOn, harmlessKeywords, type JsonSchema } from "./advice.ts"
import { countCharacters, isShowable, isStorable } from "./characters.ts"
import { formLimits } from "./form.ts"

export type Report = (path: string, advice: Advice) => void

export interface SchemaReader {
  readonly name: string
  readonly path: string
  readonly report: Report
}

export function hasKeyword(schema: JsonSchema, keyword: string): boolean {
  return Object.hasOwn(schema, keyword)
}

/** Reports every keyword that is neither in `knownKeywords` nor harmless. */
export function reportOthers(schema: JsonSchema, path: string, knownKeywords: readonly string[], report: Report): void {
  for (const keyword of Object.keys(schema)) {
    if (knownKeywords.includes(keyword) || harmlessKeywords.includes(keyword)) continue
    report(path === "" ? keyword : `${path}.${keyword}`, adviceOn(keyword, schema))
  }
}

export function isShort(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && isStorable(value) && isShowable(value) && countCharacters(value) <= maxLength
}

export function tooLongAdvice(part: "title" | "description" | "option"): Advice {
  return {
    message: `This must be displayable text of at most ${formLimits[part]} characters.`,
    suggestion: "Shorten it, and leave out control characters and lone surrogates.",
  }
}

export function readLabels(schema: JsonSchema, { path, report }: SchemaReader) {
  const labels: { title?: string; description?: string } = {}
  for (const keyword of ["title", "description"] as const) {
    const label = schema[keyword]
    if (label === undefined) continue
    if (isShort(label, formLimits[keyword])) labels[keyword] = label
    else report(`${path}.${keyword}`, tooLongAdvice(keyword))
  }
  return labels
}

type Pair = readonly ["minLength", "maxLength"] | readonly ["minItems", "maxItems"]

export function readCounts<P extends Pair>(schema: JsonSchema, pair: P, { path, report }: SchemaReader) {
  const counts: { [K in P[number]]?: number } = {}
  for (const keyword of pair as readonly P[number][]) {
    const value = schema[keyword]
    if (value === undefined) continue
    if (Number.isSafeInteger(value) && Number(value) >= 0) counts[keyword] = Number(value)
    else
      report(`${path}.${keyword}`, { message: "This must be a whole number, zero or more.", suggestion: "Write one." })
  }
  const [lower, upper] = pair as readonly [P[number], P[number]]
  if ((counts[lower] ?? 0) > (counts[upper] ?? Number.POSITIVE_INFINITY)) {
    report(`${path}.${lower}`, { message: `${lower} is more than ${upper}.`, suggestion: "Swap them?" })
  }
  return counts
}
