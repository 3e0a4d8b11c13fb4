// Tools that return each kind of content without asking.

import type { CallToolResult, McpServer } from "@modelcontextprotocol/server"
import { picture, sound, text } from "../samples.ts"

const results: Readonly<Record<string, { readonly description: string; readonly result: CallToolResult }>> = {
  test_simple_text: {
    description: "Gives a line of text.",
    result: text("This is a simple text response for testing."),
  },
  test_image_content: {
    description: "Gives a picture.",
    result: { content: [{ type: "image", data: picture, mimeType: "image/png" }] },
  },
  test_audio_content: {
    description: "Gives a sound.",
    result: { content: [{ type: "audio", data: sound, mimeType: "audio/wav" }] },
  },
  test_embedded_resource: {
    description: "Gives a resource with its content.",
    result: {
      content: [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content.",
          },
        },
      ],
    },
  },
  test_multiple_content_types: {
    description: "Gives text, a picture and a resource together.",
    result: {
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: picture, mimeType: "image/png" },
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: JSON.stringify({ test: "data", value: 123 }),
          },
        },
      ],
    },
  },
}

export function registerContent(server: McpServer): void {
  for (const [name, { description, result }] of Object.entries(results)) {
    server.registerTool(name, { description }, () => result)
  }
  server.registerTool("test_error_handling", { description: "Always fails." }, () => {
    throw new Error("This tool intentionally returns an error for testing")
  })
}
