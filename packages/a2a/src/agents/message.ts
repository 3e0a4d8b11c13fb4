// Converts a client's message to the person's message of a run, and back. Metadata is ignored, so that it cannot assert
// a speaker or an approval.

import type { Message, Part } from "@a2a-js/sdk"
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors"
import { isObject, type ReadMessage, readMessage } from "@holdpoint/agents/internal"
import type { UIMessage } from "ai"
import { readAnswers } from "../parts.ts"

/** Creates a text part. */
export const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  ...{ mediaType: "", metadata: undefined, filename: "" },
})

/** The media types in the cards of all agents. Whether a model supports a type shows only in its reply. */
export const inputModes: readonly string[] = [
  ...["text/plain", "application/json", "text/markdown", "text/csv", "application/pdf"],
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "audio/mpeg", "audio/wav"],
]

/** Converts the parts for the run API. Throws if the message has an answer, or a part that agents cannot read. */
export async function toRunMessage({ messageId, parts }: Message): Promise<ReadMessage> {
  const { answers, isMalformed } = readAnswers(parts)
  if (answers.length > 0 || isMalformed)
    throw new RequestMalformedError("An answer to a question needs the id of its task. Send it with taskId.")
  const read = await readMessage({ id: messageId, role: "user", parts: parts.map(toRunPart) })
  if (!(read instanceof Response)) return read
  const { detail = "" } = (await read.json()) as { readonly detail?: string }
  throw new RequestMalformedError(detail)
}

const text = (value: string) => ({ type: "text", text: value })

function toRunPart({ content, mediaType, filename }: Part) {
  switch (content?.$case) {
    case "text":
      return text(content.value)
    case "data":
      return text(JSON.stringify(content.value ?? null))
    case "raw": {
      if (!inputModes.includes(mediaType.toLowerCase()))
        throw new ContentTypeNotSupportedError(`A file needs one of these as its mediaType: ${inputModes.join(", ")}.`)
      const url = `data:${mediaType};base64,${Buffer.from(content.value).toString("base64")}`
      return { type: "file", mediaType, url, ...(filename === "" ? {} : { filename }) }
    }
    case "url":
      throw new ContentTypeNotSupportedError(
        "The server does not fetch files by URL. Send the file itself, in a `raw` part.",
      )
    case undefined:
      throw new ContentTypeNotSupportedError("The parts of a message must be of the kind text, raw or data.")
  }
}

/** Converts the parts of the person's message for the history of a task. */
export const toA2aParts = ({ parts }: UIMessage): Part[] => parts.flatMap(toA2aPart)

function toA2aPart(part: UIMessage["parts"][number]): readonly Part[] {
  if (part.type === "text") return [textPart(part.text)]
  if (part.type !== "file") return []
  const base64 = /^data:[^,]*;base64,(.*)$/s.exec(part.url)?.[1]
  if (base64 === undefined) return []
  const { mediaType, filename = "" } = part
  return [{ content: { $case: "raw", value: Buffer.from(base64, "base64") }, mediaType, filename, metadata: undefined }]
}

/** The text of a message to an existing task, which is read as an answer. */
export const textOf = ({ parts }: Message): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("\n")

/** The content of a message, to distinguish two messages with the same id. */
export const contentOf = ({ parts }: Message): unknown =>
  parts.map(({ content, mediaType, filename }) => [
    content?.$case,
    content?.$case === "raw" ? Buffer.from(content.value).toString("base64") : toPlain(content?.value),
    mediaType,
    filename,
  ])

/** The value with sorted members, because their order has no meaning in JSON. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isObject(value)) return value
  return Object.keys(value)
    .sort()
    .map((name) => [name, toPlain(value[name])])
}
