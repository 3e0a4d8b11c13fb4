// The server for the official conformance suite and for our own: the tools and resources that they expect, and no
// others.

import { McpServer } from "@modelcontextprotocol/server"
import { registerPrompts } from "./prompts.ts"
import { registerResources, registerSubscriptions } from "./resources.ts"
import { registerAsking } from "./tools/ask.ts"
import { registerContent } from "./tools/content.ts"
import { registerDirect } from "./tools/direct.ts"
import { registerLinks } from "./tools/links.ts"
import { registerNotifying } from "./tools/notify.ts"
import { registerSchemas } from "./tools/schemas.ts"

export interface FixtureRequest {
  readonly era: "legacy" | "modern"
  readonly requestInfo?: Request | undefined
}

export function createFixture({ era, requestInfo }: FixtureRequest): McpServer {
  const server = new McpServer(
    { name: "holdpoint-fixture", version: "1.0.0" },
    {
      capabilities: {
        logging: {},
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
    },
  )
  for (const register of [registerContent, registerNotifying, registerSchemas, registerDirect, registerAsking]) {
    register(server)
  }
  registerLinks(server, new URL(requestInfo?.url ?? "http://127.0.0.1").origin)
  registerResources(server)
  registerPrompts(server)
  if (era === "legacy") registerSubscriptions(server)
  return server
}
