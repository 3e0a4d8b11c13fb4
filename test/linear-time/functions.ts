// Finds the exported functions of all sources that take a text, by reading the sources: their names, and the type of
// each parameter.

import { isUnder, sources, toCode } from "../guards/sources.ts"

export interface TextFunction {
  readonly path: string
  readonly name: string
  /** The types of the parameters as written. An optional parameter ends with “?”. */
  readonly parameters: readonly string[]
}

/** The exported functions with a parameter that is a text or any value. */
export function textFunctions(folders: readonly string[]): readonly TextFunction[] {
  return sources()
    .filter(({ path }) => path.endsWith(".ts") && isUnder(path, ...folders))
    .flatMap(({ path, text }) =>
      [...toCode(text).code.matchAll(declaration)].flatMap((match) => {
        const [whole, functionName, name = functionName ?? ""] = match
        const inside = insideBrackets(toCode(text).code, match.index + whole.length)
        const parameters = inside === undefined ? [] : atCommas(inside).map(typeOf)
        return parameters.some(isText) ? [{ path, name, parameters }] : []
      }),
    )
}

export const isText = (type: string): boolean => /^(?:string|unknown)(?: \| (?:undefined|null))?\??$/.test(type)

const declaration = /^export (?:function (\w+)(?:<[^(]*>)?|const (?=\w+(?:: [^=\n]+)? = (?:<[^(]*>)?\()(\w+)[^(]*)\(/gm

function insideBrackets(code: string, start: number): string | undefined {
  let depth = 1
  for (let at = start; at < code.length; at++) {
    if ("([{".includes(code[at] ?? " ")) depth++
    if (")]}".includes(code[at] ?? " ")) depth--
    if (depth === 0) return code.slice(start, at)
  }
  return undefined
}

function atCommas(list: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let part = ""
  for (const [at, character] of [...list].entries()) {
    if ("([{<".includes(character)) depth++
    if (")]}".includes(character) || (character === ">" && list[at - 1] !== "=")) depth--
    if (character === "," && depth === 0) {
      parts.push(part)
      part = ""
    } else part += character
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== "")
}

/** The type of a parameter. A parameter with a default value gets “?”, and its type from the value if it has no other. */
function typeOf(parameter: string): string {
  const [declared = "", value] = parameter.split(/ = (?!>)/)
  const colon = declared.startsWith("{") ? declared.lastIndexOf("}:") + 1 : declared.indexOf(":")
  const type = colon <= 0 ? (value?.startsWith('"') === true ? "string" : "") : declared.slice(colon + 1).trim()
  return value !== undefined || declared[colon - 1] === "?" ? `${type}?` : type
}
