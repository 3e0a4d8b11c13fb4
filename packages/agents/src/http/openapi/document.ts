// The OpenAPI 3.1 document of the run API, generated from its table of routes.

import { type Operation, toOpenApi } from "@holdpoint/server/http"
import { schemas } from "./schemas.ts"

export interface DescribedRoute {
  readonly method: "GET" | "POST"
  /** The path, with its parameters as `:name`. */
  readonly path: string
  readonly operation: Operation
}

export const describeRunApi = (routes: readonly DescribedRoute[]) =>
  toOpenApi({
    title: "Holdpoint run API",
    description: "Talk to agents whose replies pause for people. Later versions may add members to bodies.",
    routes,
    schemas,
    securitySchemes,
    idOf: "conversation",
  })

const securitySchemes = {
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "A token that was issued for this server's address with /run; in local mode, the key of the person's programs.",
  },
  session: { type: "apiKey", in: "cookie", name: "__Host-hp_session", description: "For pages of the same origin." },
  apiKey: {
    ...{ type: "apiKey", in: "header", name: "x-api-key" },
    description: "A key of agents.apiKeys: a program without a person.",
  },
} as const
