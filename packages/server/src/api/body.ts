// Reads the JSON body of a request, up to a limit.

import { readRequestText } from "@holdpoint/fetching/internal"
import { HoldpointError } from "@holdpoint/hub"
import { isObject, isTooDeep, type Json } from "@holdpoint/hub/internal"

/** The most bytes of a body. A form has at most 64 KiB, and the other members of a question are short. */
const mostBytes = 256 * 1_024

/** Reads the body as an object. An empty body counts as `{}`. Throws `too_large` and `invalid_request`. */
export async function readJson(request: Request): Promise<Json> {
  const text = await readRequestText(request, mostBytes)
  if (text === undefined) throw new HoldpointError("too_large", `A body may have ${mostBytes / 1_024} KiB at most.`)
  if (text.trim() === "") return {}
  const value = parse(text)
  if (isObject(value) && !isTooDeep(value)) return value
  throw new HoldpointError("invalid_request", "The body must be a JSON object, and not a deeply nested one.")
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
