// The fixture's resources: text, bytes, a template, and a resource to which clients can subscribe.

import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { picture } from "./samples.ts"

export function registerResources(server: McpServer): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "Text that stays the same.", mimeType: "text/plain" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    }),
  )
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "Bytes that stay the same.", mimeType: "image/png" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "image/png", blob: picture }] }),
  )
  server.registerResource(
    "watched-resource",
    "test://watched-resource",
    { description: "Text that can be watched.", mimeType: "text/plain" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "text/plain", text: "Nothing has changed yet." }] }),
  )
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "Data for an id.", mimeType: "application/json" },
    ({ href: uri }, { id }) => ({
      contents: [
        {
          uri,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
}

/**
 * Handles subscribe requests. They exist before 2026-07-28 only, and McpServer leaves them to the author of a server.
 */
export function registerSubscriptions(server: McpServer): void {
  server.server.setRequestHandler("resources/subscribe", () => ({}))
  server.server.setRequestHandler("resources/unsubscribe", () => ({}))
}
