// Compares the requests and responses of an API with its OpenAPI document.

import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: object
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>
}

type Contents = Readonly<Record<string, { readonly schema: object }>>

const validator = new AjvJsonSchemaValidator()

type Validator = ReturnType<typeof validator.getValidator<unknown>>

/** Compiled validators by document and schema, because compiling takes longer than a hundred comparisons. */
const validators = new WeakMap<Document, Map<string, Validator>>()

/** Describes why a value does not fit a schema of the document. */
function faultOf(document: Document, schema: object, value: unknown): string | undefined {
  const cached = validators.get(document) ?? new Map<string, Validator>()
  validators.set(document, cached)
  const key = JSON.stringify(schema)
  const validate =
    cached.get(key) ?? validator.getValidator<unknown>({ ...schema, components: document.components } as never)
  cached.set(key, validate)
  return validate(value).errorMessage
}

/** A request with its response, whose stream was read as text. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly sent?: unknown
  readonly status: number
  readonly type: string | undefined
  readonly text: string
}

/** The ways in which an exchange differs from the document. */
export function faultsIn(
  document: Document,
  exchange: Exchange,
  eventOf: (operation: DocumentedOperation) => string,
): readonly string[] {
  const { method, path, sent, status, type, text } = exchange
  const where = `${method} ${path} ${status} ${type}`
  const operation = operationAt(document, method, path)
  const response = operation?.responses[status]
  if (operation === undefined || response === undefined) return [`${where} is not in the document`]
  const body = operation.requestBody?.content["application/json"]
  const wrongRequest = body === undefined || status >= 300 ? undefined : faultOf(document, body.schema, sent)
  if (text === "" && response.content === undefined) return wrongRequest === undefined ? [] : [wrongRequest]
  const schema = response.content?.[type ?? ""]?.schema
  if (schema === undefined) return [`${where}: the document has no such content`]
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as unknown)
  const eventSchema = { $ref: `#/components/schemas/${eventOf(operation)}` }
  const faults =
    type === "text/event-stream"
      ? events.map((event) => faultOf(document, eventSchema, event))
      : [faultOf(document, schema, JSON.parse(text))]
  return [wrongRequest, ...faults].filter((fault) => fault !== undefined).map((fault) => `${where}: ${fault}`)
}

export function operationAt({ paths }: Document, method: string, path: string): DocumentedOperation | undefined {
  const [, operations] =
    Object.entries(paths).find(([template]) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    ) ?? []
  return operations?.[method.toLowerCase()]
}
