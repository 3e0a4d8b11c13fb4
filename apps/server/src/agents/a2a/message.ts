// A message of a client as the person's message of a run, and back. Nothing in metadata is read: neither who speaks nor
// what was approved can be asserted there.

import type { Message, Part } from "@a2a-js/sdk"
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors"
import { readAnswers } from "@holdpoint/sdk/a2a"
import type { UIMessage } from "ai"
import { isObject, type ReadMessage, readMessage } from "../http/body.ts"

/** A part with text. */
export const textPart = (value: string): Part => ({
  content: { $case: "text", value },
  ...{ mediaType: "", metadata: undefined, filename: "" },
})

/** The kinds of files that agents take, as their cards say. Whether a model can read one is seen when it does. */
export const inputModes: readonly string[] = [
  ...["text/plain", "application/json", "text/markdown", "text/csv", "application/pdf"],
  ...["image/png", "image/jpeg", "image/gif", "image/webp", "audio/mpeg", "audio/wav"],
]

/** The parts as the run API takes them. Each part says what it is, or the whole message is refused. */
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
      throw new ContentTypeNotSupportedError("Files are not fetched from elsewhere. Send the file itself, as raw.")
    case undefined:
      throw new ContentTypeNotSupportedError("A message has parts of the kinds text, raw and data.")
  }
}

/** The parts of the person's message, as they are shown in a task's history. */
export const toA2aParts = ({ parts }: UIMessage): Part[] => parts.flatMap(toA2aPart)

function toA2aPart(part: UIMessage["parts"][number]): readonly Part[] {
  if (part.type === "text") return [textPart(part.text)]
  if (part.type !== "file") return []
  const base64 = /^data:[^,]*;base64,(.*)$/s.exec(part.url)?.[1]
  if (base64 === undefined) return []
  const { mediaType, filename = "" } = part
  return [{ content: { $case: "raw", value: Buffer.from(base64, "base64") }, mediaType, filename, metadata: undefined }]
}

/** The text of a message that is meant as an answer. */
export const textOf = ({ parts }: Message): string =>
  parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("\n")

/** What tells two messages with the same id apart. */
export const contentOf = ({ parts }: Message): unknown =>
  parts.map(({ content, mediaType, filename }) => [
    content?.$case,
    content?.$case === "raw" ? Buffer.from(content.value).toString("base64") : toPlain(content?.value),
    mediaType,
    filename,
  ])

/** Members in one order, as JSON leaves it open. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isObject(value)) return value
  return Object.keys(value)
    .sort()
    .map((name) => [name, toPlain(value[name])])
}
