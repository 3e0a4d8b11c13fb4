// The OpenAPI 3.1 document of the run API, generated from its table of routes.

import type { Operation, Reply } from "./operations.ts"
import { refTo, schemas } from "./schemas.ts"

export interface DescribedRoute {
  readonly method: "GET" | "POST"
  /** With parameters as `:name`. */
  readonly path: string
  readonly operation: Operation
}

export function toOpenApi(routes: readonly DescribedRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, path, operation } of routes) {
    const template = path.replaceAll(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [method.toLowerCase()]: toOperation(path, operation) }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Holdpoint run API",
      version: "1",
      description: "Talk to agents whose replies pause for people. Members may be added to every body.",
    },
    // The document lies at the address of the server that it describes.
    servers: [{ url: "/" }],
    paths,
    components: { schemas, securitySchemes },
    // One of them, or none where the person is at the machine itself.
    security: [...Object.keys(securitySchemes).map((name) => ({ [name]: [] })), {}],
  }
}

const securitySchemes = {
  token: {
    type: "http",
    scheme: "bearer",
    description: "A token that was issued for this server's address with /run.",
  },
  session: { type: "apiKey", in: "cookie", name: "__Host-hp_session", description: "For pages of the same origin." },
  apiKey: {
    ...{ type: "apiKey", in: "header", name: "x-api-key" },
    description: "A key of agents.apiKeys: a program without a person.",
  },
} as const

function toOperation(path: string, { body, responses, refusal = "Problem", parameters = [], ...rest }: Operation) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
    description: "The id of the conversation.",
  }))
  const all = [...inPath, ...parameters]
  const isProblem = refusal === "Problem"
  const refused = { [isProblem ? "application/problem+json" : "application/json"]: refTo(refusal) }
  // Before and after the route, refusals are problem documents.
  const refusedAnywhere = { ...refused, "application/problem+json": refTo("Problem") }
  const toResponse = (reply: Reply) =>
    reply === "refusal" ? toContents("The request is refused.", refused) : toContents(reply.description, reply.content)
  return {
    ...rest,
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(body === undefined ? {} : { requestBody: { required: true, ...toContents("", { "application/json": body }) } }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, reply]) => [status, toResponse(reply)])),
      401: toContents("It is not known who calls.", refusedAnywhere),
      403: toContents("The caller, host or origin may not do this.", refusedAnywhere),
      500: toContents("Something failed here.", refusedAnywhere),
    },
  }
}

function toContents(description: string, content: Readonly<Record<string, unknown>> = {}) {
  const types = Object.entries(content).map(([type, schema]) => [type, { schema }])
  return { description, ...(types.length === 0 ? {} : { content: Object.fromEntries(types) }) }
}
