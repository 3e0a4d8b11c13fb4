// An OpenAPI 3.1 document, generated from a table of routes. Refusals of callers and failures are added to every
// operation.

export type Schema = Readonly<Record<string, unknown>>

/** The parameters, the body and the responses of one route. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  /** The parameters, except those of the path. */
  readonly parameters?: readonly Parameter[]
  /** The schema of the body, which is JSON. */
  readonly body?: Schema
  /** Whether the body may be left out. */
  readonly isBodyOptional?: true
  /** The responses by HTTP status. */
  readonly responses: Readonly<Record<number, Reply>>
  /** The name of the schema of refusals. Default: `Problem`. */
  readonly refusal?: string
}

interface Parameter {
  readonly name: string
  readonly in: "header" | "query"
  readonly description: string
  readonly schema: Schema
}

/**
 * A response. `content` has a schema for each content type, and is absent if the response has no body. `"refusal"`: a
 * refusal, with the schema that the operation names for refusals.
 */
type Reply = { readonly description: string; readonly content?: Readonly<Record<string, Schema>> } | "refusal"

/** The data from which an API's OpenAPI document is generated. */
export interface DescribedApi {
  readonly title: string
  readonly description: string
  readonly routes: readonly DescribedRoute[]
  readonly schemas: Readonly<Record<string, Schema>>
  readonly securitySchemes: Readonly<Record<string, Schema>>
  /** The kind of object that `{id}` in a path identifies. */
  readonly idOf: string
}

interface DescribedRoute {
  readonly method: "GET" | "POST"
  /** The path, with parameters as `:name`. */
  readonly path: string
  readonly operation: Operation
}

/** Refers to a schema of the document by its name. */
export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** Describes each of these HTTP statuses as a refusal. */
export const refusals = (...statuses: readonly number[]): Readonly<Record<number, Reply>> =>
  Object.fromEntries(statuses.map((status) => [status, "refusal"]))

/** Creates the OpenAPI 3.1 document of an API. */
export function toOpenApi(api: DescribedApi) {
  const { title, description, routes, schemas, securitySchemes } = api
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, path, operation } of routes) {
    const template = path.replaceAll(/:(\w+)/g, "{$1}")
    paths[template] = { ...paths[template], [method.toLowerCase()]: toOperation(api, path, operation) }
  }
  return {
    openapi: "3.1.0",
    info: { title, version: "1", description },
    // The document is served by the server that it describes.
    servers: [{ url: "/" }],
    paths,
    components: { schemas, securitySchemes },
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
  }
}

function toOperation({ idOf }: DescribedApi, path: string, operation: Operation) {
  const { body, isBodyOptional, responses, refusal = "Problem", parameters = [], ...rest } = operation
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: "path", required: true, schema: { type: "string" } },
    description: `The id of the ${idOf}.`,
  }))
  const allParameters = [...inPath, ...parameters]
  const refusalContents = { [refusal === "Problem" ? "application/problem+json" : "application/json"]: refTo(refusal) }
  // Refusals outside of the route itself, such as failed authentication, are problem documents.
  const refusalContentsWithProblem = { ...refusalContents, "application/problem+json": refTo("Problem") }
  const toResponse = (reply: Reply) =>
    reply === "refusal"
      ? toContents("The request is refused.", refusalContents)
      : toContents(reply.description, reply.content)
  const required = isBodyOptional === undefined
  return {
    ...rest,
    ...(allParameters.length === 0 ? {} : { parameters: allParameters }),
    ...(body === undefined ? {} : { requestBody: { required, ...toContents("", { "application/json": body }) } }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, reply]) => [status, toResponse(reply)])),
      401: toContents("The server does not know who is calling.", refusalContentsWithProblem),
      403: toContents("The caller, host or origin may not do this.", refusalContentsWithProblem),
      500: toContents("Something failed on the server.", refusalContentsWithProblem),
    },
  }
}

function toContents(description: string, content: Readonly<Record<string, unknown>> = {}) {
  const types = Object.entries(content).map(([type, schema]) => [type, { schema }])
  return { description, ...(types.length === 0 ? {} : { content: Object.fromEntries(types) }) }
}
