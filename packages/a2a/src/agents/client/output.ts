// Converts the reply of an A2A agent to the output for a model.

import type { ContentPart, ToolOutput } from "@holdpoint/agents/internal"
import { errorOutput, textOutput } from "@holdpoint/agents/internal"
import type { A2aReply } from "../../client/call.ts"
import type { A2aPart } from "../../client/parts.ts"

export function toToolOutput({ isError, parts }: A2aReply): ToolOutput {
  const content = parts.map(toContent)
  const text = content.map((part) => (part.type === "text" ? part.text : `(a file: ${part.mediaType})`)).join("\n")
  if (isError) return errorOutput(text)
  if (content.some(({ type }) => type === "file")) return { type: "content", value: content }
  const [onlyPart] = parts
  if (parts.length === 1 && onlyPart?.type === "data") return { type: "json", value: onlyPart.value }
  return textOutput(text === "" ? "The agent finished without a reply." : text)
}

function toContent(part: A2aPart): ContentPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text }
    case "data":
      return { type: "text", text: JSON.stringify(part.value) }
    case "file":
      return { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } }
    case "link":
      return { type: "text", text: part.name === undefined ? part.url : `${part.name}: ${part.url}` }
  }
}
