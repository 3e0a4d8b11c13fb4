// Questions as lines of JSON in the text of a reply, for clients that opted in because they read only text. The lines
// are removed from the history that such clients send back, and so are lines of a model that imitate them.

import type { StreamEvent } from "@holdpoint/hub/stream"
import { parseObject } from "../body.ts"

/** The question as JSON, on a separate line, with the nonce of the response: a line without it is the model's. */
export const toEnvelope = (event: StreamEvent, nonce: string | undefined): string =>
  `\n${JSON.stringify({ nonce, ...event })}\n`

/** The text without the lines that contain questions. */
export const withoutEnvelopes = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !isEnvelope(line))
    .join("\n")
    .trim()

const isEnvelope = (line: string): boolean =>
  line.includes('"elicitationId"') && String(parseObject(line)?.type).startsWith("elicitation-")
