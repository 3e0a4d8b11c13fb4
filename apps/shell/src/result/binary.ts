// The output of a script whose metadata says that it prints bytes of some type, such as an image. Pure.

import type { ContentBlock } from "@modelcontextprotocol/server"
import type { ShellTool } from "../tool.ts"
import { isObject, parseJson } from "./output.ts"

/** Undefined when the metadata has no `"holdpoint": {"outputType": "image/png"}`. */
export function toBinaryBlock(tool: ShellTool, stdout: Buffer): ContentBlock | undefined {
  const mimeType = outputTypeOf(tool)
  if (mimeType === undefined) return undefined
  const data = stdout.toString("base64")
  if (mimeType.startsWith("image/")) return { type: "image", data, mimeType }
  if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType }
  return { type: "resource", resource: { uri: `tool://${tool.name}/output`, mimeType, blob: data } }
}

function outputTypeOf({ metadata }: ShellTool): string | undefined {
  const value = parseJson(metadata)?.value
  const holdpointFields = isObject(value) ? value.holdpoint : undefined
  return isObject(holdpointFields) && typeof holdpointFields.outputType === "string"
    ? holdpointFields.outputType
    : undefined
}
