// The HTTP API as a mount: finds the route, authenticates the caller, and turns every error into a problem document.

import type { Hub, Runtime } from "@holdpoint/hub"
import { type Addresses, type HoldpointError, isHoldpointError, paths } from "@holdpoint/hub"
import type { Mount, ResourceServer } from "@holdpoint/hub/internal"
import { Hono } from "hono"
import {
  type ApiParts,
  cancelQuestion,
  completeQuestion,
  createEventStreams,
  createProgramLimits,
  createSameForm,
  createWaits,
  describeApi,
  followQuestion,
  getQuestion,
  type Operation,
  operations,
  type PersonRoute,
  type ProgramLimits,
  type ProgramRoute,
  postAnswer,
  postQuestion,
  type StreamPlaces,
  toProblem,
} from "../api/index.ts"
import type { Identity, LocalIdentity } from "../identity/index.ts"
import type { Programs } from "../identity/programs/programs.ts"
import { createApiCallers } from "./api-callers.ts"

/** The API as an OAuth resource, for programs that request a token in a person's name. */
export const apiResource = {
  resource: "/api",
  name: "Your questions on this server",
  scopes: { "questions.answer": "Answer questions in your name" },
}

export interface ApiOptions {
  readonly hub: Hub
  readonly programs: Programs
  readonly identity: Identity | LocalIdentity
  readonly addresses: Addresses
  readonly runtime: Runtime
  readonly report: (activity: string, error: unknown) => void
  /** Lists the people of a tenant who have signed in, for programs that name people by e-mail address. */
  readonly people: ApiParts["people"]
  /** The most open questions of each program, and the most in a minute. Default: no limit. */
  readonly limits?: ProgramLimits
  /** The places of open streams, shared with the other surfaces of this process. */
  readonly places: StreamPlaces
  /** Checks people's tokens for this API. Without it, no tokens are accepted. */
  readonly resource?: ResourceServer
}

interface RouteRow {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly operation: Operation
  readonly route:
    | { readonly caller: "program"; readonly run: ProgramRoute }
    | { readonly caller: "person"; readonly run: PersonRoute }
}

export const apiRoutes: readonly RouteRow[] = [
  {
    method: "POST",
    path: paths.apiQuestions,
    operation: operations.ask,
    route: { caller: "program", run: postQuestion },
  },
  { method: "GET", path: paths.apiQuestion, operation: operations.get, route: { caller: "program", run: getQuestion } },
  {
    method: "GET",
    path: paths.apiEvents,
    operation: operations.events,
    route: { caller: "program", run: followQuestion },
  },
  {
    method: "POST",
    path: paths.apiCancel,
    operation: operations.cancel,
    route: { caller: "program", run: cancelQuestion },
  },
  {
    method: "POST",
    path: paths.apiComplete,
    operation: operations.complete,
    route: { caller: "program", run: completeQuestion },
  },
  { method: "POST", path: paths.apiAnswer, operation: operations.answer, route: { caller: "person", run: postAnswer } },
]

/** Creates the mount. Programs authenticate with their key, people with their session or a token. */
export function createApi(options: ApiOptions): Mount {
  const { hub, addresses, runtime, report, resource, people, places } = options
  const callers = createApiCallers(options)
  const streams = createEventStreams(runtime)
  const waits = createWaits({ hub, runtime })
  const limits = createProgramLimits({ hub, runtime, report, limits: options.limits ?? {} })
  const sameForm = createSameForm()
  const parts: ApiParts = { hub, addresses, runtime, streams, places, waits, limits, sameForm, people }
  const metadataPath = resource === undefined ? undefined : new URL(resource.metadataUrl).pathname
  const mountedPaths: readonly (string | undefined)[] = [paths.apiQuestions, paths.apiDocument, metadataPath]
  const app = new Hono()
  for (const { method, path, route } of apiRoutes)
    app.on(method, path, async (context) => {
      const request = context.req.raw
      const id = context.req.param("id") ?? ""
      const response = await answer(request, id, route)
      // The body of a response to HEAD is never read, so a stream would never be closed.
      if (request.method === "HEAD") await response.body?.cancel()
      return response
    })

  async function answer(request: Request, id: string, route: RouteRow["route"]): Promise<Response> {
    if (route.caller === "person") {
      const person = await callers.person(request, id)
      const isStillAllowed = async (): Promise<boolean> => !((await callers.person(request, id)) instanceof Response)
      return person instanceof Response ? person : route.run(parts, { request, id, person, isStillAllowed })
    }
    const program = await callers.program(request)
    if (program instanceof Response) return program
    return route.run(parts, { request, id, program, isStillAllowed: () => options.programs.has(program) })
  }

  // The API document needs no authentication, because it contains nothing about this server's programs and people.
  app.get(paths.apiDocument, () => Response.json(describeApi(apiRoutes)))
  app.notFound(({ req }) => {
    const detail = `There is nothing at ${req.method} ${req.path}. The API is described at ${paths.apiDocument}.`
    return toProblem("not_found", detail)
  })
  app.onError((error) => {
    if (isHoldpointError(error)) return refuse(error, report)
    report("answering a request of the HTTP API", error)
    return toProblem(
      "internal",
      "Something failed on this server. Try again: with the same idempotency key, nothing is asked twice.",
    )
  })
  return {
    handles: (path) => mountedPaths.includes(path) || path.startsWith(questionsPrefix),
    fetch: async (request) => resource?.metadata(request) ?? app.fetch(request),
    async close() {
      limits.close()
      waits.close()
      streams.close()
    },
  }
}

const questionsPrefix = `${paths.apiQuestions}/`

/**
 * Converts an error to a response: an error of the caller lists every problem, and an error of this server is reported.
 */
function refuse(error: HoldpointError, report: ApiOptions["report"]): Response {
  const { code, message, problems } = error
  const isServerFault = ["wrong_key", "sealed_unreadable", "invalid_config", "internal", "schema_too_new"].includes(
    code,
  )
  if (!isServerFault && code !== "store_unavailable") return toProblem(code, message, { problems })
  report("answering a request of the HTTP API", error)
  const words = "The server cannot do this now. Try again: with the same idempotency key, nothing is asked twice."
  return toProblem(isServerFault ? "internal" : code, words)
}
