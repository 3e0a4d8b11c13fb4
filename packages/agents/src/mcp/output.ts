// Converts the result of an MCP server to the output for a model.

import type { CallToolResult } from "@modelcontextprotocol/client"
import type { ContentPart, ToolOutput } from "../tool.ts"
import { errorOutput, textOutput } from "../tool.ts"

export function toToolOutput({ content, structuredContent, isError }: CallToolResult): ToolOutput {
  const parts = content.map(toPart)
  const text = parts.map((part) => (part.type === "text" ? part.text : `(a file: ${part.mediaType})`)).join("\n")
  if (isError === true) return errorOutput(text)
  if (parts.some(({ type }) => type === "file")) return { type: "content", value: parts }
  return structuredContent === undefined ? textOutput(text) : { type: "json", value: structuredContent }
}

function toPart(part: CallToolResult["content"][number]): ContentPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text }
    case "image":
    case "audio":
      return { type: "file", mediaType: part.mimeType, data: { type: "data", data: part.data } }
    case "resource_link":
      return { type: "text", text: `${part.name}: ${part.uri}` }
    case "resource":
      return { type: "text", text: "text" in part.resource ? part.resource.text : `(a file: ${part.resource.uri})` }
  }
}
