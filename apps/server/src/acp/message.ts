// The person's message, as an editor sends it, in the parts that the run API knows; and back, when a session is loaded.
// Pure.

import type { ContentBlock } from "@agentclientprotocol/sdk"
import type { UIMessage } from "ai"

export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly url: string; readonly filename?: string }

/** A file that the editor names is a text: agents read no files of the editor. */
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

/** The message of an earlier turn. */
export const toBlocks = ({ parts }: Pick<UIMessage, "parts">): readonly ContentBlock[] =>
  parts.flatMap((part): readonly ContentBlock[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }]
    return part.type === "file" ? toImage(part) : []
  })

/** Files that are not images are not shown again: an editor has no block for them in a chat. */
export function toImage({ mediaType, url }: { mediaType: string; url: string }): readonly ContentBlock[] {
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  return data === undefined || !mediaType.startsWith("image/") ? [] : [{ type: "image", mimeType: mediaType, data }]
}
