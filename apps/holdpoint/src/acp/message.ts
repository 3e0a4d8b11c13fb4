// Converts the person's message from ACP to the message parts of the run API, and back when a session is loaded. Pure.

import type { ContentBlock } from "@agentclientprotocol/sdk"
import type { UIMessage } from "ai"

export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly url: string; readonly filename?: string }

/** A linked file becomes a text with its address: agents do not read the files of the editor. */
export const toParts = (blocks: readonly ContentBlock[]): readonly MessagePart[] => blocks.flatMap(toPart)

function toPart(block: ContentBlock): readonly MessagePart[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }]
    case "image":
      return [{ type: "file", mediaType: block.mimeType, url: `data:${block.mimeType};base64,${block.data}` }]
    case "resource_link":
      return [{ type: "text", text: `[${block.title ?? block.name}](${block.uri})` }]
    case "resource":
      return [toContext(block.resource)]
    default:
      return []
  }
}

type Resource = Extract<ContentBlock, { type: "resource" }>["resource"]

function toContext(resource: Resource): MessagePart {
  if ("text" in resource) return { type: "text", text: `<file uri="${resource.uri}">\n${resource.text}\n</file>` }
  const mediaType = resource.mimeType ?? "application/octet-stream"
  return { type: "file", mediaType, url: `data:${mediaType};base64,${resource.blob}`, filename: resource.uri }
}

/** Converts a stored message to the blocks that the editor shows. */
export const toBlocks = ({ parts }: Pick<UIMessage, "parts">): readonly ContentBlock[] =>
  parts.flatMap((part): readonly ContentBlock[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }]
    return part.type === "file" ? toImage(part) : []
  })

/** An image as a block of the chat. Empty for other files, for which ACP has no block in a chat. */
export function toImage({ mediaType, url }: { mediaType: string; url: string }): readonly ContentBlock[] {
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  return data === undefined || !mediaType.startsWith("image/") ? [] : [{ type: "image", mimeType: mediaType, data }]
}
