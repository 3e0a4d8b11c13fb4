// The output of a script whose metadata says that it prints bytes of some type, such as an image. Pure.

import type { ContentBlock } from "@modelcontextprotocol/server"
import type { ShellTool } from "../tool.ts"

/** Undefined when the metadata has no `"holdpoint": {"outputType": "image/png"}`. */
export function toBinaryBlock(tool: ShellTool, stdout: Buffer): ContentBlock | undefined {
  const { outputType: mimeType } = tool
  if (mimeType === undefined) return undefined
  const data = stdout.toString("base64")
  if (mimeType.startsWith("image/")) return { type: "image", data, mimeType }
  if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType }
  return { type: "resource", resource: { uri: `tool://${tool.name}/output`, mimeType, blob: data } }
}
