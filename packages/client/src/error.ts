// The errors of the client: refusals of the server as problem documents (RFC 9457), and a server out of reach.

/** A refusal of the run API, as a problem document of RFC 9457. Refusals may have additional members. */
export interface ProblemDocument {
  readonly title?: string
  readonly status?: number
  /** The error code, for programs. */
  readonly code?: string
  /** The message for people: what happened, why, and what to do next. */
  readonly detail?: string
  readonly [member: string]: unknown
}

/**
 * A call that the server refused, or that did not reach the server. Test `code`: the code of the problem document, or
 * `unreachable` when there was no response, `disconnected` when the stream could not be resumed, `unexpected` for any
 * other response.
 */
export class ClientError extends Error {
  readonly code: string
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined
  readonly problem: ProblemDocument | undefined

  constructor(code: string, message: string, options: ClientErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = "ClientError"
    this.code = code
    this.status = options.status
    this.problem = options.problem
  }
}

export interface ClientErrorOptions {
  readonly status?: number
  readonly problem?: ProblemDocument
  readonly cause?: unknown
}

/** Converts a refusing response to an error. */
export async function toClientError(response: Response): Promise<ClientError> {
  const { status } = response
  const problem = await readProblem(response)
  const { code = "unexpected", detail = `The server answered with HTTP status ${status}.` } = problem ?? {}
  return new ClientError(code, detail, { status, ...(problem === undefined ? {} : { problem }) })
}

async function readProblem(response: Response): Promise<ProblemDocument | undefined> {
  try {
    const body: unknown = await response.json()
    return isProblem(body) ? body : undefined
  } catch {
    // The body is not a problem document, but for example a proxy's page, so only the status is used.
    return undefined
  }
}

function isProblem(value: unknown): value is ProblemDocument {
  if (typeof value !== "object" || value === null) return false
  const { code = "", detail = "" } = value as Readonly<Record<string, unknown>>
  return typeof code === "string" && typeof detail === "string"
}
