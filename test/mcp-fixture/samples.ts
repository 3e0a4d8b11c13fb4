// The smallest picture and sound that are well formed, and the shapes of results that several fixtures share.

import type { CallToolResult } from "@modelcontextprotocol/server"

/** One red pixel, as PNG. */
export const picture =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

/** A header without a single sample behind it, as WAV. */
export const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="

export function text(words: string): CallToolResult {
  return { content: [{ type: "text", text: words }] }
}
