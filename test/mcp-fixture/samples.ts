// The smallest well-formed picture and sound, and the results that several fixtures share.

import type { CallToolResult } from "@modelcontextprotocol/server"

/** One red pixel, as PNG. */
export const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

/** A WAV file with a header and no samples. */
export const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

export function text(words: string): CallToolResult {
  return { content: [{ type: "text", text: words }] }
}
