// Sends requests to the run API, with the caller's credentials. A refusing response becomes an error.

import { ClientError, toClientError } from "./error.ts"

export interface RequestOptions {
  /** The address of the server, without `/run`. */
  readonly url: string | URL
  /**
   * A token that was issued for `/run`, or a program's key for `questions`; or a function that returns a fresh one.
   * Without it, the browser's session is used.
   */
  readonly token?: string | (() => string | Promise<string>)
  /** Headers of every request, for example `x-api-key`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface ApiRequest {
  readonly method?: "GET" | "POST"
  /** The path below the address of the API, which is `/run/api` or `/api`. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Sends a request. Rejects with a ClientError unless the response is a success. */
export type SendRequest = (request: ApiRequest) => Promise<Response>

export function createRequests(options: RequestOptions, api = "run/api"): SendRequest {
  const base = String(options.url).replace(/\/+$/, "")
  const send = options.fetch ?? ((url, init) => fetch(url, init))
  return async ({ method = "GET", path, body, headers = {}, signal }) => {
    const init: RequestInit = {
      method,
      headers: { ...options.headers, ...(await authorization(options)), ...contentType(body), ...headers },
      // Fails on a redirect, so that the token is not sent to another address.
      redirect: "error",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }
    const response = await send(`${base}/${api}/${path}`, init).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new ClientError("unreachable", `There was no response from ${base}. Try again later.`, { cause })
    })
    if (!response.ok) throw await toClientError(response)
    return response
  }
}

async function authorization({ token }: RequestOptions): Promise<Readonly<Record<string, string>>> {
  if (token === undefined) return {}
  return { authorization: `Bearer ${typeof token === "string" ? token : await token()}` }
}

const contentType = (body: unknown): Readonly<Record<string, string>> =>
  body === undefined ? {} : { "content-type": "application/json" }
