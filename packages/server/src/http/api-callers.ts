// Authenticates callers of the HTTP API: a program by its key, a person by the session of their browser or a token. A
// key does not identify a person, and a cookie counts only for pages of this origin.

import type { Principal } from "@holdpoint/hub"
import { toProblem } from "../api/index.ts"
import { keyPrefix } from "../identity/programs/programs.ts"
import type { Program } from "../identity/programs/records.ts"
import { createRateLimit } from "../identity/rate-limit.ts"
import { type BearerResult, readBearer } from "../identity/resource/bearer.ts"
import type { ApiOptions } from "./api.ts"
import { createJar } from "./cookies.ts"
import { createLocalGate, createSignInGate } from "./gate.ts"
import { isOwnPage } from "./local-callers.ts"

export interface ApiCallers {
  program(request: Request): Promise<Program | Response>
  /** Identifies the person by token or by browser session. In local mode, claims the question for the browser. */
  person(request: Request, question: string): Promise<Principal | Response>
}

/**
 * The most wrong keys per minute and process. Keys cannot be guessed; the limit keeps a misconfigured program from
 * filling the logs.
 */
const mostFailures = 60

export function createApiCallers(options: ApiOptions): ApiCallers {
  const { programs, identity, addresses, runtime, resource } = options
  const isTooOften = createRateLimit(mostFailures, runtime)
  const jar = createJar(addresses)
  const gate = "claim" in identity ? createLocalGate(identity, jar) : createSignInGate(identity, jar)
  const ownUrl = new URL(addresses.publicUrl)

  async function personOfSession(request: Request, question: string): Promise<Principal | Response> {
    if (!isOwnPage(request, ownUrl)) return toUnknownCaller(notSignedIn)
    if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
      return toProblem("invalid_request", "Send the answer as application/json.")
    const guest = await gate.enter(request, `inbox:${question}`)
    if (guest instanceof Response) return toUnknownCaller(notSignedIn)
    const isClaimed = (await guest.claim?.()) ?? true
    return isClaimed ? guest.principal : toUnknownCaller(notSignedIn)
  }

  return {
    async program(request) {
      const bearer = readBearer(request)
      if (bearer.kind !== "token") return toUnknownCaller(wordsOf(bearer))
      // A valid key is accepted even after too many wrong keys.
      const caller = await programs.find(bearer.token)
      if (caller !== undefined) return caller
      return isTooOften() ? toProblem("too_often", tooOften) : toUnknownCaller(wrongKey)
    },
    async person(request, question) {
      const bearer = readBearer(request)
      if (bearer.kind === "none") return personOfSession(request, question)
      if (bearer.kind === "malformed") return toUnknownCaller(bearer.message)
      if (bearer.token.startsWith(keyPrefix)) return toProblem("not_allowed", keyIsNoPerson)
      if (resource === undefined) return toUnknownCaller(noTokens)
      const caller = await resource.authenticate(request)
      return caller instanceof Response ? toTokenRefusal(caller) : caller.principal
    },
  }
}

const toUnknownCaller = (detail: string): Response =>
  toProblem("caller_unknown", detail, { headers: { "www-authenticate": "Bearer" } })

const wordsOf = (bearer: Exclude<BearerResult, { kind: "token" }>): string =>
  bearer.kind === "malformed" ? bearer.message : noKey

/** Converts the resource server's refusal to a problem document. Keeps the headers that clients act on. */
async function toTokenRefusal(refusal: Response): Promise<Response> {
  const { error_description: detail = "" } = (await refusal.json()) as Readonly<Record<string, string>>
  const headers = ["www-authenticate", "retry-after"].flatMap((name) => {
    const value = refusal.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return toProblem(codeOf(refusal.status), detail, { headers: Object.fromEntries(headers) })
}

function codeOf(status: number): "caller_unknown" | "not_allowed" | "invalid_request" | "provider_unavailable" {
  if (status === 403) return "not_allowed"
  if (status === 400) return "invalid_request"
  return status === 503 ? "provider_unavailable" : "caller_unknown"
}

const noKey =
  "Send the program's key in the header “Authorization: Bearer hp_…”. Make a key on the account page or with “holdpoint programs add”."
const wrongKey = "This is not the key of a program, or it was withdrawn. Make a new one and try again."
const tooOften = "Too many wrong keys in a minute. Check the key, and try again in a minute."
const keyIsNoPerson = "A program's key does not identify a person, and only people can answer questions."
const noTokens = "This server does not accept people's tokens here. Answer on a page of this server."
const notSignedIn = "This server does not know who you are. Sign in on this server's pages, and answer there."
